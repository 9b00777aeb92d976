"""Bins: Spread may cost more than 5/2 OPT. Six 1s, then six 6s, k = 7.

Spread fills bins in order up to level k. What is left over goes one by one to the
emptiest bin while that raises no bin above the fullest, and then round robin.
"""

k = 7
sizes = [1] * 6 + [6] * 6

levels: list[int] = [0]
left: list[int] = []
for place, size in enumerate(sizes):
    if levels[-1] >= k:
        if sum(sizes[place:]) < k:
            left = sizes[place:]
            break
        levels.append(0)
    levels[-1] += size
while left and min(levels) + left[0] <= max(levels):
    levels[levels.index(min(levels))] += left.pop(0)
for turn, size in enumerate(left):
    levels[turn % len(levels)] += size
pairs = [one + six for one, six in zip(sizes[:6], sizes[6:], strict=True)]
print(f"six 1s, then six 6s, k = {k}: Spread costs {max(levels)}, pairs {max(pairs)}")
raise SystemExit(2 * max(levels) <= 5 * max(pairs))
