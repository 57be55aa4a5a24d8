/* Views of the running script's own record. */
#include <string.h>

#include "builtin.h"
#include "declared.h"
#include "projection.h"
#include "record.h"
#include "render.h"
#include "view.h"

static Value *run_render(Call *call) {
  Eval *ev = call->ev;
  Host *host = ev->host;
  Value *view = ARG(0);
  if (view->kind != VALUE_VIEW && view->kind != VALUE_UNKNOWN) {
    diag_suggest(diag_report(&host->diags, E0505, call->spans[0], "render takes a view; this is %s %s", value_article(view), value_kind_name(view)), "declare one: view report of run { ... }");
    return value_poison();
  }
  const RendererRow *row = ARG(1)->known ? renderer_of_path(ARG(1)->text) : &renderers[0];
  if (!row) {
    diag_suggest(diag_report(&host->diags, E0516, call->spans[1], "views are rendered as .html, .md, .json and .csv; `%s` is none of them", ARG(1)->text), "write render(report, \"report.html\")");
    return value_poison();
  }
  Store *own = ev->dry || view->kind == VALUE_UNKNOWN ? NULL : declared_store(host, view->view->subject);
  if (ev->dry || view->kind == VALUE_UNKNOWN || (!host->record && !own)) return value_none();     /* no record: another rank has it */
  bool maps = false;
  for (int i = 0; i < view->view->nblocks; i++) maps |= view->view->blocks[i].kind == VIEW_MAP;
  record_names(host, scope_file(ev->scope), maps && row->pictures != PICTURES_NONE);
  record_settle(host);
  Projection *p = own || host->record ? view_project(ev, own ? own : host->record, view->view, row->pictures) : NULL;
  if (!p) return value_poison();
  Buf out = {0};
  row->render(&out, p, &(RenderOptions){.colour = false});
  char *path = host_output_path(host, ARG(1)->text, call->spans[1]);
  bool fine = path && (!host_is_first_rank(host) || host_write_file(host, path, &out, call->spans[1]));
  if (fine) host_record_file(host, path);
  free(path);
  buf_free(&out);
  projection_free(p);
  return fine ? value_none() : value_poison();
}

const BuiltinRow builtin_records[] = {
    {"render", "(view: any, path: string)", "output",
     "Writes what a view shows of the run so far: .html (one self-contained file with tables that sort, plots, pictures of fields and equations), .md, .json or .csv.", NULL, run_render},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
