"""Proofs in other formats, VIPR and VeriPB, whose checkers verify bounds.

:mod:`~atleastk.models.proofs.vipr` writes an integer program and lines that refute it.
Each problem whose certificates can be translated has a function ``refuted(instance,
certificate, bound)``, in its module or in one that several share: it returns the
program of the solutions that cost less than the bound, with lines that derive a
contradiction.

A checker of VIPR cannot see that the program is that of the instance. So its variables
have telling names, and the head of the file describes the list:
listing it again leaves nothing to trust.
"""
