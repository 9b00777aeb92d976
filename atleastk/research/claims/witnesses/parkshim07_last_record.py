"""APPROX-DR: the last record may never be covered. Rows 0, 0, 1, k = 2.

The closed itemsets of support k are {0}, of rows 0 and 1, and the empty one, of all.
They are taken by rising suppression length, if they cover k new records or more.
"""

rows, k = (0, 0, 1), 2
closed = [{0, 1}, {0, 1, 2}]
covered: set[int] = set()
for chosen in sorted(closed, key=lambda s: len({rows[i] for i in s}) > 1):
    if len(chosen - covered) >= k:
        covered |= chosen
print(f"rows {rows}, k = {k}: covered are {sorted(covered)} only")
raise SystemExit(len(covered) == len(rows))
