"""Parts of the solvers of rectangle tiling and RTILE."""
