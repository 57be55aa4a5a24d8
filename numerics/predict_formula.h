/* Predictors by formulas: outputs as expressions of coordinates, t and the inputs. What depends on places alone is computed once, what depends on inputs alone
 * once a sample (and time); kernels run over the nodes with what is left. */
#ifndef PREDICT_FORMULA_H
#define PREDICT_FORMULA_H
#include "tape.h"

Status formula_open(Engine *engine, const MapSpec *spec, Expr *const *outputs, const TapeInput *leaves, int nleaves, const World *world, Diags *diags, Span span,
                    Predictor **out);

#endif
