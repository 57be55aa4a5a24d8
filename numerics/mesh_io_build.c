/* From the elements of a .msh file to a mesh: sparse node tags, repeated elements of overlapping groups, orientation, facets by their vertices, physical
 * names as groups. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"
#include "mesh_io.h"

typedef struct Build {
  const char *path;
  const MshFile *file;
  const MshType *type;   /* of the cells */
  const RefCell *ref;
  Interner *names;
  Diags *diags;
  Span span;
  Mesh *mesh;
  int dim;
  int64_t *tags;         /* sorted node tags */
  int *index;            /* their nodes in the file */
  int *vertex;           /* [file nodes] vertex of the mesh, -1 */
  int64_t *cell_tag;     /* element number of each cell */
  int *first_cell;       /* [elements of dim] the cell an element is (repeats have the same) */
  int *edge_start;       /* facets by their lowest vertex */
  int *slot;             /* [facet] cell*nfacets + local */
} Build;

/* --- nodes --- */

typedef struct Tagged { int64_t tag; int index; } Tagged;
static int by_tag(const void *a, const void *b) {
  const Tagged *x = a, *y = b;
  return x->tag != y->tag ? (x->tag > y->tag) - (x->tag < y->tag) : (x->index > y->index) - (x->index < y->index);
}

static Status index_nodes(Build *b) {
  size_t n = b->file->nnodes;
  Tagged *t = BIG_ARRAY(Tagged, n);
  bool sorted = true;
  for (size_t i = 0; i < n; i++) {
    t[i] = (Tagged){b->file->node_tag[i], (int)i};
    sorted &= !i || t[i - 1].tag < t[i].tag;
  }
  if (!sorted) qsort(t, n, sizeof *t, by_tag);
  b->tags = BIG_ARRAY(int64_t, n);
  b->index = BIG_ARRAY(int, n);
  for (size_t i = 0; i < n; i++) b->tags[i] = t[i].tag, b->index[i] = t[i].index;
  free(t);
  for (size_t i = 1; i < n; i++)
    if (b->tags[i] == b->tags[i - 1]) {
      diag_report(b->diags, E1011, b->span, "%s: node %lld stands there twice", b->path, (long long)b->tags[i]);
      return 1;
    }
  return 0;
}

/* Node of the file for a tag, -1: none. Tags are mostly dense, so the first guess is nearly always right. */
static int find_node(const Build *b, int64_t tag) {
  int64_t n = (int64_t)b->file->nnodes, guess = tag - b->tags[0];
  if (tag < b->tags[0] || tag > b->tags[n - 1]) return -1;
  if (guess < n && b->tags[guess] == tag) return b->index[guess];
  int64_t lo = 0, hi = n - 1;
  while (lo < hi) {
    int64_t mid = (lo + hi) / 2;
    if (b->tags[mid] < tag) lo = mid + 1;
    else hi = mid;
  }
  return b->tags[lo] == tag ? b->index[lo] : -1;
}

/* --- cells --- */

static void sort_small(int *v, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      int t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
}

/* Elements of the highest dimension with all their nodes, each once: first_cell maps repeats, which have the same vertices. Node numbers are those of the
 * file. */
