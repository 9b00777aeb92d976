from atleastk import BinCovering

SIZES = [10, 6, 6, 6, 4]
INSTANCES = [
    BinCovering(SIZES, 10),
    BinCovering(SIZES, 10, "excess"),
    BinCovering(SIZES, 10, "quadratic"),
    BinCovering(SIZES, 33),
]
EMPTY = [BinCovering([], 3, objective) for objective in ("max", "excess", "quadratic")]
