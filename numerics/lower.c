/* Integrals to kernels: terminals, regions, and the coefficients of test and trial functions. */
#include "lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void lower_kernel_free(Kernel *kernel) {
  if (!kernel) return;
  free(kernel->fields);
  free(kernel->data);
  free(kernel->params);
  free(kernel->inputs);
  free((void *)kernel->tables);
  free(kernel->couples);
  free(kernel);
}

void lower_fail(Lower *lo, const char *found, const char *suggestion) {
  if (!lo->failed) diag_suggest(diag_report(lo->diags, E2101, lo->span, "%s", found), "%s", suggestion);
  lo->failed = true;
}

/* --- cell data and regions --- */

KirValue lower_data(Lower *lo, KernelDataKind kind, Expr *expr, int side) {
  Kernel *k = lo->kernel;
  int i = 0;
  while (i < k->ndata && (k->data[i].kind != kind || k->data[i].expr != expr || k->data[i].side != side)) i++;
  if (i == k->ndata) {
    k->data = kir_memory(k->data, sizeof *k->data * (size_t)(k->ndata + 1));
    k->data[k->ndata++] = (KernelData){kind, expr, side, k->nc, kind == KERNEL_AT_POINTS ? k->nq : 1};
    k->nc += k->data[i].n;
  }
  return kir_load(lo->b, KIR_C, (KirIndex){.base = k->data[i].offset, .stride = {kind == KERNEL_AT_POINTS}});
}

static int side_of(int side) { return side == 2; }

KirValue lower_size(Lower *lo, int side) {
  KirValue h = lower_data(lo, KERNEL_SIZE, NULL, side_of(side));
  if (lo->sides == 1 || side) return h;
  return kir_mul(lo->b, kir_const(lo->b, .5), kir_add(lo->b, h, lower_data(lo, KERNEL_SIZE, NULL, 1)));
}

/* On a facet between cells a value without a side must be the same on both. */
static void two_values(Lower *lo, const char *what) { lower_fail(lo, what, "jump(u) is the difference of the two on a facet between cells, avg(u) their mean"); }

KirValue lower_input(Lower *lo, Expr *leaf) {
  Kernel *k = lo->kernel;
  int i = 0;
  while (i < k->ninputs && k->inputs[i] != leaf) i++;
  if (i == k->ninputs) {
    k->inputs = kir_memory(k->inputs, sizeof *k->inputs * (size_t)(k->ninputs + 1));
    k->inputs[k->ninputs++] = leaf;
  }
  return kir_load(lo->b, KIR_W, (KirIndex){.base = i});
}

enum { CLASSES_MAX = 1024 };

/* Pointwise, the input of a REGIONS node is the number of the argument that holds there. */
static KirValue region_arms(Lower *lo, Expr *e, const KirValue *args) {
  KirValue arm = lower_input(lo, e), value = kir_const(lo->b, NAN);   /* outside of all of them */
  for (int k = e->n - 1; k >= 0; k--)
    value = kir_op(lo->b, KIR_SELECT, kir_op(lo->b, KIR_EQ, arm, kir_const(lo->b, k), KIR_NONE), lower_zero(lo, args[k]), value);
  return value;
}

/* A class of cells that two arms name would have two values. */
static void check_apart(Lower *lo, Expr *e) {
  int one[CLASSES_MAX], two[CLASSES_MAX];
  for (int k = 1; k < e->n && lo->request->region; k++)
    for (int j = 0; j < k && !lo->failed; j++) {
      if (!e->names[k] || !e->names[j]) continue;
      int n = lo->request->region(e->names[j], one, CLASSES_MAX, lo->request->user), m = lo->request->region(e->names[k], two, CLASSES_MAX, lo->request->user);
      for (int i = 0; i < n * m && !lo->failed; i++)
        if (one[i / m] == two[i % m]) lo->failed = true;
      if (!lo->failed) continue;
      Diag *diag = diag_report(lo->diags, E2015, lo->span, "a field has two values in the cells that the regions `%s` and `%s` share", e->names[j], e->names[k]);
      diag_suggest(diag, "every cell is covered once: name regions that do not overlap, or give the larger one by `others`");
    }
}

