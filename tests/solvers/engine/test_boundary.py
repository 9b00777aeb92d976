from atleastk.solvers.engine.boundary import orders_of, width


class Counted(list):
    """Neighbours of nodes; counts how often they are asked for."""

    asked = 0

    def __getitem__(self, node):
        self.asked += 1
        return super().__getitem__(node)


def test_neighbours_are_not_asked_for_by_all_of_a_boundary():
    nodes = 60
    around = Counted([[v for v in range(nodes) if v != u] for u in range(nodes)])
    (order,) = orders_of(around, 1)
    assert sorted(order) == [*range(nodes)]
    assert around.asked < 10 * nodes
    assert width(around, order) == nodes - 1
