from atleastk import RectangleTilingGrid

INSTANCES = [
    RectangleTilingGrid([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 4),
    RectangleTilingGrid([[1, 2, 3], [4, 5, 6]], 3, guillotine=True),
]
EMPTY = [RectangleTilingGrid([], 3), RectangleTilingGrid([[]], 3, guillotine=True)]
