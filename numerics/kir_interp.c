/* The interpreter: each instruction runs over all lanes of a batch, so that decoding costs little. Registers are shared between values whose lives do
 * not overlap; values that already stand in an input array are read there; a factor that is the same for all lanes stays one number. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kir.h"

enum { WIDTH_MAX = 64, CACHE_BYTES = 256 * 1024 };

/* Where an operand is: base[array] + offset, in doubles. */
typedef enum Base { BASE_REGISTERS, BASE_X, BASE_W, BASE_C, BASES } Base;

/* Steps beyond the rows of kir.def: products with a uniform factor, which is `value` or stands at array[index]. */
enum { STEP_SCALE = KIR_OPS, STEP_SCALE_ADD };

typedef struct Step {
  uint8_t op, array_uniform;   /* array_uniform: of a load; of a scaling: the factor is in an array */
  int8_t depth, from;
  uint8_t base[3];
  uint16_t array;
  int operand[3];       /* offsets in doubles */
  int result;           /* offset in the registers */
  int jump;             /* LOOP: after its END; END: its LOOP */
  int count;
  KirIndex index;       /* in doubles: lane arrays have their strides multiplied by the width */
  double value;
} Step;

struct Interp {
  Step *step;
  int n, width, registers;
  int *local;           /* offsets of the locals in the scratch, in doubles */
  int nlocals, scratch; /* doubles */
};

static bool is_value(int op) { return op != KIR_STORE && op != KIR_ACCUM && op != KIR_LOOP && op != KIR_END; }

static bool is_uniform(int array) { return array == KIR_P || array == KIR_TAB; }

/* The operand (0 or 1) of a product that is one number for all lanes; -1: none. Both may be: the second is taken. */
static int uniform_factor(const Kir *kir, const KirInst *in) {
  if (in->op != KIR_MUL && in->op != KIR_FMA) return -1;
  for (int k = 1; k >= 0; k--) {
    const KirInst *factor = &kir->inst[k ? in->b : in->a];
    if (factor->op == KIR_CONST || (factor->op == KIR_LOAD && is_uniform(factor->array))) return k;
  }
  return -1;
}

/* Operands read lane by lane. Returns their mask. */
static unsigned lane_operands(const Kir *kir, const KirInst *in) {
  int uniform = uniform_factor(kir, in);
  return ((1u << kir_rows[in->op].arity) - 1) & ~(uniform < 0 ? 0 : 1u << uniform);
}

/* A load that needs no copy: lane input array at a fixed place. */
static bool in_place(const Kir *kir, const KirInst *in) {
  if (in->op != KIR_LOAD || in->array > KIR_C || in->index.facet) return false;
  for (int d = 0; d < KIR_DEPTHS; d++)
    if (in->index.stride[d]) return false;
  return kir->n > 0;
}

/* last[i]: the last instruction that needs register i; a value from outside a loop lives until the loop ends. */
static void find_last_uses(const Kir *kir, int *last, bool *used, const int *jump) {
  int *outer = kir_zeroed(sizeof(int) * (size_t)(kir->n + 1)), open[KIR_DEPTHS + 1], n = 0;   /* innermost LOOP around each instruction, -1: none */
  for (int i = 0; i < kir->n; i++) {
    last[i] = i;
    if (kir->inst[i].op == KIR_END && n) n--;
    outer[i] = n ? open[n - 1] : -1;
    if (kir->inst[i].op == KIR_LOOP) open[n++] = i;
  }
  for (int i = 0; i < kir->n; i++) {
    const int operand[3] = {kir->inst[i].a, kir->inst[i].b, kir->inst[i].c};
    unsigned lanes = lane_operands(kir, &kir->inst[i]);
    for (int k = 0; k < 3; k++) {
      if (!(lanes >> k & 1)) continue;
      int until = i, r = operand[k];
      used[r] = true;
      for (int loop = outer[i]; loop >= 0 && loop > r; loop = outer[loop]) until = jump[loop] - 1;
      if (until > last[r]) last[r] = until;
    }
  }
  free(outer);
}

static int *match_loops(const Kir *kir) {
  int *jump = kir_zeroed(sizeof(int) * (size_t)(kir->n + 1)), open[KIR_DEPTHS + 1], n = 0;
  for (int i = 0; i < kir->n; i++) {
    if (kir->inst[i].op == KIR_LOOP) open[n++] = i;
    if (kir->inst[i].op == KIR_END) {
      jump[i] = open[--n];
      jump[open[n]] = i + 1;
    }
  }
  return jump;
}

