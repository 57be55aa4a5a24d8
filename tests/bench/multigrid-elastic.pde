# A clamped plate of 2N x N x 2 triangles under shear: iterations over the size.
param N = 100
geometry square = rectangle(x: 0..2, y: 0..1)
mu = 1/2.6; la = 0.3/(1.3*0.4)
pde problem on square {
  unknown u : vector P1
  field sigma = la*tr(eps(u))*I + 2*mu*eps(u)
  div(sigma) == 0
  on left: u == 0
  on right: dot(sigma, n) == (0, -0.01)
  on others: dot(sigma, n) == 0
}
