"""The doors for data: tables, clusters and maps as their owners have them."""
