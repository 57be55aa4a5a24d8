/* The parser: shapes of trees, exact places of errors, hostile texts, and every memory failure. */
#include "script.h"

#include <locale.h>
#include <stdlib.h>

static void test_examples(void **state) {
  for (int i = 0; i < SCRIPTS; i++) {
    size_t len;
    char *text = script_example(i, &len);
    Script s = script_parse(text, len);
    if (s.diags.n) fail_msg("%s: %s", script_names[i], s.diags.items[0]->message);
    assert_true(s.program->root->n > 3);
    assert_false(s.incomplete);
    script_free(&s);
    free(text);
  }
}

static const struct { const char *text, *shape; } shapes[] = {
  /* precedence, from loose to tight */
  {"x = -a^2", "(assign x (neg (^ a 2)))"},
  {"x = 2^-1", "(assign x (^ 2 (neg 1)))"},
  {"x = a^b^c", "(assign x (^ a (^ b c)))"},
  {"x = a - b - c*d/e", "(assign x (- (- a b) (/ (* c d) e)))"},
  {"x = not a == b and c or d", "(assign x (or (and (not (== a b)) c) d))"},
  {"x = a + b to [mm]", "(assign x (to (+ a b) (list mm)))"},
  {"x = u at 2*s", "(assign x (at u (* 2 s)))"},
  {"x = (u at a) + b", "(assign x (+ (paren (at u a)) b))"},
  {"x = 0.1 < y <= 1", "(assign x (chain 0.1 < y <= 1))"},
  {"x = a < b", "(assign x (< a b))"},
  {"x = (1 < 2) < 3", "(assign x (< (paren (< 1 2)) 3))"},
  {"x = 1 in a != b", "(assign x (chain 1 in a != b))"},
  {"where x == 0 and 0.1 < y < 0.4", "(expr (where (and (== x 0) (chain 0.1 < y < 0.4))))"},
  {"for i in 0..n by 2*h { }", "(for i (range 0 n (* 2 h)) (block))"},
  {"x = if a then b else if c then d else e", "(assign x (ifexpr a b (ifexpr c d e)))"},
  {"x = a ++ b & c", "(assign x (++ a (& b c)))"},
  {"x = z with (a: 1, b: 2).q", "(assign x (member q (with z (arg a 1 _) (arg b 2 _))))"},
  /* mathematical spelling */
  {"∂t u + β·∇u == ∇·(k*∇u) - 2*u³", "(expr (== (+ (dt u) (dot β (grad u))) (- (div (paren (* k (grad u)))) (* 2 (^3 u)))))"},
  {"x = ∇u·n", "(assign x (dot (grad u) n))"},
  {"x = Δu + ∆v + ∇²w + ∇×a", "(assign x (+ (+ (+ (lap u) (lap v)) (lap w)) (curl a)))"},
  {"x = a ≤ b; y = a ≠ π; z = a ∈ b; w = a×b⊗c", "(assign x (<= a b)) (assign y (!= a pi)) (assign z (in a b)) (assign w (outer (cross a b) c))"},
  {"x = -x²", "(assign x (neg (^2 x)))"},
  /* values */
  {"x = 60 [mm] + 25 [W/(m^2*K)]", "(assign x (+ (number 60 mm) (number 25 (/ W (paren (* (^ m 2) K))))))"},
  {"x = v[0] + v[-1] + m[1, 2]", "(assign x (+ (+ (index v 0) (index v (neg 1))) (index m 1 2)))"},
  {"x = y [m]; z = (1/2) [m]", "(assign x (index y m)) (assign z (index (paren (/ 1 2)) m))"},
  {"x = (a, b); y = (a: 1); z = (a); w = []; v = [[1], 2]", "(assign x (tuple a b)) (assign y (tuple (arg a 1 _))) (assign z (paren a)) (assign w (list)) (assign v (list (list 1) 2))"},
  {"x = 400_000 + 0.2% + 1e-3 + 1.5E+2", "(assign x (+ (+ (+ 400_000 0.2%) 1e-3) 1.5E+2))"},
  {"x = f\"a{{b}} {c + 1:.3e}{d}\\n\"", "(assign x (fstring \"a{b} \" (fpart \".3e\" (+ c 1)) (fpart d) \"\\n\"))"},
  {"x = f\"{f(a: 1, b: f\"{c}\"):6}\"", "(assign x (fstring (fpart \"6\" (call f (arg a 1 _) (arg b (fstring (fpart c)) _)))))"},
  {"x = \"a\\t\\\"\\\\\"", "(assign x \"a\\t\\\"\\\\\")"},
  {"x = f(on: right, at: 3, true: 1, a = 1, b: real = 2)", "(assign x (call f (arg on right _) (arg at 3 _) (arg true 1 _) (arg a _ 1) (arg b real 2)))"},
  /* statements */
  {"(a, b) = f(); u.x = 1", "(assign (tuple a b) (call f)) (assign (member x u) 1)"},
  {"pde heat(k = 1.0) on channel { }", "(decl pde (phrase (call heat (arg k _ 1.0)) on channel) _ (block))"},
  {"unknown u, v : vector P2 [m]", "(decl unknown: (phrase u , v) (phrase vector (index P2 m)) _)"},
  {"on walls, hole: u == 0", "(on (phrase walls , hole) (== u 0))"},
  {"on point (0, 0) { u == 0 }", "(on (phrase (call point 0 0)) (block (expr (== u 0))))"},
  {"v = audit m against pack { seed: 1 }", "(assign v (decl audit (phrase m against pack) _ (block (option seed (phrase 1) _))))"},
  {"budget: wall 30 [min], tokens 10", "(option budget (phrase wall (number 30 min) , tokens 10) _)"},
  {"table c: id, score sort score limit 10", "(decl table: (phrase c) (phrase id , score sort score limit 10) _)"},
  {"adversary { starts: 16; steps: 200 }", "(options adversary (block (option starts (phrase 16) _) (option steps (phrase 200) _)))"},
  {"model good(q) for slab { T = q }", "(decl model (phrase (call good q) for slab) _ (block (assign T q)))"},
  {"plot a, on b for c, d", "(decl plot (phrase a , on b for c , d) _ _)"},
  {"map = 3; test = map", "(assign map 3) (assign test map)"},
  {"hard f(m) - 1", "(decl hard (phrase (- (call f m) 1)) _ _)"},
  {"import \"a/b\" as c; import \"d\"", "(import c \"a/b\") (import \"d\")"},
  {"assert a, \"b\"; needs c else \"d\"; return; break; continue", "(assert a \"b\") (needs c \"d\") (return _) (break) (continue)"},
  {"if a { b() } else if c { d() } else { e() }", "(if a (block (expr (call b))) (if c (block (expr (call d))) (block (expr (call e)))))"},
  {"for (a, b) in pairs { }; while c { }", "(for (tuple a b) pairs (block)) (while c (block))"},
  /* newlines */
  {"x = 1 +\n  2", "(assign x (+ 1 2))"},
  {"x = 1\n- c*u", "(assign x 1) (expr (* (neg c) u))"},
  {"x =\n\n1\ny:\n2", "(assign x 1) (option y (phrase 2) _)"},
  {"x = f(1,\n2\n)\ny = [\n1\n]", "(assign x (call f 1 2)) (assign y (list 1))"},
  {"table a: b,\n c\n\n;;\n;d = 1\r\n", "(decl table: (phrase a) (phrase b , c) _) (assign d 1)"},
  {"x = a and # why\n # more\n b", "(assign x (and a b))"},
  {"\xEF\xBB\xBFx = 1", "(assign x 1)"},
  {"", ""},
  {"# only a comment", ""},
};

