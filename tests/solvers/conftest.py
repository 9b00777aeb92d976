import pytest

from atleastk.solvers.brute_force.bin_covering import partitions


@pytest.fixture(scope="session")
def profile():
    def profiled(sizes):
        seen = set()
        for groups in partitions(len(sizes)):
            levels = [sum(sizes[i] for i in group) for group in groups]
            seen.add((len(groups), min(levels), max(levels)))
        return seen

    return profiled
