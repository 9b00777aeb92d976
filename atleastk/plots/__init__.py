"""Pictures: functions that take Axes, or make them, and return them."""
