"""Tables as other programs read them: Markdown, LaTeX."""
