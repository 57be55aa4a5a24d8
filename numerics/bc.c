#include "bc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blame.h"
#include "engine_internal.h"
#include "petsc.h"

static int clause_components(const Condition *condition, const SpaceBlock *block) { return condition->component < 0 ? block->components : 1; }

static void add_node(BcClause *clause, int dim, int node, int cell, int facet, const double *reference, int *mark, int stamp) {
  if (mark[node] == stamp) return;
  mark[node] = stamp;
  int i = clause->n++;
  if ((i & (i - 1)) == 0) {      /* i is 0 or a power of two: double */
    size_t cap = i ? 2 * (size_t)i : 1;
    clause->node = realloc(clause->node, sizeof(int) * cap);
    clause->cell = realloc(clause->cell, sizeof(int) * cap);
    clause->facet = realloc(clause->facet, sizeof(int) * cap);
    clause->reference = realloc(clause->reference, sizeof(double) * cap * (size_t)dim);
  }
  clause->node[i] = node;
  clause->cell[i] = cell;
  clause->facet[i] = facet;
  memcpy(clause->reference + (size_t)i * (size_t)dim, reference, sizeof(double) * (size_t)dim);
}

void bc_facet_nodes(BcClause *clause, const Mesh *mesh, const NodeSet *nodes, const int *facets, int n, int *mark, int stamp) {
  int dim = mesh->dim, on[CELL_FACETS][64], count[CELL_FACETS];
  double reference[64 * 3];
  nodes_reference(nodes->element, dim, reference);
  for (int f = 0; f < mesh->ref->nfacets; f++) count[f] = nodes_on_facet(nodes->element, dim, f, on[f]);
  for (int i = 0; i < n; i++) {
    int cell = mesh->facet_cell[facets[i]], local = mesh->facet_local[facets[i]];
    for (int k = 0; k < count[local]; k++) {
      int a = on[local][k];
      add_node(clause, dim, nodes->cell[(size_t)cell * (size_t)nodes->per_cell + (size_t)a], cell, local, reference + a * dim, mark, stamp);
    }
  }
}

static void point_node(BcClause *clause, const Mesh *mesh, const NodeSet *nodes, const double *point, int *mark, int stamp) {
  int dim = mesh->dim;
  double reference[64 * 3], size = 0, x[3];
  nodes_reference(nodes->element, dim, reference);
  for (int d = 0; d < dim; d++) size = fmax(size, mesh->hi[d] - mesh->lo[d]);
  for (int c = 0; c < mesh->ncells; c++)
    for (int a = 0; a < nodes->per_cell; a++) {
      nodes_place(nodes, c, reference + a * dim, x);
      double gap = 0;
      for (int d = 0; d < dim; d++) gap = fmax(gap, fabs(x[d] - point[d]));
      if (gap < 1e-9 * size) {
        int facet = 0;
        while (facet < mesh->ref->nfacets && fabs(refcell_facet_depth(mesh->ref, facet, reference + a * dim)) > 1e-12) facet++;
        add_node(clause, dim, nodes->cell[(size_t)c * (size_t)nodes->per_cell + (size_t)a], c, facet % mesh->ref->nfacets, reference + a * dim, mark, stamp);
      }
    }
}

int *bc_facets(const Mesh *mesh, const Where *where, int *n) {
  if (where->interface[0]) return mesh_select_interface(mesh, where->interface[0], where->interface[1], n);
  return mesh_select_facets(mesh, where->names, where->n, where->all || (!where->n && !where->others), where->others, n);
}

static Status anywhere(const BcClause *clause, const Data *data) {
  int mine = clause->n > 0, any = mine;
  if (data->mesh->nranks > 1) MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  if (any) return 0;
  const Condition *condition = clause->condition;
  const Where *where = &condition->where;
  if (where->is_point) {
    Buf text = {0};
    for (int d = 0; d < data->mesh->dim; d++) buf_printf(&text, "%s%g", d ? ", " : "", where->point[d]);
    Diag *diag = diag_report(data->diags, E2008, condition->span, "no node of the mesh lies at (%s)", buf_str(&text));
    diag_suggest(diag, "choose the place of a mesh vertex, or give the geometry a corner there");
    buf_free(&text);
    return 1;
  }
  if (condition->by_rest) return 0;      /* nothing may be left over */
  diag_report(data->diags, E2012, condition->span, "%s%s%s has no facet on this mesh", where->n ? "`" : "", where->n ? where->names[0] : "that boundary",
              where->n ? "`" : "");
  return 1;
}

static Status find_nodes(BcClause *clause, const Data *data, int *mark, int stamp) {
  const Condition *condition = clause->condition;
  const Where *where = &condition->where;
  const Mesh *mesh = data->mesh;
  const NodeSet *nodes = data->space->block[condition->unknown].nodes;
  if (where->is_point) point_node(clause, mesh, nodes, where->point, mark, stamp);
  else {
    int n, *facets = bc_facets(mesh, where, &n);
    bc_facet_nodes(clause, mesh, nodes, facets, n, mark, stamp);
    free(facets);
  }
  return anywhere(clause, data);
}

