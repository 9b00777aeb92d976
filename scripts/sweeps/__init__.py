"""What hunts for mistakes: random instances, every method and option.

    python -m scripts.sweeps [--runs N] [--seed S] [--problem P] [--minutes M]

From the root of the repository.
"""
