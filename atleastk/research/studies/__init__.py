"""Studies: algorithms and exact methods on many instances, and what came of them.

A study goes through these modules, in this order:

- `spec` and `source` say what is asked, `conduct` plans it;
- `store` keeps the plan and what came of every run, in one file;
- `driver` hands the runs over to the executor that `pools` opens, `run` performs them
  there;
- `results` reads the file again, `ratios` compares algorithms with optima, `curves`,
  `profiles` and `runs_table` arrange the rest, `markdown` and `page` write it down.

`at_once` does all of it in one call, ``atleastk.ratio``, and keeps nothing.
"""
