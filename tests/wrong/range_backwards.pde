# A range from high to low.
geometry plate = rectangle(x: 1..0, y: 0..1)
