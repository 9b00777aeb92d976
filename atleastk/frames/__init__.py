"""Tables of other libraries and of files: read by column, written with cells hidden."""
