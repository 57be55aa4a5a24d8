#include "declared.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "hypothesis.h"
#include "limit.h"

DiscoverCandidate declared_candidate(const Value *v) {
  const HypothesisValue *h = v->hypothesis;
  return (DiscoverCandidate){.law = h->law, .fault = &h->fault, .name = h->name, .text = h->text, .span = h->place};
}

bool declared_spec(Eval *ev, const Value *v, WorkspaceSpec *out) {
  const DiscoveryValue *d = v->discovery;
  Host *host = ev->host;
  char **path = calloc((size_t)d->npaths + 1, sizeof *path);
  bool fine = true;
  for (int k = 0; k < d->npaths && fine; k++) fine = (path[k] = host_input_path(ev, d->path[k], d->trajectories_span)) != NULL;
  *out = (WorkspaceSpec){.discovery = d->name, .declaration = d->declaration, .script = source_of(host->sources, d->span)->path,
                         .state = d->space.state, .dim = d->space.dim, .path = path, .npaths = d->npaths, .budget = d->budget, .span = d->trajectories_span};
  if (!fine) declared_spec_free(out);
  return fine;
}

void declared_spec_free(WorkspaceSpec *spec) {
  for (int k = 0; k < spec->npaths; k++) free(spec->path[k]);
  free((void *)spec->path);
  *spec = (WorkspaceSpec){0};
}

/* ---- workspaces of a script ---- */

/* Equal but for blanks, line ends and comments. */
static bool same_declaration(const char *a, const char *b) {
  for (;; a++, b++) {
    const char **both[2] = {&a, &b};
    for (int k = 0; k < 2; k++)
      while (isspace((unsigned char)**both[k]) || **both[k] == '#' || **both[k] == ';') *both[k] += **both[k] == '#' ? strcspn(*both[k], "\n") : 1;
    if (*a != *b) return false;
    if (!*a) return true;
  }
}

static void say_sealed(Host *host, const Workspace *work) {
  Buf text = {0};
  buf_printf(&text, "note: %s: workspace %s; the last quarter of the trajectories is sealed, SHA-256 %s\n", work->discovery, work->dir, work->commitment);
  if (host->on_message) host->on_message(host->user, DIAG_NOTE, buf_str(&text));
  buf_free(&text);
}

static Discover *open_or_make(Eval *ev, const Value *discovery, const char *dir, Span span) {
  Host *host = ev->host;
  WorkspaceSpec spec;
  Discover *d = NULL;
  if (!declared_spec(ev, discovery, &spec)) return NULL;
  spec.shared = true;
  bool there = workspace_exists(dir), fine = host_may_write(host, dir, span) && (there || !workspace_make(host, &spec, dir)) && !discover_open(host, dir, &d);
  if (fine && !there) say_sealed(host, discover_workspace(d));
  if (fine && !same_declaration(spec.declaration, discover_workspace(d)->declaration)) {
    diag_suggest(diag_report(&host->diags, E4041, span, "`%s` is the workspace of another discovery: `%s` was declared otherwise when it was made", dir, discover_workspace(d)->discovery),
                 "name another one by --run, or remove it");
    discover_close(d);
    d = NULL;
  }
  declared_spec_free(&spec);
  return d;
}

Discover *declared_workspace(Eval *ev, const Value *discovery, Span span) {
  Host *host = ev->host;
  Name name = discovery->discovery->name;
  for (int i = 0; i < host->ndiscoveries; i++)
    if (host->discoveries[i].name == name) return host->discoveries[i].of;
  Buf dir = {0};
  if (host->run_dir) buf_puts(&dir, host->run_dir);
  else buf_printf(&dir, "%s%s%s.run", host->out_dir ? host->out_dir : "", host->out_dir ? "/" : "", name);
  Discover *d = open_or_make(ev, discovery, buf_str(&dir), span);
  buf_free(&dir);
  if (!d) return NULL;
  host->discoveries = realloc(host->discoveries, (size_t)(host->ndiscoveries + 1) * sizeof *host->discoveries);
  host->discoveries[host->ndiscoveries].name = name;
  host->discoveries[host->ndiscoveries++].of = d;
  return d;
}

Store *declared_store(Host *host, Name discovery) {
  for (int i = 0; i < host->ndiscoveries; i++)
    if (host->discoveries[i].name == discovery) return discover_workspace(host->discoveries[i].of)->store;
  return NULL;
}

void declared_forget(Host *host) {
  for (int i = 0; i < host->ndiscoveries; i++) discover_close(host->discoveries[i].of);
  free(host->discoveries);
  host->discoveries = NULL;
  host->ndiscoveries = 0;
}
