# A reserved word as a name.
on = 3
