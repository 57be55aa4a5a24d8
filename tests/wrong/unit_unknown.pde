# No such unit.
E = 200 [GPA]
