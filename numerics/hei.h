/* How well a law u_t = known(u) + sum_k sum_(a,b) d_x^a d_y^b C_k(x, y) * g_k,ab(u) with unknown coefficient fields C_k explains two measured trajectories.
 *
 *   denoising     once a trajectory: a tensor quintic P-spline (Eilers and Marx, 1996) with a penalty of order 4, smoothing by generalised cross
 *                 validation; then the space-time singular values above the edge of the noise, and the spline again. Derivatives of u are the spline's.
 *   weak rows     the equation averaged against cubic B-splines in x, y and t, each row weighed by the noise that the smoother lets through
 *   fields        tensor cubic B-splines, penalised by second differences; a field may depend on x alone or y alone, or be a constant
 *   fit, choice   coefficients from interval 1 and smoothness from interval 2 of a trajectory (and with the two exchanged), seen by the other
 *                 trajectory's first two intervals; then coefficients from both intervals
 *   score         the relative weighted weak residual on interval 3 of the other trajectory, in both directions; u_t = 0 scores 1
 *
 * What a candidate needs are Gram blocks of pairs of its fields, G_k'W^2 G_l, which candidates share. Nothing of the size of the data is kept but the
 * data; the cache of averages, rows and Gram blocks stays within a budget. A block is computed in one way whoever asks first, so a score does not depend
 * on what was evaluated before, to the last bit (with one BLAS thread). Pure: BLAS and LAPACK alone. */
#ifndef HEI_H
#define HEI_H
#include <stdbool.h>
#include <stddef.h>

enum { HEI_ORDER = 4, HEI_JETS = (HEI_ORDER + 1) * (HEI_ORDER + 2) / 2, HEI_MAX_FIELDS = 8, HEI_INTERVALS = 3, HEI_SEALED = HEI_INTERVALS };
enum { HEI_X = 1, HEI_Y = 2 };       /* what a field depends on; 0: a constant */

/* Index of d_x^i d_y^j u, i + j <= HEI_ORDER. */
static inline int hei_jet(int i, int j) { return (i + j) * (i + j + 1) / 2 + j; }

/* What is known of u at either end of an axis. A side that is unknown is tested for: the most likely one by cross validation is used, and
 * hei_prepared says which. */
typedef enum HeiSide {
  HEI_SIDE_UNKNOWN,
  HEI_SIDE_FREE,                     /* nothing: prescribed values, or a window of something larger */
  HEI_SIDE_ZERO_FLUX,                /* no slope across the side: u goes on as its mirror image */
  HEI_SIDE_PERIODIC,                 /* u goes on at the other end, one step after the last node or (found by itself) at the last node */
} HeiSide;

typedef struct HeiData {
  int nx, ny;                        /* nodes; ny 1: one dimension */
  double x[2], y[2];                 /* first and last node of a regular grid */
  int start[HEI_INTERVALS + 1];      /* interval i has snapshots start[i] .. start[i+1); start[0] is 0 */
  const double *t;                   /* [start[3]], increasing, any steps */
  const double *u[2];                /* [nx][ny][stride], borrowed while the evaluator is opened; later snapshots are not read. NaN: missing */
  int stride;                        /* snapshots a node */
  HeiSide side[2];                   /* of the x and the y axis */
} HeiData;

typedef struct HeiOptions {
  int smooth_space, smooth_time;     /* knot intervals of the smoother */
  double noise_edge;                 /* singular values below this multiple of the noise's largest one are cut; 0: none is */
  int tests_space, tests_time;       /* knot intervals of the test functions; time: of each interval */
  int field;                         /* knot intervals of a field */
  bool each;                         /* a smoothness for each field, else a common one */
  size_t budget;                     /* bytes of cached blocks; 0: 512 MiB */
  int threads;                       /* that a batch may use; 0: one */
} HeiOptions;
extern const HeiOptions hei_for_scores, hei_for_fields;
/* `options` with no more knots than the grid and the intervals of `data` can carry. */
HeiOptions hei_options_for(const HeiOptions *options, const HeiData *data);

/* A function of u and its derivatives in space, by points: out[n] from jet[hei_jet(i, j)][n] of those in `jets`. The same key is the same feature.
 * Several threads may call `values` at once. */
