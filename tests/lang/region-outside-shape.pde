#! check
#! error E1003 8:10-8:13
#! status 1
geometry g {
  a = rectangle(x: 0..1, y: 0..1)
  b = disk(center: (0.5, 0.5), radius: 0.2)
  shape = a
  region inc = b
}
m = mesh(g, h: 0.2)
