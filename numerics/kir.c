#include "kir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const KirRow kir_rows[KIR_OPS] = {
#define KIR(op, arity, text, lane, function) [KIR_##op] = {text, arity, function},
#include "kir.def"
#undef KIR
};

static const char *const array_names[] = {"x", "w", "c", "p", "tab", "out"};

void *kir_memory(void *old, size_t bytes) {
  void *p = realloc(old, bytes ? bytes : 1);
  if (p) return p;
  fputs("pde: out of memory\n", stderr);
  exit(EXIT_ENVIRONMENT);
}

void *kir_zeroed(size_t bytes) { return memset(kir_memory(NULL, bytes), 0, bytes); }

void kir_free(Kir *kir) {
  if (!kir) return;
  free(kir->inst);
  free(kir->local);
  free(kir);
}

bool kir_has_functions(const Kir *kir) {
  for (int i = 0; i < kir->n; i++)
    if (kir_rows[kir->inst[i].op].function) return true;
  return false;
}

/* --- listing --- */

static void print_place(Buf *out, const KirInst *in) {
  if (in->array < KIR_LOCAL) buf_printf(out, "%s[%d", array_names[in->array], in->index.base);
  else buf_printf(out, "local%d[%d", in->array - KIR_LOCAL, in->index.base);
  for (int d = 0; d < KIR_DEPTHS; d++)
    if (in->index.stride[d]) buf_printf(out, " + %d*i%d", in->index.stride[d], d);
  if (in->index.facet) buf_printf(out, " + %d*facet", in->index.facet);
  buf_putc(out, ']');
}

void kir_print(Buf *out, const Kir *kir) {
  buf_puts(out, "; entries:");
  for (int a = 0; a < KIR_LOCAL; a++)
    if (a != KIR_TAB) buf_printf(out, " %s %d", array_names[a], kir->size[a]);
  for (int k = 0; k < kir->nlocals; k++) buf_printf(out, " local%d %d", k, kir->local[k]);
  if (kir->nfacets) buf_printf(out, " facets %d", kir->nfacets);
  buf_putc(out, '\n');
  for (int i = 0, indent = 0; i < kir->n; i++) {
    const KirInst *in = &kir->inst[i];
    if (in->op == KIR_END) indent--;
    buf_printf(out, "%*s", 2 * indent, "");
    switch (in->op) {
      case KIR_CONST: buf_printf(out, "r%d = ", i), buf_number(out, in->value); break;
      case KIR_LOAD: buf_printf(out, "r%d = ", i), print_place(out, in); break;
      case KIR_GATHER: buf_printf(out, "r%d = tab[%d + r%d], %d", i, in->index.base, in->a, in->count); break;
      case KIR_STORE: print_place(out, in), buf_printf(out, " = r%d", in->a); break;
      case KIR_ACCUM: print_place(out, in), buf_printf(out, " += r%d", in->a); break;
      case KIR_LOOP:
        buf_printf(out, "loop i%d = ", in->depth);
        if (in->from >= 0) buf_printf(out, "i%d", in->from);
        else buf_putc(out, '0');
        buf_printf(out, " .. %d", in->count - 1);
        indent++;
        break;
      case KIR_END: buf_puts(out, "end"); break;
      default:
        buf_printf(out, "r%d = %s r%d", i, kir_rows[in->op].text, in->a);
        if (kir_rows[in->op].arity > 1) buf_printf(out, " r%d", in->b);
        if (kir_rows[in->op].arity > 2) buf_printf(out, " r%d", in->c);
    }
    buf_putc(out, '\n');
  }
}

/* --- verification --- */

typedef struct Scope {
  int loop[KIR_DEPTHS], n;          /* open LOOP instructions, innermost last */
  int count[KIR_DEPTHS];            /* trips of the open loop of a depth; 0: not open */
} Scope;

static bool scope_has(const Scope *scope, int loop) {
  for (int k = 0; k < scope->n; k++)
    if (scope->loop[k] == loop) return true;
  return loop < 0;
}

