"""Rows of a table in groups: classes, teams, divisions of a league."""
