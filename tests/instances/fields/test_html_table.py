"""What a notebook shows of results and instances, of ratios, studies and tables."""

from dataclasses import replace

import pytest
from pages import Reader, needs_browser, too_wide

import atleastk
from atleastk.instances.fields.html_table import card, notebook

NASTY = "<script>alert('&')</script>"


def all_in_one(instance):
    return [range(instance.n)]


@pytest.fixture(scope="module")
def result():
    points = [[0, 0], [3, 4], [10, 10], [13, 14]]
    return atleastk.solve(atleastk.RGather(points=points, r=2, name=NASTY))


@pytest.fixture(scope="module")
def ratios():
    algorithm = atleastk.algorithm("bin-covering", guarantee=1)(all_in_one)
    return atleastk.ratio(algorithm, "uniform", n=6, seeds=3)


@pytest.fixture(scope="module")
def asked():
    instances = [{"family": "uniform", "seeds": 2, "n": 6}]
    return atleastk.Study(
        problem="bin-covering", title=NASTY, instances=instances, algorithms=["spread"]
    )


@pytest.fixture(scope="module")
def study(asked):
    return atleastk.conduct(asked)


def words_of(page):
    """Return the words of a table; it is well formed and holds no script."""
    reader = Reader(page)
    assert not {"script", "img", "link"} & set(reader.elements)
    assert reader.links == []
    return " ".join("".join(f"{text} " for text in reader.texts[2:]).split())


def test_of_a_result(result):
    assert words_of(result._repr_html_()) == " ".join(str(result).split())
    for told in ("OPTIMAL (certified)", "cost 25", "bound 25"):
        assert told in words_of(result._repr_html_())


def test_of_an_instance(result):
    page = result.instance._repr_html_()
    assert words_of(page) == f'r-gather "{NASTY}" n 4 r 2'
    on = atleastk.Generalization([["a"]], k=1, hierarchies=[[["a", "*"]]])
    assert "<td>k</td><td>1 on entries</td>" in on._repr_html_()


def test_of_ratios_and_of_one_of_them(ratios):
    words = words_of(ratios._repr_html_())
    assert ratios.told in words
    assert all(cell in words for cells in ratios.cells for cell in cells)
    assert f"worst {ratios.worst.ratio:.4f} reached by" in words_of(
        ratios["all-in-one"]._repr_html_()
    )


def test_of_nothing():
    none = atleastk.Ratios([], 0)
    assert words_of(none._repr_html_()) == none.told


def test_of_a_study(study):
    words = words_of(study._repr_html_())
    assert words.startswith(f"{NASTY}: 4 runs, 4 done method status trust runs")
    assert "auto OPTIMAL certified 2" in words
    assert study.ratios().told in words
    assert str(study).startswith(f"{NASTY}: 4 runs, 4 done\n| algorithm |")


def test_of_what_a_study_asks(asked):
    assert words_of(asked._repr_html_()) == (
        f"{NASTY}: bin-covering instances family=uniform seeds=2 n=6 algorithms spread "
        "methods auto seeds 0 time_limit 60.0 workers 1"
    )
    listed = atleastk.BinCovering([1, 2], 2)
    more = replace(asked, title="", instances=[listed], by=["k"], against="n")
    words = words_of(more._repr_html_())
    assert words.startswith(f"Study: bin-covering instances {listed} algorithms")
    assert "by k" in words
    assert words.endswith("against n")


def test_of_what_the_doors_make():
    rows = [{"<b>": "1"}, {"<b>": "2"}, {"<b>": "1"}]
    for made in (
        atleastk.anonymize(rows, k=3),
        atleastk.anonymize(rows, k=3).report,
        atleastk.cluster([[0.0], [1.0], [2.0]], r=2),
    ):
        assert words_of(made._repr_html_()) == " ".join(str(made).split())


def test_of_a_table_that_was_looked_at():
    rows = [{NASTY: str(i), "sex": "fm"[i % 2]} for i in range(24)]
    words = words_of(atleastk.inspect(rows)._repr_html_())
    assert words.startswith("24 rows, 2 columns column type values missing alone")
    assert f"{NASTY} number 24 0 24 0" in words
    assert f'WARNING: column "{NASTY}" seems to identify persons' in words


def test_of_a_tradeoff():
    made = atleastk.tradeoff(atleastk.BinCovering(sizes=[1, 2, 3, 4], k=1), [2, 3])
    words = words_of(made._repr_html_())
    assert words.startswith("Cost against k k status cost at least gap from s 2 opt")
    assert all(str(point.cost) in words for point in made)


def test_large_tables_are_cut():
    page = notebook("", ("n>",), [[i] for i in range(100)])
    assert page.count("<td") == 30
    assert "... 70 more" in words_of(page)
    assert "... 9 more" in card("\n".join(map(str, range(40))))


@needs_browser
def test_a_browser_takes_them(result, ratios, asked, study, tmp_path):
    shown = (result, result.instance, ratios, ratios["all-in-one"], asked, study)
    body = "\n".join(each._repr_html_() for each in shown)
    found = too_wide([f"<title></title><body>{body}</body>"], tmp_path)
    assert [width for _, width, _ in found if width > 390] == []  # as on a desk
