/* JSON: shortest numbers, null with a path for what is not finite, strings that survive, stable order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above. */
#include <cmocka.h>

#include "json.h"

static char *printed(Json *node, Json *nonfinite) {
  Buf out = {0};
  json_print(&out, node, nonfinite);
  json_free(node);
  return out.text;
}

static void expect(Json *node, const char *text) {
  char *got = printed(node, NULL);
  assert_string_equal(got, text);
  free(got);
}

static void numbers_are_shortest_and_read_back(void **state) {
  (void)state;
  expect(json_number(0.1), "0.1");
  expect(json_number(1), "1");
  expect(json_number(-2.5e-300), "-2.5e-300");
  uint64_t seed = 12345;
  for (int i = 0; i < 20000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    double x;
    memcpy(&x, &seed, sizeof x);
    if (!isfinite(x)) continue;
    char *text = printed(json_number(x), NULL);
    Json *back = json_parse(text, strlen(text));
    double y = 0;
    assert_true(back && json_number_of(back, &y));
    assert_true(x == y);
    json_free(back);
    free(text);
  }
}

static void not_finite_is_null_with_its_path(void **state) {
  (void)state;
  Json *root = json_object(), *list = json_array(), *inner = json_object(), *paths = json_array();
  json_put(inner, "value", json_number(NAN));
  json_append(list, json_number(1));
  json_append(list, inner);
  json_put(root, "printed", list);
  json_put(root, "worst", json_number(-INFINITY));
  char *text = printed(root, paths);
  assert_string_equal(text, "{\"printed\":[1,{\"value\":null}],\"worst\":null}");
  free(text);
  assert_int_equal(json_count(paths), 2);
  assert_string_equal(json_text_of(json_at(paths, 0)), "printed[1].value");
  assert_string_equal(json_text_of(json_at(paths, 1)), "worst");
  json_free(paths);
}

static void overflow_keeps_its_meaning_on_the_way(void **state) {
  (void)state;
  char *text = printed(json_number(INFINITY), NULL);
  Json *back = json_parse(text, strlen(text)), *paths = json_array();
  free(text);
  text = printed(back, paths);
  assert_string_equal(text, "null");
  assert_int_equal(json_count(paths), 1);
  free(text);
  json_free(paths);
}

static void strings_are_escaped(void **state) {
  (void)state;
  expect(json_string("a\"b\\c\n\t\x01"), "\"a\\\"b\\\\c\\n\\t\\u0001\"");
  expect(json_string("∇u ≤ 1"), "\"∇u ≤ 1\"");
  expect(json_string("\xC3\x28 \xED\xA0\x80"), "\"\xEF\xBF\xBD( \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  expect(json_string(NULL), "null");
  expect(json_bool(true), "true");
}

static void order_is_that_of_the_puts(void **state) {
  (void)state;
  Json *node = json_object();
  json_put(node, "z", json_number(1));
  json_put(node, "a", json_null());
  expect(node, "{\"z\":1,\"a\":null}");
}

static void what_is_no_json_is_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"", "{", "[1,]x", "{\"a\" 1}", "nul"};
  for (int i = 0; i < 5; i++) {
    Json *node = json_parse(bad[i], strlen(bad[i]));
    assert_null(node);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_are_shortest_and_read_back),   cmocka_unit_test(not_finite_is_null_with_its_path),
    cmocka_unit_test(overflow_keeps_its_meaning_on_the_way), cmocka_unit_test(strings_are_escaped),
    cmocka_unit_test(order_is_that_of_the_puts),            cmocka_unit_test(what_is_no_json_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