static const char *verify_place(const Kir *kir, const Scope *scope, const KirInst *in) {
  if (in->array >= KIR_LOCAL + kir->nlocals) return "no such array";
  if (in->op != KIR_LOAD && in->array < KIR_OUT) return "write to an input";
  long lo = in->index.base, hi = lo, size = in->array < KIR_LOCAL ? kir->size[in->array] : kir->local[in->array - KIR_LOCAL];
  for (int d = 0; d < KIR_DEPTHS; d++) {
    if (!in->index.stride[d]) continue;
    if (!scope->count[d]) return "index by a counter that is not running";
    long far = (long)in->index.stride[d] * (scope->count[d] - 1);
    *(far < 0 ? &lo : &hi) += far;
  }
  if (in->index.facet && !kir->nfacets) return "facet index in a cell kernel";
  if (in->index.facet) hi += (long)in->index.facet * (kir->nfacets - 1);
  return lo < 0 || hi >= size ? "index outside its array" : NULL;
}

const char *kir_verify(const Kir *kir) {
  Scope scope = {0};
  const char *wrong = NULL;
  int *home = kir_memory(NULL, sizeof(int) * (size_t)(kir->n + 1));       /* innermost loop of each register; -2: no value */
  for (int i = 0; i < kir->n && !wrong; i++) {
    const KirInst *in = &kir->inst[i];
    int operand[3] = {in->a, in->b, in->c};
    if (in->op >= KIR_OPS) {
      wrong = "no such instruction";
      break;
    }
    for (int k = 0; k < kir_rows[in->op].arity && !wrong; k++) {
      if (operand[k] < 0 || operand[k] >= i || home[operand[k]] == -2) wrong = "operand is not a value before its use";
      else if (!scope_has(&scope, home[operand[k]])) wrong = "operand of a closed loop";
    }
    bool is_value = in->op != KIR_STORE && in->op != KIR_ACCUM && in->op != KIR_LOOP && in->op != KIR_END;
    home[i] = is_value ? (scope.n ? scope.loop[scope.n - 1] : -1) : -2;
    if (wrong) break;
    if (in->op == KIR_LOAD || in->op == KIR_STORE || in->op == KIR_ACCUM) wrong = verify_place(kir, &scope, in);
    else if (in->op == KIR_GATHER && (in->index.base < 0 || in->count < 1 || in->index.base + in->count > kir->size[KIR_TAB])) wrong = "gather outside the tables";
    else if (in->op == KIR_LOOP) {
      if (in->depth < 0 || in->depth >= KIR_DEPTHS || scope.n == KIR_DEPTHS || scope.count[in->depth]) wrong = "loop of a depth that is running";
      else if (in->count < 1 || (in->from >= 0 && (in->from >= KIR_DEPTHS || !scope.count[in->from] || scope.count[in->from] > in->count)))
        wrong = "loop bounds";
      else {
        scope.count[in->depth] = in->count;
        scope.loop[scope.n++] = i;
      }
    } else if (in->op == KIR_END) {
      if (!scope.n) wrong = "end without loop";
      else scope.count[kir->inst[scope.loop[--scope.n]].depth] = 0;
    }
  }
  if (!wrong && scope.n) wrong = "loop without end";
  free(home);
  return wrong;
}

/* --- builder --- */

typedef struct Node {
  KirInst inst;
  uint8_t section;
  bool scoped;       /* computed inside an inner loop: not to be found again once that loop is closed */
  bool closed;
} Node;

typedef struct List {
  int *item, n, cap;
} List;

struct KirBuilder {
  Node *node;
  int n, cap;
  int *slot, slots;              /* hash table of values, -1 free */
  List order[KIR_SECTIONS];
  KirSection section;
  int open;                      /* inner loops open in `section` */
  int loop_start[KIR_DEPTHS];    /* first node made inside each */
  List locals;
  double *table;
  int ntable;
};

static void list_add(List *list, int item) {
  if (list->n == list->cap) {
    list->cap = list->cap ? 2 * list->cap : 64;
    list->item = kir_memory(list->item, sizeof(int) * (size_t)list->cap);
  }
  list->item[list->n++] = item;
}