static Status collect_cells(Build *b, int **cells, int *ncells) {
  const MshElements *e = &b->file->elements[b->dim];
  int m = b->type->nodes, nv = b->ref->nverts;
  size_t cap = 16, mask;
  while (cap < 2 * e->n) cap *= 2;
  mask = cap - 1;
  int *table = BIG_ARRAY(int, cap), *cell = BIG_ARRAY(int, e->n * (size_t)m), *sorted = BIG_ARRAY(int, e->n * (size_t)nv), n = 0;
  for (size_t i = 0; i < cap; i++) table[i] = -1;
  b->first_cell = BIG_ARRAY(int, e->n);
  b->cell_tag = BIG_ARRAY(int64_t, e->n);
  Status status = 0;
  for (size_t i = 0; i < e->n && !status; i++) {
    int *v = cell + (size_t)n * m, *s = sorted + (size_t)n * nv;
    uint64_t h = 0;
    for (int q = 0; q < m; q++) {
      v[q] = find_node(b, e->node[i * (size_t)m + (size_t)q]);
      if (v[q] < 0) {
        diag_report(b->diags, E1011, b->span, "%s: element %lld has node %lld, which is not in the file", b->path, (long long)e->tag[i],
                    (long long)e->node[i * (size_t)m + (size_t)q]);
        status = 1;
      }
    }
    memcpy(s, v, (size_t)nv * sizeof *s);
    sort_small(s, nv);
    for (int q = 0; q < nv; q++) h = (h ^ (uint64_t)(uint32_t)s[q]) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    size_t at = h & mask;
    while (table[at] >= 0 && memcmp(sorted + (size_t)table[at] * nv, s, (size_t)nv * sizeof *s)) at = (at + 1) & mask;
    if (table[at] < 0) {
      table[at] = n;
      b->cell_tag[n++] = e->tag[i];
    }
    b->first_cell[i] = table[at];
  }
  free(table);
  free(sorted);
  *cells = cell;
  *ncells = n;
  return status;
}

static Status check_plane(const Build *b, const int *cells, int ncells) {
  double most[3] = {0}, first[3];
  const double *x = b->file->x;
  memcpy(first, x + 3 * (size_t)cells[0], sizeof first);
  for (size_t i = 0; i < (size_t)ncells * b->type->nodes; i++)
    for (int d = 0; d < 3; d++) most[d] = fmax(most[d], fabs(x[3 * (size_t)cells[i] + d] - first[d]));
  double size = fmax(most[0], fmax(most[1], most[2]));
  for (int d = b->dim; d < 3; d++)
    if (most[d] > 1e-9 * size) {
      diag_suggest(diag_report(b->diags, E1012, b->span, "%s is a mesh of %s in space (%c differs), which is not read", b->path, b->dim == 1 ? "curves" : "surfaces", "xyz"[d]),
                   b->dim == 2 ? "plane meshes have one z; of a solid write the cells too" : "of a plane or solid domain write the cells too");
      return 1;
    }
  return 0;
}

static Status bad_cell(const Build *b, int cell, const char *what) {
  const Mesh *m = b->mesh;
  Diag *diag = diag_report(b->diags, E1014, b->span, "%s: element %lld %s", b->path, (long long)b->cell_tag[cell], what);
  for (int q = 0; q < m->ref->nverts; q++) {
    int v = m->cell[(size_t)cell * m->ref->nverts + q];
    int64_t tag = -1;
    for (size_t i = 0; i < b->file->nnodes && tag < 0; i++)
      if (b->vertex[i] == v) tag = b->file->node_tag[i];
    Buf at = {0};
    for (int d = 0; d < m->dim; d++) buf_printf(&at, "%s%.9g", d ? ", " : "", m->x[(size_t)v * m->dim + d]);
    diag_note(diag, (Span){0, 0}, "node %lld at (%s)", (long long)tag, buf_str(&at));
    buf_free(&at);
  }
  diag_suggest(diag, "mesh the geometry again; look there for sides that touch or nodes that coincide");
  return 1;
}

/* Local number of the edge (facet) of a cell that has the vertices of `want`, -1. */
static int local_entity(const Mesh *mesh, int cell, bool edge, const int *want, int n) {
  const RefCell *ref = mesh->ref;
  const int *v = mesh->cell + (size_t)cell * ref->nverts;
  for (int k = 0; k < (edge ? ref->nedges : ref->nfacets); k++) {
    int hits = 0;
    for (int q = 0; q < n; q++)
      for (int i = 0; i < n; i++) hits += v[edge ? ref->edge[k][q] : ref->facet[k][q]] == want[i];
    if (hits == n) return k;
  }
  return -1;
}

