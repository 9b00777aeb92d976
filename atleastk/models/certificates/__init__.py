"""Certificates: proofs of bounds that are checked in integers, without any solver.

Each problem has a ``check_certificate(instance, certificate, bound)``. It returns if
the certificate proves that no solution costs less than the bound; the bound None says
that there is no solution. It raises

`CertificateError`
    if the certificate does not prove that,
`NotApplicableError`
    if it, its numbers or the instance are too large to be re-checked, so that nothing
    can be said of it.

No module here imports a solver. Begin with weak duality, in
:mod:`~atleastk.models.certificates.weights`, and go on with the module of a problem.
Shared modules: points use ``clustering``, tilings ``rectangles``, tables ``count``,
``pattern_trees`` (branch and bound) with the other ``pattern_`` modules,
``matching_needs`` and ``diverse_groups``. The forms of all certificates are in
``forms``; docs/certificates.md describes the same for writers of other checkers.
"""
