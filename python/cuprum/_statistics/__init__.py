"""Statistics: reductions, order statistics, histograms, correlation."""
