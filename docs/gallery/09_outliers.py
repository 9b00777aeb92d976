"""
Two points may stay outside
===========================

Far points make large clusters. With two outliers the others need not suffer for them.
"""

import atleastk

near = [[i % 5 * 3, i // 5 * 4] for i in range(20)]
points = atleastk.RGather(points=[*near, [40, 2], [2, 60]], r=4, max_outliers=2)
picture = atleastk.solve(points, time_limit=10).plot()
