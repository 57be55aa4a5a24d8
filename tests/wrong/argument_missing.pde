# A function of two, called with one.
fn lame(E, nu) = E/(2*(1 + nu))
mu = lame(200)
