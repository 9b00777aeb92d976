"""Admissible groups: one oracle per problem, the door to the engine of groups."""
