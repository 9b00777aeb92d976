"""Studies whose tables are published: their texts, and what their instances are."""