/* Rising precedence: what all or others gave yields to a name; otherwise the later clause wins. */
static int by_precedence(const void *a, const void *b) {
  const Condition *p = ((const BcClause *)a)->condition, *q = ((const BcClause *)b)->condition;
  if (p->by_rest != q->by_rest) return p->by_rest ? -1 : 1;
  return p->order - q->order;
}

static void warn_point(const Data *data, const Pde *pde, const Condition *condition, unsigned findings) {
  /* a point that only fixes a constant or a rigid motion changes nothing that a limit could lose */
  if (data->mesh->dim < 2 || (findings & (FORM_CONSTANT_KERNEL | FORM_RIGID_KERNEL | FORM_PRESSURE_KERNEL))) return;
  Diag *diag = diag_report(data->diags, W2001, condition->span, "the value of `%s` at a point is lost as the mesh is refined", pde->unknowns[condition->unknown].name);
  diag_suggest(diag, "prescribe it on a boundary, or expect a result that depends on the mesh");
}

static void mark_dofs(Bc *bc) {
  const Space *space = bc->space;
  for (int k = 0; k < bc->nclauses; k++) {
    const BcClause *clause = &bc->clause[k];
    const SpaceBlock *block = &space->block[clause->condition->unknown];
    for (int i = 0; i < clause->n; i++)
      for (int c = 0; c < block->components; c++)
        if (clause->condition->component < 0 || clause->condition->component == c) bc->winner[space_dof(block, clause->node[i]) + c] = k;
  }
  for (int i = 0; i < space->nlocal; i++) bc->prescribed[i] = bc->winner[i] >= 0;
  if (!space->ghost) return;
  /* a ghost's facets may lie on cells that only its owner has */
  double *flag = calloc((size_t)space->nlocal + 1, sizeof(double));
  for (int i = 0; i < space->nowned; i++) flag[i] = bc->prescribed[i];
  space_ghosts(space, flag);
  for (int i = space->nowned; i < space->nlocal; i++) bc->prescribed[i] = flag[i] > 0.5;
  free(flag);
}

Status bc_new(const Pde *pde, const unsigned *findings_of, const Data *data, Bc **out) {
  const Space *space = data->space;
  Bc *bc = *out = calloc(1, sizeof *bc);
  *bc = (Bc){.space = space, .unknowns = pde->unknowns, .clause = calloc((size_t)pde->nconditions + 1, sizeof(BcClause)), .prescribed = calloc((size_t)space->nlocal + 1, 1),
             .winner = malloc(sizeof(int) * ((size_t)space->nlocal + 1))};
  for (int i = 0; i < space->nlocal; i++) bc->winner[i] = -1;
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind == CONDITION_DIRICHLET) {
      bc->clause[bc->nclauses++].condition = &pde->conditions[i];
      if (pde->conditions[i].value->flags & HAS_TIME) bc->of_time = true;
      if (pde->conditions[i].where.is_point) warn_point(data, pde, &pde->conditions[i], findings_of ? findings_of[pde->conditions[i].unknown] : 0);
    }
  qsort(bc->clause, (size_t)bc->nclauses, sizeof(BcClause), by_precedence);
  int most = 1;
  for (int b = 0; b < space->nblocks; b++)
    if (space->block[b].nodes->n > most) most = space->block[b].nodes->n;
  int *mark = calloc((size_t)most, sizeof(int));
  Status status = 0;
  for (int k = 0; k < bc->nclauses && !status; k++) status = find_nodes(&bc->clause[k], data, mark, k + 1);
  free(mark);
  if (!status) mark_dofs(bc);
  if (!status) bc_find_overlaps(bc, data);
  if (status) bc_free(bc), *out = NULL;
  return status;
}

void bc_free(Bc *bc) {
  if (!bc) return;
  for (int k = 0; k < bc->nclauses; k++) {
    BcClause *clause = &bc->clause[k];
    free(clause->node), free(clause->cell), free(clause->facet), free(clause->reference), free(clause->value);
  }
  bc_free_overlaps(bc);
  free(bc->clause), free(bc->prescribed), free(bc->winner);
  free(bc);
}

