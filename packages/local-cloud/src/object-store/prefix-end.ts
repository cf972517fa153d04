/**
 * Returns the smallest value above every key that starts with `prefix` in SQLite's order, which for text is that of UTF-8
 * bytes and so of code points. Only a blob is above every text, hence the empty one.
 */
export const prefixEnd = (prefix: string): string | Uint8Array => {
  const characters = Array.from(prefix);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point === 0x10ffff) continue;
    // Surrogates are no characters of their own.
    return characters.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return new Uint8Array();
};
