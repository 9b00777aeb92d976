from functools import partial

from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather import radius_search
from atleastk.solvers.r_gather.questions import AmongPoints
from atleastk.solvers.r_gather.radius_search import RadiusSearch


def test_neighbours_that_were_cut_short_refute_nothing(monkeypatch):
    """A turn ends while neighbours are listed; the next one lists them anew."""
    instance = RGather(points=[[0, 0], [0, 1], [5, 0], [5, 1]], r=2)
    search = search_of(instance)
    radii, turn = RadiusSearch(search, partial(AmongPoints, []), "cuts"), Budget()

    def cut_short(space, limit, budget):
        turn.stop.set()
        return neighbourhoods(space, limit, budget)

    with monkeypatch.context() as patch:
        patch.setattr(radius_search, "neighbourhoods", cut_short)
        assert not radii.decide_all(0, turn)
    radii.decide_all(0, Budget())
    assert (search.cost, search.bound) == (1, 1)