/* Cells of second order: what their other nodes bend. Bends do not depend on the order of vertices, which has changed since. */
static void bend_cells(Build *b, const int *cells, int ncells, const int *new_cell, double scale) {
  Mesh *mesh = b->mesh;
  const RefCell *ref = b->ref;
  int dim = b->dim, nv = ref->nverts, given = b->type->nodes, faces = dim == 3 && ref->shape == CELL_TENSOR ? ref->nfacets : 0;
  MeshBends bends = {0};
  if (b->type->degree > 1 && dim > 1) {
    mesh->order = 2;
    mesh_edges(mesh);
    mesh_faces(mesh);
    bends.edge = BIG_ZEROED(double, (size_t)mesh->nedges * dim);
    if (faces) bends.face = BIG_ZEROED(double, (size_t)mesh->nfaces * dim);
    if (ref->shape == CELL_TENSOR) bends.cell = BIG_ZEROED(double, (size_t)ncells * dim);
  }
  for (int c = 0; c < ncells && bends.edge; c++) {
    const int *node = cells + (size_t)c * given;
    double x[CELL_MAP * 3] = {0};
    for (int g = 0; g < given; g++)
      for (int d = 0; d < dim; d++) x[g * dim + d] = scale * b->file->x[3 * (size_t)node[g] + d];
    mesh_node_bends(ref, given, x);
    for (int k = 0, n = refcell_bends(ref); k < n; k++) {
      int want[4], kind = k < ref->nedges ? 2 : k < ref->nedges + faces ? ref->facet_verts : 0, at = k;
      for (int q = 0; q < kind; q++) want[q] = b->vertex[node[kind == 2 ? ref->edge[k][q] : ref->facet[k - ref->nedges][q]]];
      if (kind) at = local_entity(mesh, new_cell[c], kind == 2, want, kind) + (kind == 2 ? 0 : ref->nedges);
      memcpy(mesh_bend_at(mesh, &bends, new_cell[c], at), x + (nv + k) * dim, sizeof(double) * (size_t)dim);
    }
  }
  int flat = mesh_bend(mesh, bends);
  if (flat) diag_report(b->diags, W1060, b->span, "%s: %d cell%s turned inside out by the bends of their edges; their edges are made straight", b->path, flat, flat == 1 ? " is" : "s are");
}

static Status make_cells(Build *b, double scale) {
  int *cells, ncells, nverts = 0, m = b->type->nodes, nv = b->ref->nverts;
  Status status = collect_cells(b, &cells, &ncells) || check_plane(b, cells, ncells);
  if (status) {
    free(cells);
    return 1;
  }
  b->vertex = BIG_ARRAY(int, b->file->nnodes);
  for (size_t i = 0; i < b->file->nnodes; i++) b->vertex[i] = -1;
  for (int c = 0; c < ncells; c++)
    for (int q = 0; q < nv; q++) b->vertex[cells[(size_t)c * m + q]] = 0;
  for (size_t i = 0; i < b->file->nnodes; i++)
    if (!b->vertex[i]) b->vertex[i] = nverts++;
  Mesh *mesh = b->mesh = mesh_new(b->ref->shape, b->dim, nverts, ncells);
  for (size_t i = 0; i < b->file->nnodes; i++)
    for (int d = 0; d < b->dim && b->vertex[i] >= 0; d++) mesh->x[(size_t)b->vertex[i] * b->dim + d] = scale * b->file->x[3 * i + d];
  for (int c = 0; c < ncells; c++)
    for (int q = 0; q < nv; q++) mesh->cell[(size_t)c * nv + q] = b->vertex[cells[(size_t)c * m + q]];
  int turned, bad = mesh_orient(mesh, &turned);
  if (bad >= 0) {
    free(cells);
    return bad_cell(b, bad, b->ref->shape == CELL_TENSOR ? "is degenerate or turned inside out at a corner" : b->dim == 1 ? "has no length" : b->dim == 2 ? "has no area" : "has no volume");
  }
  if (turned) diag_report(b->diags, W1002, b->span, "%s: %d of %d cells were listed in negative orientation; their vertices were put in order", b->path, turned, ncells);
  /* renumber, and carry the maps along */
  int *old_vertex, *old_cell, *new_vertex = BIG_ARRAY(int, nverts), *new_cell = BIG_ARRAY(int, ncells);
  mesh_reorder(mesh, &old_vertex, &old_cell);
  for (int i = 0; i < nverts; i++) new_vertex[old_vertex[i]] = i;
  int64_t *tag = BIG_ARRAY(int64_t, ncells);
  for (int c = 0; c < ncells; c++) new_cell[old_cell[c]] = c, tag[c] = b->cell_tag[old_cell[c]];
  for (size_t i = 0; i < b->file->nnodes; i++)
    if (b->vertex[i] >= 0) b->vertex[i] = new_vertex[b->vertex[i]];
  for (size_t i = 0; i < b->file->elements[b->dim].n; i++) b->first_cell[i] = new_cell[b->first_cell[i]];
  free(b->cell_tag);
  b->cell_tag = tag;
  bend_cells(b, cells, ncells, new_cell, scale);
  free(cells);
  free(old_vertex);
  free(old_cell);
  free(new_vertex);
  free(new_cell);
  mesh_bounds(mesh);
  mesh_sizes(mesh, 0, ncells);
  return 0;
}

