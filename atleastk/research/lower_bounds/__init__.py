"""Lower bounds on the ratios of algorithms: families of instances that prove them.

`catalogue` lists the families, `lower_bound` measures one: costs and optima at ten
values of a parameter, and the `polynomial` that has them all.
"""
