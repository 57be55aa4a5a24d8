# A mesh file that is not there.
m = import_mesh("plate.msh")