KirValue lower_regions(Lower *lo, Expr *e, const KirValue *args) {
  if (!lo->request) return region_arms(lo, e, args);
  check_apart(lo, e);
  if (lo->sides > 1 && !e->index[0]) two_values(lo, "a field by regions has two values on the facets between cells");
  KirValue region = lower_data(lo, KERNEL_REGION, NULL, side_of(e->index[0])), value = KIR_NONE;
  for (int k = 0; k < e->n; k++)
    if (!e->names[k]) value = lower_zero(lo, args[k]);
  if (value == KIR_NONE) value = kir_const(lo->b, NAN);   /* a cell of no region: the first sum shows it */
  for (int k = 0; k < e->n; k++) {
    if (!e->names[k]) continue;
    int classes[CLASSES_MAX], n = lo->request->region ? lo->request->region(e->names[k], classes, CLASSES_MAX, lo->request->user) : 0;
    KirValue inside = KIR_NONE;
    for (int i = 0; i < n && i < CLASSES_MAX; i++) {
      KirValue is = kir_op(lo->b, KIR_EQ, region, kir_const(lo->b, classes[i]), KIR_NONE);
      inside = inside == KIR_NONE ? is : kir_op(lo->b, KIR_OR, inside, is, KIR_NONE);
    }
    if (inside != KIR_NONE) value = kir_op(lo->b, KIR_SELECT, inside, lower_zero(lo, args[k]), value);
  }
  return value;
}

/* --- discrete fields --- */

static const Element *unknown_element(Lower *lo, int which, int *components) {
  if (which >= lo->request->nunknowns) {
    lower_fail(lo, "a term of an unknown that the pde does not have", "this is a bug in pde");
    return NULL;
  }
  const Unknown *u = &lo->request->unknowns[which];
  const Element *element = element_find(u->element);
  *components = shape_size(u->shape, lo->dim);
  if (element && !element_fits(element, lo->cell) && !lo->failed) {
    diag_report(lo->diags, E2102, u->span, "%s of %s is no element of %s", u->element, u->name, lo->cell->plural);
    lo->failed = true;
  }
  if (!element && !lo->failed) {
    diag_report(lo->diags, E2102, u->span, "'%s' of %s is not an element", u->element, u->name);
    lo->failed = true;
  }
  return element;
}

static bool same_field(const Symbol *a, const Symbol *b) {
  return a->kind == b->kind && a->side == b->side && a->level == b->level && a->which == b->which && a->serial == b->serial && !memcmp(&a->time, &b->time, sizeof a->time);
}

/* The field of a terminal, gathered into w; NULL: foreign (or failed). */
static const KernelField *find_field(Lower *lo, const Symbol *symbol) {
  Kernel *k = lo->kernel;
  Symbol bare = *symbol;
  bare.component = bare.dt = 0;
  bare.side = lo->sides > 1 && !symbol->side ? 1 : symbol->side;
  memset(bare.dx, 0, sizeof bare.dx);
  for (int i = 0; i < k->nfields; i++)
    if (same_field(&k->fields[i].symbol, &bare)) return &k->fields[i];
  const Element *element = NULL;
  int components = 1;
  if (symbol->kind != SYMBOL_FIELD) element = unknown_element(lo, symbol->which, &components);
  else if (!lo->request->field || !lo->request->field(&bare, &element, &components, lo->request->user)) element = NULL;
  if (!element) return NULL;
  k->fields = kir_memory(k->fields, sizeof *k->fields * (size_t)(k->nfields + 1));
  k->fields[k->nfields++] = (KernelField){bare, element, components, k->nw};
  k->nw += components * element_nodes(element, lo->dim);
  return &k->fields[k->nfields - 1];
}

/* Reference derivative op of a component at the point. */
static KirValue field_op(Lower *lo, const KernelField *field, int component, int op) {
  Table *t = lower_table(lo, field->element);
  KirValue sum = KIR_NONE;
  for (int a = 0; a < t->nodes; a++) {
    KirValue entry = table_entry(lo, t, op, a, -1);
    if (entry == KIR_NONE) continue;
    KirIndex dof = {.base = field->offset + a * field->components + component};
    sum = kir_mul_add(lo->b, entry, kir_load(lo->b, KIR_W, dof), sum);
  }
  return sum;
}

