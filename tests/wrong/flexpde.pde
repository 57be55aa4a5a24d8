TITLE 'Heat flow around an insulating blob'
VARIABLES
  Temp
DEFINITIONS
  K = 1
EQUATIONS
  Div(-K*grad(Temp)) = 0
BOUNDARIES
  REGION 1 'box'
    START(-1, -1) VALUE(Temp) = 0 LINE TO (1, -1)
END
