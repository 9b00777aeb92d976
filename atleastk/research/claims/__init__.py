"""The claims of the papers: what each says, how it is tested, and what came of it.

A file of records for each paper lists its theorems, lemmas, examples and findings, in
words; a module of its name, or a folder with one for each chapter or section, has the
trials of these. `claim` says what a claim is, `catalogue` puts both together,
`examining` puts claims to the test, and `counter_examples` has a program for every
refutation that needs nothing but the standard library.
"""