static void test_shapes(void **state) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    Script s = script_parse(shapes[i].text, strlen(shapes[i].text));
    if (s.diags.n) fail_msg("%s: %s", shapes[i].text, s.diags.items[0]->message);
    Buf shape = {0};
    script_shape(&s, &shape);
    if (strcmp(buf_str(&shape), shapes[i].shape)) fail_msg("%s\n  gives  %s\n  wanted %s", shapes[i].text, buf_str(&shape), shapes[i].shape);
    buf_free(&shape);
    script_free(&s);
  }
}

static const struct { const char *text, *errors; } errors[] = {
  {"x = 1 2\n", "E0012 1:7-1:8"},
  {"x = 1 2\ny = 2\nz = 3 4\n", "E0012 1:7-1:8; E0012 3:7-3:8"},
  {"x = 3; y = 4 4; z = 5 5", "E0012 1:14-1:15; E0012 1:23-1:24"},
  {"x = (1 + 2\ny = 3\nz = 4 4\n", "E0010 1:5-1:6; E0012 3:7-3:8"},
  {"x = f(1,\n", "E0010 1:6-1:7"},
  {"x = [1,\n  2\n  3,\n  4]\ny = 5 5\n", "E0012 3:3-3:4; E0012 5:7-5:8"},
  {"pde a {\n x == f(1, 2\n y == 3\n}\nz = 1 1\n", "E0010 2:8-2:9; E0012 5:7-5:8"},
  {"fn f(x) {\n  y = (1 + \n}\nz = 2 2\n", "E0010 2:7-2:8; E0012 4:7-4:8"},
  {"pde heat on s {\n  unknown u : scalar\n", "E0010 1:15-1:16"},
  {"pde heat on s {\n  on left {\n    u == 0\n}\nx = 1\n", "E0010 2:11-2:12"},
  {"f(x, {\n y = 1 1\n})\nz = 2 2\n", "E0010 1:2-1:3; E0012 2:8-2:9; E0012 4:7-4:8"},
  {"x = 1)\ny = [1, 2)\n}\nz = 3\n", "E0011 1:6-1:7; E0011 2:10-2:11; E0011 3:1-3:2"},
  {"if a {\n}\nelse {\n  b = 1 1\n}\n", "E0015 3:1-3:5; E0012 4:9-4:10"},
  {"at = 3\nparam to = 4\nx = a.to\nfor in in 1..2 { }\n", "E0013 1:1-1:3; E0013 2:7-2:9; E0013 3:7-3:9; E0013 4:5-4:7"},
  {"x = 1 && 2 || !3\n", "E0004 1:7-1:9; E0004 1:12-1:14; E0004 1:15-1:16"},
  {"y = 2**3 // c\n/* a\nb */ z = 1\ns = 'abc'\n", "E0004 1:6-1:8; E0004 1:10-1:12; E0004 2:1-2:3; E0004 4:5-4:10"},
  {"x += 2\ny = 5%3\nz = 1 − 2\n", "E0004 1:3-1:5; E0004 2:5-2:7; E0004 3:7-3:8"},
  {"x = 1. + .5 + 2x + 1e999\n", "E0005 1:5-1:7; E0005 1:10-1:12; E0005 1:15-1:17; E0006 1:20-1:25"},
  {"x = 2π + 1e-999\n", "E0005 1:5-1:7; E0006 1:10-1:16"},
  {"print(\"abc)\ny = 1 1\n", "E0007 1:7-1:12; E0012 2:7-2:8"},
  {"print(f\"abc {x)\")\ny = 1\n", "E0010 1:13-1:14"},
  {"print(f\"a {x:.3f\", 1)\nprint(f\"a {g(x}\", 2)\nz = f\"a\\\ny = f\"{x\nw = f\"{x:\nv = f\"{x\"\n",
   "E0010 1:11-1:12; E0010 2:13-2:14; E0007 3:5-3:7; E0010 4:7-4:8; E0010 5:7-5:8; E0010 6:7-6:8"},
  {"print(f\"{ { }\", 3)\nx = 1 1", "E0010 1:9-1:10; E0012 2:7-2:8"},
  {"print(f\"abc\ny = 1\n", "E0007 1:7-1:9"},
  {"z = f\"a}b\"\nt = \"\\q\"\n", "E0009 1:8-1:9; E0008 2:6-2:8"},
  {"x = u at a + b\ny = w - u at a\n", "E0018 1:5-1:15; E0018 2:5-2:15"},
  {"z = 1/2 [m] + x^2 [m]\nv = 3 [0]\n", "E0016 1:5-1:12; E0016 1:15-1:22; E0017 2:8-2:9"},
  {"a + b = 3\nf(x) = 4\nv[0] = 1\ntrue = 2\n", "E0014 1:1-1:6; E0014 2:1-2:5; E0014 3:1-3:5; E0014 4:1-4:5"},
  {"a == b == c\n1..2..3\nx = + 3\n* 3\n", "E0012 1:8-1:10; E0012 2:5-2:7; E0012 3:5-3:6; E0012 4:1-4:2"},
  {"x = {1, 2}\nA = [1; 2]\nfor (i=0; i<3; i=i+1) { }\nx = f(1; y = 2\nz = 1 1\n",
   "E0012 1:5-1:6; E0012 2:7-2:8; E0012 3:7-3:8; E0010 4:6-4:7; E0012 5:7-5:8"},
  {"def f(x):\n  return x\ny = 1 1\n", "E0012 2:3-2:9; E0012 3:7-3:8"},
  {"y = 3 +\n\nz = 4\n", "E0012 3:3-3:4"},
  {"y = 3 +\n", "E0012 1:8-1:8"},
  {"assert\nfor i 1..2 { }\nwhile { }\nimport x\nif a b\n", "E0012 1:7-2:1; E0012 2:7-2:8; E0012 3:7-3:8; E0012 4:8-4:9; E0012 5:6-5:7"},
  {"a = 1\rb = 2\rc = 3 3\r", "E0003 1:6-1:7; E0012 1:19-1:20"},
  {"x = \"a\xFF\"\n\xFF\xFE\nz = \xC3(\n", "E0002 1:7-1:8; E0010 3:6-3:7"},
  {"∑ = 1\nx = 1 @ 2\n", "E0003 1:1-1:2; E0003 2:7-2:8"},
  {"TITLE 'heat'\nCOORDINATES cartesian2\nVARIABLES\n  u { temperature }\n", "E0020 1:1-1:6"},
  {"{ comment }\ntitle \"x\"\nselect errlim=1e-4\nvariables u\nequations\n", "E0020 2:1-2:6"},
  {"int x;\nvoid setup() {\n size(100, 100);\n}\n", "E0020 2:1-2:5"},
  {"void draw()\n{\n", "E0020 1:1-1:5"},
};

