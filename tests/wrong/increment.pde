# In-place addition.
i = 0
i += 1
