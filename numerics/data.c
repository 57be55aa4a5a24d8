#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"
#include "field.h"
#include "petsc.h"
#include "program.h"

Status data_prepare(const Data *data) {
  for (int i = 0; data->world && i < data->world->nsolutions; i++)
    if (!mesh_same_cells(data->world->solutions[i]->space->mesh, data->mesh)) TRY(solution_whole(data->world->solutions[i]));
  return 0;
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------------------- */

static const Binding *binding(const Binding *list, int n, Name name) {
  for (int i = 0; i < n; i++)
    if (list[i].name == name) return &list[i];
  return NULL;
}

typedef struct Lookup { const Data *data; Status status; } Lookup;

static double leaf_number(Expr *leaf, void *user) {
  Lookup *lookup = user;
  double value = NAN;
  if (!lookup->status) lookup->status = data_number(lookup->data, leaf, &value);
  return value;
}

Status data_constant(const Data *data, Expr *e, double *out) {
  Lookup lookup = {.data = data};
  *out = expr_value(e, leaf_number, &lookup);
  return lookup.status;
}

Status data_number(const Data *data, Expr *leaf, double *out) {
  if (expr_is_const(leaf, out)) return 0;
  if (leaf->op == EXPR_TIME) {
    *out = data->time;
    if (!isnan(data->time)) return 0;
    diag_report(data->diags, E2011, data->span, "`t` has no value here: nothing beside it is a state of a transient solution");
    return 1;
  }
  for (int k = 0; leaf->op == EXPR_PARAM && data->pde && k < data->pde->nglobals; k++) {
    const Global *global = &data->pde->globals[k];
    const double *state = leaf == global->symbol ? data->unknown : leaf == global->before ? data->previous[0] : NULL;
    if (!state) continue;
    *out = state[data->space->multiplier + data->pde->nconstraints + k];
    return 0;
  }
  const Binding *found = NULL;
  if (leaf->op == EXPR_PARAM) {
    int own = scheme_param(leaf->name);
    if (own >= 0 && data->scheme) {
      *out = data->scheme[own];
      return 0;
    }
    if (data->world) found = binding(data->world->params, data->world->nparams, leaf->name);
  }
  if (found && found->value != leaf) return data_constant(data, found->value, out);
  Buf text = {0};
  expr_print(&text, leaf, EXPR_TEXT);
  diag_report(data->diags, E2011, data->span, "`%s` has no value here", buf_str(&text));
  buf_free(&text);
  return 1;
}

const HostFunction *data_host(const Data *data, Name name) {
  for (int i = 0; data->world && i < data->world->nfunctions; i++)
    if (data->world->functions[i].name == name) return &data->world->functions[i];
  return NULL;
}

/* ---- fields --------------------------------------------------------------------------------------------------------------------------- */

static Status no_field(const Data *data, const char *what) {
  diag_report(data->diags, E2011, data->span, "%s has no value here", what);
  return 1;
}

static Solution *solution_of(const Data *data, uint32_t serial) {
  for (int i = 0; data->world && i < data->world->nsolutions; i++)
    if (data->world->solutions[i]->serial == serial) return data->world->solutions[i];
  return NULL;
}

Status data_field(const Data *data, const Symbol *symbol, FieldData *out) {
  if (symbol->kind == SYMBOL_UNKNOWN || symbol->kind == SYMBOL_PREVIOUS) {
    int level = symbol->level, back = level > SCHEME_RATE ? level - SCHEME_RATE : level;
    const double *values = NULL;
    if (symbol->kind == SYMBOL_UNKNOWN) values = data->unknown;
    else if (back >= 1 && back <= SCHEME_LEVELS) values = level > SCHEME_RATE ? data->rate[back - 1] : data->previous[back - 1];
    if (!data->space || !values) return no_field(data, "an unknown of a pde outside of its solution");
    *out = (FieldData){data->space, &data->space->block[symbol->which], values};
    return 0;
  }
  Solution *solution = symbol->kind == SYMBOL_FIELD ? solution_of(data, symbol->serial) : NULL;
  if (!solution) return no_field(data, "a field of a solution that is not known");
  if (solution->whole && !mesh_same_cells(solution->space->mesh, data->mesh)) solution = solution->whole;
  const double *values;
  TRY(solution_values(solution, symbol->time, data->diags, data->span, &values));
  *out = (FieldData){solution->space, &solution->space->block[symbol->which], values};
  return 0;
}

double cell_size(const Mesh *mesh, int cell) {
  const RefCell *ref = mesh->ref;
  const int *v = mesh->cell + (size_t)cell * (size_t)ref->nverts;
  double longest = 0;
  for (int k = 0; k < ref->nedges; k++) {
    double s = 0;
    for (int d = 0; d < mesh->dim; d++) {
      double e = mesh->x[(size_t)v[ref->edge[k][0]] * (size_t)mesh->dim + (size_t)d] - mesh->x[(size_t)v[ref->edge[k][1]] * (size_t)mesh->dim + (size_t)d];
      s += e * e;
    }
    longest = fmax(longest, s);
  }
  return sqrt(longest);
}

double domain_size(const Mesh *mesh) {
  double size = 0;
  for (int d = 0; d < mesh->dim; d++) size = fmax(size, mesh->hi[d] - mesh->lo[d]);
  return size;
}

double *lanes_alloc(size_t entries, int width) {
  size_t bytes = (sizeof(double) * (entries + 1) * (size_t)width + 63) & ~(size_t)63;
  double *p = aligned_alloc(64, bytes);
  if (!p) return big_zeroed(bytes);   /* ends the process with a message where there is no memory */
  return memset(p, 0, bytes);
}

/* ---- geometry of a cell ---------------------------------------------------------------------------------------------------------------- */

/* The map of a cell at a point of it: x, K = dX/dx, and where it is curved d2X_m/dx_i dx_j. */
typedef struct Frame {
  const Mesh *mesh;
  int cell;
  double at[3], x[3], inverse[3][3], bending[3][3][3];
} Frame;

/* d2X_m/dx_i dx_j = - K_mn d2x_n/dX_k dX_l K_ki K_lj */
static void bend_frame(Frame *frame) {
  int dim = frame->mesh->dim;
  double H[3][3][3], (*K)[3] = frame->inverse;
  mesh_map_second(frame->mesh, frame->cell, frame->at, H);
  memset(frame->bending, 0, sizeof frame->bending);
  for (int m = 0; m < dim; m++)
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++)
        for (int n = 0; n < dim; n++)
          for (int k = 0; k < dim; k++)
            for (int l = 0; l < dim; l++) frame->bending[m][i][j] -= K[m][n] * H[n][k][l] * K[k][i] * K[l][j];
}

