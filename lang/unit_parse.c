/* Units as files of data spell them: "kg/(m*s^2)", "W/m/K", "1", "". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

typedef struct Text { const char *at; int depth; bool bad; } Text;

static UnitScale product(Text *text);

static void blanks(Text *text) { text->at += strspn(text->at, " \t"); }

static void closing(Text *text) {
  if (*text->at == ')') text->at++;
  else text->bad = true;
}

static double exponent(Text *text) {
  char *end;
  bool bracket = *text->at == '(';
  text->at += bracket;
  double e = text_number(text->at, &end);
  if (end == text->at) text->bad = true;
  text->at = end;
  if (bracket && *text->at == '/') {
    double d = text_number(text->at + 1, &end);
    if (end == text->at + 1 || d == 0) text->bad = true;
    text->at = end;
    e /= d;
  }
  if (bracket) closing(text);
  return text->bad ? 1 : e;
}

static UnitScale factor(Text *text) {
  UnitScale u = {UNIT_NONE, 1, 0};
  blanks(text);
  if (*text->at == '(' && text->depth < 20) {
    text->at++;
    text->depth++;
    u = product(text);
    text->depth--;
    blanks(text);
    closing(text);
  } else if (*text->at == '1' && !strchr("0123456789.", text->at[1] ? text->at[1] : 'x')) {
    text->at++;
  } else {
    size_t n = strcspn(text->at, " \t*/^()[]0123456789");
    char symbol[32];
    if (!n || n >= sizeof symbol) {
      text->bad = true;
      return u;
    }
    memcpy(symbol, text->at, n);
    symbol[n] = 0;
    text->at += n;
    if (!unit_symbol(symbol, &u)) text->bad = true;
  }
  if (text->bad || *text->at != '^') return u;
  text->at++;
  double e = exponent(text);
  UnitScale power = {UNIT_NONE, pow(u.scale, e), 0};
  if (text->bad || u.offset != 0 || !unit_pow(u.unit, e, &power.unit)) text->bad = true;
  return power;
}

static UnitScale product(Text *text) {
  UnitScale u = factor(text);
  for (blanks(text); !text->bad && (*text->at == '*' || *text->at == '/'); blanks(text)) {
    bool over = *text->at++ == '/';
    UnitScale f = factor(text);
    if (u.offset != 0 || f.offset != 0) text->bad = true;
    u = (UnitScale){over ? unit_div(u.unit, f.unit) : unit_mul(u.unit, f.unit), over ? u.scale / f.scale : u.scale * f.scale, 0};
  }
  return u;
}

bool unit_parse(const char *text, UnitScale *out) {
  Text t = {.at = text};
  *out = (UnitScale){UNIT_NONE, 1, 0};
  blanks(&t);
  if (!*t.at) return true;
  *out = product(&t);
  blanks(&t);
  return !t.bad && !*t.at;
}
