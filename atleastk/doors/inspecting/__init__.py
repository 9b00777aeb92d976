"""Looking at a table before anything is made of it."""
