# A hole of negative radius.
geometry g = rectangle(x: 0..1, y: 0..1) - disk(center: (0.5, 0.5), radius: -0.1)
