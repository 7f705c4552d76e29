// Room: numbers, money, times and digits as words, per locale. Pure Swift, no Foundation, knows nothing else.
//
// The way of one reading:
//
//     text ─► ExactDecimal / Amount / ClockTime …   exact values, our own parser (DecimalParser)
//          ─► Grammar (one for each language)       rules only, appends tokens to a TokenBuffer
//          ─► Reading                               clip-level words, written text, an estimate of the seconds
//
// A token names an entry of the locale's Lexicon: the closed list of everything that the locale can say.
