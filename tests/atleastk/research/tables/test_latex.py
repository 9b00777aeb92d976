from atleastk.research.tables.latex import escaped, latex_table


def test_columns_keep_their_side():
    assert latex_table(["name", "n>"], [["a", 1]]) == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"name & n \\",
        r"\midrule",
        r"a & 1 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_long_texts_are_broken_into_lines():
    first, *_ = latex_table(["name", "promise"], [["a", "cost " * 9], ["b", ""]])
    assert first == r"\begin{tabular}{lp{.4\linewidth}}"
    assert latex_table(["name", "n>"], [])[0] == r"\begin{tabular}{lr}"


def test_what_means_something_is_escaped():
    assert escaped("a_b & 5 %") == r"a\_b \& 5 \%"
    assert escaped("cost <= 2^k") == r"cost \textless{}= 2\textasciicircum{}k"
