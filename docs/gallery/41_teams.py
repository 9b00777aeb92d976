"""
Teams with a friend each
========================

Twenty-four pupils, who each named three they like, in teams of four; everyone has at
least one of the three. Green wishes are kept, red ones are not.
"""

import random

import numpy as np

import atleastk
from atleastk.plots.pair_partition import draw

rng = random.Random(1)
pupils = [{"name": f"p{number:02}"} for number in range(1, 25)]
seats = np.array([(rng.random(), rng.random()) for _ in pupils])
friends = []
for number, seat in enumerate(seats, start=1):
    nearest = np.hypot(*(seats - seat).T).argsort()[1:7] + 1
    friends += [[number, int(other)] for other in rng.sample(list(nearest), 3)]
made = atleastk.assign(pupils, 4, friends=friends, at_least_one_friend=True)
picture = draw(
    made.instance,
    made.result,
    names=[pupil["name"] for pupil in pupils],
    wishes=made.wishes,
)
picture.set_title(f"Teams: {-made.cost:g} wishes kept", loc="left")
