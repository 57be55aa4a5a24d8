mesh Th = square(8, 8);
fespace Vh(Th, P1);
Vh u, v;
solve P(u, v) = int2d(Th)(dx(u)*dx(v) + dy(u)*dy(v)) - int2d(Th)(v) + on(1, 2, 3, 4, u = 0);
