"""The site: which page belongs to which, the pages that are made, and their check."""
