/* One given law fitted to trajectories: its fields with bands, how far they can be believed, and what the law does with them. Unlike a discovery nothing is
 * sealed: the fields come from all of the time, which is cut in three to choose their smoothness (hei.h). */
#ifndef FIT_H
#define FIT_H
#include "../numerics/hei_api.h"
#include "../numerics/law_hei.h"
#include "../numerics/trajectory.h"
#include "json.h"
#include "samples.h"

typedef struct FitField {
  Name name;
  Value *samples;              /* its values, with .band, .information, .identifiable, .stability as members */
  double stability, correlation, uncertainty, revealed, freedom;
  bool identifiable;
} FitField;

struct FitValue {
  Name law;                    /* as declared */
  char *equation, *key, id[16];
  FitField *field; int nfields;
  int trajectories;
  double error_ab, error_ba, score, standard_error, noise_ceiling, condition, noise;      /* noise: of the state, standard deviation in SI */
  double null_score;           /* of u_t = 0 */
  bool explained;
  double rollout, growth, blown_at; bool blown;
  double transfer;             /* largest difference of a field between trajectories, relative, weighed by information; NAN: one trajectory, no field */
  double constant_rate, leak, backward;       /* HeiNature */
  bool sources;                /* a term has no derivative: reaction or source */
  bool homogeneous;            /* every field has one unit, and terms without a field that of u_t */
  Unit state_unit;
};

typedef struct FitRequest {
  Host *host;
  Name name, state;
  const char *equation;
  const Law *law;
  const Trajectory *trajectory; int n;        /* at least one, all on one grid */
  int bootstrap;               /* replicates of the band; 0: its limit for many of them */
  Span span;
} FitRequest;

Value *fit_value(FitValue *fit);                     /* takes it over; NULL: while checking */
FitValue *fit_run(const FitRequest *request);        /* NULL after a report: E4062 */
void fit_free(FitValue *fit);
void fit_print(Buf *out, const FitValue *fit);
Value *fit_member(Eval *ev, Value *of, Name name, Span span);
Json *fit_json(const FitValue *fit);

/* fit_unit.c */
Unit fit_field_unit(const LawField *field, Unit state, Unit space, Unit time, bool *homogeneous);
bool fit_known_fits(LawSum known, Unit state, Unit space, Unit time);
bool fit_has_sources(const Law *law);

#endif
