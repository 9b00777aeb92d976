"""Bins: Spread may cost more than Fold. Sizes 5, 10, 1, 10, 10 and k = 11.

Both fill bins in order up to level k. Fold adds what is left over to the last bin, or
to the emptiest. Spread adds it one by one to the emptiest while that raises no bin
above the fullest, and then round robin.
"""

k, sizes = 11, [5, 10, 1, 10, 10]

bins: list[int] = [0]
left: list[int] = []
for place, size in enumerate(sizes):
    if bins[-1] >= k:
        if sum(sizes[place:]) < k:
            left = sizes[place:]
            break
        bins.append(0)
    bins[-1] += size
folds = []
for home in (len(bins) - 1, bins.index(min(bins))):
    levels = list(bins)
    levels[home] += sum(left)
    folds.append(max(levels))
while left and min(bins) + left[0] <= max(bins):
    bins[bins.index(min(bins))] += left.pop(0)
for turn, size in enumerate(left):
    bins[turn % len(bins)] += size
print(f"sizes {sizes}, k = {k}: Spread costs {max(bins)}, Fold {max(folds)}")
raise SystemExit(max(bins) <= max(folds))
