"""What tilings by rectangles share: of the plane, of points, and of grids (RTILE)."""
