/* The points are added from left to right: each is joined to the sides of the hull that it sees, which keeps the union convex; then sides are flipped until
 * every one is locally Delaunay (Lawson 1977: that ends, and then the whole is; the sweep as in de Berg et al., Computational Geometry, chapters 1 and 9). */
#include "expr_scatter.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Build {
  Scattered *s;
  long double (*p)[2];       /* scaled points */
  int *order;                /* by x, then y */
  int *after, *before;       /* of a point of the hull, counterclockwise */
  int *behind;               /* triangle at the side from it to the one after it */
} Build;

static long double cross(const Build *b, int i, int j, int k) {
  return (b->p[j][0] - b->p[i][0]) * (b->p[k][1] - b->p[i][1]) - (b->p[j][1] - b->p[i][1]) * (b->p[k][0] - b->p[i][0]);
}

/* Does d lie inside the circle through i, j, k (counterclockwise)? On it, within rounding, it does not. */
static bool in_circle(const Build *b, int i, int j, int k, int d) {
  long double ax = b->p[i][0] - b->p[d][0], ay = b->p[i][1] - b->p[d][1], bx = b->p[j][0] - b->p[d][0], by = b->p[j][1] - b->p[d][1];
  long double cx = b->p[k][0] - b->p[d][0], cy = b->p[k][1] - b->p[d][1];
  long double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  long double size = a2 + b2 + c2;
  return ax * (by * c2 - b2 * cy) - ay * (bx * c2 - b2 * cx) + a2 * (bx * cy - by * cx) > 1e-17L * size * size;
}

typedef struct Key { double x, y; int at; } Key;

static int by_place(const void *a, const void *b) {
  const Key *p = a, *q = b;
  return p->x != q->x ? (p->x < q->x ? -1 : 1) : p->y != q->y ? (p->y < q->y ? -1 : 1) : p->at - q->at;
}

static int add_triangle(Build *b, int i, int j, int k, int ni, int nj, int nk) {
  int t = b->s->ntri++;
  int corner[3] = {i, j, k}, next[3] = {ni, nj, nk};
  memcpy(b->s->tri[t], corner, sizeof corner);
  memcpy(b->s->next[t], next, sizeof next);
  for (int c = 0; c < 3; c++) {
    int u = next[c];
    for (int d = 0; u >= 0 && d < 3; d++)
      if (b->s->tri[u][d] != corner[(c + 1) % 3] && b->s->tri[u][d] != corner[(c + 2) % 3]) b->s->next[u][d] = t;
  }
  return t;
}

static void link_hull(Build *b, int from, int to, int behind) {
  b->after[from] = to, b->before[to] = from, b->behind[from] = behind;
}

/* The first points that are not on one line make a fan. */
static int first_fan(Build *b) {
  const int *o = b->order;
  int n = b->s->n, k = 2;
  while (k < n && fabsl(cross(b, o[0], o[k - 1], o[k])) <= 1e-14L) k++;
  if (k == n) return n;
  bool left = cross(b, o[0], o[k - 1], o[k]) > 0;
  int last = -1;
  for (int i = 0; i + 1 < k; i++) {
    int u = o[i], v = o[i + 1];
    /* the side shared with the triangle before is the one from u to the top */
    last = left ? add_triangle(b, u, v, o[k], -1, last, -1) : add_triangle(b, v, u, o[k], last, -1, -1);
    if (left) link_hull(b, u, v, last);
    else link_hull(b, v, u, last);
  }
  if (left) link_hull(b, o[k - 1], o[k], last), link_hull(b, o[k], o[0], 0);
  else link_hull(b, o[0], o[k], 0), link_hull(b, o[k], o[k - 1], last);
  return k + 1;
}

/* The point lies to the right of all before it, or above: the last one sees it. Returns the last point of the hull. */
static int add_point(Build *b, int p, int last) {
  int up = last, down = last, above = -1, below = -1;      /* the sides seen are those from `down` to `up`, counterclockwise */
  while (cross(b, up, b->after[up], p) < 0) {
    int v = b->after[up], t = add_triangle(b, p, v, up, b->behind[up], up == last ? -1 : above, -1);
    if (up == last) below = t;
    above = t;
    up = v;
  }
  int first = above < 0 ? -1 : below;
  below = first;
  while (cross(b, b->before[down], down, p) < 0) {
    int v = b->before[down], t = add_triangle(b, p, down, v, b->behind[v], -1, below);
    if (above < 0) above = t;
    below = t;
    down = v;
  }
  if (above < 0) return last;          /* within rounding it lies on the hull: it says nothing that the points beside it do not */
  link_hull(b, down, p, below);
  link_hull(b, p, up, above);
  return p;
}

/* ---- flips ---------------------------------------------------------------------------------------------------------------------------------- */

static int opposite(const Scattered *s, int t, int u) {       /* corner of t whose opposite side is shared with u */
  for (int c = 0; c < 3; c++)
    if (s->next[t][c] == u) return c;
  return -1;
}

static void relink(Scattered *s, int t, int from, int to) {
  for (int c = 0; t >= 0 && c < 3; c++)
    if (s->next[t][c] == from) {
      s->next[t][c] = to;
      return;
    }
}

