# A body in tension that nothing holds.
geometry bar = rectangle(x: 0..4, y: 0..1)
pde tension(E = 200, nu = 0.3) on bar {
  unknown u : vector P2
  field sigma = E/(1 + nu)*eps(u) + E*nu/((1 + nu)*(1 - 2*nu))*tr(eps(u))*I
  div(sigma) == 0
  on left: dot(sigma, n) == (-1, 0)
  on right: dot(sigma, n) == (1, 0)
  on others: dot(sigma, n) == 0
}
