#include "space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "petsc.h"

/* ---- nodes of one element: entities in the order of their lowest vertex, which keeps the matrix's band ----------------------------------- */

typedef struct NodeKey { long v[4]; int k, node; } NodeKey;   /* global vertices of the entity in ascending order (-1: none), number on it */

static long global_vertex(const Mesh *mesh, int v) { return mesh->vertex_global ? mesh->vertex_global[v] : v; }

static int lowest_vertex(const Mesh *mesh, int cell) {
  const int *v = mesh->cell + (size_t)cell * mesh->ref->nverts;
  int low = v[0];
  for (int a = 1; a < mesh->ref->nverts; a++)
    if (v[a] < low) low = v[a];
  return low;
}

/* First node of each vertex, edge, face and cell. */
typedef struct Numbering { int *vertex, *edge, *face, *cell, n; } Numbering;

static int *numbers(int n) { return big_alloc(sizeof(int) * (size_t)(n ? n : 1)); }

static void count_at(int *bucket, const int *entity, int width, int n, int nodes) {
  for (int e = 0; e < n; e++) {
    int low = entity[e * width];
    for (int k = 1; k < width; k++)
      if (entity[e * width + k] < low) low = entity[e * width + k];
    bucket[low + 1] += nodes;
  }
}

static void place_at(int *next, const int *entity, int width, int n, int nodes, int *first) {
  for (int e = 0; e < n; e++) {
    int low = entity[e * width];
    for (int k = 1; k < width; k++)
      if (entity[e * width + k] < low) low = entity[e * width + k];
    first[e] = next[low];
    next[low] += nodes;
  }
}

/* Edges that share their lowest vertex go by their other one. */
static void sort_edges(const Mesh *mesh, int nodes, Numbering *to) {
  int *head = big_alloc(sizeof(int) * (size_t)mesh->nverts), *next = numbers(mesh->nedges);
  memset(head, 255, sizeof(int) * (size_t)mesh->nverts);
  for (int e = 0; e < mesh->nedges; e++) {
    int a = mesh->edge[2 * e], b = mesh->edge[2 * e + 1], low = a < b ? a : b;
    int *at = &head[low];
    while (*at >= 0) {
      int c = mesh->edge[2 * *at] + mesh->edge[2 * *at + 1] - low;
      if (c > a + b - low) break;
      at = &next[*at];
    }
    next[e] = *at;
    *at = e;
  }
  for (int v = 0; v < mesh->nverts; v++) {
    int first = -1;
    for (int e = head[v]; e >= 0; e = next[e])
      if (first < 0 || to->edge[e] < first) first = to->edge[e];
    for (int e = head[v]; e >= 0; e = next[e], first += nodes) to->edge[e] = first;
  }
  free(head);
  free(next);
}

static void number_entities(Mesh *mesh, const Element *element, Numbering *out) {
  int dim = mesh->dim, nv = mesh->nverts, *bucket = big_zeroed(sizeof(int) * (size_t)(nv + 1));
  bool edges = dim > 1 && element->per_edge, faces = dim > 2 && element->per_face;
  int inside = element_inside(element, dim);
  *out = (Numbering){.vertex = numbers(nv)};
  if (edges) mesh_edges(mesh), out->edge = numbers(mesh->nedges);
  if (faces) mesh_faces(mesh), out->face = numbers(mesh->nfaces);
  if (inside) out->cell = numbers(mesh->ncells);
  for (int v = 0; v < nv; v++) bucket[v + 1] = element->per_vertex;
  if (edges) count_at(bucket, mesh->edge, 2, mesh->nedges, element->per_edge);
  if (faces) count_at(bucket, mesh->face, mesh->ref->facet_verts, mesh->nfaces, element->per_face);
  for (int c = 0; inside && c < mesh->ncells; c++) bucket[lowest_vertex(mesh, c) + 1] += inside;
  for (int v = 0; v < nv; v++) bucket[v + 1] += bucket[v];
  out->n = bucket[nv];
  for (int v = 0; v < nv; v++) out->vertex[v] = bucket[v], bucket[v] += element->per_vertex;
  if (edges) place_at(bucket, mesh->edge, 2, mesh->nedges, element->per_edge, out->edge), sort_edges(mesh, element->per_edge, out);
  if (faces) place_at(bucket, mesh->face, mesh->ref->facet_verts, mesh->nfaces, element->per_face, out->face);
  for (int c = 0; inside && c < mesh->ncells; c++) {
    int low = lowest_vertex(mesh, c);
    out->cell[c] = bucket[low];
    bucket[low] += inside;
  }
  free(bucket);
}