typedef struct HeiFeature {
  const char *key;
  unsigned jets;                     /* bits 1 << hei_jet(i, j) */
  const double *linear;              /* [HEI_JETS] when it is a linear combination of them (cheaper), else NULL and: */
  void (*values)(void *user, const double *const *jet, long n, double *out);
  void *user;
} HeiFeature;

typedef struct HeiPart { int dx, dy; double factor; int feature; } HeiPart;     /* d_x^dx d_y^dy C * factor * g; dx, dy <= 2 */
typedef struct HeiField { unsigned domain; const HeiPart *part; int nparts; } HeiField;
/* Smoothness is moved field by field in the order given, so one law has to come in one order: that of its canonical form. */
typedef struct HeiCandidate {
  const HeiField *field; int nfields;
  const HeiPart *known; int nknown;  /* terms without a field; dx, dy are 0 */
} HeiCandidate;

typedef enum HeiOutcome {
  HEI_OK,
  HEI_GRID,                          /* too few nodes or snapshots for the options, or times that do not increase */
  HEI_DATA,                          /* a value of the data is infinite */
  HEI_MISSING,                       /* so many values are missing that too few weak rows are left in an interval */
  HEI_CONSTANT,                      /* u does not change in time where it has to be explained */
  HEI_ILL_FORMED,                    /* too many fields, a derivative or a feature that is not there */
  HEI_NOT_FINITE,                    /* a feature has no finite value on the data */
  HEI_VANISHES,                      /* what a field multiplies is zero on the data: it cannot be told */
  HEI_SINGULAR,                      /* the fields cannot be told from each other at any smoothness */
} HeiOutcome;
const char *hei_outcome_text(HeiOutcome outcome);

typedef struct HeiResult {
  HeiOutcome outcome;
  int at;                            /* HEI_VANISHES: the field */
  double error, direction[2];        /* sqrt of the mean square; [0]: fitted on the first trajectory and scored on the second */
  double standard_error;             /* of `error`, by bootstrap over blocks of neighbouring test functions (from which data it is scored, not fitted) */
  int nfields;
  double smoothness[2][HEI_MAX_FIELDS];
  double difference[HEI_MAX_FIELDS]; /* relative L2 between the fields fitted on either trajectory, on the grid */
  double stability[HEI_MAX_FIELDS];  /* the same where both trajectories tell the field: weighed by information, so no extrapolated rim counts */
  int first[HEI_MAX_FIELDS + 1];     /* coefficients of field k: first[k] .. first[k+1) */
  double *coefficients[2];           /* of either fit; the caller's: hei_result_free */
} HeiResult;
void hei_result_free(HeiResult *result);

typedef struct Hei Hei;
/* Denoises both trajectories. NULL when *outcome is not HEI_OK. */
Hei *hei_open(const HeiData *data, const HeiOptions *options, HeiOutcome *outcome);
void hei_close(Hei *hei);

/* Number of a feature; key and linear are copied, `user` is borrowed until the end. */
int hei_feature(Hei *hei, const HeiFeature *feature);
/* One result for each candidate, each as if it were alone. */
void hei_evaluate(Hei *hei, int n, const HeiCandidate *candidate, HeiResult *result);

/* The fields as they are reported: from both trajectories and all three intervals. */
typedef struct HeiPooled {
  double *coefficients;              /* as in HeiResult; the caller's: free it */
  double smoothness[HEI_MAX_FIELDS]; /* geometric mean of the two choices */
  double freedom[HEI_MAX_FIELDS];    /* effective degrees of freedom of each field */
  double condition;                  /* of the penalised normal matrix, scaled to a unit diagonal; 0: there is no field */
} HeiPooled;
/* `result`: what hei_evaluate gave for this candidate, HEI_OK. */
HeiOutcome hei_pool(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiPooled *out);

