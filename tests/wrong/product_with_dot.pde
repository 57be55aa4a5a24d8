# A dot between scalars.
k = 2
q = π·k