KirBuilder *kir_builder(void) {
  KirBuilder *b = kir_zeroed(sizeof *b);
  b->slots = 256;
  b->slot = memset(kir_memory(NULL, sizeof(int) * 256), -1, sizeof(int) * 256);
  return b;
}

void kir_builder_free(KirBuilder *b) {
  if (!b) return;
  for (int s = 0; s < KIR_SECTIONS; s++) free(b->order[s].item);
  free(b->locals.item);
  free(b->node);
  free(b->slot);
  free(b->table);
  free(b);
}

static uint32_t hash_inst(const KirInst *in) {
  uint64_t v, h = 1469598103934665603u;
  memcpy(&v, &in->value, sizeof v);
  const uint64_t words[] = {in->op, in->array, (uint32_t)in->a, (uint32_t)in->b, (uint32_t)in->c, (uint32_t)in->index.base, (uint32_t)in->index.facet,
                            (uint32_t)in->index.stride[0], (uint32_t)in->index.stride[1], (uint32_t)in->index.stride[2],
                            (uint32_t)in->index.stride[3], v, v >> 32};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) h = (h ^ words[k]) * 1099511628211u;
  return (uint32_t)(h ^ h >> 32);
}

static bool same_inst(const KirInst *x, const KirInst *y) {
  return x->op == y->op && x->array == y->array && x->a == y->a && x->b == y->b && x->c == y->c && !memcmp(&x->index, &y->index, sizeof x->index) &&
         !memcmp(&x->value, &y->value, sizeof x->value);
}

static int add_node(KirBuilder *b, const KirInst *in, KirSection section, bool scoped) {
  if (b->n == b->cap) {
    b->cap = b->cap ? 2 * b->cap : 256;
    b->node = kir_memory(b->node, sizeof(Node) * (size_t)b->cap);
  }
  b->node[b->n] = (Node){*in, (uint8_t)section, scoped, false};
  list_add(&b->order[section], b->n);
  return b->n++;
}

static void rehash(KirBuilder *b) {
  b->slots *= 2;
  b->slot = kir_memory(b->slot, sizeof(int) * (size_t)b->slots);
  memset(b->slot, -1, sizeof(int) * (size_t)b->slots);
  for (int i = 0; i < b->n; i++) {
    const KirInst *in = &b->node[i].inst;
    if (in->op == KIR_STORE || in->op == KIR_ACCUM || in->op == KIR_LOOP || in->op == KIR_END || b->node[i].closed) continue;
    uint32_t h = hash_inst(in) & (uint32_t)(b->slots - 1);
    while (b->slot[h] >= 0) h = (h + 1) & (uint32_t)(b->slots - 1);
    b->slot[h] = i;
  }
}

/* The value of a pure instruction whose operands live in `section`; scoped: it depends on an inner loop. */
static KirValue pure(KirBuilder *b, const KirInst *in, KirSection section, bool scoped) {
  uint32_t h = hash_inst(in) & (uint32_t)(b->slots - 1);
  for (; b->slot[h] >= 0; h = (h + 1) & (uint32_t)(b->slots - 1)) {
    const Node *node = &b->node[b->slot[h]];
    if (!node->closed && same_inst(&node->inst, in)) return b->slot[h];
  }
  scoped = scoped || (b->open && section == b->section);
  b->slot[h] = add_node(b, in, section, scoped);
  int made = b->slot[h];
  if (2 * b->n > b->slots) rehash(b);
  return made;
}

KirValue kir_const(KirBuilder *b, double value) {
  return pure(b, &(KirInst){.op = KIR_CONST, .depth = 0, .from = -1, .a = -1, .b = -1, .c = -1, .value = value}, KIR_CELL, false);
}

