# The mesh file was cut off.
m = import_mesh("cut_off.msh")
