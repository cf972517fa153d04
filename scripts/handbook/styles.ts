/** Fonts that every PDF reader brings along; they know the characters of WinAnsi alone. */
export const fonts = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  italic: 'Helvetica-Oblique',
  boldItalic: 'Helvetica-BoldOblique',
  code: 'Courier',
} as const;

export type FontName = (typeof fonts)[keyof typeof fonts];

export const colors = {
  text: '#1f2933',
  quiet: '#66727f',
  accent: '#1d4f91',
  rule: '#cbd2d9',
  codeFill: '#f4f6f8',
  headFill: '#eaeff5',
} as const;

/** Page and type sizes in points. */
export const page = { width: 595.28, height: 841.89, marginX: 66, marginTop: 60, marginBottom: 66 } as const;

export const contentWidth = page.width - 2 * page.marginX;

export const sizes = { body: 10, code: 8.4, table: 8.8, small: 8.5, headings: [24, 14.5, 11.5, 10] } as const;

/** Height of a line as a multiple of its font size. */
export const leading = 1.38;

/** Stand-ins for characters that the standard fonts lack. */
const replacements: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '−': '–',
  '\u00a0': ' ',
  '\u202f': ' ',
};

const winAnsiExtras = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/**
 * A text in the characters that the standard fonts can show.
 * @throws Error that names the first character for which there is no stand-in.
 */
export const toPrintable = (text: string): string => {
  const replaced = text.replace(/[→←≤≥≠−\u00a0\u202f]/g, (character) => replacements[character] ?? character);
  for (const character of replaced) {
    const code = character.codePointAt(0) ?? 0;
    const isKnown = (code >= 32 && code <= 126) || (code > 160 && code <= 255) || winAnsiExtras.has(character);
    if (!isKnown && character !== '\n') {
      throw new Error(`the handbook has the character ${character} (U+${code.toString(16)}), which its fonts lack`);
    }
  }
  return replaced;
};
