save(project(x, mesh(interval(0, 1), cells: [2])), "")
#! error E0506
#! status 1
