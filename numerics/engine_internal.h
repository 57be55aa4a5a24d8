/* The engine's own state, for numerics/ alone. */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H
#include "engine.h"

typedef struct Stage { const char *name; double seconds; } Stage;

struct Engine {
  EngineOptions options;
  KernelContext *kernels;
  bool *serials;                  /* [nserials] those of solutions that live; the lowest free one is taken next */
  uint32_t nserials, free_serial;     /* none below free_serial is free */
  Stage stage[24]; int nstages;      /* of the last solve */
  double stage_start;
};

void engine_stages(Engine *engine);                     /* starts a new account */
void engine_stage(Engine *engine, const char *name);    /* what passed since the last one; equal names are added up */
void engine_progress(Engine *engine, const char *text, double fraction);
/* E2090 where the user asked to stop; the same on all ranks. */
Status engine_interrupted(Engine *engine, Diags *diags, Span span);

/* Until the next call an interrupt has to wait for this; PHASE_FREE: it need not. */
void engine_phase(Engine *engine, EnginePhase phase);

#endif
