"""Systems of the literature as rows: each with the formulas of its paper, and weights of its own where it has any."""