static void test_errors(void **state) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    Script s = script_parse(errors[i].text, strlen(errors[i].text));
    Buf found = {0};
    script_errors(&s, &found);
    if (strcmp(buf_str(&found), errors[i].errors)) fail_msg("%s  gives  %s\n  wanted %s", errors[i].text, buf_str(&found), errors[i].errors);
    buf_free(&found);
    script_free(&s);
  }
}

/* The words of a message, where they are the point. */
static const struct { const char *text, *message, *help; } messages[] = {
  {"pde heat(k = 1) on s {\n  u == 0\n", "unclosed `{` of `pde heat`, opened on line 1", NULL},
  {"x = 1/2 [m]\n", "the unit after `/` belongs to `2` alone, not to the quotient", "write `0.5 [m]` or `1/(2 [m])`"},
  {"x = 2x\n", "a letter touches the number `2`", "for a product write `2*x`"},
  {"if a {\n}\nelse {\n}\n", "`else` begins a statement here", "put it on the line of the `}` before it: `} else {`"},
  {"x = f(a,)\n", "`)` after `,`: expected an expression", "leave the last comma out"},
  {"x = f(1 2)\n", "the number `2` after the number `1`: expected an operator, `,` or `)`", NULL},
  {"pde p on g\n{\n}\n", "`{` can't stand here: expected a statement", "put the `{` on the line of what it belongs to"},
  {"x = 3 m\n", "`m` after the number `3`: expected an operator or the end of the statement", "a unit is written `3 [m]`, a product `3*m`"},
  {"if a:\n", "`:` after `a`: expected `then` or a block `{ }`", "a block stands in `{ }`"},
  {"f(x) { a = 1 }\n", "`{` after `)`: expected an operator or the end of the statement", "a function is defined by `fn f(x) { ... }`"},
  {"while x\n", "the end of the line after `x`: expected a block `{ }`", NULL},
  {"x = a % b\n", "there is no `%` operator", "the remainder is `mod(a, b)`; comments begin with `#`"},
};

