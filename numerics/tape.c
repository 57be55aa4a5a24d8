/* The table of the tape. */
#include "tape.h"

#include "predict_formula.h"
#include "tape_grid.h"
#include "tape_adjoint.h"

const TapeApi tape_api = {
    .open = tape_open,
    .run = tape_run,
    .place = tape_place,
    .cheap = tape_cheap,
    .run_cheap = tape_run_cheap,
    .differentiable = tape_differentiable,
    .gradient = tape_gradient,
    .close = tape_close,
    .grid = grid_make,
    .grid_free = grid_free,
    .formula = formula_open,
    .frame = frame_open,
    .impulse = impulse_open,
    .sample = grid_sample,
};
