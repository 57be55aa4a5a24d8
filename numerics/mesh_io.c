/* Reader of Gmsh's .msh files, formats 2.2 and 4.1, text and binary. Nothing in a file is trusted: counts are checked against the bytes that are left, and
 * every fault is told with its line (text) or byte (binary). Format: Gmsh reference manual, "MSH file format" and "MSH file format version 2". */
#define _GNU_SOURCE
#include "mesh_io.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "mesh_build.h"

typedef struct Reader {
  const char *path, *text;
  size_t len, at;
  bool binary, swap;
  locale_t c;
  Diags *diags;
  Span span;
  MshFile *file;
} Reader;

/* --- faults --- */

static int line_of(const Reader *r, size_t at) {
  int line = 1;
  for (size_t i = 0; i < at && i < r->len; i++) line += r->text[i] == '\n';
  return line;
}

static Status fault(Reader *r, const char *expected) {
  Buf found = {0};
  if (r->at >= r->len) buf_puts(&found, "the end of the file");
  else if (!r->binary || r->text[r->at] == '$') {
    buf_puts(&found, "`");
    for (size_t i = r->at; i < r->len && i < r->at + 30 && (unsigned char)r->text[i] > ' '; i++) buf_putc(&found, r->text[i] < 127 ? r->text[i] : '?');
    buf_puts(&found, "`");
  } else {
    buf_puts(&found, "something else");
  }
  Diag *diag = r->binary ? diag_report(r->diags, E1011, r->span, "%s, byte %zu: expected %s, found %s", r->path, r->at, expected, buf_str(&found))
                         : diag_report(r->diags, E1011, r->span, "%s, line %d: expected %s, found %s", r->path, line_of(r, r->at), expected, buf_str(&found));
  diag_suggest(diag, r->at >= r->len ? "the file seems cut off: write it again" : "write the file again with Gmsh, format 4.1 or 2.2");
  buf_free(&found);
  return 1;
}

static Status unsupported(Reader *r, const char *what, const char *way_out) {
  diag_suggest(diag_report(r->diags, E1012, r->span, "%s has %s, which is not read", r->path, what), "%s", way_out);
  return 1;
}

/* --- numbers --- */

static void skip_space(Reader *r) {
  while (r->at < r->len && (unsigned char)r->text[r->at] <= ' ') r->at++;
}

static Status text_integer(Reader *r, const char *what, int64_t *out) {
  skip_space(r);
  size_t i = r->at;
  bool negative = r->text[i] == '-';
  if (negative || r->text[i] == '+') i++;
  size_t first = i;
  int64_t v = 0;
  for (; i < r->len && r->text[i] >= '0' && r->text[i] <= '9' && i - first < 18; i++) v = 10 * v + (r->text[i] - '0');
  if (i == first || (i < r->len && (unsigned char)r->text[i] > ' ')) return fault(r, what);
  r->at = i;
  *out = negative ? -v : v;
  return 0;
}

static Status bytes(Reader *r, size_t n, const char *what, void *out) {
  if (r->len - r->at < n) {
    r->at = r->len;
    return fault(r, what);
  }
  char *to = out;
  for (size_t i = 0; i < n; i++) to[i] = r->text[r->at + (r->swap ? n - 1 - i : i)];
  r->at += n;
  return 0;
}

static Status integer(Reader *r, const char *what, int *out) {   /* an int of the file */
  int64_t v;
  if (r->binary) {
    int32_t w = 0;
    TRY(bytes(r, sizeof w, what, &w));
    *out = w;
    return 0;
  }
  size_t start = r->at;
  TRY(text_integer(r, what, &v));
  if (v < INT32_MIN || v > INT32_MAX) {
    r->at = start;
    skip_space(r);
    return fault(r, what);
  }
  *out = (int)v;
  return 0;
}

static Status wide(Reader *r, const char *what, int64_t *out) {   /* a size_t of the file */
  size_t start = r->at;
  if (r->binary) TRY(bytes(r, sizeof *out, what, out));
  else TRY(text_integer(r, what, out));
  if (*out >= 0) return 0;
  r->at = start;
  return fault(r, what);
}

