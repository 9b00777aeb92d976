"""The library of instances: records, what may change them, exports and citations."""