/* Slots of registers by linear scan. Returns their number. */
static int assign_slots(const Kir *kir, const int *last, const bool *used, int *slot) {
  int *free_slot = kir_zeroed(sizeof(int) * (size_t)(kir->n + 1)), nfree = 0, slots = 0;
  int *head = kir_zeroed(sizeof(int) * (size_t)(kir->n + 1)), *next = kir_zeroed(sizeof(int) * (size_t)(kir->n + 1));   /* registers that end at i */
  for (int i = 0; i < kir->n; i++) head[i] = -1;
  for (int i = 0; i < kir->n; i++) {
    bool needs = used[i] && !in_place(kir, &kir->inst[i]);
    slot[i] = -1;
    /* what ends here may be overwritten by the result: every op reads a lane before it writes it */
    for (int r = head[i]; r >= 0; r = next[r]) free_slot[nfree++] = slot[r];
    if (needs) {
      slot[i] = nfree ? free_slot[--nfree] : slots++;
      if (last[i] > i) {
        next[i] = head[last[i]];
        head[last[i]] = i;
      } else
        free_slot[nfree++] = slot[i];
    }
  }
  free(free_slot);
  free(head);
  free(next);
  return slots;
}

static int choose_width(const Kir *kir, int slots) {
  long entries = slots + kir->size[KIR_X] + kir->size[KIR_W] + kir->size[KIR_C] + kir->size[KIR_OUT];
  for (int k = 0; k < kir->nlocals; k++) entries += kir->local[k];
  int width = WIDTH_MAX;
  while (width > 8 && entries * width * (long)sizeof(double) > CACHE_BYTES) width /= 2;
  return width;
}

static KirIndex scaled_index(const Interp *in, const KirInst *from) {
  int scale = is_uniform(from->array) ? 1 : in->width;
  KirIndex index = {.base = from->index.base * scale + (from->array >= KIR_LOCAL ? in->local[from->array - KIR_LOCAL] : 0), .facet = from->index.facet * scale};
  for (int d = 0; d < KIR_DEPTHS; d++) index.stride[d] = from->index.stride[d] * scale;
  return index;
}

static void prepare_step(const Kir *kir, const Interp *in, Step *s, int i, const int *slot) {
  static const uint8_t base_of[] = {[KIR_X] = BASE_X, [KIR_W] = BASE_W, [KIR_C] = BASE_C};
  const KirInst *from = &kir->inst[i], *memory = from;
  const int operand[3] = {from->a, from->b, from->c};
  unsigned lanes = lane_operands(kir, from);
  int uniform = uniform_factor(kir, from);
  *s = (Step){.op = from->op, .depth = from->depth, .from = from->from, .count = from->count, .value = from->value};
  if (uniform >= 0) {
    memory = &kir->inst[operand[uniform]];
    s->op = from->op == KIR_MUL ? STEP_SCALE : STEP_SCALE_ADD;
    s->value = memory->value;
  }
  if (memory->op == KIR_LOAD || memory->op == KIR_GATHER || memory->op == KIR_STORE || memory->op == KIR_ACCUM) {
    s->array = memory->array;
    s->array_uniform = is_uniform(memory->array);
    s->index = scaled_index(in, memory);
  }
  for (int k = 0; k < 3; k++) {
    if (!(lanes >> k & 1)) continue;
    int to = uniform == 0 && k == 1 ? 0 : k;   /* the other factor comes first */
    const KirInst *source = &kir->inst[operand[k]];
    bool borrowed = in_place(kir, source);
    s->base[to] = borrowed ? base_of[source->array] : BASE_REGISTERS;
    s->operand[to] = (borrowed ? source->index.base : slot[operand[k]]) * in->width;
  }
  s->result = slot[i] < 0 ? 0 : slot[i] * in->width;
}

Interp *interp_new(const Kir *kir, int width) {
  Interp *in = kir_zeroed(sizeof *in);
  size_t n = (size_t)kir->n + 1;
  int *jump = match_loops(kir), *last = kir_zeroed(sizeof(int) * n), *slot = kir_zeroed(sizeof(int) * n), *place = kir_zeroed(sizeof(int) * n);
  bool *used = kir_zeroed(n);
  find_last_uses(kir, last, used, jump);
  int slots = assign_slots(kir, last, used, slot);
  in->width = width ? width : choose_width(kir, slots);
  in->nlocals = kir->nlocals;
  in->local = kir_zeroed(sizeof(int) * (size_t)(kir->nlocals + 1));
  int at = slots * in->width;
  for (int k = 0; k < kir->nlocals; k++) {
    in->local[k] = at;
    at += kir->local[k] * in->width;
  }
  in->scratch = at;
  in->step = kir_zeroed(sizeof(Step) * n);
  for (int i = 0; i < kir->n; i++) {
    place[i] = in->n;
    if (!is_value(kir->inst[i].op) || slot[i] >= 0) prepare_step(kir, in, &in->step[in->n++], i, slot);
  }
  place[kir->n] = in->n;
  for (int i = 0; i < kir->n; i++)
    if (kir->inst[i].op == KIR_LOOP || kir->inst[i].op == KIR_END) in->step[place[i]].jump = place[jump[i]];
  free(jump);
  free(last);
  free(slot);
  free(place);
  free(used);
  return in;
}