static KirValue first_derivative(Lower *lo, const KernelField *field, int component, int axis) {
  int side = side_of(field->symbol.side);
  KirValue sum = KIR_NONE;
  for (int k = 0; k < lo->dim; k++) sum = kir_mul_add(lo->b, lo->K[side][k][axis], field_op(lo, field, component, 1 + k), sum);
  return sum;
}

static KirValue second_derivative(Lower *lo, const KernelField *field, int component, int i, int j) {
  int side = side_of(field->symbol.side);
  KirValue sum = KIR_NONE;
  for (int k = 0; k < lo->dim; k++)
    for (int l = 0; l < lo->dim; l++) {
      uint8_t dx[3] = {0};
      dx[k]++, dx[l]++;
      sum = kir_mul_add(lo->b, kir_mul(lo->b, lo->K[side][k][i], lo->K[side][l][j]), field_op(lo, field, component, table_op(lo->dim, dx)), sum);
    }
  for (int m = 0; m < lo->dim && lo->curved; m++) sum = kir_mul_add(lo->b, lower_bending(lo, m, i, j), field_op(lo, field, component, 1 + m), sum);
  return sum;
}

static bool term_fits(Lower *lo, const Symbol *s) {
  if (s->side && lo->sides == 1) lower_fail(lo, "jump or avg occurs away from the facets between cells", "they stand in integral(..., on: interior)");
  else if (s->dt) lower_fail(lo, "a time derivative is left in a kernel", "solve the problem from one time to another");
  else if (s->dx[0] + s->dx[1] + s->dx[2] > 2) lower_fail(lo, "a derivative of third or higher order occurs", "write the equation as a system of lower order");
  return !lo->failed;
}

KirValue lower_term(Lower *lo, Expr *term) {
  const Symbol *s = &term->symbol;
  if (s->kind == SYMBOL_TEST || s->kind == SYMBOL_TRIAL) {
    lower_fail(lo, "the integrand is not linear in the test function", "multiply by the test function once");
    return KIR_NONE;
  }
  if (s->kind == SYMBOL_FIELD) {
    const KernelField *own = find_field(lo, s);
    if (!own && !lo->failed) return lower_data(lo, KERNEL_AT_POINTS, term, side_of(s->side));
  }
  if (!term_fits(lo, s)) return KIR_NONE;
  const KernelField *field = find_field(lo, s);
  if (!field) return KIR_NONE;
  if (lo->sides > 1 && !s->side && (element_is_broken(field->element) || s->dx[0] + s->dx[1] + s->dx[2]))
    two_values(lo, "a discontinuous field or a derivative has two values on the facets between cells");
  KernelField copy = *field;   /* the array may move */
  int axis[2] = {0, 0}, order = 0;
  for (int i = 0; i < lo->dim; i++)
    for (int k = 0; k < s->dx[i]; k++) axis[order++] = i;
  if (s->dx[0] + s->dx[1] + s->dx[2] > order) return KIR_NONE;   /* along an axis the domain does not have */
  if (order == 0) return field_op(lo, &copy, s->component, 0);
  if (order == 1) return first_derivative(lo, &copy, s->component, axis[0]);
  return second_derivative(lo, &copy, s->component, axis[0], axis[1]);
}

/* --- quadrature degree --- */

static int terminal_degree(Expr *leaf, void *user) {
  Lower *lo = user;
  if (leaf->op == EXPR_COORD) return lo->curved && lo->request->bent ? 2 : 1;
  if (leaf->op != EXPR_TERM) return leaf->op == EXPR_HOSTCALL ? 2 : 0;
  const Symbol *s = &leaf->symbol;
  const Element *element = NULL;
  int components, order = s->dx[0] + s->dx[1] + s->dx[2];
  if (s->kind != SYMBOL_FIELD) element = unknown_element(lo, s->which, &components);
  else if (!lo->request->field || !lo->request->field(s, &element, &components, lo->request->user)) element = NULL;
  int degree = element ? element->degree : 2;
  if (degree > lo->largest) lo->largest = degree;
  if (lo->cell->shape == CELL_SIMPLEX) degree -= order;     /* in tensor cells the degree in the other coordinates stays */
  return degree > 0 ? degree : 0;
}

