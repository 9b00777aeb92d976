"""Proofs in formats of others: bounds that their checkers verify, of small instances.

:mod:`~atleastk.models.proofs.vipr` writes an integer program and lines that refute it.
Each problem whose certificates can be put that way has a module with a function
``refuted(instance, certificate, bound)``: it returns the program of the solutions that
cost less than the bound, with the lines that say that there are none.

What a checker of VIPR cannot see is that the program is that of the instance. So
its variables are named after what they stand for, the head of the file says what is
listed, and whoever lists it again has nothing left to trust.
"""
