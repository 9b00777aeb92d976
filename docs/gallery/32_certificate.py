"""
What a certificate is
=====================

Every row has a weight, and no group of two rows or more weighs more than it costs. So
the weights together are a bound, and here it is met: no table hides fewer cells.
Whoever doubts it tries all groups; nobody needs the solver.
"""

import atleastk

rows = ["31 13053 f", "42 13053 m", "55 13068 f", "31 13053 f"]
rows += ["42 13068 f", "31 13068 f", "55 13053 f", "42 13053 f"]
cells = [row.split() for row in rows]
table = atleastk.KAnonymity(table=cells, k=2, columns=["age", "zip", "sex"])
result = atleastk.solve(table, certify=True)

distinct = list(dict.fromkeys(rows))  # equal rows have one weight
weights = [w // result.certificate["scale"] for w in result.certificate["weights"]]
picture = result.plot()
places = iter(range(len(rows)))
for group in result.groups:
    for row, line in zip(group, places, strict=False):
        for column, value in enumerate(cells[row]):
            hidden = len({cells[other][column] for other in group}) > 1
            colour = "white" if hidden else "black"
            picture.text(column, line + 0.6, value, ha="center", color=colour)
        weight = weights[distinct.index(rows[row])]
        picture.text(2.6, line + 0.6, f"weighs {weight}", color="crimson")
said = f"weights of {result.bound} in all, {result.cost} hidden cells"
picture.set_title(said, loc="left")
