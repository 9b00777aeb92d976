"""What checks reductions and draws their web."""
