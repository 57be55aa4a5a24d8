# The precision of a format is kept, however long the number.
print(f"{1/4:.70f}|")
print(f"{1:.0f} {0.1:.25f} {2:90.1f}|")
#! expect: 0.2500000000000000000000000000000000000000000000000000000000000000000000|
#! expect: 1 0.1000000000000000055511151                                                                                        2.0|
