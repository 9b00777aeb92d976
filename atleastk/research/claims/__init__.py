"""The claims of the papers: what each says, how it is tested, and what came of it.

A file for each paper, or a folder with one for each chapter or section, lists its
theorems, lemmas, examples and findings. `claim` says what a claim is, `examining` puts
it to the test, and `counter_examples` has a program for every refutation that needs
nothing but the standard library.
"""
