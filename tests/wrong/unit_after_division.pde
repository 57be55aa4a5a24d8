# Half a metre, or one over two metres?
L = 1/2 [m]