/* --- facets --- */

static Status check_manifold(const Build *b, const int *neighbours) {
  int m = b->ref->nfacets;
  for (size_t s = 0; s < (size_t)b->mesh->ncells * m; s++)
    if (neighbours[s] == -2) return bad_cell(b, (int)(s / m), "is the third cell on one of its facets; two at most may share it");
  return 0;
}

/* The facets of all cells, sorted by their lowest vertex, with one cell each. */
static void index_facets(Build *b) {
  Mesh *mesh = b->mesh;
  const RefCell *ref = b->ref;
  if (b->dim == 1) {   /* facets are vertices */
    b->slot = BIG_ARRAY(int, mesh->nverts);
    for (size_t s = (size_t)mesh->ncells * 2; s-- > 0;) b->slot[mesh->cell[s ^ 1]] = (int)s;
    return;
  }
  mesh_edges(mesh);
  mesh_faces(mesh);
  int nfacets = b->dim == 2 ? mesh->nedges : mesh->nfaces, edge_of[CELL_FACETS];
  const int *first = b->dim == 2 ? mesh->edge : mesh->face;
  for (int f = 0; f < ref->nfacets; f++)      /* in the plane facets are edges, of quadrilaterals in another order */
    for (int k = 0; k < ref->nedges; k++)
      if (ref->edge[k][0] == ref->facet[f][0] && ref->edge[k][1] == ref->facet[f][1]) edge_of[f] = k;
  b->slot = BIG_ARRAY(int, nfacets);
  for (int c = mesh->ncells - 1; c >= 0; c--)
    for (int f = ref->nfacets - 1; f >= 0; f--) {
      int facet = b->dim == 2 ? mesh->cell_edge[(size_t)c * ref->nedges + edge_of[f]] : mesh->cell_face[(size_t)c * ref->nfacets + f];
      b->slot[facet] = c * ref->nfacets + f;
    }
  b->edge_start = BIG_ZEROED(int, mesh->nverts + 1);
  for (int f = 0; f < nfacets; f++) b->edge_start[first[(size_t)f * ref->facet_verts] + 1]++;
  for (int i = 0; i < mesh->nverts; i++) b->edge_start[i + 1] += b->edge_start[i];
}

/* cell*nfacets + local of a facet with these vertices, -1: none. */
static int find_facet(const Build *b, int *v) {
  const Mesh *mesh = b->mesh;
  if (b->dim == 1) return b->slot[v[0]];
  int n = b->ref->facet_verts;
  sort_small(v, n);
  const int *facets = b->dim == 2 ? mesh->edge : mesh->face;
  for (int f = b->edge_start[v[0]]; f < b->edge_start[v[0] + 1]; f++)
    if (!memcmp(facets + (size_t)f * n, v, (size_t)n * sizeof *v)) return b->slot[f];
  return -1;
}