static void test_messages(void **state) {
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    Script s = script_parse(messages[i].text, strlen(messages[i].text));
    assert_int_equal(s.diags.n, 1);
    assert_string_equal(s.diags.items[0]->message, messages[i].message);
    if (messages[i].help) assert_string_equal(s.diags.items[0]->suggestion, messages[i].help);
    script_free(&s);
  }
}

/* What a broken statement does not touch is still in the tree. */
static void test_recovery(void **state) {
  const char *text = "a = 1\nb = 2 2\npde p on g {\n  u == 0\n  v = = 1\n  w == 0\n}\nc = 3\n";
  Script s = script_parse(text, strlen(text));
  Buf shape = {0};
  script_shape(&s, &shape);
  assert_string_equal(buf_str(&shape), "(assign a 1) (decl pde (phrase p on g) _ (block (expr (== u 0)) (expr (== w 0)))) (assign c 3)");
  assert_int_equal(s.diags.nerrors, 2);
  buf_free(&shape);
  script_free(&s);
}

static void test_spans(void **state) {
  const char *text = "x = 1\npde p on g { ∂t u == 2*(a + b) }\n";
  Script s = script_parse(text, strlen(text));
  const Ast *pde = s.program->root->kid[1], *equation = pde->kid[2]->kid[0]->kid[0], *product = equation->kid[1];
  uint32_t base = s.program->source->base;
  assert_int_equal(pde->span.start - base, 6);
  assert_int_equal(pde->span.end - base, strlen(text) - 1);
  assert_memory_equal(text + (equation->span.start - base), "∂t u == 2*(a + b)", equation->span.end - equation->span.start);
  assert_memory_equal(text + (product->span.start - base), "2*(a + b)", product->span.end - product->span.start);
  assert_int_equal(product->span.end - product->span.start, 9);
  script_free(&s);
}

