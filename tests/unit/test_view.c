/* Views of a record: every renderer against its golden file (ACCEPT=1 writes them anew), order, limits, conditions and units; what is hidden changes no
 * byte; nothing of a record is markup, a formula or a terminal command; damaged records give codes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the four above. */
#include <cmocka.h>

#include "host.h"
#include "json.h"
#include "projection.h"
#include "render.h"
#include "store.h"
#include "view.h"

static char dir[64];

/* --- a record --- */

typedef enum Variant { PLAIN, OTHER_SECRETS, NO_SECRETS } Variant;

static void put(Store *store, StoreTable table, int n, ...) {
  Cell row[STORE_COLUMNS_MOST] = {{0}};
  va_list args;
  va_start(args, n);
  for (int k = 0; k < n; k++) row[k] = va_arg(args, Cell);
  va_end(args);
  assert_int_equal(store_append(store, table, row, n), 0);
}

#define TEXT(s) cell_text(s)
#define NUMBER(x) cell_number(x)
#define NONE ((Cell){0})

static void score(Store *store, const char *candidate, const char *name, double value) { put(store, RECORD_scores, 3, TEXT(candidate), TEXT(name), NUMBER(value)); }

static void secrets(Store *store, Variant v, int k) {
  char id[8];
  snprintf(id, sizeof id, "c%d", k);
  if (v == NO_SECRETS) return;
  score(store, id, "sealed.score", v == PLAIN ? 0.5 * k : 7 - k);
  score(store, id, "truth", v == PLAIN ? 1 : -1);
  for (int i = 0; i < (v == PLAIN ? 1 : 3); i++) put(store, RECORD_verdicts, 8, TEXT("sealed"), NONE, TEXT("gw"), TEXT("hard"), TEXT("pass"), NUMBER(i), NUMBER(1), NUMBER(i));
}

static const char equation[] = "dt(h) == div(C*grad(h))\n<math display=\"block\"><mrow><msub><mi>h</mi><mi>t</mi></msub><mo>=</mo><mi onclick=\"alert(1)\">C</mi><mo>&lt;</mo></mrow></math><script>alert(1)</script>";

static Store *make(Variant v) {
  Diags diags = {0};
  Store *store;
  char path[80];
  snprintf(path, sizeof path, "%s/%d", dir, v);
  assert_int_equal(store_create(path, &diags, &store), 0);
  put(store, RECORD_settings, 2, TEXT("script"), TEXT("gw.pde"));
  put(store, RECORD_printed, 5, TEXT("width"), TEXT("number"), TEXT("60 [mm]"), NUMBER(0.06), TEXT("m"));
  put(store, RECORD_printed, 5, NONE, TEXT("string"), TEXT("=HYPERLINK(\"x\")|<b>\033[2J*\xFF"), NONE, NONE);
  static const char *const parents[] = {NULL, "c0", "c0", "c1", "c3"};
  static const double scores[] = {0.9, 0.514, 0.5132, NAN, 1.001};
  for (int k = 0; k < 5; k++) {
    char id[8];
    snprintf(id, sizeof id, "c%d", k);
    put(store, RECORD_candidates, 7, TEXT(id), TEXT("gw"), TEXT(parents[k]), TEXT("proposed"), NONE, TEXT("<script>alert(1)</script>"), TEXT(equation));
    if (k != 4) score(store, id, "score", scores[k]);
    else put(store, RECORD_candidates, 5, TEXT(id), NONE, NONE, TEXT("invalid"), TEXT("E4003"));
    if (k < 3) score(store, id, "viol_max", k == 1 ? 12.62 : 0.25 * k);
    if (k < 3) put(store, RECORD_candidates, 4, TEXT(id), NONE, NONE, TEXT("scored"));
    secrets(store, v, k);
  }
  put(store, RECORD_verdicts, 13, TEXT("causality"), TEXT("v1"), TEXT("gw"), TEXT("hard"), TEXT("fail"), NUMBER(0.631), NUMBER(0.05), NUMBER(12.62), NUMBER(1), NUMBER(2), NUMBER(1e-9), TEXT("{\"p\":1}"), TEXT("acausal, by \"far\""));
  put(store, RECORD_verdicts, 8, TEXT("trace"), TEXT("v2"), TEXT("gw"), TEXT("soft"), TEXT("pass"), NUMBER(0), NUMBER(1e-3), NUMBER(0));
  for (int k = 0; k <= 20; k++) put(store, RECORD_histories, 6, TEXT("c1"), TEXT("loss"), NUMBER(k), NUMBER(exp(-0.3 * k)), NONE, NONE);
  put(store, RECORD_studies, 4, TEXT("conv"), TEXT("study conv"), NUMBER(3),
      TEXT("{\"columns\":[{\"name\":\"h\",\"unit\":\"m\"},{\"name\":\"L2\",\"unit\":null}],\"rows\":[[0.25,0.01],[0.125,0.0025],[0.0625,null]]}"));
  return store;
}

