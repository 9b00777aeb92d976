"""Pair partition: approximation algorithms."""
