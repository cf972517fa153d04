/**
 * Word between the parts of a searched text, so that no phrase spans two of them. It consists of letters of Linear A,
 * and is removed from texts and queries.
 */
export const border = '\u{10600}\u{10601}\u{10600}';
