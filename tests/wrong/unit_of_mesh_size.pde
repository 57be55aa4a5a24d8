# The mesh size of a geometry in millimetres.
geometry bar = rectangle(x: 0 [mm]..60 [mm], y: 0 [mm]..4 [mm])
m = mesh(bar, h: 0.5)
