"""The claims of [ParkShim07]: k-anonymity by suppression, its greedy algorithms.

[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
"""
