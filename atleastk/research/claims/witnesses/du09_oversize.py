"""Bins: items above k, less what the least of them exceeds k by, may stay above 2k."""

sizes, k = (1, 100), 1
least = min(size for size in sizes if size >= k)
reduced = [size - (least - k) for size in sizes]
print(f"{sizes}, k = {k}: reduced to {reduced}, and {max(reduced)} > 2k")
raise SystemExit(max(reduced) <= 2 * k)
