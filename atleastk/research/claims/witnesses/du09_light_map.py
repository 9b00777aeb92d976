"""Maps: a connected map that weighs less than k has no feasible partition."""

weight, k = 1, 2
print(f"one node of weight {weight}, k = {k}: its only part weighs {weight}")
raise SystemExit(weight >= k)
