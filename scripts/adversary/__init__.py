"""The adversary: random instances at the edges, every option, and an own judge.

    python -m scripts.adversary [--runs N] [--seed S] [--problem P] [--seconds S]

From the root of the repository. It knows the package by its public names only, and
judges by enumeration what it answers.
"""
