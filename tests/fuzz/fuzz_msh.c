/* The reader of .msh files on arbitrary bytes: an error or a mesh that holds together, never a crash. */
#include <stdlib.h>
#include <string.h>

#include "numerics/mesh_build.h"
#include "numerics/mesh_io.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len) {
  Interner *names = interner_new();
  Diags diags = {0};
  MshFile file;
  Mesh *mesh = NULL;
  char *text = malloc(len + 1);
  memcpy(text, data, len);
  text[len] = 0;
  Status status = msh_parse("fuzz.msh", text, len, &diags, (Span){1, 2}, &file) || msh_build("fuzz.msh", &file, 1, names, &diags, (Span){1, 2}, &mesh);
  if (status ? !diags.nerrors : diags.nerrors || !mesh) abort();
  if (mesh) {
    for (int c = 0; c < mesh->ncells; c++)
      if (!(mesh_signed_measure(mesh, c) > 0)) abort();
    for (int i = 0; i < mesh->ngroups; i++) {
      const MeshGroup *g = &mesh->groups[i];
      int most = g->dim == mesh->dim ? mesh->ncells : g->dim == mesh->dim - 1 ? mesh->nfacets : mesh->nverts;
      int width = g->dim >= mesh->dim - 1 ? 1 : g->dim + 1;
      for (int k = 0; k < g->n * width; k++)
        if (g->entity[k] < 0 || g->entity[k] >= most) abort();
    }
    double mid[3] = {0}, l[4];
    for (int d = 0; d < mesh->dim; d++) mid[d] = (mesh->lo[d] + mesh->hi[d]) / 2;
    mesh_locate(mesh, mid, l);
  }
  mesh_release(mesh);
  msh_free(&file);
  free(text);
  diags_free(&diags);
  interner_free(names);
  return 0;
}
