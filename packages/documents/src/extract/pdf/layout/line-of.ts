import { cleanPageText } from '../clean-page-text.ts';
import { lineText } from '../line-text.ts';
import { changedCharacter, joinedHyphen, type PageCharacter } from '../page-characters.ts';
import type { Fragment } from './fragments.ts';

/** Line of text in a column. */
export interface Line {
  readonly fragments: readonly Fragment[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly baseline: number;
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly font: string;
}

const wordGap = 0.15;
const overlap = 0.3;

/** Joins fragments of one baseline, from left to right, to a line. */
export const toLine = (fragments: readonly Fragment[]): Line => {
  const main = fragments.reduce((best, next) => (next.characters.length > best.characters.length ? next : best));
  return {
    fragments,
    left: Math.min(...fragments.map(({ left }) => left)),
    right: Math.max(...fragments.map(({ right }) => right)),
    top: Math.min(...fragments.map(({ top }) => top)),
    bottom: Math.max(...fragments.map(({ bottom }) => bottom)),
    baseline: main.baseline,
    size: main.size,
    isBold: fragments.every(({ isBold }) => isBold),
    isItalic: fragments.every(({ isItalic }) => isItalic),
    font: main.font,
  };
};

const joinFragments = (fragments: readonly Fragment[]): readonly PageCharacter[] => {
  const [first] = fragments;
  if (first === undefined) return [];
  if (fragments.length === 1) return first.characters;
  const characters: PageCharacter[] = [];
  let before: Fragment | undefined;
  for (const fragment of fragments) {
    const last = before?.characters.at(-1);
    if (before !== undefined && last !== undefined) {
      const gap = fragment.left - before.right;
      const size = Math.min(before.size, fragment.size);
      // Words that overlap were painted as separate texts.
      if (before.endsWithSpace || gap > wordGap * size || gap < -overlap * size)
        characters.push(
          changedCharacter(last, { text: ' ', x: before.right, width: Math.max(0, gap), isGenerated: true }),
        );
    }
    for (const character of fragment.characters) characters.push(character);
    before = fragment;
  }
  return characters;
};

/** Text of a line before it is cleaned. */
export const rawText = ({ fragments }: Pick<Line, 'fragments'>): string =>
  lineText({ characters: joinFragments(fragments) });

/** Text of lines that belong together, one a line; words are joined over line ends. */
export const textOfLines = (lines: readonly Pick<Line, 'fragments'>[]): string => {
  let text = '';
  for (const line of lines) {
    const isJoined = text.endsWith(joinedHyphen);
    text += (text === '' || isJoined ? '' : '\n') + rawText(line);
  }
  // A hyphen that PDFium joined to another line than the next one stays a hyphen.
  return cleanPageText(text.endsWith(joinedHyphen) ? `${text.slice(0, -1)}-` : text);
};
