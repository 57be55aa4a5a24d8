/* The gradient of a formula's outputs by its inputs. Three steps back, as three forward: from the outputs at all nodes to the numbers of the main program
 * (summed over the nodes), from the numbers that are parts to leaves, from leaves to the rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "formula.h"

#define BARS 0x7f100000u      /* serial of the terms that stand for given bars; which: of what */

typedef struct FormulaAdjoint {
  Program *main; double **packed;      /* sum over outputs of bar * derivative by each number, at the nodes */
  int *by, nby;                        /* params of the forward main program; output k is by number by[k] */
  Number *number;                      /* of this program's params */
  struct PartSlopes { Program *program; int *part, *leaf, n; double *fixed; } parts, timed;   /* output k: derivative of that part by that leaf */
} FormulaAdjoint;

static Expr *bar_term(const Formula *f, int which) {
  return expr_term(f->pool, (Symbol){.kind = SYMBOL_FIELD, .serial = BARS, .which = (uint16_t)which}, NULL, UNIT_ANY);
}

/* --- making --- */

/* Sum over the outputs of bar * d output/d leaf; zero where none depends on it. */
static Expr *main_slope(const Formula *f, Expr *leaf) {
  Expr *sum = expr_zero(f->pool, SHAPE_SCALAR);
  for (int i = 0; i < f->nexprs && sum; i++) {
    Expr *d = expr_subgradient(f->pool, f->split.joined[i], leaf);
    if (!d) return NULL;
    if (!expr_is_zero(d)) sum = expr_binary(f->pool, EXPR_ADD, sum, expr_binary(f->pool, EXPR_MUL, d, bar_term(f, i)));
  }
  return sum;
}

static bool open_main(Formula *f, FormulaAdjoint *a) {
  Expr **item = malloc(sizeof(Expr *) * ((size_t)f->main->np + 1));
  a->by = malloc(sizeof(int) * ((size_t)f->main->np + 1));
  bool good = true;
  for (int k = 0; k < f->main->np && good; k++) {
    if (f->number[k].kind == NUMBER_FIXED || f->number[k].kind == NUMBER_TIME) continue;
    Expr *d = main_slope(f, f->main->param[k]);
    good = d != NULL;
    if (good && !expr_is_zero(d)) item[a->nby] = d, a->by[a->nby++] = k;
  }
  long visits = (long)f->predictor.spec->grid->nnodes * f->predictor.spec->grid->nt * 64;
  if (good && a->nby) good = !program_open(f->engine->kernels, item, a->nby, visits, f->domain, f->diags, &a->main);
  a->number = calloc((size_t)(a->main ? a->main->np : 0) + 1, sizeof(Number));
  for (int i = 0; a->main && i < a->main->np && good; i++) {
    int k = 0;
    while (k < f->main->np && f->main->param[k] != a->main->param[i]) k++;
    if (k < f->main->np) a->number[i] = f->number[k];
    else good = !formula_number(f, a->main->param[i], &a->number[i]);      /* a constant of the derivative */
  }
  free(item);
  return good;
}

static bool open_parts(Formula *f, const Parts *parts, struct PartSlopes *out) {
  Expr **item = NULL;
  bool good = true;
  for (int p = 0; p < parts->n && good; p++)
    for (int k = 0; k < f->nleaves && good; k++) {
      Expr *d = expr_subgradient(f->pool, formula_rows(f, parts->item[p]), formula_rows(f, f->leaf[k].leaf));
      good = d != NULL;
      if (!good || expr_is_zero(d)) continue;
      item = realloc(item, sizeof(Expr *) * (size_t)(out->n + 1));
      out->part = realloc(out->part, sizeof(int) * (size_t)(out->n + 1));
      out->leaf = realloc(out->leaf, sizeof(int) * (size_t)(out->n + 1));
      item[out->n] = d, out->part[out->n] = p, out->leaf[out->n++] = k;
    }
  if (good && out->n) good = !program_open(f->engine->kernels, item, out->n, 0, 1, f->diags, &out->program);
  out->fixed = malloc(sizeof(double) * (size_t)(out->program ? out->program->np + 1 : 1));
  for (int i = 0; out->program && i < out->program->np && good; i++) good = formula_fixed(f, out->program->param[i], &out->fixed[i]);
  free(item);
  return good;
}