/* What the map of a curved cell adds: det J is a polynomial of this degree (of tensor cells: in each coordinate); facets have the square root of one,
 * which this many more points integrate to ten digits. */
static int map_degree(const Lower *lo) {
  if (!lo->curved) return 0;
  if (lo->cell->shape == CELL_TENSOR && !lo->request->bent) return lo->dim - 1;
  if (lo->nfacets > 1) return lo->cell->shape == CELL_TENSOR ? 6 : 10;
  return lo->cell->shape == CELL_TENSOR ? 2 * lo->dim - 1 : lo->dim;
}

/* Polynomials are integrated exactly up to degree 2p + 8, p the largest degree of an element in sight. What is not a polynomial needs 2p - 2 for the order
 * of convergence (Ciarlet, The finite element method, theorem 4.1.6) and gets 2p + 2, the degree of the leading part of the square of an error.
 * Integrals of given functions alone get 8: nothing else limits how exact they are. Numbers from what jumps get all that: no degree is exact for them. */
static int choose_degree(Lower *lo) {
  int degree = 0;
  bool polynomial = true, given = lo->request->rank == 0, jumps = false;
  lo->largest = 1;
  if (lo->request->degree >= 0) return lo->request->degree < QUAD_MAX ? lo->request->degree : QUAD_MAX;
  for (int k = 0; k < lo->request->n; k++) {
    int d = expr_degree(lo->request->integrand[k], terminal_degree, lo);
    if (d > degree) degree = d;
    polynomial = polynomial && lower_is_polynomial(lo->request->integrand[k]);
    jumps = jumps || (lo->request->rank == 0 && expr_jumps(lo->request->integrand[k]));
    given = given && !(lo->request->integrand[k]->flags & (HAS_UNKNOWN | HAS_PREVIOUS | HAS_FIELD));
  }
  int most = polynomial ? 2 * lo->largest + 8 : given ? 8 : 2 * lo->largest + 2;
  degree = (degree < most && !jumps ? degree : most) + map_degree(lo);
  return degree < QUAD_MAX ? degree : QUAD_MAX;
}

/* --- test and trial functions --- */

typedef struct Space {           /* components of all unknowns, in the order of the element's dofs; on facets between cells those of either side */
  Argument *block; int n;
  int first[2][64];              /* by side: block of component 0 of an unknown */
  int dofs;
} Space;

static bool space_open(Lower *lo, Space *space) {
  *space = (Space){0};
  if (lo->request->nunknowns > 64) lower_fail(lo, "a pde of more than 64 unknowns", "write some of them as one vector");
  int nunknowns = lo->request->nunknowns;
  for (int k = 0; k < lo->sides * nunknowns && !lo->failed; k++) {
    int components, u = k % nunknowns, side = k / nunknowns;
    const Element *element = unknown_element(lo, u, &components);
    if (!element) return false;
    space->first[side][u] = space->n;
    space->block = kir_memory(space->block, sizeof(Argument) * (size_t)(space->n + components));
    lo->components += components;
    for (int i = 0; i < components; i++) space->block[space->n++] = (Argument){lower_table(lo, element), space->dofs + i, components, side};
    space->dofs += components * element_nodes(element, lo->dim);
  }
  return !lo->failed;
}

typedef struct TermList {
  Expr **item;
  int n;
} TermList;

static TermList terms_of(Lower *lo, Expr *e, SymbolKind kind) {
  TermList list = {NULL, expr_terms(lo->pool, e, 1u << kind, NULL, 0)};
  list.item = kir_memory(NULL, sizeof(Expr *) * (size_t)list.n);
  expr_terms(lo->pool, e, 1u << kind, list.item, list.n);
  for (int i = 0; i < list.n; i++) term_fits(lo, &list.item[i]->symbol);
  return list;
}

static int block_of(const Space *space, Expr *term) { return space->first[side_of(term->symbol.side)][term->symbol.which] + term->symbol.component; }

typedef KirValue Coefficients[OPS_MAX][OPS_MAX];

static void add_to(Lower *lo, KirValue *sum, KirValue value) { *sum = kir_add(lo->b, *sum, value); }

