import type { GreyImage } from '../extract/pdf/encode-png.ts';
import type { Blob } from './ink.ts';
import type { Word } from './reading-order.ts';

const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const latinLetter = /\p{Script=Latin}/u;

/** Whether most words with letters are of a script that is written from right to left. */
export const isRightToLeft = (words: readonly Word[]): boolean => {
  const right = words.filter(({ text }) => fromRightToLeft.test(text)).length;
  return right > words.filter(({ text }) => latinLetter.test(text)).length;
};

/** Puts words of a line from right to left in order: those in Latin letters run from left to right among themselves. */
export const inSpokenOrder = (words: readonly Word[]): readonly Word[] => {
  const runs: { isLatin: boolean; words: Word[] }[] = [];
  for (const word of words) {
    const isLatin = latinLetter.test(word.text);
    const run = runs.at(-1);
    if (run?.isLatin === isLatin) run.words.push(word);
    else runs.push({ isLatin, words: [word] });
  }
  return runs.flatMap((run) => (run.isLatin ? run.words.toReversed() : run.words));
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
const sample = { letters: 120, before: 0.25 } as const;

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
