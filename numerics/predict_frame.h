/* Predictions of another predictor, read in another frame: turned, mirrored or moved in space, delayed or reversed in time, at the nodes of another mesh; and those that its
 * answers to steps add up to. */
#ifndef PREDICT_FRAME_H
#define PREDICT_FRAME_H
#include "engine.h"
#include "predict.h"

typedef struct Frame {
  double matrix[9], shift[3], velocity[3];   /* the field is read at matrix x + shift + velocity t, t from the first time */
  double turn[9];                            /* what vectors v become: turn v; tensors: turn A turn^T */
  bool wrap;                                 /* a point beyond the box around the mesh comes in at the other side */
  double delay; bool reverse;                /* read at t - delay, 0 before the first time; at first + last - t */
} Frame;

/* `inner` is borrowed and outlives the result. `on`: the map whose nodes are read at (borrowed too), that of `inner` or one with the same inputs, outputs and times on another mesh.
 * Fails (reported) where a node is read at a point outside of the mesh. */
Status frame_open(Predictor *inner, const MapSpec *on, const Frame *frame, Diags *diags, Span span, Predictor **out);
/* Duhamel's sum: for histories a that begin at 0, the sum over steps of (a[k] - a[k-1]) h(t - t[k]), h the answer of `inner` to a unit step. Fails where times are
 * not evenly spaced. */
Status impulse_open(Predictor *inner, Diags *diags, Span span, Predictor **out);

#endif