static Status real(Reader *r, const char *what, double *out) {
  if (r->binary) {
    TRY(bytes(r, sizeof *out, what, out));
    if (isfinite(*out)) return 0;
    r->at -= sizeof *out;
    return fault(r, what);
  }
  skip_space(r);
  char *end;
  if (r->at >= r->len || r->text[r->at] == '$') return fault(r, what);
  *out = strtod_l(r->text + r->at, &end, r->c);
  size_t next = (size_t)(end - r->text);
  if (next == r->at || next > r->len || !isfinite(*out) || (next < r->len && (unsigned char)*end > ' ')) return fault(r, what);
  r->at = next;
  return 0;
}

/* A count of things that take `least` bytes each. */
static Status counted(Reader *r, int64_t n, size_t least, const char *what) {
  if (n >= 0 && (uint64_t)n <= (r->len - r->at) / least + 1) return 0;
  diag_suggest(diag_report(r->diags, E1011, r->span, "%s announces %lld %s, more than the %zu bytes that follow can hold", r->path, (long long)n, what, r->len - r->at),
               "the file seems cut off: write it again");
  return 1;
}

/* --- growing arrays --- */

static void *room(void *old, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return old;
  size_t more = *cap ? *cap * 2 : 64;
  old = big_resize(old, n * size, more * size);
  *cap = more;
  return old;
}

static void add_node(MshFile *f, int64_t tag, const double x[3]) {
  if (f->nnodes >= f->node_cap) {
    size_t cap = f->node_cap;
    f->node_tag = room(f->node_tag, f->nnodes, &cap, sizeof *f->node_tag);
    f->x = room(f->x, f->nnodes, &f->node_cap, 3 * sizeof *f->x);
  }
  f->node_tag[f->nnodes] = tag;
  memcpy(f->x + 3 * f->nnodes++, x, 3 * sizeof *x);
}

static void add_element(MshFile *f, const MshType *type, int64_t tag, int entity, int physical, const int64_t *node) {
  MshElements *e = &f->elements[type->dim];
  size_t nodes = (size_t)type->nodes;
  e->type = type;
  if (e->n >= e->cap) {
    size_t caps[3] = {e->cap, e->cap, e->cap};
    e->node = room(e->node, e->n, &caps[0], nodes * sizeof *e->node);
    e->tag = room(e->tag, e->n, &caps[1], sizeof *e->tag);
    e->entity = room(e->entity, e->n, &caps[2], sizeof *e->entity);
    e->physical = room(e->physical, e->n, &e->cap, sizeof *e->physical);
  }
  for (size_t k = 0; k < nodes; k++) e->node[e->n * nodes + k] = node[type->order[k]];
  e->tag[e->n] = tag;
  e->entity[e->n] = entity;
  e->physical[e->n++] = physical;
}

static void add_entity(MshFile *f, int dim, int tag, int physical) {
  f->entities = room(f->entities, f->nentities, &f->entity_cap, sizeof *f->entities);
  f->entities[f->nentities++] = (MshEntity){dim, tag, physical};
}

/* The sign of a physical tag is an orientation. */
static int unsigned_tag(int tag) { return tag < 0 && tag > INT32_MIN ? -tag : tag; }

/* --- element types --- */

