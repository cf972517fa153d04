import type { GreyImage } from '../extract/pdf/encode-png.ts';
import type { Blob } from './ink.ts';
import type { Word } from './word.ts';

const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const latinLetter = /\p{Script=Latin}/u;

/** Whether more words are in Latin letters than in others. */
export const isLatin = (words: readonly Word[]): boolean => {
  const latin = words.filter(({ text }) => latinLetter.test(text)).length;
  return latin * 2 > words.filter(({ text }) => /\p{L}/u.test(text)).length;
};

/** Whether most words with letters are of a script that is written from right to left. */
export const isRightToLeft = (words: readonly Word[]): boolean => {
  const right = words.filter(({ text }) => fromRightToLeft.test(text)).length;
  return right > words.filter(({ text }) => latinLetter.test(text)).length;
};

/**
 * Puts the words of a line in the order in which they are read: those from right to left the one way, and those in Latin
 * letters the other.
 * @param row Words from left to right, or from right to left if it is mirrored.
 */
export const inSpokenOrder = (row: readonly Word[], isMirrored: boolean): readonly Word[] => {
  if (!row.some(({ text }) => fromRightToLeft.test(text))) return isMirrored ? row.toReversed() : row;
  const isRight = isRightToLeft(row);
  const [against, along] = isRight ? [latinLetter, fromRightToLeft] : [fromRightToLeft, latinLetter];
  const ordered = isRight === isMirrored ? row : row.toReversed();
  const runs: { isAgainst: boolean; words: Word[] }[] = [];
  for (const word of ordered) {
    const isAgainst = against.test(word.text);
    const run = runs.at(-1);
    // Numbers go with the words before them.
    if (run !== undefined && (run.isAgainst === isAgainst || !(isAgainst || along.test(word.text))))
      run.words.push(word);
    else runs.push({ isAgainst, words: [word] });
  }
  return runs.flatMap((run) => (run.isAgainst ? run.words.toReversed() : run.words));
};

const white = 255;

/** Paints over words. */
export const withoutWords = ({ width, height, pixels }: GreyImage, words: readonly Word[]): GreyImage => {
  const rest = pixels.slice();
  for (const { left, top, right, bottom } of words)
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1)
      rest.fill(white, y * width + Math.max(0, left), y * width + Math.min(width, right));
  return { width, height, pixels: rest };
};

/** Letters of a sample, and the share of the page before it: its first lines are often a heading. */
const sample = { letters: 300, before: 0.25 } as const;

/** Lines in the middle of a page, on which models are compared. */
export const sampleOf = ({ width, height, pixels }: GreyImage, letters: readonly Blob[]): GreyImage => {
  const byHeight = letters.toSorted((a, b) => a.top - b.top);
  const from = Math.floor(Math.max(0, byHeight.length - sample.letters) * sample.before);
  const part = byHeight.slice(from, from + sample.letters);
  if (part.length === 0) return { width, height, pixels };
  const top = part.reduce((min, letter) => Math.min(min, letter.top), height);
  const bottom = part.reduce((max, letter) => Math.max(max, letter.bottom), 0);
  const margin = Math.ceil((bottom - top) / 8);
  const [start, end] = [Math.max(0, top - margin), Math.min(height, bottom + margin)];
  return { width, height: end - start, pixels: pixels.slice(start * width, end * width) };
};
