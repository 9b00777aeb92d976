"""What tests of certificates share."""

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.runs import registry

__all__ = ["refused", "unproved"]


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
