#include "predict_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "formula.h"

enum { ROWS_BYTES = 64 << 20 };      /* for rows that depend on t too */

/* ---- leaves --------------------------------------------------------------------------------------------------------------------------------------- */

static int leaf_of(const Formula *f, Expr *e) {
  for (int k = 0; k < f->nleaves; k++)
    if (f->leaf[k].leaf == e) return k;
  return -1;
}

static bool is_input(Expr *e, void *user) { return leaf_of(user, e) >= 0; }

static bool in_time(Expr *e, void *user) {
  const Formula *f = user;
  return f->predictor.spec->inputs[f->leaf[leaf_of(f, e)].input].history;
}

double formula_leaf(const Formula *f, int leaf, const double *row, double time) {
  const MapSpec *spec = f->predictor.spec;
  const Grid *grid = spec->grid;
  const MapInput *input = &spec->inputs[f->leaf[leaf].input];
  Blend blend;
  if (!input->history || grid->nt < 2) return row[input->offset];
  blend_linear(grid->t, grid->nt, time + f->leaf[leaf].shift, true, &blend);
  double sum = 0;
  for (int k = 0; k < blend.n; k++) sum += blend.weight[k] * row[input->offset + blend.at[k]];
  return sum;
}

static Data formula_data(const Formula *f, double time) {
  return (Data){.engine = f->engine, .mesh = f->predictor.spec->grid->mesh, .world = &f->world, .time = time, .diags = f->diags, .span = f->span};
}

Status formula_number(const Formula *f, Expr *leaf, Number *out) {
  int k = leaf_of(f, leaf);
  *out = (Number){NUMBER_FIXED, 0, leaf->value};
  if (leaf->op == EXPR_CONST) return 0;
  if (leaf->op == EXPR_TIME) *out = (Number){.kind = NUMBER_TIME};
  else if (k >= 0) *out = (Number){.kind = NUMBER_LEAF, .index = k};
  else if ((k = parts_find(&f->split.numbers, leaf->name)) >= 0) *out = (Number){.kind = NUMBER_PART, .index = k};
  else if ((k = parts_find(&f->split.timed_numbers, leaf->name)) >= 0) *out = (Number){.kind = NUMBER_TIMED_PART, .index = k};
  else {
    Data data = formula_data(f, NAN);
    return data_number(&data, leaf, &out->value);
  }
  return 0;
}

bool formula_fixed(const Formula *f, Expr *leaf, double *out) {
  Number number;
  if (leaf->op != EXPR_CONST) {
    const Program *known[] = {f->numbers, f->timed_numbers};
    const double *value[] = {f->fixed, f->timed_fixed};
    for (int k = 0; k < 2; k++)
      for (int i = 0; known[k] && i < known[k]->np; i++)
        if (known[k]->param[i] == leaf) {
          *out = value[k][i];
          return true;
        }
  }
  bool good = !formula_number(f, leaf, &number);
  *out = number.value;
  return good;
}

static Expr *to_row(ExprPool *pool, Expr *leaf, void *user) {
  const Formula *f = user;
  int k = leaf->op == EXPR_TIME ? f->nleaves : leaf->op == EXPR_PARAM ? leaf_of(f, leaf) : -1;
  if (k < 0) return leaf;
  return expr_term(pool, (Symbol){.kind = SYMBOL_FIELD, .serial = TAPE_ROWS, .which = (uint16_t)k}, leaf->name, leaf->unit);
}

Expr *formula_rows(const Formula *f, Expr *e) { return expr_substitute(f->pool, e, to_row, (void *)f); }

/* Parts that are rows become terms: which counts the rows, then those in time. */
static Expr *part_to_row(ExprPool *pool, Expr *leaf, void *user) {
  const Formula *f = user;
  if (leaf->op != EXPR_PARAM) return leaf;
  int k = parts_find(&f->split.rows, leaf->name), timed = parts_find(&f->split.timed_rows, leaf->name);
  if (k < 0 && timed < 0) return leaf;
  return expr_term(pool, (Symbol){.kind = SYMBOL_FIELD, .serial = TAPE_ROWS, .which = (uint16_t)(k >= 0 ? k : f->split.rows.n + timed)}, leaf->name, leaf->unit);
}

/* ---- rows: what depends on places ------------------------------------------------------------------------------------------------------------------- */

typedef struct NodePoints { Points points; int *cell; double *reference; } NodePoints;