/* Rows of the forward program under the inputs of this one; those of bars are filled anew each time. */
static double *pack_inputs(const Formula *f, const Program *program, int k) {
  int nnodes = f->predictor.spec->grid->nnodes, width = f->main->kernel->width;
  const double *packed = f->packed[f->npacked > 1 ? k : 0];
  double *memory = malloc(sizeof(double) * ((size_t)nnodes * (size_t)program->nin + 1));
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  for (int i = 0; i < program->nin; i++) {
    double *row = memory + (size_t)nnodes * (size_t)i;
    int from = 0;
    in[i] = row;
    while (from < f->main->nin && f->main->input[from] != program->input[i]) from++;
    for (int n = 0; n < nnodes; n++) row[n] = from == f->main->nin ? 0 : packed[((size_t)(n / width) * (size_t)f->main->nin + (size_t)from) * (size_t)width + (size_t)(n % width)];
  }
  double *out = program_pack(program, nnodes, in);
  free(memory), free(in);
  return out;
}

static FormulaAdjoint *adjoint_open(Formula *f) {
  FormulaAdjoint *a = f->adjoint = calloc(1, sizeof *a);
  a->packed = calloc((size_t)f->npacked + 1, sizeof(double *));
  if (!open_main(f, a) || !open_parts(f, &f->split.numbers, &a->parts) || !open_parts(f, &f->split.timed_numbers, &a->timed)) {
    formula_adjoint_free(f);
    return NULL;
  }
  for (int k = 0; a->main && k < f->npacked; k++) a->packed[k] = pack_inputs(f, a->main, k);
  return a;
}

void formula_adjoint_free(Formula *f) {
  FormulaAdjoint *a = f->adjoint;
  if (!a) return;
  for (int k = 0; k < f->npacked; k++) free(a->packed[k]);
  struct PartSlopes *slopes[] = {&a->parts, &a->timed};
  for (int k = 0; k < 2; k++) program_close(slopes[k]->program), free(slopes[k]->part), free(slopes[k]->leaf), free(slopes[k]->fixed);
  program_close(a->main);
  free(a->packed), free(a->by), free(a->number), free(a);
  f->adjoint = NULL;
}

/* --- running --- */

static void add_to_row(const Formula *f, int leaf, double time, double bar, double *row) {
  const MapSpec *spec = f->predictor.spec;
  const MapInput *input = &spec->inputs[f->leaf[leaf].input];
  Blend blend = {1, {0}, {1}};
  if (input->history && spec->grid->nt > 1) blend_linear(spec->grid->t, spec->grid->nt, time + f->leaf[leaf].shift, true, &blend);
  for (int k = 0; k < blend.n; k++) row[input->offset + blend.at[k]] += blend.weight[k] * bar;
}

/* The bars of one sample and time, component by component: in the lanes of the program's inputs. */
static void lay_bars(const Formula *f, const Program *program, const double *const *bar, double *packed) {
  const MapSpec *spec = f->predictor.spec;
  int nnodes = spec->grid->nnodes, width = program->kernel->width;
  for (int i = 0; i < program->nin; i++) {
    const Symbol *s = &program->input[i]->symbol;
    if (program->input[i]->op != EXPR_TERM || s->serial != BARS) continue;
    int o = 0, c = s->which;
    while (c >= spec->outputs[o].ncomp) c -= spec->outputs[o++].ncomp;
    for (int n = 0; n < nnodes; n++)
      packed[((size_t)(n / width) * (size_t)program->nin + (size_t)i) * (size_t)width + (size_t)(n % width)] = bar[o][(size_t)n * (size_t)spec->outputs[o].ncomp + (size_t)c];
  }
}

