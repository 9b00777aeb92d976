"""What tests of certificates share."""

from copy import deepcopy

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.runs import registry

__all__ = ["GONE", "refused", "tampered", "unproved"]

GONE = "(gone)"


def tampered(certificate, field, value):
    """Return a copy with another value of a field, or without it if that is `GONE`.

    Fields within others are given by their way: `refuted/0/most`.
    """
    changed = holder = deepcopy(certificate)
    *way, last = field.split("/")
    for step in way:
        holder = holder[int(step) if isinstance(holder, list) else step]
    last = int(last) if isinstance(holder, list) else last
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return changed


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