/* Triangles (a, b, c) and (b, a, d)... become (a, d, c) and (d, b, c): the shared side a-b gives way to d-c. */
static bool flip(Build *build, int t, int c) {
  Scattered *s = build->s;
  int u = s->next[t][c];
  if (u < 0) return false;
  int d = opposite(s, u, t), top = s->tri[t][c], a = s->tri[t][(c + 1) % 3], b = s->tri[t][(c + 2) % 3], low = s->tri[u][d];
  if (!in_circle(build, a, b, top, low)) return false;
  if (cross(build, a, low, top) <= 0 || cross(build, low, b, top) <= 0) return false;
  int ta = s->next[t][(c + 2) % 3], tb = s->next[t][(c + 1) % 3];      /* across top-a and b-top */
  int ua = -1, ub = -1;                                               /* across a-low and low-b */
  for (int k = 0; k < 3; k++) {
    if (s->tri[u][k] == b) ua = s->next[u][k];
    if (s->tri[u][k] == a) ub = s->next[u][k];
  }
  int first[3] = {a, low, top}, second[3] = {low, b, top}, near_first[3] = {u, ta, ua}, near_second[3] = {tb, t, ub};
  memcpy(s->tri[t], first, sizeof first), memcpy(s->next[t], near_first, sizeof first);
  memcpy(s->tri[u], second, sizeof second), memcpy(s->next[u], near_second, sizeof second);
  relink(s, ua, u, t);
  relink(s, tb, t, u);
  return true;
}

static void make_delaunay(Build *b) {
  Scattered *s = b->s;
  int n = s->ntri, top = 0, cap = 4 * n + 16, *stack = malloc(sizeof(int) * (size_t)cap);
  char *waits = calloc((size_t)n + 1, 1);
  for (int t = 0; t < n; t++) stack[top++] = t, waits[t] = 1;
  while (top) {
    int t = stack[--top];
    waits[t] = 0;
    for (int c = 0; c < 3; c++) {
      int u = s->next[t][c];
      if (!flip(b, t, c)) continue;
      int look[6] = {t, u, s->next[t][0], s->next[t][1], s->next[u][0], s->next[u][2]};
      for (int k = 0; k < 6; k++)
        if (look[k] >= 0 && !waits[look[k]] && top < cap) stack[top++] = look[k], waits[look[k]] = 1;
      break;
    }
  }
  free(stack), free(waits);
}

/* ---- places ---------------------------------------------------------------------------------------------------------------------------------- */

/* Signed shares of the corners of a triangle at a point; they add up to 1. */
static void shares(const Scattered *s, int t, const double *x, double out[3]) {
  const int *v = s->tri[t];
  const double *a = s->x[v[0]], *b = s->x[v[1]], *c = s->x[v[2]];
  double whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  out[1] = ((x[0] - a[0]) * (c[1] - a[1]) - (x[1] - a[1]) * (c[0] - a[0])) / whole;
  out[2] = ((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0])) / whole;
  out[0] = 1 - out[1] - out[2];
}

/* Walks towards the point; a Delaunay triangulation has no cycles. -1: outside of the hull, beyond rounding. */
static int walk_to(const Scattered *s, const double *x, int t, double share[3]) {
  for (int k = 0; k <= s->ntri; k++) {
    shares(s, t, x, share);
    int c = share[0] <= share[1] ? share[0] <= share[2] ? 0 : 2 : share[1] <= share[2] ? 1 : 2;
    if (share[c] >= -1e-9) return t;
    int next = s->next[t][c];
    for (int d = 0; next < 0 && d < 3; d++)
      if (share[d] < -1e-9 && s->next[t][d] >= 0) next = s->next[t][d];
    if (next < 0) return -1;
    t = next;
  }
  return -1;
}

static int box_of(const Scattered *s, const double *x) {
  int at[2];
  for (int d = 0; d < 2; d++) {
    double share = (x[d] - s->lo[d]) / (s->hi[d] - s->lo[d]);
    at[d] = !(share > 0) ? 0 : share >= 1 ? s->side - 1 : (int)(share * s->side);
  }
  return at[1] * s->side + at[0];
}

static void make_starts(Scattered *s, Arena *arena) {
  s->side = (int)fmin(512, ceil(sqrt(s->n / 2.0)));
  s->start = ARENA_ARRAY(arena, int, s->side * s->side);
  memset(s->start, 0, sizeof(int) * (size_t)(s->side * s->side));
  for (int t = 0; t < s->ntri; t++) {
    double middle[2];
    for (int d = 0; d < 2; d++) middle[d] = (s->x[s->tri[t][0]][d] + s->x[s->tri[t][1]][d] + s->x[s->tri[t][2]][d]) / 3;
    s->start[box_of(s, middle)] = t;
  }
}