static void free_numbering(Numbering *n) { free(n->vertex), free(n->edge), free(n->face), free(n->cell); }

/* Nodes of a cell in the element's order. Nodes on an edge run from its lower to its higher global vertex. */
static void cell_nodes(const Mesh *mesh, const Element *element, const Numbering *number, int c, int *out) {
  int dim = mesh->dim, k = 0;
  const RefCell *ref = mesh->ref;
  const int *v = mesh->cell + (size_t)c * ref->nverts;
  for (int a = 0; a < ref->nverts; a++)
    for (int i = 0; i < element->per_vertex; i++) out[k++] = number->vertex[v[a]] + i;
  if (dim > 1 && element->per_edge) {
    int ne = ref->nedges;
    for (int e = 0; e < ne; e++) {
      const int *ends = ref->edge[e];
      bool turned = global_vertex(mesh, v[ends[0]]) > global_vertex(mesh, v[ends[1]]);
      int first = number->edge[mesh->cell_edge[(size_t)c * ne + e]];
      for (int i = 0; i < element->per_edge; i++) out[k++] = first + (turned ? element->per_edge - 1 - i : i);
    }
  }
  if (dim > 2 && element->per_face)
    for (int f = 0; f < ref->nfacets; f++)
      for (int i = 0; i < element->per_face; i++) out[k++] = number->face[mesh->cell_face[(size_t)c * ref->nfacets + f]] + i;
  int inside = element_inside(element, dim);
  for (int i = 0; i < inside; i++) out[k++] = number->cell[c] + i;
}

/* ---- over ranks --------------------------------------------------------------------------------------------------------------------- */

static int lowest_owner(const Mesh *mesh, const int *v, int n) {
  int owner = mesh->vertex_owner[v[0]];
  for (int i = 1; i < n; i++)
    if (mesh->vertex_owner[v[i]] < owner) owner = mesh->vertex_owner[v[i]];
  return owner;
}

static void sort_keys(long *v, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      long t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
}

static void mark_entity(const Mesh *mesh, const int *v, int nv, long cell, int first, int count, int *owner, NodeKey *key) {
  NodeKey one = {.v = {-1, -1, -1, -1}};
  if (cell >= 0) one.v[0] = -2 - cell;
  else
    for (int i = 0; i < nv; i++) one.v[i] = global_vertex(mesh, v[i]);
  if (cell < 0) sort_keys(one.v, nv);
  for (int i = 0; i < count; i++) {
    one.k = i;
    key[first + i] = one;
    owner[first + i] = lowest_owner(mesh, v, nv);
  }
}

static int by_key(const void *a, const void *b) {
  const NodeKey *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p->v[i] != q->v[i]) return p->v[i] < q->v[i] ? -1 : 1;
  return p->k - q->k;
}

/* Asks each ghost's owner for its number there. */
static void ghost_numbers(NodeSet *nodes, const NodeKey *key) {
  int nranks = petsc_nranks(), nghost = nodes->n - nodes->nowned;
  int *out_n = calloc((size_t)nranks * 4, sizeof(int)), *out_at = out_n + nranks, *in_n = out_at + nranks, *in_at = in_n + nranks;
  for (int g = 0; g < nghost; g++) out_n[nodes->ghost_owner[g]]++;
  MPI_Alltoall(out_n, 1, MPI_INT, in_n, 1, MPI_INT, PETSC_COMM_WORLD);
  int total = 0;
  for (int r = 0, at = 0; r < nranks; r++) out_at[r] = at, at += out_n[r], in_at[r] = total, total += in_n[r];
  NodeKey *ask = malloc(sizeof *ask * (size_t)(nghost + 1)), *asked = malloc(sizeof *asked * (size_t)(total + 1));
  int *slot = malloc(sizeof(int) * (size_t)(nghost + 1)), *answer = malloc(sizeof(int) * (size_t)(total + 1)), *reply = malloc(sizeof(int) * (size_t)(nghost + 1));
  int *fill = malloc(sizeof(int) * (size_t)nranks);
  memcpy(fill, out_at, sizeof(int) * (size_t)nranks);
  for (int g = 0; g < nghost; g++) {
    slot[g] = fill[nodes->ghost_owner[g]]++;
    ask[slot[g]] = key[nodes->nowned + g];
  }
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(NodeKey), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(ask, out_n, out_at, type, asked, in_n, in_at, type, PETSC_COMM_WORLD);
  MPI_Type_free(&type);
  NodeKey *mine = malloc(sizeof *mine * (size_t)(nodes->nowned + 1));
  memcpy(mine, key, sizeof *mine * (size_t)nodes->nowned);
  qsort(mine, (size_t)nodes->nowned, sizeof *mine, by_key);
  for (int i = 0; i < total; i++) {
    const NodeKey *found = bsearch(&asked[i], mine, (size_t)nodes->nowned, sizeof *mine, by_key);
    answer[i] = found ? found->node : -1;
  }
  MPI_Alltoallv(answer, in_n, in_at, MPI_INT, reply, out_n, out_at, MPI_INT, PETSC_COMM_WORLD);
  for (int g = 0; g < nghost; g++) nodes->ghost_index[g] = reply[slot[g]];
  free(out_n), free(ask), free(asked), free(slot), free(answer), free(reply), free(fill), free(mine);
}

