#include "io.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io_points.h"

const IoRow io_rows[] = {
#define IO(extension, write, exports, saves, doc) {extension, write, exports, saves, doc},
#include "io.def"
#undef IO
};
const int io_row_count = (int)(sizeof io_rows / sizeof *io_rows);

Status io_export(const char *path, const IoResult *result, Diags *diags, Span span) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (int i = 0; dot && i < io_row_count; i++) {
    if (strcasecmp(dot + 1, io_rows[i].extension)) continue;
    if (io_rows[i].exports) return io_rows[i].write(path, result, diags, span);
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

Status io_points_open(IoPoints *points, const IoResult *result, Diags *diags, Span span) {
  Mesh *mesh = result->mesh;
  int dim = mesh->dim;
  static const int edges_of[4] = {0, 1, 3, 6};
  *points = (IoPoints){.quadratic = false};
  for (int f = 0; f < result->nfields; f++)
    if (result->fields[f].element->degree > 1) points->quadratic = true;
  for (int f = 0; f < result->nfields; f++) points->apart |= element_is_broken(result->fields[f].element) && !io_is_cellwise(&result->fields[f]);
  points->nodes = dim + 1 + (points->quadratic ? edges_of[dim] : 0);
  points->n = mesh->nverts;
  if (points->quadratic) {
    if (dim > 1) mesh_edges(mesh);
    points->n += dim > 1 ? mesh->nedges : mesh->ncells;
  }
  points->x = calloc((size_t)points->n * 3 + 1, sizeof(double));
  points->cell = malloc(sizeof(int) * ((size_t)mesh->ncells * (size_t)points->nodes + 1));
  points->owner = malloc(sizeof(int) * ((size_t)points->n + 1));
  if (!points->x || !points->cell || !points->owner) {
    io_points_close(points);
    return no_memory(diags, span);
  }
  for (int v = 0; v < mesh->nverts; v++)
    for (int c = 0; c < dim; c++) points->x[3 * (size_t)v + (size_t)c] = mesh->x[(size_t)v * (size_t)dim + (size_t)c];
  for (int e = 0; e < mesh->ncells; e++) {
    int *node = points->cell + (size_t)e * (size_t)points->nodes;
    const int *v = mesh->cell + (size_t)e * (size_t)(dim + 1);
    for (int a = 0; a <= dim; a++) node[a] = v[a];
    for (int k = 0; points->quadratic && k < edges_of[dim]; k++) {
      node[dim + 1 + k] = mesh->nverts + (dim > 1 ? mesh->cell_edge[(size_t)e * (size_t)edges_of[dim] + (size_t)k] : e);
      for (int c = 0; c < dim; c++)     /* straight cells: the middle of the edge */
        points->x[3 * (size_t)node[dim + 1 + k] + (size_t)c] =
          0.5 * (points->x[3 * (size_t)v[mesh_edge_vertices[dim][k][0]] + (size_t)c] + points->x[3 * (size_t)v[mesh_edge_vertices[dim][k][1]] + (size_t)c]);
    }
    for (int a = 0; a < points->nodes; a++) points->owner[node[a]] = e * points->nodes + a;
  }
  return points->apart ? take_apart(points, mesh->ncells, diags, span) : 0;
}

void io_points_close(IoPoints *points) {
  free(points->x);
  free(points->cell);
  free(points->owner);
  *points = (IoPoints){0};
}

/* Reference places of the grid's nodes on a cell: vertices, then middles of edges. */
static void grid_nodes(int dim, int nodes, double *out) {
  memset(out, 0, sizeof(double) * (size_t)(nodes * dim));
  for (int a = 1; a <= dim; a++) out[a * dim + a - 1] = 1;
  for (int k = 0; k < nodes - dim - 1; k++)
    for (int end = 0; end < 2; end++) {
      int a = mesh_edge_vertices[dim][k][end];
      if (a) out[(dim + 1 + k) * dim + a - 1] += 0.5;
    }
}

double *io_points_values(const IoPoints *points, const IoResult *result, int state, int f) {
  const NodalField *field = &result->fields[f];
  int dim = result->mesh->dim, nc = field->ncomp, nodes = element_nodes(field->element, dim);
  NodalField at = *field;
  at.values = result->values[(size_t)state * (size_t)result->nfields + (size_t)f];
  double *out = malloc(sizeof(double) * ((size_t)points->n * (size_t)nc + 1)), *basis = malloc(sizeof(double) * (size_t)(points->nodes * nodes)), place[10 * 3];
  double value[10 * 9];
  if (!out || !basis) { free(out); free(basis); return NULL; }
  memset(out, 0, sizeof(double) * (size_t)points->n * (size_t)nc);
  grid_nodes(dim, points->nodes, place);
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
