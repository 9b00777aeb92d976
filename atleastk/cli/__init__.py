"""The command line: a file for every command, and what they share."""