KirValue kir_load(KirBuilder *b, int array, KirIndex index) {
  KirInst in = {.op = KIR_LOAD, .from = -1, .array = (uint16_t)array, .a = -1, .b = -1, .c = -1, .index = index};
  bool scoped = index.stride[1] || index.stride[2] || index.stride[3];
  if (array >= KIR_OUT) return add_node(b, &in, b->section, b->open > 0);   /* memory that changes: never found again */
  return pure(b, &in, scoped ? b->section : index.stride[0] ? KIR_POINT : KIR_CELL, scoped);
}

bool kir_is_const(const KirBuilder *b, KirValue x, double *value) {
  if (x < 0 || b->node[x].inst.op != KIR_CONST) return false;
  *value = b->node[x].inst.value;
  return true;
}

KirSection kir_section_of(const KirBuilder *b, KirValue x) { return x < 0 ? KIR_CELL : (KirSection)b->node[x].section; }

/* In the outermost section where its operands are known. */
static KirValue computed(KirBuilder *b, const KirInst *in) {
  KirSection section = KIR_CELL;
  bool scoped = false;
  const int operand[3] = {in->a, in->b, in->c};
  for (int k = 0; k < kir_rows[in->op].arity; k++) {
    const Node *node = &b->node[operand[k]];
    if (node->section > section) section = (KirSection)node->section;
    scoped = scoped || node->scoped;
  }
  return pure(b, in, scoped ? b->section : section, scoped);
}

KirValue kir_op(KirBuilder *b, KirOp op, KirValue x, KirValue y, KirValue z) {
  int arity = kir_rows[op].arity;
  bool commutes = op == KIR_ADD || op == KIR_MUL || op == KIR_FMA || op == KIR_AND || op == KIR_OR || op == KIR_EQ || op == KIR_NE;
  if (commutes && y < x) {
    KirValue t = x;
    x = y, y = t;
  }
  return computed(b, &(KirInst){.op = (uint8_t)op, .from = -1, .a = x, .b = arity > 1 ? y : -1, .c = arity > 2 ? z : -1});
}

KirValue kir_gather(KirBuilder *b, int base, int count, KirValue at) {
  return computed(b, &(KirInst){.op = KIR_GATHER, .from = -1, .array = KIR_TAB, .a = at, .b = -1, .c = -1, .count = count, .index = {.base = base}});
}

KirValue kir_add(KirBuilder *b, KirValue x, KirValue y) {
  double u, v;
  if (x == KIR_NONE) return y;
  if (y == KIR_NONE) return x;
  bool cx = kir_is_const(b, x, &u), cy = kir_is_const(b, y, &v);
  if (cx && cy) return kir_const(b, u + v);
  if (cx && u == 0) return y;
  if (cy && v == 0) return x;
  if (b->node[y].inst.op == KIR_NEG) return kir_sub(b, x, b->node[y].inst.a);
  if (b->node[x].inst.op == KIR_NEG) return kir_sub(b, y, b->node[x].inst.a);
  return kir_op(b, KIR_ADD, x, y, KIR_NONE);
}

static KirValue negate(KirBuilder *b, KirValue x) {
  double u;
  if (kir_is_const(b, x, &u)) return kir_const(b, -u);
  if (b->node[x].inst.op == KIR_NEG) return b->node[x].inst.a;
  return kir_op(b, KIR_NEG, x, KIR_NONE, KIR_NONE);
}

KirValue kir_sub(KirBuilder *b, KirValue x, KirValue y) {
  double u, v;
  if (y == KIR_NONE) return x;
  if (x == KIR_NONE) return negate(b, y);
  bool cx = kir_is_const(b, x, &u), cy = kir_is_const(b, y, &v);
  if (cx && cy) return kir_const(b, u - v);
  if (cx && u == 0) return negate(b, y);
  if (cy && v == 0) return x;
  return kir_op(b, KIR_SUB, x, y, KIR_NONE);
}

KirValue kir_mul(KirBuilder *b, KirValue x, KirValue y) {
  double u, v;
  if (x == KIR_NONE || y == KIR_NONE) return KIR_NONE;
  bool cx = kir_is_const(b, x, &u), cy = kir_is_const(b, y, &v);
  if (cx && cy) return kir_const(b, u * v);
  if (cy) {
    KirValue t = x;
    x = y, y = t;
    u = v, cx = true;
  }
  if (cx && u == 1) return y;
  if (cx && u == -1) return negate(b, y);
  return kir_op(b, KIR_MUL, x, y, KIR_NONE);
}