static bool all_zero(const MapSpec *spec, const double *const *bar) {
  for (int o = 0; o < spec->noutputs; o++)
    for (size_t i = 0, n = (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp; i < n; i++)
      if (bar[o][i] != 0) return false;
  return true;
}

/* out[nby] = sums over the nodes. */
static void sum_nodes(Program *program, const double *packed, const double *p, int nnodes, double *out) {
  int width = program->kernel->width;
  memset(out, 0, sizeof(double) * (size_t)program->nout);
  for (int b = 0, at = 0; at < nnodes; b++, at += width) {
    const double *lanes = program_batch(program, packed, b, p);
    int n = nnodes - at < width ? nnodes - at : width;
    for (int k = 0; k < program->nout; k++)
      for (int l = 0; l < n; l++) out[k] += lanes[k * width + l];
  }
}

/* bars of the parts, [part][n*ntimes], to the rows. */
static void reverse_parts(const Formula *f, const struct PartSlopes *slopes, int n, int ntimes, const double *rows, const double *bar, double *rows_bar) {
  const MapSpec *spec = f->predictor.spec;
  size_t lanes = (size_t)n * (size_t)ntimes;
  if (!slopes->program) return;
  double *values = malloc(sizeof(double) * lanes * (size_t)slopes->n), **out = malloc(sizeof(double *) * (size_t)slopes->n);
  for (int k = 0; k < slopes->n; k++) out[k] = values + lanes * (size_t)k;
  formula_fill(f, slopes->program, slopes->fixed, n, ntimes, rows, out);
  for (int k = 0; k < slopes->n; k++)
    for (size_t i = 0; i < lanes; i++) {
      double b = bar[lanes * (size_t)slopes->part[k] + i];
      if (b != 0) add_to_row(f, slopes->leaf[k], spec->grid->t[i % (size_t)ntimes], b * out[k][i], rows_bar + i / (size_t)ntimes * (size_t)spec->width);
    }
  free(values), free(out);
}

int formula_pullback(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error) {
  Formula *f = (Formula *)self;
  const MapSpec *spec = self->spec;
  int nt = spec->grid->nt, nnodes = spec->grid->nnodes;
  FormulaAdjoint *a = f->adjoint ? f->adjoint : adjoint_open(f);
  if (!a) {
    *error = strdup("a function without a known derivative stands in the formula");
    return 1;
  }
  if (!a->main) return 0;
  Numbers numbers;
  formula_numbers(f, n, rows, &numbers);
  size_t one = (size_t)n, many = (size_t)n * (size_t)nt;
  double *p = malloc(sizeof(double) * ((size_t)a->main->np + 1)), *sum = malloc(sizeof(double) * ((size_t)a->nby + 1));
  double *number_bar = calloc(one * (size_t)f->split.numbers.n + 1, sizeof(double)), *timed_bar = calloc(many * (size_t)f->split.timed_numbers.n + 1, sizeof(double));
  const double **bar = malloc(sizeof(double *) * ((size_t)spec->noutputs + 1));
  for (int s = 0; s < n; s++)
    for (int k = 0; k < nt; k++) {
      for (int o = 0; o < spec->noutputs; o++) bar[o] = out_bar[o] + ((size_t)s * (size_t)nt + (size_t)k) * (size_t)nnodes * (size_t)spec->outputs[o].ncomp;
      if (all_zero(spec, bar)) continue;
      double *packed = a->packed[f->npacked > 1 ? k : 0];
      lay_bars(f, a->main, bar, packed);
      formula_params(f, &numbers, rows, s, k, a->number, a->main->np, p);
      sum_nodes(a->main, packed, p, nnodes, sum);
      for (int i = 0; i < a->nby; i++) {
        const Number *number = &f->number[a->by[i]];
        if (number->kind == NUMBER_LEAF) add_to_row(f, number->index, spec->grid->t[k], sum[i], rows_bar + (size_t)s * (size_t)spec->width);
        else if (number->kind == NUMBER_PART) number_bar[one * (size_t)number->index + (size_t)s] += sum[i];
        else if (number->kind == NUMBER_TIMED_PART) timed_bar[many * (size_t)number->index + (size_t)s * (size_t)nt + (size_t)k] += sum[i];
      }
    }
  reverse_parts(f, &a->parts, n, 1, rows, number_bar, rows_bar);
  reverse_parts(f, &a->timed, n, nt, rows, timed_bar, rows_bar);
  numbers_free(&numbers);
  free(p), free(sum), free(number_bar), free(timed_bar), free(bar);
  return 0;
}
