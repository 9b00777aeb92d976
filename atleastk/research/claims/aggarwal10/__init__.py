"""The claims of [Aggarwal10]: r-gather, its variants, and cellular clustering.

[Aggarwal10] G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, D. Thomas,
A. Zhu, "Achieving Anonymity via Clustering", ACM Transactions on Algorithms 6(3), 2010.
"""