KirValue kir_mul_add(KirBuilder *b, KirValue x, KirValue y, KirValue z) {
  double u;
  if (x == KIR_NONE || y == KIR_NONE) return z;
  if (z == KIR_NONE) return kir_mul(b, x, y);
  if (kir_is_const(b, x, &u) && (u == 1 || u == -1)) return u == 1 ? kir_add(b, y, z) : kir_sub(b, z, y);
  if (kir_is_const(b, y, &u) && (u == 1 || u == -1)) return u == 1 ? kir_add(b, x, z) : kir_sub(b, z, x);
  if (kir_is_const(b, z, &u) && u == 0) return kir_mul(b, x, y);
  return kir_op(b, KIR_FMA, x, y, z);
}

void kir_enter(KirBuilder *b, KirSection section) { b->section = section; }

void kir_loop(KirBuilder *b, int depth, int from, int count) {
  add_node(b, &(KirInst){.op = KIR_LOOP, .depth = (int8_t)depth, .from = (int8_t)from, .a = -1, .b = -1, .c = -1, .count = count}, b->section, true);
  b->loop_start[b->open++] = b->n;
}

void kir_end(KirBuilder *b) {
  for (int i = b->loop_start[--b->open]; i < b->n; i++)
    if (b->node[i].scoped) b->node[i].closed = true;
  add_node(b, &(KirInst){.op = KIR_END, .from = -1, .a = -1, .b = -1, .c = -1}, b->section, true);
}

void kir_store(KirBuilder *b, KirOp op, int array, KirIndex index, KirValue x) {
  add_node(b, &(KirInst){.op = (uint8_t)op, .from = -1, .array = (uint16_t)array, .a = x, .b = -1, .c = -1, .index = index}, b->section, true);
}

int kir_local(KirBuilder *b, int entries) {
  list_add(&b->locals, entries);
  return KIR_LOCAL + b->locals.n - 1;
}

int kir_table(KirBuilder *b, const double *values, int n) {
  for (int at = 0; at + n <= b->ntable; at++)
    if (!memcmp(b->table + at, values, sizeof(double) * (size_t)n)) return at;
  b->table = kir_memory(b->table, sizeof(double) * (size_t)(b->ntable + n));
  memcpy(b->table + b->ntable, values, sizeof(double) * (size_t)n);
  b->ntable += n;
  return b->ntable - n;
}

/* --- scheduling: values are computed just before the store or loop that needs them, so that few live at a time --- */

typedef struct Schedule {
  const KirBuilder *b;
  Kir *kir;
  int *place;            /* instruction of a node, -1: not emitted */
  List stack;
  bool *live;
  bool single;           /* one trip of the quadrature loop: it is left out */
} Schedule;

static bool floats(const Node *node) {
  return !node->scoped && node->inst.op != KIR_STORE && node->inst.op != KIR_ACCUM && node->inst.op != KIR_LOOP && node->inst.op != KIR_END;
}

static void emit_node(Schedule *s, int i) {
  KirInst *in = &s->kir->inst[s->kir->n];
  *in = s->b->node[i].inst;
  if (s->single) in->index.stride[0] = 0;
  if (in->a >= 0) in->a = s->place[in->a];
  if (in->b >= 0) in->b = s->place[in->b];
  if (in->c >= 0) in->c = s->place[in->c];
  s->place[i] = s->kir->n++;
}

/* Emits node i after all it needs. */
static void emit_value(Schedule *s, int i) {
  s->stack.n = 0;
  list_add(&s->stack, i);
  while (s->stack.n) {
    int top = s->stack.item[s->stack.n - 1], before = s->stack.n;
    const KirInst *in = &s->b->node[top].inst;
    const int operand[3] = {in->a, in->b, in->c};
    for (int k = 0; s->place[top] < 0 && k < kir_rows[in->op].arity; k++)
      if (s->place[operand[k]] < 0) list_add(&s->stack, operand[k]);
    if (s->stack.n > before) continue;
    s->stack.n--;
    if (s->place[top] < 0) emit_node(s, top);
  }
}

