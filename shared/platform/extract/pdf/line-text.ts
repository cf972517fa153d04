import type { PageCharacter } from './page-characters.ts';

/** Characters of a line, including the spaces between its words. */
export interface TextLine {
  readonly characters: readonly PageCharacter[];
}

/** Returns the text of a line. */
export const lineText = ({ characters }: TextLine): string => characters.map(({ text }) => text).join('');

/** Returns the lines of a page as PDFium breaks them. */
export const linesOf = (characters: readonly PageCharacter[]): readonly TextLine[] => {
  const lines: PageCharacter[][] = [[]];
  for (const character of characters) {
    if (character.text === '\r') continue;
    if (character.text === '\n') lines.push([]);
    else lines.at(-1)?.push(character);
  }
  return lines.map((line) => ({ characters: line }));
};