static NodePoints node_points(const Grid *grid) {
  int dim = grid->mesh->dim, per = element_nodes(grid->element, dim);
  double nodes[64 * 3];
  NodePoints at = {.cell = malloc(sizeof(int) * (size_t)grid->nnodes), .reference = malloc(sizeof(double) * (size_t)grid->nnodes * (size_t)dim)};
  memset(at.cell, 255, sizeof(int) * (size_t)grid->nnodes);
  grid->element->nodes(dim, nodes);
  for (int e = 0; e < grid->mesh->ncells; e++)
    for (int a = 0; a < per; a++) {
      int node = grid->cell_node[(size_t)e * (size_t)per + (size_t)a];
      if (at.cell[node] >= 0) continue;
      at.cell[node] = e;
      memcpy(at.reference + (size_t)node * (size_t)dim, nodes + a * dim, sizeof(double) * (size_t)dim);
    }
  at.points = (Points){.n = grid->nnodes, .cell = at.cell, .reference = at.reference};
  return at;
}

/* Values of the parts at the nodes: out[part][nnodes]. */
static Status evaluate_parts(const Formula *f, const Parts *parts, const Points *points, double time, double *out) {
  Data data = formula_data(f, time);
  return parts->n ? data_evaluate(&data, parts->item, parts->n, points, out) : 0;
}

/* The rows of the main program at one time, packed. */
static Status pack_time(Formula *f, const Points *points, const double *rows, double time, double **out) {
  size_t n = (size_t)points->n;
  int nrows = f->split.rows.n, nin = f->main->nin;
  double *timed = malloc(sizeof(double) * (n * (size_t)f->split.timed_rows.n + 1)), *own = malloc(sizeof(double) * (n * (size_t)nin + 1));
  const double **in = malloc(sizeof(double *) * ((size_t)nin + 1));
  Status status = evaluate_parts(f, &f->split.timed_rows, points, time, timed);
  for (int i = 0; i < nin && !status; i++) {
    Expr *leaf = f->main->input[i];
    if (leaf->op == EXPR_TERM && leaf->symbol.serial == TAPE_ROWS) {
      int which = leaf->symbol.which;
      in[i] = which < nrows ? rows + n * (size_t)which : timed + n * (size_t)(which - nrows);
      continue;
    }
    Data data = formula_data(f, time);
    in[i] = own + n * (size_t)i;
    status = data_leaf(&data, leaf, points, (double *)in[i]);
  }
  if (!status) *out = program_pack(f->main, points->n, in);
  free(timed), free(own), free(in);
  return status;
}

static Status pack_rows(Formula *f) {
  const Grid *grid = f->predictor.spec->grid;
  NodePoints at = node_points(grid);
  double *rows = malloc(sizeof(double) * ((size_t)grid->nnodes * (size_t)f->split.rows.n + 1));
  bool changes = f->split.timed_rows.n > 0;
  for (int i = 0; i < f->main->nin; i++) {
    Expr *leaf = f->main->input[i];
    changes = changes || leaf->op == EXPR_HOSTCALL || (leaf->op == EXPR_TERM && leaf->symbol.serial != TAPE_ROWS);
  }
  f->npacked = changes ? grid->nt : 1;
  f->packed = calloc((size_t)f->npacked, sizeof(double *));
  Status status = evaluate_parts(f, &f->split.rows, &at.points, NAN, rows);
  for (int k = 0; k < f->npacked && !status; k++) status = pack_time(f, &at.points, rows, grid->t[k], &f->packed[k]);
  free(rows), free(at.cell), free(at.reference);
  return status;
}

/* ---- numbers: what depends on inputs and t ------------------------------------------------------------------------------------------------------------ */

void formula_fill(const Formula *f, Program *program, const double *p, int n, int ntimes, const double *rows, double *const *out) {
  const MapSpec *spec = f->predictor.spec;
  size_t lanes = (size_t)n * (size_t)ntimes;
  double *memory = malloc(sizeof(double) * (lanes * (size_t)program->nin + 1));
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  for (int i = 0; i < program->nin; i++) {
    int which = program->input[i]->symbol.which;
    double *row = memory + lanes * (size_t)i;
    in[i] = row;
    for (int s = 0; s < n; s++)
      for (int k = 0; k < ntimes; k++)
        row[(size_t)s * (size_t)ntimes + (size_t)k] = which == f->nleaves ? spec->grid->t[k] : formula_leaf(f, which, rows + (size_t)s * (size_t)spec->width, spec->grid->t[k]);
  }
  program_run(program, (int)lanes, in, p, out);
  free(memory), free(in);
}

