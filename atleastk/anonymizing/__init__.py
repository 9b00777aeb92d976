"""atleastk/anonymizing."""
