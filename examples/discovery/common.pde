# What the five systems share: the domain, the mesh, the excitations, and how a state is measured.
param noise   = 5%            # relative to the root mean square of a trajectory
param seed    = 0             # of the noise
param fresh   = 0             # excitations: 0 are those of the stored trajectories, others are new ones
param nodes   = 64            # sensors in each direction
param frames  = 128           # times
param cells   = 63            # quadrilaterals in each direction; quadratic elements halve them
param substeps = 4            # steps from one time to the next

geometry square = rectangle(x: 0..1, y: 0..1)
m = mesh(square, cells: [cells, cells], kind: quad)

# Smooth and random in space, slow in time: the initial state, and the state on the boundary at all times.
fn excitation(system, which) = random_waves(14, wavenumber: 0.6..2.4, frequency: 0..1.2, seed: 1000 + 100*system + which + 10_000*fresh)

# A random field with mean 0 and deviation 1 on the square.
fn normal_field(length, number) {
  z = project(random_field(length, seed: number), m, element: Q2).u
  spread = sqrt(mean((z - mean(z))^2))
  return (z - mean(z))/spread
}

# 1 in a disc, 0 outside, with a soft border.
fn inclusion(x, y, cx, cy, radius, border) = 0.5*(1 - tanh((sqrt((x - cx)^2 + (y - cy)^2) - radius)/border))

# The state at the sensors, with noise, in NAME.h5.
fn store(u, system, which, name) {
  s = sampled(u, [nodes, nodes])
  export(noisy(s, noise, seed: 77_000 + 1000*seed + 10*system + which), f"{name}.h5")
  print(f"{name}.h5: root mean square {s.rms:.4f}, noise {noise*s.rms:.4f}")
}
