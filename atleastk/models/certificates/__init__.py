"""Certificates: proofs of bounds that are checked in integers, without any solver.

Each problem has a ``check_certificate(instance, certificate, bound)``. It returns if
the certificate proves that no solution costs less than the bound; the bound None stands
for that there is no solution. It raises

`CertificateError`
    if the certificate does not prove that,
`NotApplicableError`
    if it, its numbers or the instance are too large to be re-checked, so that nothing
    can be said of it.

Nothing here solves, or needs what does. Begin with :mod:`~atleastk.models.certificates.
weights`, the theorem that all share, and go on with the module of a problem. Behind
those of points stands ``clustering``, behind tilings ``rectangles``, behind tables
``count`` and ``deals`` (trees) with ``deal_patterns`` and ``diverse_groups``. The forms
of all certificates are in ``forms``; docs/certificates.md describes the same for who
writes a checker of his own.
"""
