/* Laws as a search writes them: u_t = sum over groups, each with one unknown field C, of sum over its terms of factor * d_x^a d_y^b (C * g(u)). What a law
 * means, and which laws are the same, is not decided here: a structure becomes text, and whoever scores it reads that like any hypothesis. Pure. */
#ifndef STRUCTURE_H
#define STRUCTURE_H
#include <stdbool.h>
#include <stdint.h>

#include "../lang/buf.h"

enum { STRUCTURE_GROUPS = 8, STRUCTURE_TERMS = 8, STRUCTURE_FACTORS = 2, STRUCTURE_OUTER = 2 };
enum { STRUCTURE_X = 1, STRUCTURE_Y = 2, STRUCTURE_KNOWN = 4 };   /* what a field depends on; KNOWN: the group has no field, its terms are as they stand */

/* What candidates may be made of. */
typedef struct StructureLanguage {
  const char *state;
  int dims;                              /* coordinates of space: x, or x and y */
  int order;                             /* highest derivative of the state, 1 .. 4 */
  int fields;                            /* at most so many in a law */
  const char *const *function; int nfunctions;
} StructureLanguage;

/* u^power * function(u) * product of nd derivatives d_x^i d_y^j u, the highest first. */
typedef struct Monomial { unsigned char power, function, nd, d[STRUCTURE_FACTORS][2]; } Monomial;      /* function: 0 none, k + 1 */
typedef struct StructureTerm { signed char factor; unsigned char outer[2]; Monomial g; } StructureTerm;
typedef struct StructureGroup { unsigned domain; int n; StructureTerm term[STRUCTURE_TERMS]; } StructureGroup;
typedef struct Structure { int n; StructureGroup group[STRUCTURE_GROUPS]; } Structure;

bool structure_equal(const Structure *a, const Structure *b);
int structure_fields(const Structure *law);                     /* groups with a field */
int structure_terms(const Structure *law);
bool structure_within(const Structure *law, const StructureLanguage *language);      /* order and number of fields */
/* Right side, `dx(C1*dx(u)) + dy(C1*dy(u))`; no group: 0. Group k has the field structure_field(k). */
void structure_text(const Structure *law, const StructureLanguage *language, Buf *out);
/* The clauses of a hypothesis: its unknown fields and its equation. */
void structure_hypothesis(const Structure *law, const StructureLanguage *language, Buf *out);
void structure_field(int group, const StructureLanguage *language, char name[16]);

/* --- the grammar: additions, as rows of structure.def ------------------------------------------------------------------------------------------------------- */

typedef enum StructureFamily { FAMILY_DIFFUSION, FAMILY_TRANSPORT, FAMILY_REACTION, FAMILY_SOURCE, FAMILY_SATURATION, FAMILY_GRADIENT, FAMILY_MIXED, FAMILY_HIGHER } StructureFamily;
typedef struct Addition { StructureFamily family; Structure law; } Addition;
/* What the language has, without repetition, by plausibility. The caller's: free it. */
Addition *structure_additions(const StructureLanguage *language, int *n);
Structure structure_read(const char *row, const StructureLanguage *language);      /* in the words of a row; F is the language's first function */
bool structure_join(Structure *law, const Structure *more);     /* false: no room, or nothing new in it */
/* Terms without outer derivative, each with a field of its own: what methods choose from that know no shared fields. At most `room`; their number. */
int structure_library(const StructureLanguage *language, Structure *out, int room);
/* Every linear term up to order 2, each with a field of its own, as many as the language allows: the law that the others are special cases of. */
void structure_envelope(const StructureLanguage *language, Structure *out);

/* --- local moves -------------------------------------------------------------------------------------------------------------------------------------------------- */

typedef enum StructureMove {
#define MOVE(NAME, rank, text) MOVE_##NAME,
#include "structure.def"
  STRUCTURE_MOVES
} StructureMove;
extern const char *const structure_move_name[STRUCTURE_MOVES];

/* What is known of a scored law: fields of its groups on anchors [ny][nx], and how far the fits of the trajectories differ (relative L2, where both tell
 * the field). NULL values and negative differences: not known, as of fields that only sums with others determine. */
typedef struct StructureEvidence {
  int nx, ny;
  const double *x, *y;
  const double *value[STRUCTURE_GROUPS];
  double difference[STRUCTURE_GROUPS];
  bool hidden[STRUCTURE_GROUPS];         /* the excitations do not reveal this field, however good the score is */
  double ceiling;                        /* error that noise alone leaves to this law if it is true; 0: not known */
  bool unexplained;                      /* the error is far above that */
} StructureEvidence;

/* rank: how much the move changes the fitted fields, in units of their own uncertainty; where that is not known, a constant of the move. */
typedef struct StructureStep { StructureMove move; double rank; bool measured; Structure law; } StructureStep;
typedef struct StructureSteps { StructureStep *step; int n, room; } StructureSteps;
/* All laws one move away within the language, in the order of the moves; evidence may be NULL. */
void structure_moves(const Structure *law, const StructureLanguage *language, const Addition *addition, int nadditions, const StructureEvidence *evidence, StructureSteps *out);
void structure_steps_free(StructureSteps *steps);

#endif