/* frame->mesh NULL: nothing is there yet. The slopes of an affine map are those of the point before. */
static void frame_at(const Mesh *mesh, int cell, const double *X, bool second, Frame *frame) {
  double J[3][3];
  bool curved = mesh_is_curved(mesh, cell), slopes = curved || frame->mesh != mesh || frame->cell != cell;
  frame->mesh = mesh;
  frame->cell = cell;
  memcpy(frame->at, X, sizeof(double) * (size_t)mesh->dim);
  mesh_map(mesh, cell, X, frame->x, slopes ? J : NULL);
  if (slopes) mesh_invert(mesh->dim, J, frame->inverse);
  if (curved && second) bend_frame(frame);
}

/* ---- terms at points -------------------------------------------------------------------------------------------------------------------- */

enum { NODES_MAX = 64 };

typedef struct Tabulated {       /* basis of an element at one reference point */
  const Element *element;
  double at[3], phi[NODES_MAX], dphi[NODES_MAX * 3], d2phi[NODES_MAX * 9];
  bool second;
} Tabulated;

static void tabulate(Tabulated *tab, const Element *element, int dim, const double *at, bool second) {
  if (tab->element == element && tab->second >= second && !memcmp(tab->at, at, sizeof(double) * (size_t)dim)) return;
  tab->element = element;
  tab->second = second;
  memcpy(tab->at, at, sizeof(double) * (size_t)dim);
  element->tabulate(dim, 1, at, tab->phi, tab->dphi, second ? tab->d2phi : NULL);
}

/* Derivative of basis function a by the axes of the term, in space. */
static double basis_term(const Tabulated *tab, const Frame *frame, int dim, int a, const int *axis, int order) {
  if (order == 0) return tab->phi[a];
  double s = 0;
  if (order == 1)
    for (int i = 0; i < dim; i++) s += tab->dphi[a * dim + i] * frame->inverse[i][axis[0]];
  else
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) s += tab->d2phi[(a * dim + i) * dim + j] * frame->inverse[i][axis[0]] * frame->inverse[j][axis[1]];
  if (order == 2 && mesh_is_curved(frame->mesh, frame->cell))
    for (int m = 0; m < dim; m++) s += tab->dphi[a * dim + m] * frame->bending[m][axis[0]][axis[1]];
  return s;
}

/* The axes of a derivative, two at most. Returns its order. */
static int axes_of(const uint8_t *dx, int axis[2]) {
  int k = 0, order = dx[0] + dx[1] + dx[2];
  axis[0] = axis[1] = 0;
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < dx[d] && k < 2; i++) axis[k++] = d;
  return order;
}