/* Moves the owned nodes to the front, in their order, and finds the owners' numbers of the others. */
static void distribute(NodeSet *nodes, const Numbering *number) {
  const Mesh *mesh = nodes->mesh;
  const Element *element = nodes->element;
  int n = number->n, rank = mesh->rank, dim = mesh->dim;
  int *owner = malloc(sizeof(int) * (size_t)(n + 1)), *to = malloc(sizeof(int) * (size_t)(n + 1));
  NodeKey *key = malloc(sizeof *key * (size_t)(n + 1)), *moved = malloc(sizeof *moved * (size_t)(n + 1));
  for (int v = 0; v < mesh->nverts && element->per_vertex; v++) mark_entity(mesh, &v, 1, -1, number->vertex[v], element->per_vertex, owner, key);
  for (int e = 0; number->edge && e < mesh->nedges; e++) mark_entity(mesh, mesh->edge + 2 * e, 2, -1, number->edge[e], element->per_edge, owner, key);
  for (int f = 0; number->face && f < mesh->nfaces; f++) mark_entity(mesh, mesh->face + mesh->ref->facet_verts * f, mesh->ref->facet_verts, -1, number->face[f], element->per_face, owner, key);
  int inside = element_inside(element, dim);
  for (int c = 0; number->cell && c < mesh->ncells; c++)
    mark_entity(mesh, mesh->cell + (size_t)c * mesh->ref->nverts, mesh->ref->nverts, mesh->cell_global[c], number->cell[c], inside, owner, key);
  int at = 0;
  for (int i = 0; i < n; i++)
    if (owner[i] == rank) to[i] = at++;
  nodes->nowned = at;
  for (int i = 0; i < n; i++)
    if (owner[i] != rank) to[i] = at++;
  nodes->ghost_owner = malloc(sizeof(int) * (size_t)(n - nodes->nowned + 1));
  nodes->ghost_index = malloc(sizeof(int) * (size_t)(n - nodes->nowned + 1));
  for (int i = 0; i < n; i++) {
    moved[to[i]] = key[i];
    moved[to[i]].node = to[i];
    if (owner[i] != rank) nodes->ghost_owner[to[i] - nodes->nowned] = owner[i];
  }
  for (size_t i = 0; i < (size_t)mesh->ncells * (size_t)nodes->per_cell; i++) nodes->cell[i] = to[nodes->cell[i]];
  ghost_numbers(nodes, moved);
  free(owner), free(to), free(key), free(moved);
}

NodeSet *nodes_new(Mesh *mesh, const Element *element) {
  NodeSet *nodes = calloc(1, sizeof *nodes);
  *nodes = (NodeSet){.refs = 1, .mesh = mesh_retain(mesh), .element = element, .per_cell = element_nodes(element, mesh->dim)};
  bool vertices_only = element->per_vertex == 1 && !element->per_edge && !element->per_face && !element->per_cell;
  if (vertices_only && mesh->nranks <= 1) {
    nodes->cell = mesh->cell;
    nodes->borrowed = true;
    nodes->n = nodes->nowned = mesh->nverts;
    return nodes;
  }
  Numbering number;
  number_entities(mesh, element, &number);
  nodes->n = nodes->nowned = number.n;
  nodes->cell = big_alloc(sizeof(int) * (size_t)mesh->ncells * (size_t)nodes->per_cell);
  for (int c = 0; c < mesh->ncells; c++) cell_nodes(mesh, element, &number, c, nodes->cell + (size_t)c * (size_t)nodes->per_cell);
  if (mesh->nranks > 1) distribute(nodes, &number);
  free_numbering(&number);
  return nodes;
}

NodeSet *nodes_retain(NodeSet *nodes) {
  nodes->refs++;
  return nodes;
}