static Status not_finite(const Data *data, const BcClause *clause, int i) {
  int facet = clause->facet ? clause->facet[i] : -1;
  Points point = {.n = 1, .cell = &clause->cell[i], .facet = clause->facet ? &facet : NULL, .reference = clause->reference + (size_t)i * (size_t)data->mesh->dim};
  if (clause->condition->value->shape.rank == 0 && blame_expression(data, clause->condition->value, &point, E2003, clause->condition->span)) return 1;
  double x[3];
  nodes_place(data->space->block[clause->condition->unknown].nodes, clause->cell[i], clause->reference + (size_t)i * (size_t)data->mesh->dim, x);
  Buf place = {0}, text = {0};
  for (int d = 0; d < data->mesh->dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", x[d]);
  expr_print(&text, clause->condition->value, EXPR_TEXT);
  diag_report(data->diags, E2003, clause->condition->span, "the prescribed value `%.200s` is not finite at (%s)", buf_str(&text), buf_str(&place));
  buf_free(&place), buf_free(&text);
  return 1;
}

static Status evaluate(BcClause *clause, const Data *data) {
  const Condition *condition = clause->condition;
  int dim = data->mesh->dim, m = clause_components(condition, &data->space->block[condition->unknown]);
  Points points = {.n = clause->n, .cell = clause->cell, .reference = clause->reference, .facet = condition->where.is_point ? NULL : clause->facet};
  clause->value = realloc(clause->value, sizeof(double) * ((size_t)clause->n * (size_t)m + 1));
  int size = shape_size(condition->value->shape, dim);
  if (expr_is_zero(condition->value)) memset(clause->value, 0, sizeof(double) * (size_t)clause->n * (size_t)m);
  else if (size == m) TRY(data_evaluate_tensor(data, condition->value, &points, clause->value));
  else {
    diag_report(data->diags, E2005, condition->span, "the prescribed value has %d components, the unknown %d", size, m);
    return 1;
  }
  for (int i = 0; i < clause->n * m; i++)
    if (!isfinite(clause->value[i])) return not_finite(data, clause, i / m);
  return 0;
}

bool bc_value(const BcClause *clause, int components, int i, int c, double *out) {
  int own = clause->condition->component;
  if (own >= 0 && own != c) return false;
  *out = own < 0 ? clause->value[(size_t)i * (size_t)components + (size_t)c] : clause->value[i];
  return true;
}

static void warn_differ(const Data *data, const BcClause *loser, const BcClause *winner, const double *x, double a, double b) {
  Buf place = {0};
  for (int d = 0; d < data->mesh->dim; d++) buf_printf(&place, "%s%g", d ? ", " : "(", x[d]);
  buf_putc(&place, ')');
  if (data->scheme) buf_printf(&place, ", t = %g", data->time);
  Diag *diag = diag_report(data->diags, W2000, loser->condition->span, "the values prescribed where boundaries meet differ: %g here, %g by another condition, at %s", a, b,
                           buf_str(&place));
  diag_note(diag, winner->condition->span, "this condition wins the shared nodes");
  buf_free(&place);
}

/* Each losing clause is compared with what won; at later times only while it has not been reported. */
static void compare(Bc *bc, const Data *data, const double *u) {
  for (int k = 0; k < bc->nclauses; k++) {
    BcClause *clause = &bc->clause[k];
    if (clause->differs) continue;
    const SpaceBlock *block = &bc->space->block[clause->condition->unknown];
    for (int i = 0; i < clause->n; i++)
      for (int c = 0; c < block->components; c++) {
        double mine;
        int dof = space_dof(block, clause->node[i]) + c;
        if (!bc_value(clause, block->components, i, c, &mine) || bc->winner[dof] == k) continue;
        if (fabs(mine - u[dof]) <= 1e-9 * fmax(1e-300, fmax(fabs(mine), fabs(u[dof])))) continue;
        double x[3];
        nodes_place(block->nodes, clause->cell[i], clause->reference + (size_t)i * (size_t)data->mesh->dim, x);
        warn_differ(data, clause, &bc->clause[bc->winner[dof]], x, mine, u[dof]);
        clause->differs = true;
        i = clause->n - 1;
        break;
      }
  }
}

Status bc_apply(Bc *bc, const Data *data, double *u) {
  const Space *space = bc->space;
  Status status = 0;
  for (int k = 0; k < bc->nclauses && !status; k++) {
    BcClause *clause = &bc->clause[k];
    const SpaceBlock *block = &space->block[clause->condition->unknown];
    status = evaluate(clause, data);
    for (int i = 0; i < clause->n && !status; i++)
      for (int c = 0; c < block->components; c++) {
        double value;
        int dof = space_dof(block, clause->node[i]) + c;
        if (bc->winner[dof] == k && bc_value(clause, block->components, i, c, &value)) u[dof] = value;
      }
  }
  TRY(petsc_agree(status));
  bool later = bc->checked && bc->of_time && data->scheme;      /* values that agreed at first may part at a later step */
  if (!bc->checked || later) {
    TRY(bc_values_apart(bc, data));
    compare(bc, data, u);
  }
  bc->checked = true;
  space_ghosts(space, u);
  return 0;
}

void bc_zero(const Bc *bc, double *r) {
  for (int i = 0; i < bc->space->nlocal; i++)
    if (bc->prescribed[i]) r[i] = 0;
}