/* The floating operands of a node in sections up to `last`. */
static void emit_operands(Schedule *s, int i, KirSection last) {
  const KirInst *in = &s->b->node[i].inst;
  const int operand[3] = {in->a, in->b, in->c};
  for (int k = 0; k < kir_rows[in->op].arity; k++)
    if (s->place[operand[k]] < 0 && floats(&s->b->node[operand[k]]) && s->b->node[operand[k]].section <= last) emit_value(s, operand[k]);
}

/* Stores and loops of a section in order; what a loop needs from outside stands before it. */
static void emit_section(Schedule *s, KirSection section) {
  const List *order = &s->b->order[section];
  for (int k = 0, end; k < order->n; k = end) {
    int depth = 0;
    for (end = k; end == k || depth; end++)
      depth += (s->b->node[order->item[end]].inst.op == KIR_LOOP) - (s->b->node[order->item[end]].inst.op == KIR_END);
    if (end == k + 1 && floats(&s->b->node[order->item[k]])) continue;
    for (int i = k; i < end; i++)
      if (s->live[order->item[i]]) emit_operands(s, order->item[i], section);
    for (int i = k; i < end; i++)
      if (s->live[order->item[i]] && s->place[order->item[i]] < 0) emit_node(s, order->item[i]);
  }
}

/* Values that a store, directly or through others, needs. */
static bool *live_nodes(const KirBuilder *b) {
  bool *live = kir_zeroed((size_t)b->n + 1);
  for (int i = b->n - 1; i >= 0; i--) {
    const KirInst *in = &b->node[i].inst;
    live[i] = live[i] || in->op == KIR_STORE || in->op == KIR_ACCUM || in->op == KIR_LOOP || in->op == KIR_END;
    const int operand[3] = {in->a, in->b, in->c};
    for (int k = 0; live[i] && k < kir_rows[in->op].arity; k++) live[operand[k]] = true;
  }
  return live;
}

Kir *kir_finish(KirBuilder *b, int nq, const int sizes[KIR_LOCAL], int nfacets, double **tables) {
  Kir *kir = kir_zeroed(sizeof *kir);
  kir->inst = kir_memory(NULL, sizeof(KirInst) * (size_t)(b->n + 2));
  Schedule s = {.b = b, .kir = kir, .place = kir_memory(NULL, sizeof(int) * (size_t)(b->n + 1)), .live = live_nodes(b), .single = nq == 1};
  memset(s.place, -1, sizeof(int) * (size_t)(b->n + 1));
  bool loop = nq > 1 && b->order[KIR_POINT].n;
  emit_section(&s, KIR_INIT);
  for (int k = 0; k < b->order[KIR_POINT].n; k++)   /* what the quadrature loop needs from outside */
    if (s.live[b->order[KIR_POINT].item[k]]) emit_operands(&s, b->order[KIR_POINT].item[k], KIR_CELL);
  if (loop) kir->inst[kir->n++] = (KirInst){.op = KIR_LOOP, .from = -1, .a = -1, .b = -1, .c = -1, .count = nq};
  emit_section(&s, KIR_POINT);
  if (loop) kir->inst[kir->n++] = (KirInst){.op = KIR_END, .from = -1, .a = -1, .b = -1, .c = -1};
  emit_section(&s, KIR_TAIL);
  memcpy(kir->size, sizes, sizeof kir->size);
  kir->size[KIR_TAB] = b->ntable;
  kir->nfacets = nfacets;
  kir->nlocals = b->locals.n;
  kir->local = b->locals.item;
  b->locals = (List){0};
  *tables = b->table;
  b->table = NULL;
  free(s.place);
  free(s.live);
  free(s.stack.item);
  return kir;
}
