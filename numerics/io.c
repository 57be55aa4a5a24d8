#include "io.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io_points.h"

const IoRow io_rows[] = {
#define IO(extension, write, exports, saves, parts, doc) {extension, write, exports, saves, parts, doc},
#include "io.def"
#undef IO
};
const int io_row_count = (int)(sizeof io_rows / sizeof *io_rows);

const IoRow *io_row(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (int i = 0; dot && i < io_row_count; i++)
    if (!strcasecmp(dot + 1, io_rows[i].extension)) return &io_rows[i];
  return NULL;
}

Status io_export(const char *path, const IoResult *result, Diags *diags, Span span) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  const IoRow *row = io_row(path);
  if (row && row->exports) return row->write(path, result, diags, span);
  if (row) {
    Diag *d = diag_report(diags, E2500, span, "`.%s` is for save(...) and load(...), `export` writes files for other programs", dot + 1);
    diag_suggest(d, "save(sol, \"%s\"), or export to .vtu, .xdmf or .csv", path);
    return 1;
  }
  Buf known = {0};
  for (int i = 0; i < io_row_count; i++)
    if (io_rows[i].exports) buf_printf(&known, "%s.%s", known.len ? ", " : "", io_rows[i].extension);
  Diag *d = dot ? diag_report(diags, E2500, span, "no writer for `.%s` files; there are %s", dot + 1, buf_str(&known))
                : diag_report(diags, E2500, span, "`%s` has no extension that says the format; there are %s", path, buf_str(&known));
  diag_suggest(d, "%.*s.vtu opens in ParaView", dot ? (int)(dot - path) : (int)strlen(path), path);
  buf_free(&known);
  return 1;
}

/* ---- points: the common grid of all fields ---- */

static Status no_memory(Diags *diags, Span span) {
  diag_report(diags, E0001, span, "the machine refused memory for the file");
  return 1;
}

/* Each cell gets its own copy of its points. */
static Status take_apart(IoPoints *points, int ncells, Diags *diags, Span span) {
  size_t n = (size_t)ncells * (size_t)points->nodes;
  double *x = malloc(sizeof(double) * (3 * n + 1));
  int *owner = malloc(sizeof(int) * (n + 1));
  if (!x || !owner) {
    free(x), free(owner);
    io_points_close(points);
    return no_memory(diags, span);
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(x + 3 * i, points->x + 3 * (size_t)points->cell[i], 3 * sizeof(double));
    points->cell[i] = owner[i] = (int)i;
  }
  free(points->x), free(points->owner);
  points->x = x, points->owner = owner, points->n = (int)n;
  return 0;
}

/* Orders of VTK (vtkCellType.h and the VTK book), in our nodes: vertices, edges, faces, middle. XDMF's are the same. */
static const IoCellRow cell_rows[] = {
  {CELL_SIMPLEX, 1, 1, 3, "Polyline", {0, 1}},
  {CELL_SIMPLEX, 1, 2, 21, "Edge_3", {0, 1, 2}},
  {CELL_SIMPLEX, 2, 1, 5, "Triangle", {0, 1, 2}},
  {CELL_SIMPLEX, 2, 2, 22, "Triangle_6", {0, 1, 2, 5, 3, 4}},
  {CELL_SIMPLEX, 3, 1, 10, "Tetrahedron", {0, 1, 2, 3}},
  {CELL_SIMPLEX, 3, 2, 24, "Tetrahedron_10", {0, 1, 2, 3, 9, 6, 8, 7, 5, 4}},
  {CELL_TENSOR, 2, 1, 9, "Quadrilateral", {0, 1, 3, 2}},
  {CELL_TENSOR, 2, 2, 28, "Quadrilateral_9", {0, 1, 3, 2, 4, 7, 5, 6, 8}},
  {CELL_TENSOR, 3, 1, 12, "Hexahedron", {0, 1, 3, 2, 4, 5, 7, 6}},
  {CELL_TENSOR, 3, 2, 29, "Hexahedron_27", {0, 1, 3, 2, 4, 5, 7, 6, 8, 13, 9, 12, 10, 15, 11, 14, 16, 17, 19, 18, 20, 21, 22, 23, 24, 25, 26}}};

static const IoCellRow *cell_row(const RefCell *ref, int degree) {
  for (size_t i = 0; i < sizeof cell_rows / sizeof *cell_rows; i++)
    if (cell_rows[i].shape == ref->shape && cell_rows[i].dim == ref->dim && cell_rows[i].degree == degree) return &cell_rows[i];
  return NULL;
}

