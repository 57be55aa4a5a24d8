# `tolerence` is never used: it was to be `tolerance`.
contract small(a: real) {
  violation = abs(a)
  tolerence = 1e-3
}
