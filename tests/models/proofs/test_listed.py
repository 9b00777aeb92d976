from atleastk.models.proofs.listed import Group, Listed
from scripts.vipr_checker import checked


def test_where_no_group_is_left_only_items_that_need_one_refute():
    groups = [Group("both", {0: 1, 1: 1})]
    listed = Listed.of(["A cell that may be left out."], groups, [1, 1], [False, True])
    barred = listed.program.row("barred", "L", listed.count, 0)
    listed.refute([0, 3], none=(barred,))
    assert checked(list(listed.program.text([]))) == (1, 5, 1)
