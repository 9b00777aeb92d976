from atleastk.research.tables.markdown import markdown_table


def test_columns_keep_their_side():
    assert markdown_table(["name", "n>"], [["a|b", 1]]) == [
        "| name | n |",
        "| --- | ---: |",
        "| a\\|b | 1 |",
    ]
