"""The suppression family: the parts that its exact methods are made of."""
