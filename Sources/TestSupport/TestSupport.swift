// Room: manual clock, seeded chance and contract suites. In no product.
