"""Data frames of other libraries and of files, read and written by column."""
