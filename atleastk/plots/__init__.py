"""Pictures: functions that draw on given or new Axes, and return them."""