/* --- a view of it --- */

typedef struct Lab { Host *host; Eval ev; } Lab;

static Lab lab_open(void) {
  Host *host = host_new();
  const Source *source = source_add(host->sources, "<test>", "", 0);
  Module *module = module_add(host, intern_text(host->names, "<test>"), parse_program(source, host->names, &host->diags, NULL));
  module->scope = scope_new(SCOPE_FILE, NULL);
  return (Lab){host, {.host = host, .module = module, .scope = module->scope, .at_time = NAN}};
}

/* The rendered view, or its diagnostics; malloc. */
static char *shown(Store *store, const char *text, const char *format) {
  Lab lab = lab_open();
  const Source *source = source_add(lab.host->sources, "view.pde", text, strlen(text));
  Program *program = parse_program(source, lab.host->names, &lab.host->diags, NULL);
  View *view = lab.host->diags.nerrors ? NULL : view_read(&lab.ev, program->root->kid[0]);
  const RendererRow *row = renderer_find(format);
  Projection *p = view ? view_project(&lab.ev, store, view, PICTURES_NONE) : NULL;
  Buf out = {0};
  if (p) row->render(&out, p, &(RenderOptions){.columns = 80});
  else
    for (int i = 0; i < lab.host->diags.n; i++) diag_print(&out, lab.host->sources, lab.host->diags.items[i], false);
  char *result = strdup(buf_str(&out));
  buf_free(&out);
  projection_free(p);
  view_free(view);
  program_release(program);
  host_free(lab.host);
  return result;
}

static void expect(Store *store, const char *text, const char *csv) {
  char *got = shown(store, text, "csv");
  assert_string_equal(got, csv);
  free(got);
}

static void expect_in(Store *store, const char *text, const char *format, const char *part, bool there) {
  char *got = shown(store, text, format);
  if ((strstr(got, part) != NULL) != there) fail_msg("`%s` is %s in:\n%s", part, there ? "not" : "still", got);
  free(got);
}

static int setup(void **state) {
  (void)state;
  strcpy(dir, "/tmp/test-view-XXXXXX");
  return mkdtemp(dir) == NULL;
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", dir);
  return system(command);
}

/* --- the tests --- */

static const char report[] =
    "view report of gw {\n  title \"Groundwater, 5% noise\"\n  value script, width\n  table candidates: rank, id, parent, status, code, equation, score \".4f\", viol_max sort score limit 4\n"
    "  plot score, best_so_far against evaluation\n  plot score against viol_max front logx\n  plot score\n  plot loss against epoch logy\n"
    "  table verdicts: contract, status, ratio, probe, reason where severity == \"hard\" and ratio > 1 sort ratio descending\n  table conv: h to [mm], L2\n"
    "  table printed: name, text, value to [mm]\n  table budget\n}\n";

static void goldens(void **state) {
  (void)state;
  static const char *const extensions[][2] = {{"term", "txt"}, {"md", "md"}, {"html", "html"}, {"json", "json"}, {"csv", "csv"}};
  Store *store = make(PLAIN);
  /* `value to [mm]` of a column whose unit stands row by row is refused; the golden view has it by its study */
  char *text = strdup(report), *cut = strstr(text, ", value to [mm]");
  memmove(cut, cut + strlen(", value to [mm]"), strlen(cut + strlen(", value to [mm]")) + 1);
  for (int k = 0; k < 5; k++) {
    char path[400];
    snprintf(path, sizeof path, "%s/golden/views/report.%s", TEST_SRCDIR, extensions[k][1]);
    char *got = shown(store, text, extensions[k][0]);
    if (getenv("ACCEPT")) {
      FILE *file = fopen(path, "wb");
      assert_non_null(file);
      fputs(got, file);
      fclose(file);
    }
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char golden[1 << 20];
    golden[fread(golden, 1, sizeof golden - 1, file)] = 0;
    fclose(file);
    assert_string_equal(got, golden);
    free(got);
  }
  free(text);
  store_close(store);
}

