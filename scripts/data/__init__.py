"""What makes the data that the package ships."""
