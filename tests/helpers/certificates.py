"""What tests of certificates share."""

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.runs import registry

GONE = "(gone)"


ODD = (GONE, None, "0", True, 1.0, -1, 0, 1, 2, 3, 2**70, [], {}, [[0, 1]], "count")


def changed(value, odd):
    """Give a JSON value with each of its parts replaced, or left out if by `GONE`."""
    yield odd
    if isinstance(value, dict):
        for key, part in value.items():
            rest = {other: kept for other, kept in value.items() if other != key}
            for other in changed(part, odd):
                yield rest if other is GONE else {**value, key: other}
    if isinstance(value, list):
        for i, part in enumerate(value):
            for other in changed(part, odd):
                kept = [] if other is GONE else [other]
                yield [*value[:i], *kept, *value[i + 1 :]]


def accepted(instance, certificate, bound):
    """Give the changed certificates that still prove a bound; none proves more.

    Such as other weights.
    """
    assert not refused(instance, certificate, bound)
    for odd in ODD:
        for proof in changed(certificate, odd):
            if bound is not None:
                more = bound + getattr(instance, "unit", 1)
                assert unproved(instance, proof, more), proof
            if not unproved(instance, proof, bound):
                yield proof


def refused(instance, certificate, bound):
    """Tell whether the checker of its problem refuses a certificate of a bound."""
    try:
        registry.problem_of(instance).check_certificate(instance, certificate, bound)
    except CertificateError:
        return True
    return False


def unproved(instance, certificate, bound):
    """Tell whether a certificate is refused, or its numbers are too large to read."""
    try:
        return refused(instance, certificate, bound)
    except NotApplicableError:
        return True
