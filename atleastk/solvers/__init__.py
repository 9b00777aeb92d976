"""How it is solved: back ends, exact algorithms, approximations, certificates."""
