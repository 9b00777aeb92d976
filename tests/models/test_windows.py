from atleastk.models.windows import Window, window, windows


def partitions(total, least, most):
    if total == 0:
        yield []
    for part in range(least, min(most, total) + 1):
        for rest in partitions(total - part, part, most):
            yield [part, *rest]


def test_windows_are_those_of_all_partitions():
    for total in range(1, 19):
        for k in range(1, total + 1):
            for level in range(k, total + 1):
                expected = {}
                for parts in partitions(total, k, level):
                    seen = expected.setdefault(len(parts), set())
                    seen.update(parts)
                found = {w.parts: w for w in windows(total, k, level, total)}
                assert found.keys() == expected.keys()
                assert list(found) == sorted(found, reverse=True)
                for parts, seen in expected.items():
                    assert found[parts] == Window(parts, min(seen), max(seen))
                    assert window(total, k, parts, level) == found[parts]


def test_no_parts():
    assert window(10, 3, 4, 10) is None
    assert window(10, 3, 2, 4) is None
    assert list(windows(10, 3, 2, 10)) == []
