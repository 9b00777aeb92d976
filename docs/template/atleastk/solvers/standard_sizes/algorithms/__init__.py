"""Standard sizes: approximation algorithms."""