void interp_free(Interp *interp) {
  if (!interp) return;
  free(interp->step);
  free(interp->local);
  free(interp);
}

int interp_width(const Interp *interp) { return interp->width; }
size_t interp_scratch(const Interp *interp) { return sizeof(double) * (size_t)interp->scratch; }

static long index_of(const KirIndex *index, const long *counter, long facet) {
  long at = index->base + index->facet * facet;
  for (int d = 0; d < KIR_DEPTHS; d++) at += index->stride[d] * counter[d];
  return at;
}

/* Runs `lane` for every lane; dst may be the same array as an operand, never a shifted one. */
#define LANES(lane)                      \
  do {                                   \
    _Pragma("GCC ivdep") for (int l = 0; l < width; l += 8) { \
      _Pragma("GCC ivdep") for (int k = l; k < l + 8; k++) { lane; } \
    }                                    \
  } while (0)

void interp_run(const Interp *interp, const double *x, const double *w, const double *c, const double *p, const double *tab, long facet, double *out,
                void *scratch) {
  const int width = interp->width;
  double *registers = scratch;
  const double *const bases[BASES] = {registers, x, w, c};
  const double *const inputs[] = {[KIR_X] = x, [KIR_W] = w, [KIR_C] = c, [KIR_P] = p, [KIR_TAB] = tab, [KIR_OUT] = out};
  long counter[KIR_DEPTHS] = {0};
  for (int i = 0; i < interp->n; i++) {
    const Step *s = &interp->step[i];
    double *dst = registers + s->result;
    const double *A = bases[s->base[0]] + s->operand[0], *B = bases[s->base[1]] + s->operand[1], *C = bases[s->base[2]] + s->operand[2];
    switch (s->op) {
      case KIR_CONST: LANES(dst[k] = s->value); break;
      case KIR_LOAD: {
        const double *from = (s->array < KIR_LOCAL ? inputs[s->array] : registers) + index_of(&s->index, counter, facet);
        if (s->array_uniform) {
          double value = *from;
          LANES(dst[k] = value);
        } else
          LANES(dst[k] = from[k]);
        break;
      }
      case KIR_GATHER: {
        const double *from = tab + s->index.base;
        LANES(dst[k] = from[(long)A[k]]);
        break;
      }
      case KIR_STORE: {
        double *to = (s->array == KIR_OUT ? out : registers) + index_of(&s->index, counter, facet);
        LANES(to[k] = A[k]);
        break;
      }
      case KIR_ACCUM: {
        double *to = (s->array == KIR_OUT ? out : registers) + index_of(&s->index, counter, facet);
        LANES(to[k] += A[k]);
        break;
      }
      case KIR_LOOP:
        counter[s->depth] = s->from >= 0 ? counter[s->from] : 0;
        break;
      case KIR_END: {
        const Step *loop = &interp->step[s->jump];
        if (++counter[loop->depth] < loop->count) i = s->jump;
        else counter[loop->depth] = 0;
        break;
      }
      case STEP_SCALE: {
        double value = s->array_uniform ? inputs[s->array][index_of(&s->index, counter, facet)] : s->value;
        LANES(dst[k] = value * A[k]);
        break;
      }
      case STEP_SCALE_ADD: {
        double value = s->array_uniform ? inputs[s->array][index_of(&s->index, counter, facet)] : s->value;
        LANES(dst[k] = value * A[k] + C[k]);
        break;
      }
#define COMPUTE_1(op, lane) case KIR_##op: LANES(double a = A[k]; dst[k] = (lane)); break;
#define COMPUTE_2(op, lane) case KIR_##op: LANES(double a = A[k]; double b = B[k]; dst[k] = (lane)); break;
#define COMPUTE_3(op, lane) case KIR_##op: LANES(double a = A[k]; double b = B[k]; double c = C[k]; dst[k] = (lane)); break;
#define KIR(op, arity, text, lane, function) COMPUTE_##arity(op, lane)
#define KIR_CONTROL(op, arity, text)
#include "kir.def"
#undef KIR
      default: break;
    }
  }
}
