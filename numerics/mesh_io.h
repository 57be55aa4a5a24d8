/* A .msh file as it stands: nodes, elements by dimension, physical groups. Read by mesh_io.c, made a mesh by mesh_io_build.c. */
#ifndef MESH_IO_H
#define MESH_IO_H
#include <stdint.h>

#include "mesh.h"

/* A type of elements; nodes in our order: our node k is node order[k] of the file. Of order 2 the nodes beside the vertices are those of the quadratic map. */
typedef struct MshType {
  int dim, nodes;        /* dim -1: not read */
  CellShape shape;
  int verts, degree;
  const char *name;
  uint8_t order[27];
} MshType;

typedef struct MshElements {
  const MshType *type;   /* of all of them, NULL: there are none */
  int64_t *node;         /* [n][type->nodes] node tags */
  int64_t *tag;          /* [n] element number in the file */
  int *entity;           /* [n] elementary entity, which has the physical groups in format 4.1 */
  int *physical;         /* [n] format 2.2: physical tag, 0: none; an element of several groups stands there several times */
  size_t n, cap;
} MshElements;

typedef struct MshEntity { int dim, tag, physical; } MshEntity;    /* an entity and one physical group of it */

typedef struct MshGroup { int dim, tag; char *name; } MshGroup;

typedef struct MshFile {
  int format;            /* 22 or 41 */
  int64_t *node_tag;     /* [nnodes] */
  double *x;             /* [nnodes][3] */
  size_t nnodes, node_cap;
  MshElements elements[4];
  MshEntity *entities; size_t nentities, entity_cap;
  MshGroup *groups; size_t ngroups, group_cap;
} MshFile;

/* Parses the len bytes of text, which a NUL follows; path for messages. */
Status msh_parse(const char *path, const char *text, size_t len, Diags *diags, Span span, MshFile *out);
void msh_free(MshFile *file);
Status msh_build(const char *path, const MshFile *file, double scale, Interner *names, Diags *diags, Span span, Mesh **out);

#endif
