#include "part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "petsc.h"
#include "sides.h"

int part_runs(const Mesh *mesh, IntegralKind kind) { return kind == INTEGRAL_CELL ? 1 : mesh->ref->nfacets; }

void part_group(Part *part, const Mesh *mesh, IntegralKind kind) {
  int runs = part_runs(mesh, kind), at = 0, *sorted = malloc(sizeof(int) * (size_t)(part->n + 1));
  for (int g = 0; g < 2 * runs; g++) {
    part->group[g] = at;
    for (int i = 0; i < part->n; i++) {
      int item = part->item[i], cell = kind == INTEGRAL_CELL ? item : mesh->facet_cell[item];
      if (mesh_is_curved(mesh, cell) == (g >= runs) && (kind == INTEGRAL_CELL || mesh->facet_local[item] == g % runs)) sorted[at++] = item;
    }
    if (!mesh->ncurved && g == runs - 1) break;
  }
  for (int g = mesh->ncurved ? 2 * runs : runs; g <= 2 * CELL_FACETS; g++) part->group[g] = at;
  free(part->item);
  part->item = sorted;
}

Status part_kernels(Part *part, const Data *data, LowerRequest *request) {
  const Mesh *mesh = data->mesh;
  KernelContext *kernels = data->engine->kernels;
  int straight = part->all || request->kind == INTEGRAL_INTERIOR ? part->n : part->group[part_runs(mesh, request->kind)];
  request->shape = mesh->ref->shape;
  request->bent = mesh->bend != NULL;
  request->curved = false;
  long each = request->repeats > 0 ? request->repeats : 1;
  request->visits = straight * each;
  TRY(kernel_integral(kernels, request, data->diags, &part->kernel));
  request->curved = true;
  request->visits = (part->n - straight) * each;
  bool wanted = request->visits || (mesh->ncurved && request->kind == INTEGRAL_FACET);      /* the facets may be changed later */
  return wanted ? kernel_integral(kernels, request, data->diags, &part->curved) : 0;
}

/* A facet between two cells is on the rank of one of its vertices, with both cells; it may be missing where one of the cells is owned. */
static void keep_owned(Part *part, const Mesh *mesh, IntegralKind kind) {
  int k = 0;
  for (int i = 0; i < part->n; i++)
    if (kind == INTEGRAL_CELL ? mesh_owns_cell(mesh, part->item[i]) : mesh_owns_facet(mesh, part->item[i])) part->item[k++] = part->item[i];
  part->n = k;
}

static void where_text(const Where *where, char *out, size_t size) {
  Buf text = {0};
  if (where->interface[0]) buf_printf(&text, "interface(%s, %s)", where->interface[0], where->interface[1]);
  for (int i = 0; i < where->n; i++) buf_printf(&text, "%s`%s`", i ? ", " : "", where->names[i]);
  snprintf(out, size, "%s", text.len ? buf_str(&text) : where->interior ? "interior" : "all");
  buf_free(&text);
}

/* The facets of the interface, with the cell of its first region first. */
static void keep_interface(Part *part, const Mesh *mesh, const Where *where) {
  char *a = sides_cells(mesh, where->interface[0]), *b = sides_cells(mesh, where->interface[1]);
  int n = 0;
  for (int i = 0; i < part->n; i++) {
    FacetPair p = part->pair[i];
    int c = p.cell[0], d = p.cell[1];
    if (a[c] && b[d] && !(a[d] || b[c])) part->pair[n++] = p;
    else if (a[d] && b[c] && !(a[c] || b[d])) part->pair[n++] = (FacetPair){{d, c}, {p.order[1], p.order[0]}};
  }
  part->n = n;
  free(a), free(b);
}

Status part_place(Part *part, const Data *data, const Where *where, IntegralKind kind, bool owned, bool may_be_empty) {
  const Mesh *mesh = data->mesh;
  if (kind == INTEGRAL_INTERIOR && mesh->ref->shape == CELL_TENSOR) {
    Diag *diag = diag_report(data->diags, E1061, where ? where->span : data->span, "this joins cells across their facets, and the mesh has %s", mesh->ref->plural);
    diag_suggest(diag, "make the mesh without `kind:`, of %s", refcell_of(CELL_SIMPLEX, mesh->dim)->plural);
    return 1;
  }
  if (kind == INTEGRAL_INTERIOR) {
    part->pair = mesh_interior(mesh, owned, &part->n);
    if (where && where->interface[0]) keep_interface(part, mesh, where);
    return 0;
  }
  bool whole = kind == INTEGRAL_CELL && (!where || where->all || (!where->n && !where->others));
  if (whole && (!owned || mesh->nranks <= 1)) {      /* the same on all ranks, which need not agree on it */
    part->n = mesh->ncells;
    part->all = !mesh->ncurved;
    if (part->all) return 0;
    part->item = mesh_select_cells(mesh, NULL, 0, true, false, &part->n);
    part_group(part, mesh, kind);
    return 0;
  }
  if (kind == INTEGRAL_CELL) part->item = mesh_select_cells(mesh, where ? where->names : NULL, where ? where->n : 0, whole, where && where->others, &part->n);
  else if (where->interface[0]) part->item = mesh_select_interface(mesh, where->interface[0], where->interface[1], &part->n);
  else part->item = mesh_select_facets(mesh, where->names, where->n, where->all || (!where->n && !where->others), where->others, &part->n);
  if (owned) keep_owned(part, mesh, kind);
  part_group(part, mesh, kind);
  long n = part->n, total = n;
  if (mesh->nranks > 1) MPI_Allreduce(&n, &total, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  if (total || may_be_empty) return 0;
  char name[256];
  where_text(where, name, sizeof name);
  diag_report(data->diags, E2012, where->span, "%s has no %s on this mesh", name, kind == INTEGRAL_CELL ? "cell" : "facet");
  return 1;
}

void part_free(Part *part) {
  free(part->item), free(part->pair);
  kernel_release(part->kernel);
  kernel_release(part->curved);
  *part = (Part){0};
}
