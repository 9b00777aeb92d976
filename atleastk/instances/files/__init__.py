"""Files: instances and results read and written, text tables, packing."""