/* --- groups --- */

static int group_of(Name *list, int *dims, int *n, Name name, int dim) {
  for (int i = 0; i < *n; i++)
    if (list[i] == name && dims[i] == dim) return i;
  list[*n] = name;
  dims[(*n)] = dim;
  return (*n)++;
}

static Name group_name(const Build *b, int dim, int tag) {
  for (size_t i = 0; i < b->file->ngroups; i++)
    if (b->file->groups[i].dim == dim && b->file->groups[i].tag == tag) return intern_text(b->names, b->file->groups[i].name);
  char text[40];
  snprintf(text, sizeof text, "group%d", tag);
  return intern_text(b->names, text);
}

typedef struct Pairs { int (*pair)[2]; size_t n, cap; } Pairs;   /* (group, entity) */

static void add_pair(Pairs *p, int group, int entity) {
  if (p->n == p->cap) {
    size_t cap = p->cap ? 2 * p->cap : 256;
    p->pair = big_resize(p->pair, p->n * sizeof *p->pair, cap * sizeof *p->pair);
    p->cap = cap;
  }
  p->pair[p->n][0] = group;
  p->pair[p->n++][1] = entity;
}

static int by_pair(const void *a, const void *b) {
  const int *x = a, *y = b;
  return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int by_entity(const void *a, const void *b) {
  const MshEntity *x = a, *y = b;
  return x->dim != y->dim ? x->dim - y->dim : x->tag != y->tag ? (x->tag > y->tag) - (x->tag < y->tag) : (x->physical > y->physical) - (x->physical < y->physical);
}

/* The physical groups of element i, as a range of `entities` (4.1, sorted) or its own tag (2.2). */
static size_t groups_of(const MshFile *f, const MshEntity *entities, int dim, size_t i, MshEntity *own, const MshEntity **out) {
  if (f->format == 22) {
    *own = (MshEntity){dim, 0, f->elements[dim].physical[i]};
    *out = own;
    return own->physical != 0;
  }
  size_t lo = 0, hi = f->nentities;
  MshEntity key = {dim, f->elements[dim].entity[i], INT32_MIN};
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (by_entity(&entities[mid], &key) < 0) lo = mid + 1;
    else hi = mid;
  }
  for (hi = lo; hi < f->nentities && entities[hi].dim == dim && entities[hi].tag == key.tag;) hi++;
  *out = entities + lo;
  return hi - lo;
}

/* What element i of dimension dim is in the mesh: a cell, a facet slot, or for lower dimensions i itself; -1: not part of it. */
static int entity_of(const Build *b, int dim, size_t i) {
  int v[4];
  const MshType *type = b->file->elements[dim].type;
  if (dim == b->dim) return b->first_cell[i];
  if (dim == b->dim - 1 && type->verts != b->ref->facet_verts) return -1;
  for (int q = 0; q < type->verts; q++) {
    int node = find_node(b, b->file->elements[dim].node[i * (size_t)type->nodes + (size_t)q]);
    v[q] = node < 0 ? -1 : b->vertex[node];
    if (v[q] < 0) return -1;
  }
  return dim == b->dim - 1 ? find_facet(b, v) : (int)i;
}

static void inner_facet(Mesh *mesh, int facet, int slot, int other) {
  int m = mesh->ref->nfacets;
  mesh->facet_cell[facet] = slot / m;
  mesh->facet_local[facet] = slot % m;
  mesh->facet_cell2[facet] = other / m;
}

