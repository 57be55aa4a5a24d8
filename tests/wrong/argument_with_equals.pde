# Arguments are labelled with a colon.
geometry plate = rectangle(x = 0..1, y = 0..1)
