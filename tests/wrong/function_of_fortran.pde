# arctan is atan.
field phi = arctan(y/x)