static const struct { const char *text; bool incomplete; } lines[] = {
  {"x = 1\n", false}, {"x = 1 +\n", true}, {"x =\n", true}, {"f(1,\n", true}, {"f(1\n", true}, {"pde p on g {\n", true},
  {"if a { b() }\n", false}, {"if a { b()\n", true}, {"x = [1, 2\n", true}, {"x = 1 1\nf(\n", false}, {"x = )\n", false},
  {"print(\"a\n", false}, {"print(f\"a{b\n", false}, {"on left:\n", true}, {"", false}, {"x = 2x\nf(\n", false},
};

static void test_incomplete(void **state) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    Script s = script_parse(lines[i].text, strlen(lines[i].text));
    if (s.incomplete != lines[i].incomplete) fail_msg("%s: incomplete is %d", lines[i].text, s.incomplete);
    if (s.incomplete) assert_true(s.diags.nerrors > 0);
    script_free(&s);
  }
}

static void test_docs(void **state) {
  const char *text = "## lost\n\n## Heat in a rod.\n##   Second line.\n# no doc\n## Why: x\nx = 1\ny = 2 ## behind\nz = 3\n"
                     "## outer\npde p on g {\n  ## inner\n  ## two\r\n  field k = 1\n}\n";
  Script s = script_parse(text, strlen(text));
  Ast **kid = s.program->root->kid;
  assert_string_equal(kid[0]->doc, "Why: x");
  assert_null(kid[1]->doc);
  assert_null(kid[2]->doc);
  assert_string_equal(kid[3]->doc, "outer");
  assert_string_equal(kid[3]->kid[2]->kid[0]->doc, "inner\ntwo");
  script_free(&s);
}

static void test_names(void **state) {
  /* e + acute, o + circumflex + grave, alpha + tonos, cyrillic i + breve, micro, ohm */
  const char *text = "caf\xC3\xA9 = cafe\xCC\x81\n\xE1\xBB\x93 = o\xCC\x82\xCC\x80\n\xCE\xAC = \xCE\xB1\xCC\x81\n\xD0\xB9 = \xD0\xB8\xCC\x86\n"
                     "\xC2\xB5 = \xCE\xBC\n\xE2\x84\xA6 = \xCE\xA9\nu₀ = u₀\n";
  Script s = script_parse(text, strlen(text));
  assert_int_equal(s.diags.n, 0);
  assert_int_equal(s.program->root->n, 7);
  for (int i = 0; i < 7; i++) {
    const Ast *a = s.program->root->kid[i];
    if (a->kid[0]->name != a->kid[1]->name) fail_msg("%s is not %s", a->kid[0]->name, a->kid[1]->name);
  }
  script_free(&s);
}

