#include "tape_use.h"

#include <math.h>
#include <stdlib.h>

bool tape_use_open(Eval *ev, Trace *t, Expr **targets, int ntargets, const Deps *deps, int samples, TapeUse *out) {
  *out = (TapeUse){.api = ev->host->api->tape};
  out->tape = (Tape){.pool = ev->host->pool, .spec = &t->m->spec, .nprobes = t->nprobes, .inputs = t->inputs, .ninputs = t->ninputs, .applies = t->applies, .napplies = t->napplies,
                     .reduces = t->reduces, .nreduces = t->nreduces, .targets = targets, .ntargets = ntargets, .samples = samples};
  world_open(ev, deps, NAN, &out->world);
  if (!out->api->open(ev->host->engine, &out->tape, &out->world.world, &ev->host->diags, &out->run)) return true;
  world_close(&out->world);
  return false;
}

void tape_use_close(TapeUse *use) {
  use->api->close(use->run);
  world_close(&use->world);
}

void failures_free(char **failed, int n) {
  for (int i = 0; i < n; i++) free(failed[i]);
  free(failed);
}
