#include "mesh_build.h"
void mesh_free_locator(Mesh *mesh) { (void)mesh; }
