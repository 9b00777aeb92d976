"""Tables of cases for tests that are run on each of them."""

__all__ = ["each"]


def each(table):
    """Return all pairs of a key and one of its values, as `parametrize` takes them."""
    return [(key, value) for key, values in table.items() for value in values]