void data_basis(const Mesh *mesh, int cell, const double *X, const Element *element, const uint8_t *dx, double *out) {
  Frame frame = {0};
  Tabulated tab = {0};
  int axis[2], order = axes_of(dx, axis), per = element_nodes(element, mesh->dim);
  frame_at(mesh, cell, X, order > 1, &frame);
  tabulate(&tab, element, mesh->dim, X, order > 1);
  for (int a = 0; a < per; a++) out[a] = order > 2 ? 0 : basis_term(&tab, &frame, mesh->dim, a, axis, order);
}

static Status outside(const Data *data, const double *x, int dim) {
  Buf text = {0};
  for (int d = 0; d < dim; d++) buf_printf(&text, "%s%.17g", d ? ", " : "", x[d]);
  diag_report(data->diags, E2006, data->span, "(%s) lies outside of the mesh of a field that is used there", buf_str(&text));
  buf_free(&text);
  return 1;
}

static Status term_at_points(const Data *data, Expr *leaf, const Points *points, double *out) {
  const Symbol *symbol = &leaf->symbol;
  FieldData field;
  TRY(data_field(data, symbol, &field));
  Mesh *own = data->mesh, *mesh = field.space->mesh;
  int dim = own->dim, axis[2], order = axes_of(symbol->dx, axis);
  const NodeSet *nodes = field.block->nodes;
  if (order > 2 && nodes->element->degree < order) {
    memset(out, 0, sizeof(double) * (size_t)points->n);
    return 0;
  }
  Tabulated tab = {0};
  Frame frame = {0};
  for (int p = 0; p < points->n; p++) {
    int cell = points->cell[p];
    const double *reference = points->reference + (size_t)p * (size_t)dim;
    double there[3], x[3];
    if (!mesh_same_cells(mesh, own)) {
      mesh_map(own, cell, reference, x, NULL);
      cell = mesh_locate(mesh, x, there);
      if (cell < 0) return outside(data, x, dim);
      reference = there;
    }
    frame_at(mesh, cell, reference, order > 1, &frame);
    tabulate(&tab, nodes->element, dim, reference, order > 1);
    double s = 0;
    for (int a = 0; a < nodes->per_cell; a++)
      s += field.values[space_dof(field.block, nodes->cell[(size_t)cell * (size_t)nodes->per_cell + (size_t)a]) + symbol->component] *
           basis_term(&tab, &frame, dim, a, axis, order);
    out[p] = s;
  }
  return 0;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------------------------------ */

static Status host_at_points(const Data *data, Expr *leaf, const Points *points, double *out) {
  const HostFunction *function = data_host(data, leaf->name);
  if (!function) return no_field(data, leaf->name ? leaf->name : "a function of the host");
  size_t n = (size_t)points->n;
  double *args = malloc(sizeof(double) * (n * (size_t)leaf->n + 1)), *results = malloc(sizeof(double) * n * (size_t)function->ncomponents);
  const double *in[32];
  double *to[32];
  for (int k = 0; k < leaf->n && k < 32; k++) in[k] = args + n * (size_t)k;
  for (int k = 0; k < function->ncomponents && k < 32; k++) to[k] = results + n * (size_t)k;
  Status status = leaf->n && leaf->n <= 32 ? data_evaluate(data, leaf->arg, leaf->n, points, args) : 0;
  if (!status && function->call(function->user, points->n, in, to)) {
    diag_report(data->diags, E2011, data->span, "the function `%s` of the host program reported a failure", leaf->name);
    status = 1;
  }
  int component = leaf->index[0] < function->ncomponents ? leaf->index[0] : 0;
  if (!status) memcpy(out, to[component], sizeof(double) * n);
  free(args), free(results);
  return status;
}

static bool in_region(const Mesh *mesh, Name name, int cell) {
  const MeshGroup *group = mesh_group_of(mesh, name, mesh->dim);
  for (int i = 0; group && i < group->n; i++)
    if (group->entity[i] == cell) return true;
  return false;
}

/* A table of scattered values: by search, point for point. */
static Status scatter_at_points(const Data *data, Expr *leaf, const Points *points, double *out) {
  size_t np = (size_t)points->n;
  double *at = malloc(sizeof(double) * (2 * np + 1));
  Status status = data_evaluate(data, leaf->arg, 2, points, at);
  for (size_t i = 0; i < np && !status; i++) out[i] = expr_table_value(leaf->table, (double[2]){at[i], at[np + i]}, leaf->index);
  free(at);
  return status;
}

/* Which argument of a region-by-region expression holds in each class of cells. */
static Status regions_at_points(const Data *data, Expr *leaf, const Points *points, double *out) {
  const Mesh *mesh = data->mesh;
  int nclasses = mesh->region ? mesh->nregions : 1;
  int *which = malloc(sizeof(int) * (size_t)nclasses);
  for (int k = 0; k < nclasses; k++) which[k] = -1;
  for (int p = 0; p < points->n; p++) {
    int cell = points->cell[p], klass = mesh->region ? mesh->region[cell] : 0;
    if (which[klass] < 0) {
      which[klass] = leaf->n;
      int named = -1;
      for (int i = 0; i < leaf->n; i++) {
        if (leaf->names[i] ? !in_region(mesh, leaf->names[i], cell) : which[klass] != leaf->n) continue;
        if (leaf->names[i] && named >= 0) {
          Diag *diag = diag_report(data->diags, E2015, data->span, "a field has two values in the cells that the regions `%s` and `%s` share", leaf->names[named], leaf->names[i]);
          diag_suggest(diag, "every cell is covered once: name regions that do not overlap, or give the larger one by `others`");
          free(which);
          return 1;
        }
        if (leaf->names[i]) named = i;
        which[klass] = i;
      }
    }
    out[p] = which[klass] < leaf->n ? which[klass] : NAN;
  }
  free(which);
  return 0;
}

Status data_leaf(const Data *data, Expr *leaf, const Points *points, double *out) {
  const Mesh *mesh = data->mesh;
  int dim = mesh->dim;
  if (leaf->op == EXPR_TERM) return term_at_points(data, leaf, points, out);
  if (leaf->op == EXPR_TABLE) return scatter_at_points(data, leaf, points, out);
  if (leaf->op == EXPR_HOSTCALL) return host_at_points(data, leaf, points, out);
  if (leaf->op == EXPR_REGIONS) return regions_at_points(data, leaf, points, out);
  if (leaf->op == EXPR_NORMAL_COMPONENT && !points->facet) return no_field(data, "the normal `n` away from a boundary");
  if (leaf->op != EXPR_COORD && leaf->op != EXPR_NORMAL_COMPONENT && leaf->op != EXPR_SIZE) {
    double value;
    TRY(data_number(data, leaf, &value));
    for (int p = 0; p < points->n; p++) out[p] = value;
    return 0;
  }
  for (int p = 0; p < points->n; p++) {
    const double *X = points->reference + (size_t)p * (size_t)dim;
    double v[3] = {0};
    if (leaf->op == EXPR_COORD) mesh_map(mesh, points->cell[p], X, v, NULL);
    else if (leaf->op == EXPR_NORMAL_COMPONENT) mesh_normal(mesh, points->cell[p], points->facet[p], X, v);
    else v[leaf->index[0]] = cell_size(mesh, points->cell[p]);
    out[p] = v[leaf->index[0]];
  }
  return 0;
}

Status data_evaluate(const Data *data, Expr *const *exprs, int n, const Points *points, double *out) {
  size_t np = (size_t)points->n;
  Program *program;
  if (!points->n || !n) return 0;
  TRY(program_open(data->engine->kernels, exprs, n, points->n, domain_size(data->mesh), data->diags, &program));
  double *inputs = malloc(sizeof(double) * ((size_t)program->nin * np + 1)), *p = malloc(sizeof(double) * ((size_t)program->np + 1));
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  double **to = malloc(sizeof(double *) * (size_t)n);
  Status status = 0;
  for (int i = 0; i < program->nin && !status; i++) {
    status = data_leaf(data, program->input[i], points, inputs + (size_t)i * np);
    in[i] = inputs + (size_t)i * np;
  }
  for (int i = 0; i < program->np && !status; i++) status = data_number(data, program->param[i], &p[i]);
  for (int k = 0; k < n; k++) to[k] = out + (size_t)k * np;
  if (!status) program_run(program, points->n, in, p, to);
  program_close(program);
  free(inputs), free(p), free(in), free(to);
  return status;
}

Status data_evaluate_tensor(const Data *data, Expr *e, const Points *points, double *out) {
  int dim = data->mesh->dim, size = shape_size(e->shape, dim);
  Expr **component = malloc(sizeof(Expr *) * (size_t)size);
  double *flat = malloc(sizeof(double) * ((size_t)size * (size_t)points->n + 1));
  for (int c = 0; c < size; c++) component[c] = expr_scalar(data->engine->options.pool, e, c, dim);
  Status status = data_evaluate(data, component, size, points, flat);
  for (int c = 0; c < size && !status; c++)
    for (int p = 0; p < points->n; p++) out[(size_t)p * (size_t)size + (size_t)c] = flat[(size_t)c * (size_t)points->n + (size_t)p];
  free(component), free(flat);
  return status;
}
