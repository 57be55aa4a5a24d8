# The radius is labelled r.
geometry d = disk(center: (0, 0), r: 1)
