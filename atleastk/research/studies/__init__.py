"""Studies: algorithms and exact methods on many instances, with all results.

A study goes through these modules, in this order:

- `spec` and `source` describe it, `conduct` plans its runs;
- `store` is the file of the plan and of the results of every run;
- `driver` submits the runs to the executor that `pools` opens, `run` performs them;
- `results` reads the file, `ratios` compares algorithms with optima, `curves`,
  `profiles` and `runs_table` arrange other results, `page` writes them.

`at_once` does all of it in one call, ``atleastk.ratio``, without a file.
"""