/* Boundary group: slots become facets; a group between cells gets facets of its own, and behind them the same ones seen from their other cells. */
static Status boundary_group(const Build *b, Name name, int (*pair)[2], int n, const int *neighbours, const int *facet_of, int **entity) {
  int inner = 0;
  *entity = BIG_ARRAY(int, n);
  for (int i = 0; i < n; i++) inner += neighbours[pair[i][1]] >= 0;
  if (inner && inner < n) {
    diag_suggest(diag_report(b->diags, E1013, b->span, "%s: `%s` has %d facets on the boundary and %d between cells", b->path, name, n - inner, inner),
                 "give the inner ones a physical group of their own");
    return 1;
  }
  int first = inner ? mesh_more_facets(b->mesh, 2 * n) : 0;
  for (int i = 0; i < n; i++) {
    int slot = pair[i][1];
    if (inner) {
      inner_facet(b->mesh, first + i, slot, neighbours[slot]);
      inner_facet(b->mesh, first + n + i, neighbours[slot], slot);
    }
    (*entity)[i] = inner ? first + i : facet_of[slot];
  }
  return 0;
}

static int *tuples(const Build *b, int dim, int (*pair)[2], int n) {
  int *out = BIG_ARRAY(int, (size_t)n * (dim + 1)), m = b->file->elements[dim].type->nodes;
  for (int i = 0; i < n; i++)
    for (int q = 0; q <= dim; q++)
      out[(size_t)i * (dim + 1) + q] = b->vertex[find_node(b, b->file->elements[dim].node[(size_t)pair[i][1] * m + (size_t)q])];
  return out;
}

typedef struct Groups { Name *name; int *dim, n; Pairs pairs; size_t strays; } Groups;

static void collect_groups(Build *b, const MshEntity *entities, Groups *g) {
  size_t most = b->file->ngroups + b->file->nentities + 2;
  for (int d = 0; d < 4 && b->file->format == 22; d++) most += b->file->elements[d].n;
  g->name = BIG_ARRAY(Name, most);
  g->dim = BIG_ARRAY(int, most);
  char *in_region = BIG_ZEROED(char, b->mesh->ncells);
  for (int d = b->dim; d >= 0; d--) {
    int last_tag = 0, last = -1;
    for (size_t i = 0; i < b->file->elements[d].n; i++) {
      MshEntity own;
      const MshEntity *list;
      size_t n = groups_of(b->file, entities, d, i, &own, &list);
      int entity = n ? entity_of(b, d, i) : -1;
      if (n && entity < 0) g->strays++;
      for (size_t k = 0; k < n && entity >= 0; k++) {
        if (last < 0 || list[k].physical != last_tag) last = group_of(g->name, g->dim, &g->n, group_name(b, d, list[k].physical), d);
        last_tag = list[k].physical;
        add_pair(&g->pairs, last, entity);
        if (d == b->dim) in_region[entity] = 1;
      }
    }
  }
  int untagged = 0;
  for (int c = 0; c < b->mesh->ncells; c++) untagged += !in_region[c];
  bool any = false;
  for (int i = 0; i < g->n; i++) any |= g->dim[i] == b->dim;
  if (any && untagged) {
    int rest = group_of(g->name, g->dim, &g->n, intern_text(b->names, "default"), b->dim);
    Diag *diag = NULL;
    for (int c = 0, told = 0; c < b->mesh->ncells; c++) {
      if (in_region[c]) continue;
      add_pair(&g->pairs, rest, c);
      if (!diag) diag = diag_report(b->diags, W1001, b->span, "%s: %d of %d cells have no physical group; they are the region `default`", b->path, untagged, b->mesh->ncells);
      if (told++ < 3) diag_note(diag, (Span){0, 0}, "element %lld", (long long)b->cell_tag[c]);
    }
  }
  free(in_region);
}

static void warn_empty(const Build *b, const Groups *g) {
  for (size_t i = 0; i < b->file->ngroups; i++) {
    bool there = false;
    for (int k = 0; k < g->n; k++) there |= g->dim[k] == b->file->groups[i].dim && !strcmp(g->name[k], b->file->groups[i].name);
    if (!there) diag_report(b->diags, W1003, b->span, "%s: no element of the mesh is in the physical group `%s`", b->path, b->file->groups[i].name);
  }
  if (g->strays)
    diag_report(b->diags, W1003, b->span, "%s: %zu elements of physical groups are no facets, edges or points of the cells; they are left out", b->path, g->strays);
}