static void lower_rank1(Lower *lo, const Space *space) {
  size_t n = (size_t)space->n * OPS_MAX;
  KirValue *c = kir_memory(NULL, sizeof(KirValue) * n);
  bool *used = kir_zeroed((size_t)space->n);
  for (size_t i = 0; i < n; i++) c[i] = KIR_NONE;
  for (int k = 0; k < lo->request->n && !lo->failed; k++) {
    Expr *e = lo->request->integrand[k];
    TermList tests = terms_of(lo, e, SYMBOL_TEST);
    for (int i = 0; i < tests.n && !lo->failed; i++) {
      int row = block_of(space, tests.item[i]);
      KirValue *sum = &c[row * OPS_MAX + table_op(lo->dim, tests.item[i]->symbol.dx)];
      add_to(lo, sum, lower_expr(lo, expr_diff(lo->pool, e, tests.item[i])));
      used[row] = used[row] || *sum != KIR_NONE;
    }
    free(tests.item);
  }
  for (int row = 0; row < space->n && !lo->failed; row++) {
    if (used[row]) lower_vector(lo, &space->block[row], c + row * OPS_MAX);
    else lower_blank(lo, &space->block[row], NULL);
  }
  free(c);
  free(used);
}

static void lower_rank2(Lower *lo, const Space *space) {
  size_t n = (size_t)space->n * (size_t)space->n;
  Coefficients *c = kir_memory(NULL, sizeof(Coefficients) * n);
  bool *used = kir_zeroed(n), symmetric = lo->request->symmetric;
  memset(c, -1, sizeof(Coefficients) * n);
  _Static_assert(KIR_NONE == -1, "memset makes KIR_NONE");
  for (int k = 0; k < lo->request->n && !lo->failed; k++) {
    Expr *e = lo->request->integrand[k];
    TermList tests = terms_of(lo, e, SYMBOL_TEST);
    for (int i = 0; i < tests.n && !lo->failed; i++) {
      Expr *part = expr_diff(lo->pool, e, tests.item[i]);
      TermList trials = terms_of(lo, part, SYMBOL_TRIAL);
      for (int j = 0; j < trials.n && !lo->failed; j++) {
        int row = block_of(space, tests.item[i]), column = block_of(space, trials.item[j]);
        if (symmetric && row > column) continue;
        size_t at = (size_t)row * (size_t)space->n + (size_t)column;
        KirValue *sum = &c[at][table_op(lo->dim, tests.item[i]->symbol.dx)][table_op(lo->dim, trials.item[j]->symbol.dx)];
        add_to(lo, sum, lower_expr(lo, expr_diff(lo->pool, part, trials.item[j])));
        used[at] = used[at] || *sum != KIR_NONE;
      }
      free(trials.item);
    }
    free(tests.item);
  }
  for (int row = 0; row < space->n && !lo->failed; row++)
    for (int column = 0; column < space->n; column++) {
      size_t at = (size_t)row * (size_t)space->n + (size_t)column;
      const Argument *test = &space->block[row], *trial = &space->block[column];
      if (symmetric && row > column) {
        if (!used[(size_t)column * (size_t)space->n + (size_t)row]) lower_blank(lo, test, trial);
      } else if (used[at])
        lower_matrix(lo, test, trial, c[at], symmetric, symmetric && row == column);
      else
        lower_blank(lo, test, trial);
    }
  free(c);
  if (lo->sides == 1) {
    lo->kernel->ncomponents = space->n;
    lo->kernel->couples = kir_zeroed(n);
    for (int row = 0; row < space->n; row++)
      for (int column = 0; column < space->n; column++)
        lo->kernel->couples[row * space->n + column] = symmetric && row > column ? used[column * space->n + row] : used[row * space->n + column];
  }
  free(used);
}

static void lower_rank0(Lower *lo) {
  KirValue *value = kir_memory(NULL, sizeof(KirValue) * (size_t)lo->request->n);
  for (int k = 0; k < lo->request->n; k++) value[k] = lower_expr(lo, lo->request->integrand[k]);
  lower_values(lo, value, lo->request->n);
  free(value);
}

/* --- entries --- */

