/* Discoveries and hypotheses as values. */
#include "discovery.h"

#include <stdlib.h>
#include <string.h>

#include "hypothesis.h"

char *discovery_text(Host *host, Span span) {
  const Source *source = source_of(host->sources, span);
  return strndup(source->text + (span.start - source->base), span.end - span.start);
}

void discovery_free(DiscoveryValue *d) {
  if (!d) return;
  for (int k = 0; k < d->npaths; k++) free(d->path[k]);
  free(d->path);
  free(d->declaration);
  free(d);
}

void discovery_print(Buf *out, const DiscoveryValue *d) {
  buf_printf(out, "discovery %s of %s(%s), budget %g", d->name, d->space.state, d->space.dim == 2 ? "x, y, t" : "x, t", d->budget);
}

void hypothesis_free(HypothesisValue *h) {
  if (!h) return;
  law_free(h->law);
  value_release(h->discovery);
  free(h->text);
  free(h->equation);
  free(h);
}

void hypothesis_print(Buf *out, const HypothesisValue *h) {
  buf_printf(out, "hypothesis %s for %s: ", h->name, h->discovery->discovery->name);
  if (!h->law) {
    buf_printf(out, "none, %s", h->fault.found);
    return;
  }
  buf_printf(out, "dt(%s) == ", h->law->space->state);
  expr_print(out, h->law->right, EXPR_TEXT);
}
