## Metals at 20 degC: Young's modulus, Poisson's ratio, density, conductivity, heat capacity, thermal expansion, yield.
##
## Records with units: steel.E, steel.nu, steel.rho, steel.k, steel.c, steel.alpha, steel.yield. A program that imports this file is
## one with units. Typical values; a design takes those of its own material.
## Sources: Ashby, Materials Selection in Mechanical Design, appendix C; Incropera et al., Fundamentals of Heat and Mass Transfer,
## table A.1; yield: EN 10025-2 (S235), EN 755-2 (6061-T6), EN 1982.

## Structural steel S235.
steel = (E: 210 [GPa], nu: 0.3, rho: 7850 [kg/m^3], k: 50 [W/(m*K)], c: 460 [J/(kg*K)], alpha: 12e-6 [1/K], yield: 235 [MPa])

## Stainless steel 1.4301 (AISI 304).
stainless = (E: 193 [GPa], nu: 0.29, rho: 7900 [kg/m^3], k: 14.9 [W/(m*K)], c: 477 [J/(kg*K)], alpha: 16.5e-6 [1/K], yield: 210 [MPa])

## Aluminium alloy 6061-T6.
aluminium = (E: 69 [GPa], nu: 0.33, rho: 2700 [kg/m^3], k: 167 [W/(m*K)], c: 896 [J/(kg*K)], alpha: 23.6e-6 [1/K], yield: 240 [MPa])

## Pure copper.
copper = (E: 117 [GPa], nu: 0.34, rho: 8933 [kg/m^3], k: 401 [W/(m*K)], c: 385 [J/(kg*K)], alpha: 16.5e-6 [1/K], yield: 33 [MPa])

## Titanium alloy Ti-6Al-4V.
titanium = (E: 114 [GPa], nu: 0.34, rho: 4430 [kg/m^3], k: 6.7 [W/(m*K)], c: 526 [J/(kg*K)], alpha: 8.6e-6 [1/K], yield: 880 [MPa])

test "units and sizes" {
  for metal in [steel, stainless, aluminium, copper, titanium] {
    speed = sqrt(metal.E/metal.rho)
    assert 3000 [m/s] < speed and speed < 5300 [m/s], f"sound in a rod: {speed}"
    diffusivity = metal.k/(metal.rho*metal.c)
    assert 2e-6 [m^2/s] < diffusivity and diffusivity < 1.3e-4 [m^2/s], f"{diffusivity}"
    assert 0.25 < metal.nu and metal.nu < 0.36
    assert metal.yield/metal.E < 0.01
  }
}