/* The points are the nodes of the element of degree 1 or 2 on the mesh. */
static bool lay_out(IoPoints *points, Mesh *mesh) {
  double reference[27 * 3], x[3];
  points->element->nodes(mesh->dim, reference);
  points->cell = nodal_layout(mesh, points->element, &points->n);
  points->x = calloc((size_t)points->n * 3 + 1, sizeof(double));
  points->owner = malloc(sizeof(int) * ((size_t)points->n + 1));
  if (!points->x || !points->cell || !points->owner) return false;
  for (int e = 0; e < mesh->ncells; e++)
    for (int a = 0; a < points->nodes; a++) {
      int node = points->cell[(size_t)e * (size_t)points->nodes + (size_t)a];
      const double *place = mesh->x + (size_t)node * (size_t)mesh->dim;
      if (node >= mesh->nverts) mesh_map(mesh, e, reference + a * mesh->dim, x, NULL), place = x;
      memcpy(points->x + 3 * (size_t)node, place, sizeof(double) * (size_t)mesh->dim);
      points->owner[node] = e * points->nodes + a;
    }
  return true;
}

Status io_points_open(IoPoints *points, const IoResult *result, Diags *diags, Span span) {
  Mesh *mesh = result->mesh;
  bool quadratic = mesh->ncurved && mesh->bend;
  for (int f = 0; f < result->nfields; f++) quadratic |= result->fields[f].element->degree > 1;
  *points = (IoPoints){.element = element_of(mesh->ref->shape, quadratic ? 2 : 1), .row = cell_row(mesh->ref, quadratic ? 2 : 1)};
  points->nodes = element_nodes(points->element, mesh->dim);
  for (int f = 0; f < result->nfields; f++) points->apart |= (!result->fields[f].cell_node || element_is_broken(result->fields[f].element)) && !io_is_cellwise(&result->fields[f]);
  if (!lay_out(points, mesh)) {
    io_points_close(points);
    return no_memory(diags, span);
  }
  return points->apart ? take_apart(points, mesh->ncells, diags, span) : 0;
}

void io_points_close(IoPoints *points) {
  free(points->x);
  free(points->cell);
  free(points->owner);
  *points = (IoPoints){0};
}

double *io_points_values(const IoPoints *points, const IoResult *result, int state, int f) {
  const NodalField *field = &result->fields[f];
  int dim = result->mesh->dim, nc = field->ncomp, nodes = element_nodes(field->element, dim);
  NodalField at = *field;
  at.values = result->values[(size_t)state * (size_t)result->nfields + (size_t)f];
  double *out = malloc(sizeof(double) * ((size_t)points->n * (size_t)nc + 1)), *basis = malloc(sizeof(double) * (size_t)(points->nodes * nodes)), place[27 * 3];
  double value[27 * 9];
  if (!out || !basis) { free(out); free(basis); return NULL; }
  memset(out, 0, sizeof(double) * (size_t)points->n * (size_t)nc);
  points->element->nodes(dim, place);
  for (int e = 0; e < result->mesh->ncells; e++) {
    nodal_at(&at, dim, e, points->nodes, place, basis, value);
    for (int a = 0; a < points->nodes; a++) {
      int p = points->cell[(size_t)e * (size_t)points->nodes + (size_t)a];
      memcpy(out + (size_t)p * (size_t)nc, value + a * nc, sizeof(double) * (size_t)nc);
    }
  }
  /* a node of the field that is a point of the grid keeps its bits: no arithmetic in between */
  if (field->cell_node) {
    int same = nodes < points->nodes ? nodes : points->nodes;
    for (int e = 0; e < result->mesh->ncells; e++)
      for (int a = 0; a < same && field->element->degree && field->element->degree <= 2; a++)
        memcpy(out + (size_t)points->cell[(size_t)e * (size_t)points->nodes + (size_t)a] * (size_t)nc,
               at.values + (size_t)field->cell_node[(size_t)e * (size_t)nodes + (size_t)a] * (size_t)nc, sizeof(double) * (size_t)nc);
  }
  free(basis);
  return out;
}

bool io_is_cellwise(const NodalField *field) { return field->element->degree == 0; }

double *io_cell_values(const IoResult *result, int state, int f) {
  const NodalField *field = &result->fields[f];
  NodalField at = *field;
  at.values = result->values[(size_t)state * (size_t)result->nfields + (size_t)f];
  double *out = malloc(sizeof(double) * ((size_t)result->mesh->ncells * (size_t)field->ncomp + 1));
  for (int e = 0; out && e < result->mesh->ncells; e++) nodal_cell(&at, result->mesh->dim, e, out + (size_t)e * (size_t)field->ncomp);
  return out;
}

Status io_check_finite(const IoResult *result, Diags *diags, Span span) {
  for (int s = 0; s < result->nstates; s++)
    for (int f = 0; f < result->nfields; f++) {
      NodalField field = result->fields[f];
      field.values = result->values[(size_t)s * (size_t)result->nfields + (size_t)f];
      long bad = nodal_first_bad(&field);
      if (bad < 0) continue;
      diag_report(diags, E2511, span, "`%s` is not finite at node %ld, so it is not written", field.name ? field.name : "field", bad / field.ncomp);
      return 1;
    }
  return 0;
}

/* "heat.vtu" -> "heat" + suffix; free it. */
char *io_sibling(const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  size_t stem = dot ? (size_t)(dot - path) : strlen(path), n = stem + strlen(suffix) + 1;
  char *out = malloc(n);
  if (!out) return NULL;
  memcpy(out, path, stem);
  memcpy(out + stem, suffix, n - stem);
  return out;
}
