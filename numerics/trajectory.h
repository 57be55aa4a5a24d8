/* Measured trajectories: one state on a regular grid in one or two dimensions at increasing times, from arrays in the layout of a trajectory file:
 *   t [nt], x [nx], y [ny] (none in one dimension), the state by its name [nt][ny][nx]; units beside the arrays; NaN: a value that is missing.
 * A table of columns t, x, y, state (CSV) becomes the same: rows in any order, those that lack are missing values. Values in memory are in SI.
 *
 * Errors: E4030 an array is missing, E4031 shapes, E4032 not increasing, E4033 not regular, E4034 units, E4035 two that do not belong together, E4036 too
 * few nodes or snapshots, E4037 values. */
#ifndef TRAJECTORY_H
#define TRAJECTORY_H
#include "../lang/sha256.h"
#include "../lang/unit.h"
#include "arrays.h"

/* Time is cut in four: fields are fitted on the first, smoothness is chosen on the second, laws are scored on the third; the fourth is sealed. */
enum { TRAJECTORY_INTERVALS = 4, TRAJECTORY_SEALED = 3 };

typedef struct Trajectory {
  int dim, nx, ny, nt;               /* one dimension: ny is 1 and y NULL */
  double *x, *y, *t;                 /* increasing; x and y in equal steps */
  double *u;                         /* [nt][ny][nx]; NAN: missing */
  Unit space, time, state;           /* UNIT_NONE where the file tells none */
} Trajectory;

typedef struct TrajectoryForm {
  const char *state;                 /* name of its array */
  int dim;                           /* 1 or 2 */
  bool columns;                      /* the arrays are columns of a table */
} TrajectoryForm;

/* Takes what it needs out of `file`. where: its name, for messages. A failing call leaves *out empty. Values are not looked at: trajectory_values. */
Status trajectory_from_arrays(ArrayFile *file, const TrajectoryForm *form, const char *where, Diags *diags, Span span, Trajectory *out);
void trajectory_free(Trajectory *trajectory);
static inline size_t trajectory_nodes(const Trajectory *t) { return (size_t)t->nx * (size_t)t->ny; }

/* The four quarters of the time span: interval i has the snapshots start[i] .. start[i+1). E4036 where one has fewer than `least`. */
Status trajectory_cut(const Trajectory *trajectory, int least, const char *where, Diags *diags, Span span, int start[TRAJECTORY_INTERVALS + 1]);
/* Snapshots first .. last): are they numbers? *missing of them are NaN. E4037: infinite, or none is there. */
Status trajectory_values(const Trajectory *trajectory, int first, int last, const char *where, Diags *diags, Span span, long *missing);
/* Same grid, times and units; E4034, E4035. */
Status trajectory_agree(const Trajectory *a, const char *where_a, const Trajectory *b, const char *where_b, Diags *diags, Span span);
bool trajectory_uniform(const Trajectory *trajectory, int first, int last);      /* snapshots first .. last) come in equal steps */

/* The snapshots first .. last) as arrays of a file (owned by *out), or into a digest: times, then states, as little-endian doubles, every NaN the same. */
void trajectory_to_arrays(const Trajectory *trajectory, const char *state, int first, int last, ArrayFile *out);
void trajectory_digest(const Trajectory *trajectory, int first, int last, Sha256 *sha);
/* State [nx][ny][nt], as the evaluator reads it; free. */
double *trajectory_by_nodes(const Trajectory *trajectory);

#endif