void formula_numbers(const Formula *f, int n, const double *rows, Numbers *out) {
  size_t nt = (size_t)f->predictor.spec->grid->nt, one = (size_t)n, many = (size_t)n * nt;
  int nnumbers = f->split.numbers.n, ntimed = f->split.timed_numbers.n;
  *out = (Numbers){malloc(sizeof(double) * (one * (size_t)nnumbers + many * (size_t)ntimed + 1)), malloc(sizeof(double *) * ((size_t)nnumbers + 1)),
                   malloc(sizeof(double *) * ((size_t)ntimed + 1))};
  for (int k = 0; k < nnumbers; k++) out->number[k] = out->memory + one * (size_t)k;
  for (int k = 0; k < ntimed; k++) out->timed[k] = out->memory + one * (size_t)nnumbers + many * (size_t)k;
  if (f->numbers) formula_fill(f, f->numbers, f->fixed, n, 1, rows, out->number);
  if (f->timed_numbers) formula_fill(f, f->timed_numbers, f->timed_fixed, n, (int)nt, rows, out->timed);
}

void numbers_free(Numbers *numbers) { free(numbers->memory), free(numbers->number), free(numbers->timed); }

void formula_params(const Formula *f, const Numbers *numbers, const double *rows, int s, int k, const Number *number, int np, double *p) {
  const MapSpec *spec = f->predictor.spec;
  const double *t = spec->grid->t;
  for (int i = 0; i < np; i++) switch (number[i].kind) {
      case NUMBER_LEAF: p[i] = formula_leaf(f, number[i].index, rows + (size_t)s * (size_t)spec->width, t[k]); break;
      case NUMBER_TIME: p[i] = t[k]; break;
      case NUMBER_PART: p[i] = numbers->number[number[i].index][s]; break;
      case NUMBER_TIMED_PART: p[i] = numbers->timed[number[i].index][(size_t)s * (size_t)spec->grid->nt + (size_t)k]; break;
      case NUMBER_FIXED: p[i] = number[i].value; break;
    }
}

/* ---- prediction ------------------------------------------------------------------------------------------------------------------------------------------ */

/* Components of all outputs at the nodes of one batch, from lanes to out[o][node][component]. */
static void scatter(const MapSpec *spec, const double *lanes, int width, int at, int n, double *const *out) {
  for (int o = 0, e = 0; o < spec->noutputs; o++) {
    int m = spec->outputs[o].ncomp;
    double *to = out[o] + (size_t)at * (size_t)m;
    for (int c = 0; c < m; c++, e++)
      for (int l = 0; l < n; l++) to[l * m + c] = lanes[e * width + l];
  }
}

static int formula_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  (void)error;
  Formula *f = (Formula *)self;
  self->calls += n;
  const MapSpec *spec = self->spec;
  const Grid *grid = spec->grid;
  int width = f->main->kernel->width, nnodes = grid->nnodes;
  double *p = malloc(sizeof(double) * ((size_t)f->main->np + 1)), **to = malloc(sizeof(double *) * ((size_t)spec->noutputs + 1));
  Numbers numbers;
  formula_numbers(f, n, rows, &numbers);
  for (int s = 0; s < n; s++)
    for (int k = 0; k < grid->nt; k++) {
      for (int o = 0; o < spec->noutputs; o++)
        to[o] = out[o] + ((size_t)s * (size_t)grid->nt + (size_t)k) * (size_t)nnodes * (size_t)spec->outputs[o].ncomp;
      if (k && !f->timed) {
        for (int o = 0; o < spec->noutputs; o++) {
          size_t each = (size_t)nnodes * (size_t)spec->outputs[o].ncomp;
          memcpy(to[o], to[o] - (size_t)k * each, sizeof(double) * each);
        }
        continue;
      }
      formula_params(f, &numbers, rows, s, k, f->number, f->main->np, p);
      for (int b = 0, at = 0; at < nnodes; b++, at += width)
        scatter(spec, program_batch(f->main, f->packed[f->npacked > 1 ? k : 0], b, p), width, at, nnodes - at < width ? nnodes - at : width, to);
    }
  numbers_free(&numbers);
  free(p), free(to);
  return 0;
}

static void formula_free(Predictor *self) {
  Formula *f = (Formula *)self;
  formula_adjoint_free(f);
  split_close(&f->split);
  program_close(f->main), program_close(f->numbers), program_close(f->timed_numbers);
  for (int k = 0; k < f->npacked; k++) free(f->packed[k]);
  free(f->packed), free(f->number), free(f->leaf), free(f->fixed), free(f->timed_fixed);
  free(f);
}

static const PredictorOps formula_ops = {.kind = "formula", .differentiable = true, .batch = 64, .predict = formula_predict, .pullback = formula_pullback, .free = formula_free};

/* ---- opening ------------------------------------------------------------------------------------------------------------------------------------------------ */

static Status refuse(Formula *f, const char *what) {
  diag_suggest(diag_report(f->diags, E3103, f->span, "a formula of `%s` depends on %s", f->predictor.spec->name, what), "made of the inputs, x y z, t and known numbers it has a value everywhere");
  return 1;
}

