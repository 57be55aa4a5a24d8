/* What a picture shows, as a stream of small triangles and outline segments in model coordinates: the cells of a 2D mesh, the surface of a 3D
 * one or a slice through it, moved by a displacement if there is one. Curved fields and shapes are subdivided to what the eye sees
 * at the size of the view. */
#ifndef PLOT_SCENE_H
#define PLOT_SCENE_H
#include "nodal.h"

/* Model coordinates to pixels (y down) and depth (greater is nearer). */
typedef struct SceneView { double m[3][4]; } SceneView;

typedef struct SceneTriangle {
  double x[3][3];          /* corners in model coordinates; of a slice: in-plane coordinates, third 0 */
  double normal[3][3];     /* of a surface, outward, smooth across small angles */
  double value[3];         /* scalar, or magnitude */
  double vector[3][3];     /* components of a vector; of a slice: in-plane ones */
  bool edge[3];            /* side from corner i to i+1 lies on a side of a cell; of two neighbours one says so */
  int cell, facet;         /* facet: index in the mesh's table, -1 inside */
} SceneTriangle;

typedef struct Scene {
  Mesh *mesh;
  const NodalField *field, *deform;   /* NULL: none */
  double deform_scale;
  bool sliced, flat;                  /* flat: a 2D picture */
  double origin[3], axis[3][3];       /* slice: axis[0], axis[1] span the plane, axis[2] is its normal, origin lies on it */
  char label[2][8];                   /* names of the picture's axes */
  double lo[3], hi[3];                /* what is drawn, in model coordinates */
  double value_lo, value_hi;          /* of the field at the points drawn */
  bool empty;
  SceneView view;
  double toward[3], light[3];         /* of a surface: to the viewer, to the light */
  float (*normals)[4][3];             /* [nboundary][corners, as scene_ring has them] of a surface */
  double *position;                   /* [nverts][3] of the moved vertices */
  struct SceneTables *tables;
} Scene;

/* plane: a b c d of a x + b y + c z = d, or NULL. false: memory is out. */
bool scene_open(Scene *scene, Mesh *mesh, const NodalField *field, const NodalField *deform, double deform_scale, const double *plane);
void scene_close(Scene *scene);

/* Fits the scene into a rectangle of pixels with equal scales; flat scenes with `stretch` fill it. Then value_lo, value_hi. */
void scene_fit(Scene *scene, double x, double y, double width, double height, bool stretch);
/* Width over height of what is drawn as the viewer sees it. */
double scene_aspect(const Scene *scene);
void scene_range(Scene *scene);
void scene_project(const Scene *scene, const double *x, double *out /* x, y, depth */);

typedef void (*SceneDraw)(void *user, const SceneTriangle *triangle);
void scene_triangles(const Scene *scene, SceneDraw draw, void *user);
/* Boundary of a 2D scene or slice (facet of each segment), sharp edges of a surface (facet -1). */
typedef void (*SceneSegment)(void *user, const double *p, const double *q, int facet);
void scene_outline(const Scene *scene, SceneSegment draw, void *user);
/* The undeformed outline of a scene with a displacement. */
void scene_ghost(const Scene *scene, SceneSegment draw, void *user);

/* --- shared by plot_scene.c and plot_slice.c --- */
int scene_subdivisions(const Scene *scene, const double (*corner)[3], int n, bool curved);
void scene_slice_triangles(const Scene *scene, SceneDraw draw, void *user);
void scene_slice_outline(const Scene *scene, SceneSegment draw, void *user);
bool scene_slice_open(Scene *scene, const double *plane);
/* Local vertices around a cell of a 2D mesh (facet: any) or around a local facet of a solid cell, counter-clockwise seen from outside; 3 or 4. */
int scene_ring(const RefCell *cell, int facet, int *vertex);

#endif