static const struct { const char *text; double value; } numbers[] = {
  {"1", 1}, {"0.1", 0.1}, {"400_000", 4e5}, {"1_0.5_0e1_", 0}, {"0.2%", 0.002}, {"1e-3", 1e-3}, {"9007199254740993", 9007199254740992.0},
  {"4.9e-324", 4.9e-324}, {"1.7976931348623157e308", 1.7976931348623157e308}, {"123456789012345678901234567890", 123456789012345678901234567890.0},
  {"3.14159265358979323846264338327950288", 3.14159265358979323846264338327950288},
};

static void check_numbers(void) {
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char text[128];
    snprintf(text, sizeof text, "x = %s\n", numbers[i].text);
    Script s = script_parse(text, strlen(text));
    bool bad = strchr(numbers[i].text, '_') && numbers[i].text[strlen(numbers[i].text) - 1] == '_';
    assert_int_equal(s.diags.n, bad);
    if (!bad && s.program->root->kid[0]->kid[1]->number != numbers[i].value) fail_msg("%s is not exact", numbers[i].text);
    script_free(&s);
  }
}

static void test_numbers(void **state) {
  check_numbers();
  static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "pt_BR.UTF-8"};
  for (size_t i = 0; i < sizeof comma / sizeof *comma; i++)
    if (setlocale(LC_NUMERIC, comma[i])) check_numbers();
  setlocale(LC_NUMERIC, "C");
}

static void test_units_used(void **state) {
  Script a = script_parse("x = 1\n", 6), b = script_parse("x = 1 [m]\n", 10);
  assert_false(a.program->uses_units);
  assert_true(b.program->uses_units);
  script_free(&a);
  script_free(&b);
}

static void test_equal(void **state) {
  static const char *const same[][2] = {
    {"x = a + b", "x=a+b # c"}, {"x = 1000", "x = 1_000"}, {"x = a ≤ π", "x = a <= pi"}, {"x = Δu", "x = ∇²u"},
  };
  static const char *const different[][2] = {
    {"x = a + b", "x = a - b"}, {"x = (a)", "x = a"}, {"x = 1", "x = 2"}, {"x = \"a\"", "x = \"b\""}, {"a b, c", "a b c"},
    {"a b for c", "a b c"}, {"x = 1 < y < 2", "x = 1 < y <= 2"}, {"x = f(a: 1)", "x = f(b: 1)"}, {"x = 1", "x = 1; y = 2"},
    {"x = f\"{a:3}\"", "x = f\"{a}\""}, {"x = 1%", "x = 0.01"},
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    Script a = script_parse(same[i][0], strlen(same[i][0])), b = script_parse(same[i][1], strlen(same[i][1]));
    assert_true(ast_equal(a.program->root, b.program->root));
    script_free(&a), script_free(&b);
  }
  for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
    Script a = script_parse(different[i][0], strlen(different[i][0])), b = script_parse(different[i][1], strlen(different[i][1]));
    if (ast_equal(a.program->root, b.program->root)) fail_msg("%s equals %s", different[i][0], different[i][1]);
    script_free(&a), script_free(&b);
  }
}

/* --- hostile texts: a tree or a diagnostic, never a crash --- */

static bool measure(const Ast *node, void *user) {
  int *height = user;
  if (node->height > *height) *height = node->height;
  return true;
}

/* prefix, then the part n times, then suffix */
static void hostile(const char *prefix, const char *part, int n, const char *suffix, DiagCode code) {
  Buf text = {0};
  buf_puts(&text, prefix);
  for (int i = 0; i < n; i++) buf_puts(&text, part);
  buf_puts(&text, suffix);
  Script s = script_parse(text.text, text.len);
  int height = 0;
  ast_walk(s.program->root, measure, &height);
  assert_true(height < 4000);
  bool found = false;
  for (int i = 0; i < s.diags.n; i++) found = found || s.diags.items[i]->code == code;
  if (!found) fail_msg("%d times %s: %s", n, part, s.diags.n ? s.diags.items[0]->message : "no diagnostic");
  if (s.diags.n > 3) fail_msg("%d times %s: %d diagnostics", n, part, s.diags.n);
  script_free(&s);
  buf_free(&text);
}

