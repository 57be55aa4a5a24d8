# A test has a name.
test {
  assert 1 == 2
}