/* Values [nx][ny] of the field with these coefficients. */
void hei_field_values(const Hei *hei, unsigned domain, const double *coefficients, double *values);
/* A field as evidence, on the nodes [nx][ny] of the data, and how far it can be believed. */
typedef struct HeiFieldEvidence {
  double *value;
  double *deviation;                 /* standard deviation, from the residuals' blocks; large where smoothness alone says the value */
  double *information;               /* 0 .. 1: size^2/(size^2 + deviation^2) with size the field's root mean square; 1/2: uncertain by as much as the field is */
  double smoothness, freedom;        /* as in HeiPooled */
  double stability, correlation;     /* between the fits on either trajectory, weighed by information: relative L2, Pearson's r */
  double uncertainty;                /* expected relative L2 error: root mean square of the deviation over that of the value */
  double revealed;                   /* share of the domain where information is above 0.9 */
  bool identifiable;                 /* false: do not believe it, however good the score is */
} HeiFieldEvidence;

typedef struct HeiEvidence {
  HeiPooled pooled;
  int nfields;
  HeiFieldEvidence field[HEI_MAX_FIELDS];
  double ceiling[2], noise_ceiling;  /* the score that noise alone leaves to this law if it is right, by direction (of scoring) and together */
  bool explained;                    /* the score is near the noise ceiling. False for the best law: the truth is outside of the language; recommend none */
} HeiEvidence;
/* `result`: what hei_evaluate gave for this candidate, HEI_OK. Deterministic. */
HeiOutcome hei_evidence(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiEvidence *out);
void hei_evidence_free(HeiEvidence *evidence);

/* The score on the fourth interval [start[3], end) of laws with the fields of `result` (HEI_OK each) as they are. `data`: what hei was opened with, but
 * with u and t up to `end`: they are read here and nowhere else. Smoothing is done anew over all four intervals. */
typedef struct HeiSealedScore { HeiOutcome outcome; double error, direction[2], standard_error; } HeiSealedScore;
HeiOutcome hei_score_sealed(Hei *hei, const HeiData *data, int end, int n, const HeiCandidate *candidate, const HeiResult *result, HeiSealedScore *out);

/* The law solved forward from the denoised state, with denoised values along the sides (rollout.h): coefficients[w] on trajectory w. */
typedef struct HeiRollout {
  HeiOutcome outcome;
  double error, direction[2];        /* over the error of a state that stays as it was at the beginning; [w] on trajectory w; INFINITY: blown up */
  double growth;                     /* largest size of the prediction over that of the data */
  bool blown; double blown_at;       /* it grew beyond all bounds, from that time on */
} HeiRollout;
/* Over interval 3. `data`: what hei was opened with. */
HeiOutcome hei_rollout(Hei *hei, const HeiData *data, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out);
/* Over the fourth one, as hei_score_sealed reads it. */
HeiOutcome hei_rollout_sealed(Hei *hei, const HeiData *data, int end, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out);

/* What kind of law it is with these (pooled) fields; weight [nx][ny]: places that count less, or NULL. */
typedef struct HeiNature {
  double constant_rate;              /* largest |u_t| of a constant state, of the size of the data, over the root mean square of theirs */
  double leak;                       /* 0: it conserves the sum of u but for what passes the sides (divergence form); 1: all of a change is a source */
  double backward;                   /* share of the domain where its second derivatives make short waves grow; NAN: it is not of order 2 */
} HeiNature;
HeiOutcome hei_nature(Hei *hei, const HeiData *data, const HeiCandidate *candidate, const double *coefficients, const double *weight, HeiNature *out);

/* What the smoother found: standard deviation of the noise, and how many space-time modes it kept (0: all). */
void hei_noise(const Hei *hei, int trajectory, double *sigma, int *modes);
/* All that it found in a trajectory. */
typedef struct HeiPrepared {
  double sigma;                      /* standard deviation of the noise, from the residuals of the smoother */
  double signal;                     /* root mean square of the smoothed state less its mean over space and time */
  double correlation[3];             /* of neighbouring residuals along x, y and t; about 0 when the noise is white */
  bool correlated;                   /* it is not white: smoothing, bands and the noise ceiling are then too optimistic */
  int modes;                         /* space-time modes that were kept (0: all) */
  long missing;                      /* values that are NaN */
  double dropped[HEI_INTERVALS];     /* share of the weak rows of an interval left out since they look at missing values */
  HeiSide side[2];                   /* as used */
} HeiPrepared;
void hei_prepared(const Hei *hei, int trajectory, HeiPrepared *out);

#endif
