/* A call of Gmsh's C interface, whose error number the calling function returns. */
#ifndef MESH_GMSH_CALL_H
#define MESH_GMSH_CALL_H
#include <gmshc.h>

#define GMSH(call)          \
  do {                      \
    int ierr = 0;           \
    call;                   \
    if (ierr) return ierr;  \
  } while (0)

#endif
