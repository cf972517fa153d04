import { renderRaised } from '../text/superscript.ts';
import { hasRightToLeft } from '../text/right-to-left.ts';
import { logicalOrder } from './logical-order.ts';
import type { PageCharacter } from './page-characters.ts';
import { markedText } from './raised-text.ts';

/** Characters of a line from left to right, including the spaces between its words. */
export interface TextLine {
  readonly characters: readonly PageCharacter[];
}

/**
 * Returns the text of a line as it is read: right-to-left text in its order, powers as `10^6`, numbers of notes as
 * `word [7]`, fractions as `3/8`.
 */
export const lineText = ({ characters }: TextLine): string => {
  let text = '';
  for (const character of characters) text += character.text;
  if (hasRightToLeft(text)) return logicalOrder(characters);
  const marked = markedText(characters);
  return marked === null ? text : renderRaised(marked);
};
