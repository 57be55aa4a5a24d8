/* The formatter: canonical texts, and on every example: the same tree, the same comments, and nothing left to do. */
#include "script.h"

#include <stdlib.h>

#include "lang/fmt.h"

static void check_properties(const char *text, size_t len, const char *name) {
  Script a = script_parse(text, len);
  assert_int_equal(a.diags.n, 0);
  Buf once = {0}, twice = {0};
  fmt_program(&once, a.program);
  Script b = script_parse(buf_str(&once), once.len);
  if (b.diags.n) fail_msg("%s: formatted it does not parse: %s\n%s", name, b.diags.items[0]->message, buf_str(&once));
  if (!ast_equal(a.program->root, b.program->root)) fail_msg("%s: formatting changed the tree\n%s", name, buf_str(&once));
  assert_int_equal(a.program->ncomments, b.program->ncomments);
  for (int i = 0; i < a.program->root->n; i++) {    /* doc lines still stand above what they document */
    const char *doc = a.program->root->kid[i]->doc, *after = b.program->root->kid[i]->doc;
    if (doc ? !after || strcmp(doc, after) : after != NULL) fail_msg("%s: statement %d lost its doc", name, i);
  }
  fmt_program(&twice, b.program);
  if (strcmp(buf_str(&once), buf_str(&twice))) fail_msg("%s: formatting twice differs:\n%s----\n%s", name, buf_str(&once), buf_str(&twice));
  buf_free(&once), buf_free(&twice);
  script_free(&a), script_free(&b);
}

static void test_examples(void **state) {
  for (int i = 0; i < SCRIPTS; i++) {
    size_t len;
    char *text = script_example(i, &len);
    check_properties(text, len, script_names[i]);
    free(text);
  }
}

/* All blanks that may go are taken out, all that may come are put in: the canonical text is the same. */
static void test_blanks(void **state) {
  for (int i = 0; i < SCRIPTS; i++) {
    size_t len;
    char *text = script_example(i, &len);
    Script a = script_parse(text, len);
    Buf wanted = {0}, messy = {0}, got = {0};
    fmt_program(&wanted, a.program);
    bool quoted = false, comment = false;
    for (size_t k = 0; k < wanted.len; k++) {
      char c = wanted.text[k];
      if (c == '"') quoted = !quoted;
      if (c == '#' && !quoted) comment = true;
      if (c == '\n') comment = false;
      if (c == '\n' && k % 2) buf_puts(&messy, " \t\r");
      buf_putc(&messy, c);
      bool brackets = c == ' ' && k + 1 < wanted.len && wanted.text[k + 1] != '[' && wanted.text[k + 1] != '#' && wanted.text[k + 1] != ' ';
      if (brackets && !quoted && !comment) buf_puts(&messy, k % 3 ? " " : "\t ");
    }
    Script b = script_parse(messy.text, messy.len);
    assert_int_equal(b.diags.n, 0);
    fmt_program(&got, b.program);
    if (!strchr(wanted.text, '#')) assert_string_equal(buf_str(&got), buf_str(&wanted));    /* comments keep their column */
    assert_true(ast_equal(a.program->root, b.program->root));
    buf_free(&wanted), buf_free(&messy), buf_free(&got);
    script_free(&a), script_free(&b);
    free(text);
  }
}

