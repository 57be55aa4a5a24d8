/* Searches for the structure of a law, over whoever scores it: they see what any agent sees, scores and evidence, and know nothing of how a law is
 * fitted. The same language, options and answers give the same trials in the same order; a stopped search that is run again, with a judge that
 * remembers, goes the same way and on. Pure.
 *
 *   beam     no law at all; laws of different families; the law of all linear terms; then local moves from the best few laws, those first that the fitted
 *            fields ask for and whose parent is good, one at a time; now and then a law from the grammar instead
 *   random   laws from the grammar */
#ifndef STRUCTURE_SEARCH_H
#define STRUCTURE_SEARCH_H
#include "structure.h"

typedef enum StructureState {
  STRUCTURE_SCORED,
  STRUCTURE_FAILED,                      /* it is a law, but the data do not determine it: not charged */
  STRUCTURE_INVALID,                     /* not in the language: not charged */
  STRUCTURE_SPENT,                       /* the judge's own budget is used up */
  STRUCTURE_STOPPED,                     /* interrupted, or an error that the judge has reported */
} StructureState;

typedef struct StructureScore {
  StructureState state;
  char id[72];                           /* of the canonical form: laws of the same id are the same */
  int fields;                            /* of the canonical form */
  double error, direction[2];            /* 1: no better than u_t = 0 */
  double deviation;                      /* standard error of `error`; 0: not known */
  double difference;                     /* of the field that differs most between the trajectories */
} StructureScore;

struct StructureHunt;
typedef struct StructureJudge {
  void (*score)(void *user, const Structure *law, StructureScore *out);
  /* Fields of a scored law by its groups; false: none. What it points to lives until the next call. May be NULL. */
  bool (*evidence)(void *user, const Structure *law, const StructureScore *score, StructureEvidence *out);
  void (*trial)(void *user, const struct StructureHunt *hunt);        /* after each new trial; may be NULL */
  void *user;
} StructureJudge;

typedef enum StructureMethod { STRUCTURE_BEAM, STRUCTURE_RANDOM } StructureMethod;

typedef struct StructureOptions {
  StructureMethod method;
  int budget;                            /* different laws, the empty one among them */
  int parents;                           /* laws that are refined */
  int diversify;                         /* families scored before any refinement */
  double explore;                        /* share of later trials that come from the grammar */
  double field_price;                    /* each field has to lower the error by this share */
  double stability;                      /* a law with a field that differs by more is not submitted */
  double within;                         /* above 0: of stable laws whose error is within this share of the least, the simplest; else that of least price */
  uint64_t seed;
  bool shuffled;                         /* additions and moves in no order of plausibility */
} StructureOptions;
extern const StructureOptions structure_defaults;

enum { FROM_START = -1, FROM_FAMILY = -2, FROM_ENVELOPE = -3, FROM_GRAMMAR = -4, FROM_OTHERS = -5 };
typedef struct StructureTrial {
  Structure law;
  StructureScore score;
  int parent;                            /* trial that it was made from by `move`, or a FROM_ */
  StructureMove move;
  double rank;
  bool measured;                         /* the rank is by the parent's fields */
} StructureTrial;

/* What to submit. -1: nothing was scored, or nothing is stable. */
typedef struct StructureChoice {
  int submit;                            /* least price among the stable, the shorter law where it is equal; or as `within` says */
  int best;                              /* least error */
  int one_error;                         /* fewest fields within one standard error of the best, then least error */
  bool recommended;                      /* false: even `submit` is no better than no law, or leaves far more than noise does */
  double ceiling;                        /* of `submit`; 0: not known */
  unsigned hidden;                       /* bits 1 << group of `submit`: fields that the data do not reveal */
} StructureChoice;

typedef enum StructureEnd { HUNT_CONVERGED, HUNT_BUDGET, HUNT_STOPPED } StructureEnd;
typedef struct StructureHunt {
  StructureLanguage language;
  StructureOptions options;
  StructureTrial *trial; int n;          /* in the order of scoring, each law once */
  int scored;                            /* of them, what counts against the budget */
  StructureEnd end;
  StructureChoice choice;
} StructureHunt;

void structure_hunt(const StructureLanguage *language, const StructureOptions *options, const StructureJudge *judge, StructureHunt *out);
/* The same for laws that something else proposes: they are scored in their order. */
void structure_try(const StructureLanguage *language, const StructureOptions *options, const StructureJudge *judge, const Structure *law, int n, StructureHunt *out);
void structure_hunt_free(StructureHunt *hunt);
double structure_price(const StructureOptions *options, const StructureScore *score);      /* error * (1 + field_price)^fields */
StructureChoice structure_choose(const StructureHunt *hunt, const StructureJudge *judge);   /* of the trials so far */

#endif
