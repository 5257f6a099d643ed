"""Cards: `id = rank * 4 + suit`, rank 0..12 = 2..A, suit 0..3 = c d h s; so 2c is 0 and As is 51."""