/* The value at the nearest point of the hull. */
static double at_hull(const Scattered *s, const double *x) {
  double best = INFINITY, value = NAN;
  for (int k = 0; k < s->nhull; k++) {
    const double *a = s->x[s->hull[k][0]], *b = s->x[s->hull[k][1]];
    double e[2], r[2], ee = 0, er = 0, gap = 0;
    for (int d = 0; d < 2; d++) e[d] = (b[d] - a[d]) / s->scale[d], r[d] = (x[d] - a[d]) / s->scale[d], ee += e[d] * e[d], er += e[d] * r[d];
    double share = fmin(fmax(er / ee, 0), 1);
    for (int d = 0; d < 2; d++) gap += (r[d] - share * e[d]) * (r[d] - share * e[d]);
    if (gap >= best) continue;
    best = gap;
    value = (1 - share) * s->value[s->hull[k][0]] + share * s->value[s->hull[k][1]];
  }
  return value;
}

double scatter_value(const Scattered *s, const double x[2], const int order[2], bool hold) {
  double share[3];
  if (!isfinite(x[0]) || !isfinite(x[1])) return NAN;
  int t = walk_to(s, x, s->start[box_of(s, x)], share), slopes = order[0] + order[1];
  if (t < 0) return !hold ? NAN : slopes ? 0 : at_hull(s, x);
  const int *v = s->tri[t];
  if (!slopes) return share[0] * s->value[v[0]] + share[1] * s->value[v[1]] + share[2] * s->value[v[2]];
  if (slopes > 1) return 0;
  const double *a = s->x[v[0]], *b = s->x[v[1]], *c = s->x[v[2]];
  double whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), f = s->value[v[1]] - s->value[v[0]], g = s->value[v[2]] - s->value[v[0]];
  return order[0] ? (f * (c[1] - a[1]) - g * (b[1] - a[1])) / whole : (g * (b[0] - a[0]) - f * (c[0] - a[0])) / whole;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------------------------- */

static ScatterFault sort(Build *b, int which[2]) {
  Scattered *s = b->s;
  Key *key = malloc(sizeof *key * (size_t)(s->n + 1));
  ScatterFault fault = SCATTER_FINE;
  for (int i = 0; i < s->n; i++) key[i] = (Key){s->x[i][0], s->x[i][1], i};
  qsort(key, (size_t)s->n, sizeof *key, by_place);
  for (int i = 0; i < s->n; i++) {
    b->order[i] = key[i].at;
    if (!i || key[i].x != key[i - 1].x || key[i].y != key[i - 1].y) continue;
    which[0] = key[i - 1].at, which[1] = key[i].at;
    fault = SCATTER_TWICE;
    break;
  }
  free(key);
  return fault;
}

static ScatterFault triangulate(Build *b, Arena *arena, int which[2]) {
  Scattered *s = b->s;
  ScatterFault fault = sort(b, which);
  if (fault) return fault;
  int done = first_fan(b);
  if (done == s->n && !s->ntri) return SCATTER_LINE;
  for (int i = done, last = b->order[done - 1]; i < s->n; i++) last = add_point(b, b->order[i], last);
  make_delaunay(b);
  s->hull = arena_alloc(arena, sizeof *s->hull * (size_t)(s->n + 1));
  for (int t = 0; t < s->ntri; t++)
    for (int c = 0; c < 3; c++)
      if (s->next[t][c] < 0) s->hull[s->nhull][0] = s->tri[t][(c + 1) % 3], s->hull[s->nhull++][1] = s->tri[t][(c + 2) % 3];
  make_starts(s, arena);
  return SCATTER_FINE;
}

ScatterFault scatter_new(Arena *arena, const double (*x)[2], const double *value, int n, bool same_unit, int which[2], const Scattered **out) {
  Scattered *s = ARENA_ARRAY(arena, Scattered, 1);
  *s = (Scattered){.n = n, .lo = {INFINITY, INFINITY}, .hi = {-INFINITY, -INFINITY}};
  double (*places)[2] = arena_alloc(arena, sizeof *places * (size_t)(n + 1)), *values = ARENA_ARRAY(arena, double, n + 1);
  memcpy(places, x, sizeof *places * (size_t)n), memcpy(values, value, sizeof *values * (size_t)n);
  s->x = (const double (*)[2])places, s->value = values;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 2; d++) s->lo[d] = fmin(s->lo[d], x[i][d]), s->hi[d] = fmax(s->hi[d], x[i][d]);
  double range[2] = {s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]};
  if (n < 3 || !(range[0] > 0) || !(range[1] > 0)) return SCATTER_LINE;
  for (int d = 0; d < 2; d++) s->scale[d] = same_unit ? fmax(range[0], range[1]) : range[d];
  s->tri = arena_alloc(arena, sizeof *s->tri * (size_t)(2 * n + 1));
  s->next = arena_alloc(arena, sizeof *s->next * (size_t)(2 * n + 1));
  Build b = {.s = s, .p = malloc(sizeof *b.p * (size_t)(n + 1)), .order = malloc(sizeof(int) * (size_t)(4 * n + 4))};
  b.after = b.order + n + 1, b.before = b.after + n + 1, b.behind = b.before + n + 1;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 2; d++) b.p[i][d] = ((long double)x[i][d] - s->lo[d]) / s->scale[d];
  ScatterFault fault = triangulate(&b, arena, which);
  free(b.p), free(b.order);
  *out = s;
  return fault;
}