static void test_hostile(void **state) {
  hostile("x = ", "(", 100000, "", E0019);
  hostile("x = ", "[", 100000, "\n", E0019);
  hostile("x = ", "f(", 100000, "", E0019);
  hostile("", "a {", 100000, "", E0019);
  hostile("x = 1", " + 1", 1000000, "\n", E0019);
  hostile("x = 1", "^1", 100000, "\n", E0019);
  hostile("x = ", "-", 1000000, "1\n", E0019);
  hostile("x = ", "not ", 100000, "1\n", E0019);
  hostile("x = ", "∇", 100000, "u\n", E0019);
  hostile("x = a", ".b", 100000, "\n", E0019);
  hostile("x = a", "[0]", 100000, "\n", E0019);
  hostile("x = a", "²", 100000, "\n", E0019);
  hostile("x = ", "if a then b else ", 100000, "c\n", E0019);
  hostile("if a { }", " else if a { }", 100000, "\n", E0019);
  hostile("x = ", "f\"{", 100000, "\n", E0019);
  hostile("x = \"", "\\q", 2, "\"\n", E0008);
}

/* Work must not grow with the square of a text. A line of n parts where each looked at the rest would take hours. */
static void test_linear(void **state) {
  static const char *const parts[][3] = {
    {"x = f(1", "; 1", ")\n"}, {"", ")", ""}, {"", "}", "\n"}, {"", "x = 1 1\n", ""}, {"", "a { ", ""}, {"x = \"", "\\q", "\"\n"},
    {"", "f(\n", ""}, {"", "f\"{\n", ""}, {"", "# c\n## d\n", "x = 1\n"}, {"", "x = 1; ", "# c\n"}, {"x = ", "\t ", "1 1\n"}, {"", "x = 2x\n", ""},
    {"", "/* a */", "\n"}, {"", "\xFF", "\n"}, {"", "'", "\n"}, {"x = a[", "b, ", "c]\n"}, {"x = \"", "é", "\"\n"}, {"e", "\xCC\x81", " = 1\n"},
  };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    Buf text = {0};
    buf_puts(&text, parts[k][0]);
    for (int i = 0; i < 300000; i++) buf_puts(&text, parts[k][1]);
    buf_puts(&text, parts[k][2]);
    Script s = script_parse(text.text, text.len);
    assert_true(arena_bytes(s.program->arena) < 500u * 1000 * 1000);
    script_free(&s);
    buf_free(&text);
  }
}

static void test_large(void **state) {
  Buf text = {0};
  buf_puts(&text, "x = [1");
  for (int i = 0; i < 200000; i++) buf_puts(&text, ", 1");
  buf_puts(&text, "]; s = \"");
  for (int i = 0; i < 1000000; i++) buf_putc(&text, 'a');
  buf_puts(&text, "\"; ");
  for (int i = 0; i < 1000000; i++) buf_putc(&text, 'n');
  buf_puts(&text, " = 1 # ");
  for (int i = 0; i < 1000000; i++) buf_putc(&text, ' ');
  Script s = script_parse(text.text, text.len);
  assert_int_equal(s.diags.n, 0);
  assert_int_equal(s.program->root->n, 3);
  assert_int_equal(s.program->root->kid[0]->kid[1]->n, 200001);
  assert_int_equal(strlen(s.program->root->kid[1]->kid[1]->text), 1000000);
  script_free(&s);
  buf_free(&text);
}

static void test_nul(void **state) {
  static const char text[] = "x = 1\0\ny = \"a\0b\"\nz = 3 # \0\nw = 4\n";
  Script s = script_parse(text, sizeof text - 1);
  Buf found = {0};
  script_errors(&s, &found);
  assert_string_equal(buf_str(&found), "E0003 1:6-1:7; E0003 2:7-2:8");
  assert_int_equal(s.program->root->n, 4);
  buf_free(&found);
  script_free(&s);
  Script zeros = script_parse("\0\0\0\0\0\0\0\0", 8);
  assert_true(zeros.diags.n > 0);
  script_free(&zeros);
}