static Status name_groups(Build *b, const int *neighbours) {
  Mesh *mesh = b->mesh;
  MshEntity *entities = big_copy(b->file->entities, b->file->nentities * sizeof *entities);
  Groups g = {0};
  qsort(entities, b->file->nentities, sizeof *entities, by_entity);
  collect_groups(b, entities, &g);
  if (g.pairs.n) qsort(g.pairs.pair, g.pairs.n, sizeof *g.pairs.pair, by_pair);
  int m = b->ref->nfacets, *facet_of = BIG_ARRAY(int, (size_t)mesh->ncells * m);
  for (int f = 0; f < mesh->nboundary; f++) facet_of[mesh->facet_cell[f] * m + mesh->facet_local[f]] = f;
  Status status = 0;
  /* regions first: their classes put facets into the table, the inner boundary groups follow */
  for (int pass = 0; pass < 2 && !status; pass++) {
    for (size_t i = 0, j; i < g.pairs.n && !status; i = j) {
      int k = g.pairs.pair[i][0], n = 0, *entity;
      for (j = i; j < g.pairs.n && g.pairs.pair[j][0] == k; j++)   /* each once */
        if (j == i || g.pairs.pair[j][1] != g.pairs.pair[i + (size_t)n - 1][1]) memmove(g.pairs.pair[i + (size_t)n++], g.pairs.pair[j], sizeof *g.pairs.pair);
      for (size_t r = i + (size_t)n; r < j; r++) g.pairs.pair[r][0] = k, g.pairs.pair[r][1] = g.pairs.pair[i + (size_t)n - 1][1];
      if ((g.dim[k] == b->dim) != (pass == 0)) continue;
      if (g.dim[k] == b->dim) {
        entity = BIG_ARRAY(int, n);
        for (int q = 0; q < n; q++) entity[q] = g.pairs.pair[i + (size_t)q][1];
      } else if (g.dim[k] == b->dim - 1) {
        status = boundary_group(b, g.name[k], g.pairs.pair + i, n, neighbours, facet_of, &entity);
      } else {
        entity = tuples(b, g.dim[k], g.pairs.pair + i, n);
      }
      mesh_add_group(mesh, g.name[k], g.dim[k], entity, n);
    }
    if (pass == 0) mesh_classify_regions(mesh, neighbours);
  }
  if (!status) warn_empty(b, &g);
  free(facet_of);
  free(entities);
  free(g.name);
  free(g.dim);
  free(g.pairs.pair);
  return status;
}

Status msh_build(const char *path, const MshFile *file, double scale, Interner *names, Diags *diags, Span span, Mesh **out) {
  Build b = {.path = path, .file = file, .names = names, .diags = diags, .span = span, .dim = 3};
  while (b.dim > 0 && !file->elements[b.dim].n) b.dim--;
  if (!b.dim) {
    diag_suggest(diag_report(diags, E1011, span, "%s has no lines, no plane and no solid cells", path), "mesh the geometry before it is written (in Gmsh: 1D, 2D or 3D)");
    return 1;
  }
  b.type = file->elements[b.dim].type;
  b.ref = refcell_of(b.type->shape, b.dim);
  TRY(mesh_limits(b.dim, (double)file->nnodes, (double)file->elements[b.dim].n, diags, span));
  Status status = index_nodes(&b) || make_cells(&b, scale);
  if (!status) {
    int *neighbours = mesh_neighbours(b.mesh);
    mesh_boundary(b.mesh, neighbours);
    status = check_manifold(&b, neighbours);
    if (!status) {
      index_facets(&b);
      status = name_groups(&b, neighbours);
    }
    free(neighbours);
  }
  if (!status) {
    mesh_check_quality(b.mesh, diags, span);
    mesh_group_measures(b.mesh);
    *out = b.mesh;
  } else {
    mesh_release(b.mesh);
  }
  void *arrays[] = {b.tags, b.index, b.vertex, b.cell_tag, b.first_cell, b.edge_start, b.slot};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  return status != 0;
}
