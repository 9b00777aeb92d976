"""The report on an anonymised table: risk, use, limits, levels; and its page."""
