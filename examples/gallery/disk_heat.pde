# G4.1 A disk that cools.
#
# Data: radius 1, diffusivity 1, u = 0 at the rim, at first Bessel's J0(2.4048 r), as a series; until t = 0.2.
# Qualification: reference, the decay exp(-2.404826^2 t).
import "qualify"
geometry dish = disk(center: (0, 0), radius: 1)
field q = -(2.404825557695773/2)^2*(x^2 + y^2)
field bessel = 1 + q + q^2/4 + q^3/36 + q^4/576 + q^5/14400 + q^6/518400 + q^7/25401600 + q^8/1625702400
pde heat on dish {
  unknown u : scalar P2
  dt(u) == lap(u)
  on rim: u == 0
  initially: u == bessel
}
sol = solve(heat, mesh(dish, h: 0.06), time: 0..0.2, step: 0.005, scheme: crank_nicolson)
field exact = bessel*exp(-2.404825557695773^2*0.2)
by_reference("G4.1 disk, heat", "u in L2 at the end", norm(sol.u - exact)/norm(sol.u), 4e-3)
check sol against energy_decay(sol), positivity(sol)
plot(sol.u, "disk_heat.png", title: "Cooling disk, t = 0.2")
export(sol, "disk_heat.pvd")