static void rows_are_chosen_and_ordered(void **state) {
  (void)state;
  Store *s = make(PLAIN);
  expect(s, "view v of run { table candidates: id, score sort score }", "id,score\nc2,0.5132\nc1,0.514\nc0,0.9\nc3,nan\nc4,\n");
  expect(s, "view v of run { table candidates: id sort score descending limit 2 }", "id\nc0\nc1\n");
  expect(s, "view v of run { table candidates: id where score < 0.6 and status != \"proposed\" sort id descending }", "id\nc2\nc1\n");
  expect(s, "view v of run { table candidates: rank, id, evaluation, best_so_far sort n }", "rank,id,evaluation,best_so_far\n3,c0,1,0.9\n2,c1,2,0.514\n1,c2,3,0.5132\n4,c3,4,0.5132\n,c4,,0.5132\n");
  expect(s, "view v of run { table candidates: id, status, code, parent where n >= 4 }", "id,status,code,parent\nc3,proposed,,c1\nc4,invalid,E4003,c3\n");
  expect(s, "view v of run { table conv: h to [mm], L2 sort h }", "h [mm],L2\n62.5,\n125,0.0025\n250,0.01\n");
  expect(s, "view v of run { table conv where L2 > 0.005 }", "h [m],L2\n0.25,0.01\n");
  expect(s, "view v of run { value width, script }", "name,value,unit\nwidth,0.06,m\nscript,gw.pde,\n");
  expect(s, "view v of other { table verdicts: id }", "id\n");
  expect(s, "view v of gw { table verdicts: id where contract != \"sealed\" }", "id\nv1\nv2\n");
  store_close(s);
}

