import random

import numpy as np

from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.memory import Memory, place_of, remember


@compiled
def put(key, number, memory):
    """Store a state and its number; return whether it is new."""
    return remember(key, number, memory)


def test_states_are_found_again_in_a_table_that_grows():
    rng = random.Random(1)
    memory, known = Memory.of(8, 2), {}
    for _ in range(500):
        state = rng.randint(-9, 9), rng.choice([0, 1, 2**62, -(2**62)])
        number = rng.randrange(5)
        if 2 * len(known) == len(memory.numbers):
            memory = memory.doubled()
        assert put(np.array(state), number, memory) == (state not in known)
        known[state] = number
        for each, last in known.items():
            assert memory.numbers[place_of(np.array(each), memory)] == last
    assert len(known) == 76
    assert memory.numbers[place_of(np.array([10, 0]), memory)] == -1