/* Texts cut at every byte, and with every byte replaced, still give a program. */
static void test_cut(void **state) {
  static const int which[] = {4, 9, 21};
  for (size_t k = 0; k < sizeof which / sizeof *which; k++) {
    size_t len;
    char *text = script_example(which[k], &len);
    for (size_t cut = 0; cut < len; cut++) {
      Script s = script_parse(text, cut);
      script_free(&s);
      static const char junk[] = "(){}[]\"\n\\;:=#f'\xCE";
      char kept = text[cut];
      text[cut] = junk[cut % (sizeof junk - 1)];
      s = script_parse(text, len);
      text[cut] = kept;
      if (s.diags.n > 5) fail_msg("%s, byte %zu: %d errors from one", script_names[which[k]], cut, s.diags.n);
      script_free(&s);
    }
    free(text);
  }
}

/* --- memory --- */

/* Parses with the n-th allocation failing; NULL if that was fatal. What is left must be usable. */
static bool parse_without(const char *text, size_t len, long n, int errors) {
  SourceMap *sources = sources_new();
  Interner *names = interner_new();
  Diags diags = {.sources = sources, .limit = 500};
  const Source *source = source_add(sources, "test.pde", text, len);
  memory_fail_at(n);
  Program *program = parse_program(source, names, &diags, NULL);
  memory_fail_at(0);
  if (program) assert_int_equal(diags.n, errors);
  else assert_int_equal(diags.items[diags.n - 1]->code, E0001);
  diags_clear(&diags);
  Program *again = parse_program(source, names, &diags, NULL);
  assert_non_null(again);
  assert_int_equal(diags.n, errors);
  if (program) assert_true(ast_equal(program->root, again->root));
  bool survived = program != NULL;
  program_release(program);
  program_release(again);
  diags_free(&diags);
  interner_free(names);
  sources_free(sources);
  return survived;
}

static void fail_everywhere(const char *text, size_t len, int errors) {
  int failures = 0, successes = 0;
  for (long n = 1; successes < 4; n++) {    /* a table that cannot grow is no failure: several in a row end the loop */
    bool survived = parse_without(text, len, n, errors);
    successes = survived ? successes + 1 : 0;
    failures += !survived;
  }
  assert_true(failures > 3);
}

static void test_memory(void **state) {
  size_t len;
  char *text = script_example(11, &len);
  fail_everywhere(text, len, 0);
  free(text);
  Buf broken = {0};
  for (int i = 0; i < 100; i++) buf_printf(&broken, "x%d = f(1 2, \"\\q\", f\"{a}b\"\ny = [1, 2\n  3]\n", i);
  fail_everywhere(broken.text, broken.len, 300);
  buf_free(&broken);
}

/* Rows of diag.def for syntax: the bad script gives the code, the good one gives nothing. */
static void test_rows(void **state) {
  int rows = 0;
  for (int code = E0002; code <= E0021; code++) {
    const DiagRow *row = &diag_rows[code];
    if (row->bad) {
      Script s = script_parse(row->bad, strlen(row->bad));
      if (s.diags.n != 1 || s.diags.items[0]->code != (DiagCode)code) fail_msg("%s: its bad script gives %d errors", row->code, s.diags.n);
      script_free(&s);
      rows++;
    }
    if (row->good) {
      Script s = script_parse(row->good, strlen(row->good));
      if (s.diags.n) fail_msg("%s: its good script gives %s", row->code, s.diags.items[0]->message);
      script_free(&s);
    }
  }
  assert_true(rows >= 18);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_examples), cmocka_unit_test(test_shapes), cmocka_unit_test(test_errors), cmocka_unit_test(test_messages),
    cmocka_unit_test(test_recovery), cmocka_unit_test(test_spans), cmocka_unit_test(test_incomplete), cmocka_unit_test(test_docs),
    cmocka_unit_test(test_names), cmocka_unit_test(test_numbers), cmocka_unit_test(test_units_used), cmocka_unit_test(test_equal),
    cmocka_unit_test(test_hostile), cmocka_unit_test(test_linear), cmocka_unit_test(test_large), cmocka_unit_test(test_nul), cmocka_unit_test(test_cut),
    cmocka_unit_test(test_memory), cmocka_unit_test(test_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