static const struct { const char *text, *wanted; } cases[] = {
  {"x=1", "x = 1\n"},
  {"x   =  a+b*c ^ 2 / d - -e ..f", "x = a + b*c^2/d - -e..f\n"},
  {"x = - a; y = b- -c; z = [ - 1,-2 ]; w = f( - x )", "x = -a\ny = b - -c\nz = [-1, -2]\nw = f(-x)\n"},
  {"x=a==b and c<=d  or not(e)", "x = a == b and c <= d or not (e)\n"},
  {"x = f ( a :1 ,b= 2 )", "x = f(a: 1, b = 2)\n"},
  {"x = 60[mm]; y = v [0]; z = v[0] to[m]", "x = 60 [mm]\ny = v [0]\nz = v[0] to [m]\n"},
  {"x = ∂t  u+∇ u·n - Δ u+∂x ( u )+∇ · v", "x = ∂t u + ∇u·n - Δu + ∂x(u) + ∇·v\n"},
  {"x = a  ≤ b; y = 2 * x ² ; z = a×b ⊗ c", "x = a ≤ b\ny = 2*x²\nz = a×b⊗c\n"},
  {"x = f\"a {b+c:.3e} { d }{{}}\"", "x = f\"a {b + c:.3e} {d}{{}}\"\n"},
  {"x = a&b ++c", "x = a & b ++ c\n"},
  {"for i in 0 .. 5 by 2*h{a;b}", "for i in 0..5 by 2*h { a; b }\n"},
  {"if a{b}else if c{d}else{e}", "if a { b } else if c { d } else { e }\n"},
  {"if a{\nb}else{\n\n\nc\n\n\n\n}", "if a {\n  b\n} else {\n  c\n}\n"},
  {"pde p on g{unknown u:scalar P1\nequation  u:a==b}", "pde p on g {\n  unknown u : scalar P1\n  equation u: a == b\n}\n"},
  {"\n\n\na = 1\n\n\n\nb = 2\n\n", "a = 1\n\nb = 2\n"},
  {"a = 1;;; b = 2 ;\n", "a = 1\nb = 2\n"},
  {"a {}\nb { ; }", "a { }\nb { }\n"},
  {"a = 1# x  \n  # y\n\n\n# z\nb = 2   # w\n#end", "a = 1  # x\n# y\n\n# z\nb = 2   # w\n#end\n"},
  {"pde p on g { # why\n# first\n  a == b # eq\n\n  # last\n}\n# after", "pde p on g {  # why\n  # first\n  a == b  # eq\n\n  # last\n}\n# after\n"},
  {"x = [1,\n2, # two\n# three\n3\n]", "x = [1,\n  2,  # two\n  # three\n  3\n]\n"},
  {"x = a +\nb *\nc", "x = a +\n    b*\n    c\n"},
  {"x = f(\na,\ng(\nb\n)\n)", "x = f(\n  a,\n  g(\n    b\n  )\n)\n"},
  {"x = 2 (a); y = 5% (b); z = 1 .. 2", "x = 2 (a)\ny = 5% (b)\nz = 1..2\n"},
  {"hard f( m ) tol 1e-3; input u( t ) , v(t) from bank \"x\"", "hard f(m) tol 1e-3\ninput u(t), v(t) from bank \"x\"\n"},
  {"\xEF\xBB\xBFx = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"},
  {"\v# a\nx = 1\n", "# a\nx = 1\n"},
  {"\xEF\xBB\xBF## doc\nx = 1\n", "## doc\nx = 1\n"},
  {"\xEF\xBB\xBF  # own\n\ny = 2\n", "# own\n\ny = 2\n"},
  {"test \"x\" { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(1); bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(2); cccccccccccccc { d: 1; e: 2 } }",
   "test \"x\" {\n  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(1)\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb(2)\n  cccccccccccccc { d: 1; e: 2 }\n}\n"},
  {"", ""},
  {"# a", "# a\n"},
};

static void test_cases(void **state) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Script s = script_parse(cases[i].text, strlen(cases[i].text));
    if (s.diags.n) fail_msg("%s: %s", cases[i].text, s.diags.items[0]->message);
    Buf out = {0};
    fmt_program(&out, s.program);
    if (strcmp(buf_str(&out), cases[i].wanted)) fail_msg("%s\n  gives\n%s  wanted\n%s", cases[i].text, buf_str(&out), cases[i].wanted);
    buf_free(&out);
    script_free(&s);
    check_properties(cases[i].text, strlen(cases[i].text), cases[i].text);
  }
}

static void test_deep(void **state) {
  Buf text = {0};
  for (int i = 0; i < 390; i++) buf_printf(&text, "a%d { b = [1, (2)]; ", i);
  for (int i = 0; i < 390; i++) buf_puts(&text, "}");
  check_properties(text.text, text.len, "blocks");
  buf_clear(&text);
  buf_puts(&text, "x = ");
  for (int i = 0; i < 390; i++) buf_puts(&text, i % 2 ? "f(1,\n" : "[2, -");
  buf_puts(&text, "3");
  for (int i = 390; i-- > 0;) buf_puts(&text, i % 2 ? ")" : "]\n");
  check_properties(text.text, text.len, "brackets");
  buf_clear(&text);
  for (int i = 0; i < 20000; i++) buf_printf(&text, "x%d = %d # c\n\n", i, i);
  check_properties(text.text, text.len, "lines");
  buf_free(&text);
}

/* What cannot be read is not touched. */
static void test_broken(void **state) {
  const char *text = "x   =  \"abc\ny=1\n";
  Script s = script_parse(text, strlen(text));
  Buf out = {0};
  fmt_program(&out, s.program);
  assert_string_equal(buf_str(&out), text);
  buf_free(&out);
  script_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_blanks), cmocka_unit_test(test_cases),
                                     cmocka_unit_test(test_deep),
                                     cmocka_unit_test(test_broken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
