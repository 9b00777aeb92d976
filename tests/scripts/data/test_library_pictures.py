import atleastk
from scripts.data.library_pictures import DRAWN, drawn


def test_every_record_is_drawn_with_its_cost():
    told = [ax.get_title() for ax in drawn()]
    costs = [atleastk.library[name].known.cost for name in DRAWN]
    assert told == [f"{n}\ncost {c:,}" for n, c in zip(DRAWN, costs, strict=True)]
