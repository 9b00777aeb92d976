"""Certificates: proofs of bounds that are checked in integers, without any solver."""
