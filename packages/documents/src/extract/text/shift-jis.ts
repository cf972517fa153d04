const minSigns = 4;
const commonShare = 0.9;

// Punctuation, full-width letters and kana; then the kanji of JIS level 1.
const isCommon = (sign: number): boolean => (sign >= 0x8140 && sign <= 0x8396) || (sign >= 0x889f && sign <= 0x9872);

/**
 * Whether bytes that are valid Shift_JIS are text in it: nearly all characters are common and form words. Text in a
 * single-byte charset would be rare kanji or half-width kana, each between ASCII, as the apostrophe of "it’s".
 */
export const isLikelyShiftJis = (bytes: Uint8Array): boolean => {
  let signs = 0;
  let common = 0;
  let words = 0;
  let wordEnd = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    signs += 1;
    if (first >= 0xa0 && first < 0xe0) continue;
    if (at !== wordEnd) words += 1;
    if (isCommon(first * 0x100 + (bytes[at + 1] ?? 0))) common += 1;
    at += 1;
    wordEnd = at + 1;
  }
  return signs >= Math.max(minSigns, 2 * words) && common >= commonShare * signs;
};