static void lower_open(Lower *lo, ExprPool *pool, Diags *diags, Span span) {
  *lo = (Lower){.pool = pool, .diags = diags, .span = span, .nq = 1, .nfacets = 1, .sides = 1, .b = kir_builder()};
  lo->kernel = kir_zeroed(sizeof(Kernel));
  lo->kernel->refs = 1;
  for (int i = 0; i < 3; i++) lo->normal[i] = lo->point[i] = KIR_NONE;
}

/* Ends the program; on failure frees everything. */
static Status lower_close(Lower *lo, Lowered *out) {
  Kernel *k = lo->kernel;
  int sizes[KIR_LOCAL] = {k->nx, k->nw, k->nc, k->np, 0, k->nout};
  double *tables = NULL;
  out->kernel = k;
  out->kir = kir_finish(lo->b, lo->nq, sizes, lo->nfacets > 1 ? lo->nfacets : 0, &tables);
  k->tables = tables;
  k->constant_tensor = k->rank >= 0 && !lo->varies;
  for (int i = 0; i < lo->ntables; i++) table_free(&lo->tables[i]);
  free(lo->tables);
  for (int i = 0; i < 3; i++) free(lo->map_value[i]);
  free(lo->memo);
  free(lo->integral);
  kir_builder_free(lo->b);
  const char *wrong = lo->failed ? NULL : kir_verify(out->kir);
  if (wrong) diag_report(lo->diags, E0999, lo->span, "a kernel was lowered wrongly: %s", wrong);
  if (!lo->failed && !wrong) return 0;
  lower_kernel_free(out->kernel);
  kir_free(out->kir);
  *out = (Lowered){0};
  return 1;
}

Status lower_integral(ExprPool *pool, const LowerRequest *request, Diags *diags, Lowered *out) {
  Lower lo;
  lower_open(&lo, pool, diags, request->span);
  Kernel *k = lo.kernel;
  bool cells = request->kind == INTEGRAL_CELL;
  lo.request = request;
  lo.sides = request->kind == INTEGRAL_INTERIOR ? 2 : 1;
  lo.dim = k->dim = request->dim;
  lo.ops = 1 + lo.dim + lo.dim * (lo.dim + 1) / 2;
  lo.cell = refcell_of(request->shape, request->dim);
  lo.curved = request->curved;
  lo.nfacets = request->kind != INTEGRAL_FACET ? 1 : lo.cell->nfacets;
  k->rank = request->rank;
  k->kind = request->kind;
  k->symmetric = request->rank == 2 && request->symmetric;
  k->degree = choose_degree(&lo);
  k->nq = lo.nq = quad_on(request->shape, cells ? lo.dim : lo.dim - 1, k->degree, &k->points, &lo.weights);
  for (int q = 0; q < lo.nq; q++) lo.reference_measure += lo.weights[q];
  k->shape = request->shape;
  k->curved = request->curved;
  k->nx = (lo.curved ? refcell_map_nodes(lo.cell, request->bent) : lo.sides * lo.cell->nverts) * lo.dim;
  if (!lo.failed) lower_geometry(&lo);
  Space space = {0};
  if (!lo.failed && request->rank && space_open(&lo, &space)) {
    k->ntest = space.dofs;
    k->ntrial = request->rank == 2 ? space.dofs : 0;
    k->nout = request->rank == 2 ? space.dofs * space.dofs : space.dofs;
    if (request->rank == 1) lower_rank1(&lo, &space);
    else lower_rank2(&lo, &space);
  } else if (!lo.failed) {
    k->nout = request->n;
    lower_rank0(&lo);
  }
  free(space.block);
  return lower_close(&lo, out);
}

Status lower_pointwise(ExprPool *pool, Expr *const *exprs, int n, Diags *diags, Lowered *out) {
  Lower lo;
  lower_open(&lo, pool, diags, (Span){0, 0});
  Kernel *k = lo.kernel;
  k->rank = -1;
  k->nq = 1;
  k->nout = n;
  for (int i = 0; i < n; i++) {
    KirValue v = lower_zero(&lo, lower_expr(&lo, exprs[i]));
    kir_enter(lo.b, KIR_TAIL);
    kir_store(lo.b, KIR_STORE, KIR_OUT, (KirIndex){.base = i}, v);
  }
  k->nw = k->ninputs;
  return lower_close(&lo, out);
}