/* Types and orders of nodes: Gmsh reference manual, "Node ordering". */
static const MshType element_types[] = {
  [1] = {1, 2, CELL_SIMPLEX, 2, 1, "lines", {0, 1}},
  [2] = {2, 3, CELL_SIMPLEX, 3, 1, "triangles", {0, 1, 2}},
  [3] = {2, 4, CELL_TENSOR, 4, 1, "quadrangles", {0, 1, 3, 2}},
  [4] = {3, 4, CELL_SIMPLEX, 4, 1, "tetrahedra", {0, 1, 2, 3}},
  [5] = {3, 8, CELL_TENSOR, 8, 1, "hexahedra", {0, 1, 3, 2, 4, 5, 7, 6}},
  [6] = {.dim = -1, .nodes = 6, .name = "prisms"},
  [7] = {.dim = -1, .nodes = 5, .name = "pyramids"},
  [8] = {1, 3, CELL_SIMPLEX, 2, 2, "second-order lines", {0, 1, 2}},
  [9] = {2, 6, CELL_SIMPLEX, 3, 2, "second-order triangles", {0, 1, 2, 4, 5, 3}},
  [10] = {2, 9, CELL_TENSOR, 4, 2, "second-order quadrangles", {0, 1, 3, 2, 4, 6, 7, 5, 8}},
  [11] = {3, 10, CELL_SIMPLEX, 4, 2, "second-order tetrahedra", {0, 1, 2, 3, 8, 9, 5, 7, 6, 4}},
  [12] = {3, 27, CELL_TENSOR, 8, 2, "second-order hexahedra",
          {0, 1, 3, 2, 4, 5, 7, 6, 8, 13, 16, 19, 9, 11, 17, 18, 10, 12, 15, 14, 22, 23, 21, 24, 20, 25, 26}},
  [13] = {.dim = -1, .nodes = 18, .name = "second-order prisms"},
  [14] = {.dim = -1, .nodes = 14, .name = "second-order pyramids"},
  [15] = {0, 1, CELL_SIMPLEX, 1, 1, "points", {0}},
  [16] = {2, 8, CELL_TENSOR, 4, 2, "quadrangles of 8 nodes", {0, 1, 3, 2, 4, 6, 7, 5}},
  [17] = {3, 20, CELL_TENSOR, 8, 2, "hexahedra of 20 nodes", {0, 1, 3, 2, 4, 5, 7, 6, 8, 13, 16, 19, 9, 11, 17, 18, 10, 12, 15, 14}},
  [18] = {.dim = -1, .nodes = 15, .name = "second-order prisms"},
  [19] = {.dim = -1, .nodes = 13, .name = "second-order pyramids"}};

static Status element_type(Reader *r, int type, const MshType **out) {
  const MshType *row = type > 0 && type < (int)(sizeof element_types / sizeof *element_types) ? &element_types[type] : NULL;
  if (!row || row->dim < 0) {
    char what[80];
    if (row) snprintf(what, sizeof what, "%s", row->name);
    else snprintf(what, sizeof what, "elements of type %d", type);
    return unsupported(r, what, row ? "mesh it with tetrahedra or with hexahedra alone" : "set Mesh.ElementOrder = 1 or 2 in Gmsh and write it again");
  }
  const MshType *before = r->file->elements[row->dim].type;
  *out = row;
  if (!before || before == row) return 0;
  diag_suggest(diag_report(r->diags, E1062, r->span, "%s has %s and %s", r->path, before->name, row->name), before->shape != row->shape
                   ? "in Gmsh recombine all surfaces or none (Mesh.RecombineAll), with Mesh.SubdivisionAlgorithm = 1 where triangles are left between quadrangles"
                   : "write all elements with one Mesh.ElementOrder");
  return 1;
}

/* --- sections --- */

static Status section_end(Reader *r, const char *name) {
  char want[40];
  size_t n = (size_t)snprintf(want, sizeof want, "$End%s", name);
  skip_space(r);
  if (r->len - r->at < n || memcmp(r->text + r->at, want, n)) return fault(r, want);
  r->at += n;
  return 0;
}

static Status read_format(Reader *r) {
  double version;
  int64_t type, size;
  TRY(real(r, "the version of the format", &version));
  TRY(text_integer(r, "0 (text) or 1 (binary)", &type));
  TRY(text_integer(r, "the size of numbers", &size));
  r->file->format = version >= 2.0 && version < 3 ? 22 : version >= 4.1 && version < 4.2 ? 41 : 0;
  if (!r->file->format) {
    char what[60];
    snprintf(what, sizeof what, "format %.2g", version);
    return unsupported(r, what, "formats 2.2 and 4.1 are: set Mesh.MshFileVersion = 4.1 in Gmsh and write it again");
  }
  if (size != 8) return unsupported(r, "numbers that are not of 8 bytes", "write it again on a 64-bit machine");
  if (type == 1) {
    int32_t one = 0;
    while (r->at < r->len && r->text[r->at] != '\n') r->at++;
    r->at += r->at < r->len;
    r->binary = true;
    TRY(bytes(r, sizeof one, "the number 1", &one));
    if (one == 0x01000000) r->swap = true;
    else if (one != 1) {
      r->at -= sizeof one;
      return fault(r, "the number 1");
    }
  }
  return section_end(r, "MeshFormat");
}

