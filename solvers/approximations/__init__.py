"""The approximation algorithms of the papers, as printed and as repaired."""
