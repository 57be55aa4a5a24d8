## Fluids at 20 degC and 101,325 Pa: density, dynamic viscosity, conductivity, heat capacity, thermal expansion.
##
## Records with units: water.rho, water.mu, water.k, water.c, water.beta. A program that imports this file is one with units.
## Sources: IAPWS R12-08 (viscosity) and R6-95 (density) for water; Incropera et al., Fundamentals of Heat and Mass Transfer, tables A.4
## (air) and A.5 (engine oil, glycerine).

## Liquid water.
water = (rho: 998.2 [kg/m^3], mu: 1.0016 [mPa*s], k: 0.598 [W/(m*K)], c: 4184 [J/(kg*K)], beta: 2.07e-4 [1/K])

## Dry air.
air = (rho: 1.204 [kg/m^3], mu: 18.2 [uPa*s], k: 0.0257 [W/(m*K)], c: 1007 [J/(kg*K)], beta: 3.41e-3 [1/K])

## Engine oil, unused.
oil = (rho: 888.2 [kg/m^3], mu: 0.799 [Pa*s], k: 0.145 [W/(m*K)], c: 1880 [J/(kg*K)], beta: 7.0e-4 [1/K])

## Glycerine.
glycerine = (rho: 1264 [kg/m^3], mu: 1.49 [Pa*s], k: 0.286 [W/(m*K)], c: 2386 [J/(kg*K)], beta: 4.7e-4 [1/K])

## Prandtl number mu c/k of a fluid of this file.
fn prandtl(fluid) = fluid.mu*fluid.c/fluid.k

test "Prandtl numbers" {
  assert abs(prandtl(water) - 7.01) < 0.05
  assert abs(prandtl(air) - 0.713) < 0.005
  assert abs(prandtl(oil)/10400 - 1) < 0.02
  assert abs(prandtl(glycerine)/12430 - 1) < 0.02
}
