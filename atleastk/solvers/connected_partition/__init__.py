"""Connected partition: how it is solved."""