static Status read_names(Reader *r) {
  bool binary = r->binary;
  r->binary = false;   /* names are text in every file */
  int64_t n, dim, tag;
  TRY(text_integer(r, "the number of physical names", &n));
  TRY(counted(r, n, 6, "names"));
  for (int64_t i = 0; i < n; i++) {
    TRY(text_integer(r, "the dimension of a physical name", &dim));
    TRY(text_integer(r, "the tag of a physical name", &tag));
    skip_space(r);
    const char *open = r->text + r->at, *close = r->at < r->len && *open == '"' ? memchr(open + 1, '"', r->len - r->at - 1) : NULL;
    if (!close) return fault(r, "a name in double quotes");
    if (dim < 0 || dim > 3) return fault(r, "a dimension from 0 to 3");
    MshFile *f = r->file;
    f->groups = room(f->groups, f->ngroups, &f->group_cap, sizeof *f->groups);
    f->groups[f->ngroups++] = (MshGroup){(int)dim, (int)tag, strndup(open + 1, (size_t)(close - open) - 1)};
    r->at = (size_t)(close - r->text) + 1;
  }
  TRY(section_end(r, "PhysicalNames"));
  r->binary = binary;
  return 0;
}

static Status read_entities(Reader *r) {
  int64_t n[4], k;
  for (int d = 0; d < 4; d++) TRY(wide(r, "the number of entities", &n[d]));
  for (int d = 0; d < 4; d++) {
    TRY(counted(r, n[d], 8, "entities"));
    for (int64_t i = 0; i < n[d]; i++) {
      int tag, physical;
      double box;
      TRY(integer(r, "the tag of an entity", &tag));
      for (int q = 0; q < (d ? 6 : 3); q++) TRY(real(r, "a coordinate of an entity", &box));
      TRY(wide(r, "the number of physical groups", &k));
      TRY(counted(r, k, 2, "physical groups"));
      for (int64_t q = 0; q < k; q++) {
        TRY(integer(r, "the tag of a physical group", &physical));
        add_entity(r->file, d, tag, unsigned_tag(physical));
      }
      if (!d) continue;
      TRY(wide(r, "the number of bounding entities", &k));
      TRY(counted(r, k, 2, "bounding entities"));
      for (int64_t q = 0; q < k; q++) TRY(integer(r, "a bounding entity", &tag));
    }
  }
  return section_end(r, "Entities");
}

static Status read_nodes22(Reader *r) {
  int64_t n, tag;
  TRY(text_integer(r, "the number of nodes", &n));
  TRY(counted(r, n, 8, "nodes"));
  if (r->binary && r->at < r->len) r->at++;   /* the newline */
  for (int64_t i = 0; i < n; i++) {
    double x[3];
    int t;
    if (r->binary) {
      TRY(integer(r, "a node number", &t));
      tag = t;
    } else {
      TRY(text_integer(r, "a node number", &tag));
    }
    for (int d = 0; d < 3; d++) TRY(real(r, "a coordinate", &x[d]));
    add_node(r->file, tag, x);
  }
  return section_end(r, "Nodes");
}

