"""What a notebook shows of results and instances, of ratios, studies and tables."""

from dataclasses import replace

import pytest
from pages import Reader, needs_browser, told, too_wide

import atleastk
from atleastk.instances.fields.html_table import card, notebook

NASTY = "<script>alert('&')</script>"
JUPYTER = """
<style>:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td { text-align: right; }
</style>
"""
"""What JupyterLab and its exported pages say of tables."""
ALIGNED = """
onload = () => document.title = [...document.querySelectorAll("td")].map(
  cell => getComputedStyle(cell).textAlign);
"""


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
    for line in ("OPTIMAL (certified)", "cost 25", "bound 25"):
        assert line in words_of(result._repr_html_())


def test_of_an_instance(result):
    page = result.instance._repr_html_()
    assert words_of(page) == f'r-gather "{NASTY}" n 4 r 2'
    on = atleastk.Generalization([["a"]], k=1, hierarchies=[[["a", "*"]]])
    assert (
        words_of(on._repr_html_())
        == "generalization n 1 m 1 k 1 on entries loss height"
    )
    assert "<td></td><td>on entries</td>" in on._repr_html_()


def test_a_promise_has_a_line_of_its_own(result):
    page = atleastk.approximate(result.instance, "r-gather")._repr_html_()
    assert "<td>promise</td><td>radius &lt;= 2 * OPT if" in page
    assert "<td></td><td>nothing to split</td>" in card("Head\n  nothing to split")


def test_of_verdicts(result):
    words = words_of(atleastk.check(result.instance, result)._repr_html_())
    assert words.startswith("holds, cost 25 verified cost 25: recomputed")
    wrong = atleastk.check(result.instance, [[0], [1, 2, 3]])._repr_html_()
    assert words_of(wrong).startswith("does not hold, cost 85 violated group 0 has 1")
    none = atleastk.check(result.instance, [[0, 0]])._repr_html_()
    assert words_of(none).startswith("does not hold violated")


def test_of_the_worst_and_of_comparisons(ratios):
    worst = ratios.worst
    assert words_of(worst._repr_html_()).startswith(
        f"ratio {worst.ratio:.4f} cost {worst.cost} optimum {worst.optimum} "
        "instance sizes ["
    )
    words = words_of(ratios.compare("all-in-one", "all-in-one")._repr_html_())
    assert words.startswith("two algorithms instances better equal worse")
    assert "all-in-one - all-in-one 3 0 3 0" in words


def test_of_prices():
    found = atleastk.price("order", "uniform", n=6, k=90, seeds=3)
    words = words_of(found._repr_html_())
    assert words.startswith(f"{found} instance order free price sizes [")
    of = [f"{price.ratio:.4f}" for price in found.each]
    assert [each for each in words.split() if each in of] == sorted(of, reverse=True)
    worst = found.worst
    assert words_of(worst._repr_html_()).startswith(
        f"price {worst.ratio:.4f} restricted {worst.restricted} free {worst.free} "
    )


def test_of_relaxations():
    rows = [["a", "x"], ["a", "y"], ["b", "x"]]
    table = atleastk.KAnonymity(table=rows, k=2)
    assert words_of(atleastk.relax(table)._repr_html_()) == (
        "configuration: 4, 3 shares items share 0, 1 1/2 0, 2 1/2 1, 2 1/2"
    )
    compact = atleastk.relax(table, "compact")
    assert words_of(compact._repr_html_()).startswith(f"{compact} variable share ")
    assert len(repr(compact)) < 500


def test_of_a_claim():
    claim = atleastk.claims("lemma-1-proof", paper="Du09")[0]
    words = words_of(claim._repr_html_())
    assert words.startswith("du09-lemma-1-proof as printed refuted as repaired holds ")
    assert f"says {claim.says} " in words
    assert f"counter-example {claim.counter_example}" in words
    assert "undefined" not in words


def test_of_checked_tables():
    rows = [{"a": "1"}, {"a": "2"}, {"a": "1"}]
    for found in (atleastk.check_table(rows, k=2), atleastk.anonymity(rows)):
        assert words_of(found._repr_html_()) == " ".join(str(found).split())


def test_what_is_listed_is_short():
    assert repr(atleastk.problems()).count("\n") == 0
    assert repr(atleastk.problems()[0]).startswith("<problem bin-covering: Partition")
    listed = *atleastk.algorithms("r-gather"), *atleastk.methods("r-gather")
    assert all("function" not in repr(each) for each in listed)


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
    assert atleastk.Ratios([], 1).told.startswith("1 instance; ")


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
    assert too_wide([f"<title></title><body>{body}</body>"], tmp_path) == []


@needs_browser
def test_texts_are_flush_left_where_a_notebook_sets_them_right(result, tmp_path):
    page = JUPYTER + f'<div class="jp-RenderedHTMLCommon">{result._repr_html_()}</div>'
    assert set(told(f"{page}<script>{ALIGNED}</script>", tmp_path).split(",")) == {
        "left"
    }
