// Room: numbers, money, times and digits as words, per locale. Pure Swift, no Foundation, knows nothing else.
