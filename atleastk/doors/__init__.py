"""Entry points for data of users: anonymised tables, clusters, districts of maps."""