static Status components(Formula *f, Expr *const *outputs, Expr ***out) {
  const MapSpec *spec = f->predictor.spec;
  *out = NULL;
  for (int o = 0; o < spec->noutputs; o++)
    for (int c = 0; c < spec->outputs[o].ncomp; c++) {
      bool zero = expr_is_zero(outputs[o]);
      Expr *e = zero ? expr_zero(f->pool, SHAPE_SCALAR) : expr_scalar(f->pool, outputs[o], c, spec->grid->mesh->dim);
      *out = realloc(*out, sizeof(Expr *) * (size_t)(f->nexprs + 1));
      if (!e) {
        diag_report(f->diags, E3103, f->span, "a formula of `%s` has no value: %s", spec->name, expr_error(f->pool).text);
        return 1;
      }
      if (e->flags & (HAS_UNKNOWN | HAS_TEST | HAS_PREVIOUS | HAS_TRIAL)) return refuse(f, "an unknown of a pde");
      if (e->flags & HAS_NORMAL) return refuse(f, "the normal `n`, which only boundaries have");
      if (e->flags & HAS_INTEGRAL) return refuse(f, "an integral");
      if (e->flags & HAS_TIME && isnan(spec->grid->t[0])) return refuse(f, "`t`, and its map is steady");
      (*out)[f->nexprs++] = e;
    }
  return 0;
}

static Status number_program(Formula *f, const Parts *parts, Program **out, double **fixed) {
  if (!parts->n) return 0;
  Expr **e = malloc(sizeof(Expr *) * (size_t)parts->n);
  for (int k = 0; k < parts->n; k++) e[k] = formula_rows(f, parts->item[k]);
  Status status = program_open(f->engine->kernels, e, parts->n, 0, f->domain, f->diags, out);
  *fixed = malloc(sizeof(double) * (size_t)(status ? 1 : (*out)->np + 1));
  for (int i = 0; !status && i < (*out)->np; i++) {
    Number number;
    status = formula_number(f, (*out)->param[i], &number);
    (*fixed)[i] = number.value;
  }
  free(e);
  return status;
}

static Status open_formula(Formula *f, Expr *const *exprs) {
  const Grid *grid = f->predictor.spec->grid;
  f->domain = domain_size(grid->mesh);
  Interner *names = f->engine->options.names;
  split_open(f->pool, names, exprs, f->nexprs, true, is_input, in_time, f, &f->split);
  if ((double)f->split.timed_rows.n * grid->nnodes * grid->nt * sizeof(double) > ROWS_BYTES) {
    split_close(&f->split);
    split_open(f->pool, names, exprs, f->nexprs, false, is_input, in_time, f, &f->split);
  }
  for (int i = 0; i < f->nexprs; i++) f->split.joined[i] = expr_substitute(f->pool, f->split.joined[i], part_to_row, f);
  long visits = (long)grid->nnodes * grid->nt * 64;
  TRY(program_open(f->engine->kernels, f->split.joined, f->nexprs, visits, f->domain, f->diags, &f->main));
  f->number = calloc((size_t)f->main->np + 1, sizeof(Number));
  for (int i = 0; i < f->main->np; i++) {
    TRY(formula_number(f, f->main->param[i], &f->number[i]));
    NumberKind kind = f->number[i].kind;
    f->timed = f->timed || kind == NUMBER_TIME || kind == NUMBER_TIMED_PART || (kind == NUMBER_LEAF && f->predictor.spec->inputs[f->leaf[f->number[i].index].input].history);
  }
  TRY(number_program(f, &f->split.numbers, &f->numbers, &f->fixed));
  TRY(number_program(f, &f->split.timed_numbers, &f->timed_numbers, &f->timed_fixed));
  TRY(pack_rows(f));
  f->timed = f->timed || f->npacked > 1;
  return 0;
}

Status formula_open(Engine *engine, const MapSpec *spec, Expr *const *outputs, const TapeInput *leaves, int nleaves, const World *world, Diags *diags, Span span,
                    Predictor **out) {
  Formula *f = calloc(1, sizeof *f);
  *f = (Formula){.predictor = {.ops = &formula_ops, .spec = spec}, .engine = engine, .diags = diags, .span = span, .pool = engine->options.pool, .nleaves = nleaves};
  if (world) f->world = *world;
  f->leaf = malloc(sizeof(TapeInput) * ((size_t)nleaves + 1));
  memcpy(f->leaf, leaves, sizeof(TapeInput) * (size_t)nleaves);
  Expr **exprs;
  Status status = components(f, outputs, &exprs);
  if (!status) status = open_formula(f, exprs);
  free(exprs);
  f->world = (World){0};      /* all that comes from it is known by now */
  if (status) formula_free(&f->predictor);
  *out = status ? NULL : &f->predictor;
  return status;
}
