# A cloud carried around by a swirl: discontinuous elements, upwind, no mass lost.
#
# Shows: DG1, jump on the facets between cells (on: interior), a weak form with a time derivative.
# Comes out: the mass to round-off, after half a turn the hump where the flow has taken it.

geometry bowl = disk(center: (0, 0), radius: 1)
field hump = exp(-30*((x - 0.4)^2 + y^2))
field turned = exp(-30*((x + 0.4)^2 + y^2))

pde swirl on bowl {
  unknown c : scalar DG1
  field w = (-y, x)
  field out = max(dot(w, n), 0)                      # what leaves a cell; inside jump, n is the normal of each side's cell
  weak v: integral(dt(c)*v - c*dot(w, grad(v))) +
          integral(jump(v)*jump(out*c), on: interior) == 0       # nothing passes the wall
  initially: c == hump
}

m = mesh(bowl, h: 0.07)
sol = solve(swirl, m, time: 0..pi, step: pi/100, scheme: crank_nicolson)
gain = integral(sol.c)/integral(sol.c at 0) - 1
error = norm(sol.c - turned)/norm(turned, on: m)
print(f"after half a turn the error is {error:.3f}")
assert abs(gain) < 1e-12 and error < 0.1
plot(sol.c, "swirl.png", title: "after half a turn")
