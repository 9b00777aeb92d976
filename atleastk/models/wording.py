"""Words for numbers."""

__all__ = ["counted"]


def counted(count: int, word: str, form: str = "") -> str:
    """Return a number of things in words."""
    return f"{count:{form}} {word}{'' if count == 1 else 's'}"
