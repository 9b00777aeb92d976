"""The library of instances: records, their improvement, exports and citations."""
