"""Branch and price for set partitioning: one engine, an oracle and a frame per problem.

minimise the sum of cost(S) x_S over admissible groups S such that every item is in
exactly one group, or left out if that is allowed. The groups are too many to list. Five
steps close the gap, each with a bound in exact integers:

1. :mod:`~.master`: column generation. The linear program over the groups known so far
   gives duals, rounded to integer *prices*; the oracle returns groups whose reduced
   cost is negative and says what all reduced costs come to at least.
2. :mod:`~.triples`: subset-row cuts of triples of items, with prices that groups pay.
3. Listing: a solution below a limit has only groups of small reduced cost. The oracle
   lists all of these.
4. :mod:`~.listed`: the best choice among listed groups, by HiGHS or CP-SAT on the
   set-partitioning model and by Ryan-Foster branching (:mod:`~.branching`) in turns.
5. :mod:`~.closing`: the order of all that, on behalf of a search.

A new problem implements :class:`~.oracle.Oracle` and hands it to
:class:`~.closing.Closing`. A problem that proves its bounds by an argument of its own
takes the master alone.
"""
