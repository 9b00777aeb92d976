"""Small instances of many shapes, which the judges enumerate."""

from scripts.sweeps import drawn_pairs as pairs
from scripts.sweeps import drawn_places as places
from scripts.sweeps import drawn_tables as tables
from scripts.sweeps import drawn_weights as weights

MODERATE = ("uniform", "duplicates", "heavy and light", "near a multiple", "geometric")


def clustering(problem):
    return lambda rng: places.random_clustering(
        rng, problem, rng.choice([0, 1, 3, 4, 5, 5, 6, 6, 7])
    )


DRAWN = {
    "bin-covering": lambda rng: weights.random_bins(rng, 7, MODERATE),
    "interval-covering": weights.random_intervals,
    "connected-partition": lambda rng: weights.random_map(
        rng, rng.choice([0, 1, 3, 5, 6, 7])
    ),
    "rectangle-tiling": places.random_tiling,
    "rectangle-tiling-grid": places.random_grid,
    "r-gather": clustering("r-gather"),
    "cellular-clustering": clustering("cellular-clustering"),
    "k-anonymity": lambda rng: tables.random_anonymity(rng, 7),
    "k-ambiguity": tables.random_ambiguity,
    "generalization": lambda rng: tables.random_generalization(rng, 6),
    "diversity": lambda rng: tables.random_diversity(rng, 6),
    "suppression": tables.random_named,
    "pair-partition": lambda rng: pairs.random_pairs(rng, pairs.MODERATE),
}
"""What draws them, by problem."""
