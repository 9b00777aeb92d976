"""What tests of certificates share."""

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.runs import registry

__all__ = ["GONE", "changed", "refused", "unproved"]

GONE = "(gone)"


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
