"""Lower bounds on the ratios of algorithms: families of instances that prove them.

`lower_bound` lists the families and measures one: costs and optima at ten values of a
parameter, and the `polynomial` that has them all.
"""