static Status read_nodes41(Reader *r) {
  int64_t blocks, total, least, most;
  TRY(wide(r, "the number of node blocks", &blocks));
  TRY(wide(r, "the number of nodes", &total));
  TRY(wide(r, "the smallest node tag", &least));
  TRY(wide(r, "the largest node tag", &most));
  TRY(counted(r, blocks, 8, "node blocks"));
  for (int64_t b = 0; b < blocks; b++) {
    int dim, entity, parametric;
    int64_t n;
    TRY(integer(r, "the dimension of a node block", &dim));
    TRY(integer(r, "the entity of a node block", &entity));
    TRY(integer(r, "0 or 1 (parametric)", &parametric));
    TRY(wide(r, "the number of nodes of a block", &n));
    if (dim < 0 || dim > 3) return fault(r, "a dimension from 0 to 3 before the number of nodes");
    TRY(counted(r, n, 8, "nodes"));
    size_t first = r->file->nnodes;
    for (int64_t i = 0; i < n; i++) {
      int64_t tag;
      TRY(wide(r, "a node tag", &tag));
      add_node(r->file, tag, (double[3]){0});
    }
    for (int64_t i = 0; i < n; i++) {
      double u;
      for (int d = 0; d < 3; d++) TRY(real(r, "a coordinate", &r->file->x[3 * (first + (size_t)i) + (size_t)d]));
      for (int d = 0; d < (parametric ? dim : 0); d++) TRY(real(r, "a parametric coordinate", &u));
    }
  }
  return section_end(r, "Nodes");
}

static Status element22(Reader *r, int type, int ntags) {
  int tag, physical = 0, entity = 0, value;
  const MshType *of;
  int64_t node[27];
  if (r->binary) TRY(integer(r, "an element number", &tag));
  else {
    TRY(integer(r, "an element number", &tag));
    TRY(integer(r, "an element type", &type));
    TRY(integer(r, "the number of tags", &ntags));
  }
  TRY(element_type(r, type, &of));
  TRY(counted(r, ntags, 2, "tags"));
  for (int q = 0; q < ntags; q++) {
    TRY(integer(r, "an element tag", &value));
    if (q == 0) physical = unsigned_tag(value);
    if (q == 1) entity = value;
  }
  for (int q = 0; q < of->nodes; q++) {
    TRY(integer(r, "a node of an element", &value));
    node[q] = value;
  }
  add_element(r->file, of, tag, entity, physical, node);
  return 0;
}

static Status read_elements22(Reader *r) {
  int64_t n;
  TRY(text_integer(r, "the number of elements", &n));
  TRY(counted(r, n, 8, "elements"));
  if (!r->binary) {
    for (int64_t i = 0; i < n; i++) TRY(element22(r, 0, 0));
  } else {
    r->at += r->at < r->len;
    for (int64_t done = 0; done < n;) {
      int type, count, ntags;
      TRY(integer(r, "an element type", &type));
      TRY(integer(r, "a number of elements", &count));
      TRY(integer(r, "a number of tags", &ntags));
      if (count < 1 || count > n - done) return fault(r, "elements as many as announced");
      for (int i = 0; i < count; i++) TRY(element22(r, type, ntags));
      done += count;
    }
  }
  return section_end(r, "Elements");
}

static Status read_elements41(Reader *r) {
  int64_t blocks, total, least, most;
  TRY(wide(r, "the number of element blocks", &blocks));
  TRY(wide(r, "the number of elements", &total));
  TRY(wide(r, "the smallest element tag", &least));
  TRY(wide(r, "the largest element tag", &most));
  TRY(counted(r, blocks, 8, "element blocks"));
  for (int64_t b = 0; b < blocks; b++) {
    int edim, entity, type;
    const MshType *of;
    int64_t n, tag, node[27];
    TRY(integer(r, "the dimension of an element block", &edim));
    TRY(integer(r, "the entity of an element block", &entity));
    TRY(integer(r, "an element type", &type));
    TRY(wide(r, "the number of elements of a block", &n));
    TRY(element_type(r, type, &of));
    TRY(counted(r, n, 4, "elements"));
    for (int64_t i = 0; i < n; i++) {
      TRY(wide(r, "an element tag", &tag));
      for (int q = 0; q < of->nodes; q++) TRY(wide(r, "a node of an element", &node[q]));
      add_element(r->file, of, tag, entity, 0, node);
    }
  }
  return section_end(r, "Elements");
}

/* Goes past $End<name> of a section that is not needed (fields, periodicity). */
static Status skip_section(Reader *r, const char *name, size_t n) {
  char want[80];
  int len = snprintf(want, sizeof want, "$End%.*s", (int)(n < 60 ? n : 60), name);
  const char *found = memmem(r->text + r->at, r->len - r->at, want, (size_t)len);
  if (!found) {
    r->at = r->len;
    return fault(r, want);
  }
  r->at = (size_t)(found - r->text) + (size_t)len;
  return 0;
}