void nodes_release(NodeSet *nodes) {
  if (!nodes || --nodes->refs) return;
  if (!nodes->borrowed) free(nodes->cell);
  free(nodes->ghost_owner), free(nodes->ghost_index);
  mesh_release(nodes->mesh);
  free(nodes);
}

void nodes_reference(const Element *element, int dim, double *points) { element->nodes(dim, points); }

int nodes_on_facet(const Element *element, int dim, int facet, int *out) {
  const RefCell *ref = refcell_of(element->shape, dim);
  double points[64 * 3];
  int n = element_nodes(element, dim), k = 0;
  element->nodes(dim, points);
  for (int a = 0; a < n; a++)
    if (fabs(refcell_facet_depth(ref, facet, points + a * dim)) < 1e-12) out[k++] = a;
  return k;
}

void nodes_place(const NodeSet *nodes, int cell, const double *reference, double *x) { mesh_map(nodes->mesh, cell, reference, x, NULL); }

/* ---- spaces ------------------------------------------------------------------------------------------------------------------------- */

static NodeSet *node_set(Mesh *mesh, const Element *element, const Space *space, const Space *share) {
  for (int b = 0; b < space->nblocks; b++)
    if (space->block[b].nodes && space->block[b].nodes->element == element) return nodes_retain(space->block[b].nodes);
  for (int b = 0; share && share->mesh == mesh && b < share->nblocks; b++)
    if (share->block[b].nodes->element == element) return nodes_retain(share->block[b].nodes);
  return nodes_new(mesh, element);
}

/* Global numbers of ghosts: where each block starts on each rank, and the owner's number of the node. */
static void ghost_globals(Space *space) {
  int nranks = petsc_nranks(), nb = space->nblocks, width = nb + 1;
  long *mine = malloc(sizeof(long) * (size_t)width), *all = malloc(sizeof(long) * (size_t)width * (size_t)nranks);
  for (int b = 0; b < nb; b++) mine[b] = space->first + space->block[b].owned;
  mine[nb] = space->first + space->multiplier;
  MPI_Allgather(mine, width, MPI_LONG, all, width, MPI_LONG, PETSC_COMM_WORLD);
  for (int b = 0; b < nb; b++) {
    const SpaceBlock *block = &space->block[b];
    const NodeSet *nodes = block->nodes;
    for (int g = 0; g < nodes->n - nodes->nowned; g++)
      for (int i = 0; i < block->components; i++)
        space->ghost[block->ghost - space->nowned + g * block->components + i] =
            (int)(all[nodes->ghost_owner[g] * width + b] + (long)nodes->ghost_index[g] * block->components + i);
  }
  for (int m = 0; space->mesh->rank && m < space->nmultipliers; m++) space->ghost[space->multiplier - space->nowned + m] = (int)(all[nb] + m);
  free(mine), free(all);
}

/* ---- exchange of ghosts ------------------------------------------------------------------------------------------------------------- */

static int owner_rank(const long *first, int nranks, long dof) {
  int r = 0;
  while (r + 1 < nranks && dof >= first[r + 1]) r++;
  return r;
}

/* Which dofs each rank sends and takes: every ghost asks its owner once. */
static void halo_new(Space *space) {
  int nranks = petsc_nranks(), nghost = space->nlocal - space->nowned;
  struct Halo *halo = space->halo = calloc(1, sizeof *halo);
  int *table = calloc((size_t)nranks * 4, sizeof(int));
  *halo = (struct Halo){.send_n = table, .send_at = table + nranks, .take_n = table + 2 * nranks, .take_at = table + 3 * nranks};
  long *first = malloc(sizeof(long) * (size_t)nranks);
  MPI_Allgather(&space->first, 1, MPI_LONG, first, 1, MPI_LONG, PETSC_COMM_WORLD);
  for (int g = 0; g < nghost; g++) halo->take_n[owner_rank(first, nranks, space->ghost[g])]++;
  MPI_Alltoall(halo->take_n, 1, MPI_INT, halo->send_n, 1, MPI_INT, PETSC_COMM_WORLD);
  int nsend = 0, ntake = 0, *fill = malloc(sizeof(int) * (size_t)nranks), *ask = malloc(sizeof(int) * (size_t)(nghost + 1));
  for (int r = 0; r < nranks; r++) {
    halo->take_at[r] = fill[r] = ntake, ntake += halo->take_n[r];
    halo->send_at[r] = nsend, nsend += halo->send_n[r];
  }
  halo->take = malloc(sizeof(int) * (size_t)(nghost + 1));
  halo->send = malloc(sizeof(int) * (size_t)(nsend + 1));
  halo->out = malloc(sizeof(double) * (size_t)(nsend + 1));
  halo->in = malloc(sizeof(double) * (size_t)(nghost + 1));
  for (int g = 0; g < nghost; g++) {
    int at = fill[owner_rank(first, nranks, space->ghost[g])]++;
    ask[at] = space->ghost[g];
    halo->take[at] = space->nowned + g;
  }
  MPI_Alltoallv(ask, halo->take_n, halo->take_at, MPI_INT, halo->send, halo->send_n, halo->send_at, MPI_INT, PETSC_COMM_WORLD);
  for (int i = 0; i < nsend; i++) halo->send[i] -= (int)space->first;
  free(first), free(fill), free(ask);
}