static void what_is_not_there_is_refused(void **state) {
  (void)state;
  Store *s = make(PLAIN);
  static const char *const wrong[][2] = {
      {"view v of run { table candidates: id, scor }", "did you mean `score`"}, {"view v of run { table candidate: id }", "did you mean `candidates`"},
      {"view v of run { table verdicts: contract sort ration }", "did you mean `ratio`"}, {"view v of run { table verdicts: contract where statu == \"fail\" }", "did you mean `status`"},
      {"view v of run { table conv: H2 }", "E3211"}, {"view v of run { plot status against ratio }", "E3213"}, {"view v of run { plot nothing against ratio }", "E3211"},
      {"view v of run { value height }", "E3211"}, {"view v of run { table conv: h to [s] }", "E0302"}, {"view v of run { table verdicts: ratio \"%n\" }", "E3210"},
      {"view v of run { table verdicts: ratio limit 0 }", "E3210"}, {"view v of run { table verdicts: ratio where ratio }", "E3210"}, {"view v of run { frobnicate x }", "E3210"}, {"view v { }", "E3210"},
      {"view v of run { show id, }", "E0012"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) expect_in(s, wrong[k][0], "term", wrong[k][1], true);
  store_close(s);
}

/* Everything that a view with `hide` or `show` can be asked gives the same bytes whether the hidden data are these, others, or none. */
static void what_is_hidden_changes_no_byte(void **state) {
  (void)state;
  Store *record[] = {make(PLAIN), make(OTHER_SECRETS), make(NO_SECRETS)};
  static const char *const heads[] = {"hide sealed, truth", "show id, score, rank, status, verdicts, conv, loss\n hide sealed, truth", "show id, score"};
  static const char *const blocks[] = {"", "table candidates", "table candidates: id, sealed.score", "table candidates: id, truth", "table candidates: id sort truth", "table candidates: id where sealed.score > 1",
                                       "table candidates: id, sealde", "table scores", "table scores: name, value sort value", "table verdicts", "table verdicts: n, contract", "table events", "table events: row", "plot truth",
                                       "plot score against truth", "plot score against sealed.score", "plot ratio", "plot ratio against n", "value sealed.score", "value truth", "table sealed", "table truth", "table histories limit 3",
                                       "plot loss", "table printed", "table studies", "table views", "table nothing", "table candidates: rank, best_so_far, evaluation", "map truth", "map fields of submitted"};
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
      for (int f = 0; f < renderer_count; f++) {
        char text[400];
        snprintf(text, sizeof text, "view agent of gw {\n %s\n %s\n}\n", heads[h], blocks[b]);
        char *one = shown(record[0], text, renderers[f].name);
        for (int k = 1; k < 3; k++) {
          char *other = shown(record[k], text, renderers[f].name);
          if (strcmp(one, other)) fail_msg("%s shows what is hidden:\n%s\nand\n%s", text, one, other);
          free(other);
        }
        free(one);
      }
  for (int k = 0; k < 3; k++) store_close(record[k]);
}

static void what_comes_from_the_hidden_is_hidden(void **state) {
  (void)state;
  Store *s = make(PLAIN);
  expect_in(s, "view v of run { hide score; table candidates: id, rank }", "csv", "E3211", true);
  expect_in(s, "view v of run { hide score; table candidates }", "csv", "0.514", false);
  expect_in(s, "view v of run { hide score; table candidates: id sort best_so_far }", "csv", "E3211", true);
  expect_in(s, "view v of run { show id, rank; table candidates: id, rank }", "csv", "c2,1", true);
  expect_in(s, "view v of run { hide verdicts; table verdicts }", "csv", "E3211", true);
  expect_in(s, "view v of run { hide verdicts; table events }", "csv", "E3211", true);
  expect_in(s, "view v of run { hide L2; table conv }", "csv", "0.0025", false);
  expect_in(s, "view v of run { hide L2; table studies }", "csv", "0.0025", false);
  expect_in(s, "view v of run { hide width; table printed }", "csv", "0.06", false);
  expect_in(s, "view v of run { hide width; value width }", "csv", "E3211", true);
  expect_in(s, "view v of run { hide sealed }", "json", "sealed", false);
  store_close(s);
}

static void a_record_is_text_alone(void **state) {
  (void)state;
  Store *s = make(PLAIN);
  static const char all[] = "view v of run { title \"<script>alert(1)</script>\"; table candidates: id, text, equation; table printed }";
  expect_in(s, all, "html", "<script>alert", false);
  expect_in(s, all, "html", "onclick=\"", false);
  expect_in(s, all, "html", "<msub><mi>h</mi><mi>t</mi></msub>", true);
  expect_in(s, all, "html", "&lt;script&gt;alert(1)", true);
  expect_in(s, all, "md", "<script>", false);
  expect_in(s, all, "md", "\n=HYPER", false);
  expect_in(s, all, "term", "\033", false);
  expect_in(s, all, "csv", ",\"'=HYPERLINK(", true);
  expect_in(s, all, "csv", "\033", false);
  expect_in(s, all, "json", "\033", false);
  store_close(s);
}

/* Cells of any kind in any column: what a record of somebody else may hold. */
static void damaged_records_give_codes(void **state) {
  (void)state;
  Store *store = make(PLAIN);
  char path[96];
  snprintf(path, sizeof path, "%s/run.db", store_directory(store));
  store_close(store);
  FILE *file = fopen(path, "rb");
  static unsigned char whole[1 << 21];
  size_t size = fread(whole, 1, sizeof whole, file);
  fclose(file);
  char *text = strdup(report), *cut = strstr(text, ", value to [mm]");
  memmove(cut, cut + strlen(", value to [mm]"), strlen(cut + strlen(", value to [mm]")) + 1);
  srand(3);
  int fine = 0, refused = 0;
  for (int round = 0; round < 150; round++) {
    file = fopen(path, "wb");
    fwrite(whole, 1, size, file);
    for (int k = 0, hits = 1 + rand() % 30; k < hits; k++) {
      fseek(file, rand() % (long)size, SEEK_SET);
      fputc(rand(), file);
    }
    fclose(file);
    Diags diags = {0};
    char where[80];
    snprintf(where, sizeof where, "%s/%d", dir, PLAIN);
    if (store_open(where, false, &diags, &store)) refused++;
    else {
      char *got = shown(store, text, renderers[round % renderer_count].name);
      if (strstr(got, "error[E")) refused++;
      else fine++;
      free(got);
    }
    store_close(store);
    diags_free(&diags);
  }
  assert_true(fine > 0 && refused > 0);
  free(text);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {T(goldens), T(rows_are_chosen_and_ordered), T(what_is_not_there_is_refused), T(what_is_hidden_changes_no_byte),
                                     T(what_comes_from_the_hidden_is_hidden), T(a_record_is_text_alone), T(damaged_records_give_codes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