static Status read_section(Reader *r) {
  const char *name = r->text + r->at + 1;
  size_t n = 0;
  while (r->at + 1 + n < r->len && (unsigned char)name[n] > ' ') n++;
#define IS(text) (n == strlen(text) && !memcmp(name, text, n))
  bool old = r->file->format == 22;
  if (!r->file->format && !IS("MeshFormat") && !IS("Comments")) return fault(r, "$MeshFormat");
  if (IS("PartitionedEntities")) return unsupported(r, "a partitioned mesh", "write the whole mesh: Mesh.PartitionCreateTopology = 0, or do not partition");
  r->at += 1 + n;
  bool data = IS("Entities") || IS("Nodes") || IS("Elements");
  if (r->binary && data && !old) {   /* binary data follow the end of the line */
    while (r->at < r->len && r->text[r->at] != '\n') r->at++;
    r->at += r->at < r->len;
  }
  if (IS("MeshFormat")) return read_format(r);
  if (IS("PhysicalNames")) return read_names(r);
  if (IS("Entities")) return read_entities(r);
  if (IS("Nodes")) return old ? read_nodes22(r) : read_nodes41(r);
  if (IS("Elements")) return old ? read_elements22(r) : read_elements41(r);
#undef IS
  return skip_section(r, name, n);
}

Status msh_parse(const char *path, const char *text, size_t len, Diags *diags, Span span, MshFile *out) {
  *out = (MshFile){0};
  Reader r = {.path = path, .text = text, .len = len, .diags = diags, .span = span, .file = out, .c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  Status status = 0;
  while (!status) {
    bool binary = r.binary;
    skip_space(&r);
    if (r.at >= r.len) break;
    r.binary = false;
    if (r.text[r.at] != '$') status = fault(&r, out->format ? "a section ($Nodes, $Elements, ...)" : "$MeshFormat: this is no .msh file");
    r.binary = binary;
    if (!status) status = read_section(&r);
  }
  if (!status && !out->format) status = fault(&r, "$MeshFormat");
  if (!status && !out->nnodes) status = fault(&r, "$Nodes with nodes");
  freelocale(r.c);
  return status;
}

void msh_free(MshFile *f) {
  for (int d = 0; d < 4; d++) {
    free(f->elements[d].node);
    free(f->elements[d].tag);
    free(f->elements[d].entity);
    free(f->elements[d].physical);
  }
  for (size_t i = 0; i < f->ngroups; i++) free(f->groups[i].name);
  free(f->groups);
  free(f->entities);
  free(f->node_tag);
  free(f->x);
}

static char *whole_file(const char *path, size_t *len, const char **why) {
  FILE *in = fopen(path, "rb");
  char *text = NULL;
  size_t cap = 1 << 16, n = 0, got;
  if (!in) {
    *why = strerror(errno);
    return NULL;
  }
  if (!fseek(in, 0, SEEK_END) && ftell(in) > 0) cap = (size_t)ftell(in) + 1;
  rewind(in);
  text = big_alloc(cap + 1);
  while ((got = fread(text + n, 1, cap - n, in)) > 0) {
    n += got;
    if (n < cap) continue;
    text = big_resize(text, n, 2 * cap + 1);
    cap *= 2;
  }
  if (ferror(in)) {
    *why = strerror(errno);
    free(text);
    text = NULL;
  } else {
    text[n] = 0;
  }
  fclose(in);
  *len = n;
  return text;
}

Status mesh_read(const char *path, double scale, Interner *names, Diags *diags, Span span, Mesh **out) {
  size_t len = 0;
  const char *why = NULL;
  char *text = whole_file(path, &len, &why);
  if (!text) {
    diag_suggest(diag_report(diags, E1010, span, "%s can't be read: %s", path, why), "a file is looked for beside the script, then in the directory you are in");
    return 1;
  }
  MshFile file;
  Status status = msh_parse(path, text, len, diags, span, &file);
  free(text);
  if (!status) status = msh_build(path, &file, scale, names, diags, span, out);
  msh_free(&file);
  return status;
}
