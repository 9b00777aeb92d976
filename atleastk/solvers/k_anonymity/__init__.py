"""k-anonymity: how it is solved."""
