"""Pictures: functions that draw on Axes, given or new, and return them."""