static void halo_free(struct Halo *halo) {
  if (!halo) return;
  free(halo->send_n), free(halo->take), free(halo->send), free(halo->out), free(halo->in);
  free(halo);
}

static int halo_count(const int *n) {
  int total = 0;
  for (int r = 0; r < petsc_nranks(); r++) total += n[r];
  return total;
}

void space_ghosts(const Space *space, double *v) {
  const struct Halo *halo = space->halo;
  if (!halo) return;
  int nsend = halo_count(halo->send_n), ntake = space->nlocal - space->nowned;
  for (int i = 0; i < nsend; i++) halo->out[i] = v[halo->send[i]];
  MPI_Alltoallv(halo->out, halo->send_n, halo->send_at, MPI_DOUBLE, halo->in, halo->take_n, halo->take_at, MPI_DOUBLE, PETSC_COMM_WORLD);
  for (int i = 0; i < ntake; i++) v[halo->take[i]] = halo->in[i];
}

void space_collect(const Space *space, double *v) {
  const struct Halo *halo = space->halo;
  if (!halo) return;
  int nsend = halo_count(halo->send_n), ntake = space->nlocal - space->nowned;
  for (int i = 0; i < ntake; i++) halo->in[i] = v[halo->take[i]];
  MPI_Alltoallv(halo->in, halo->take_n, halo->take_at, MPI_DOUBLE, halo->out, halo->send_n, halo->send_at, MPI_DOUBLE, PETSC_COMM_WORLD);
  for (int i = 0; i < nsend; i++) v[halo->send[i]] += halo->out[i];
}

Space *space_new(Mesh *mesh, const Unknown *unknowns, int n, int nmultipliers, const Space *share) {
  Space *space = calloc(1, sizeof *space);
  *space = (Space){.refs = 1, .mesh = mesh_retain(mesh), .nblocks = n, .block = calloc((size_t)n, sizeof(SpaceBlock)), .nmultipliers = nmultipliers};
  for (int b = 0; b < n; b++) {
    SpaceBlock *block = &space->block[b];
    block->nodes = node_set(mesh, element_find(unknowns[b].element), space, share);
    block->components = shape_size(unknowns[b].shape, mesh->dim);
    block->owned = space->nowned;
    block->first_node = space->nnodes;
    space->nowned += block->nodes->nowned * block->components;
    space->nnodes += block->nodes->n;
    space->per_cell += block->nodes->per_cell;
    space->dofs_per_cell += block->nodes->per_cell * block->components;
  }
  bool ours = mesh->rank == 0;
  if (ours) space->multiplier = space->nowned, space->nowned += nmultipliers;
  space->nlocal = space->nowned;
  for (int b = 0; b < n; b++) {
    space->block[b].ghost = space->nlocal;
    space->nlocal += (space->block[b].nodes->n - space->block[b].nodes->nowned) * space->block[b].components;
  }
  if (!ours) space->multiplier = space->nlocal, space->nlocal += nmultipliers;
  space->nglobal = space->nowned;
  if (mesh->nranks <= 1) return space;
  long owned = space->nowned, upto = 0;
  MPI_Scan(&owned, &upto, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  MPI_Allreduce(&owned, &space->nglobal, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  space->first = upto - owned;
  space->ghost = malloc(sizeof(int) * (size_t)(space->nlocal - space->nowned + 1));
  ghost_globals(space);
  halo_new(space);
  return space;
}

Space *space_retain(Space *space) {
  space->refs++;
  return space;
}

void space_release(Space *space) {
  if (!space || --space->refs) return;
  for (int b = 0; b < space->nblocks; b++) nodes_release(space->block[b].nodes);
  free(space->block), free(space->ghost);
  halo_free(space->halo);
  mesh_release(space->mesh);
  free(space);
}
