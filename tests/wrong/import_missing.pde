# The library is mechanics/elasticity.
import "mechanics/elastisity"
