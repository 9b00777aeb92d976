"""The research bench: claims, adversary, studies, the library, reductions."""
