"""
Divisions of a league
=====================

Twenty teams in divisions of four or five, so that squares of distances within them are
least in sum. Places are kilometres east of 100 degrees west and north of 25 north.
"""

import atleastk

teams = {
    "Atlanta": (1436, 973),
    "Boston": (2468, 1928),
    "Chicago": (1057, 1876),
    "Cleveland": (1565, 1840),
    "Dallas": (292, 867),
    "Denver": (-430, 1639),
    "Detroit": (1435, 1937),
    "Houston": (440, 529),
    "Los Angeles": (-1684, 1008),
    "Miami": (1800, 84),
    "Milwaukee": (1020, 2000),
    "Minneapolis": (533, 2216),
    "New Orleans": (937, 550),
    "New York": (2243, 1747),
    "Phoenix": (-1112, 939),
    "Portland": (-1755, 2281),
    "Sacramento": (-1888, 1508),
    "Salt Lake City": (-995, 1754),
    "San Francisco": (-1983, 1420),
    "Washington": (2003, 1546),
}
league = atleastk.PairPartition(
    points=[list(place) for place in teams.values()],
    k=4,
    require=[{"of": "items", "at_most": 5}],
    name="League",
)
picture = atleastk.solve(league, time_limit=10).plot()
for team, place in teams.items():
    picture.annotate(team, place, (0, 6), textcoords="offset points", ha="center")
