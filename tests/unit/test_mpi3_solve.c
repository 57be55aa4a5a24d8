/* With three ranks a rank has ghosts of lower and of higher ranks than the owner of a multiplier. */
#include "test_mpi_solve.c"
