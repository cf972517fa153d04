import { oneLine } from '../../../../../shared/kernel/text.ts';

// Mark raised text while a paragraph is collected. Unicode reserves these code points for use inside a program.
export const raisedStart = '\uFDD5';
export const raisedEnd = '\uFDD6';
// Separates a fraction from a figure beside it.
const figureEnd = '\uFDD7';

const oneToken = /^(?:[-+−]?(?:\d+(?:[.,]\d+)?|\p{L})|[-+−])$/u;

/** Writes a power: `^6`, or `^(n+1)` if it has several parts. */
export const superscript = (text: string): string => {
  const power = oneLine(text);
  if (power === '') return '';
  return oneToken.test(power) ? `^${power}` : `^(${power})`;
};

// Endings of ordinal numbers: 1st, 2nd, 1er, 2ème, 1ste.
const ordinal = /^(?:st|nd|rd|th|ers?|res?|e|es|ères?|eme|èmes?|ste|de|nde|ten?|os|as)$/iu;
const sign = /^[^\p{L}\p{N}+−-]+$/u;
const noteNumbers = /^\d{1,3}(?:\s?[-–,;]\s?\d{1,3})*$/;
// A number above a long word or punctuation refers to a note. Units such as m² and km³ are short.
const beforeNote = /(?:\p{L}{5}|[.,;:!?%…"'”’»])$/u;

/** Writes raised text so that it never becomes part of the figure before it. @param before The text before it. */
const afterText = (before: string, raised: string, after: string): string => {
  const text = raised.trim();
  const last = before.at(-1) ?? ' ';
  if (text === '' || /\s/.test(last) || sign.test(text)) return raised;
  if (/\p{N}/u.test(last) && ordinal.test(text)) return raised;
  if (/\p{L}/u.test(last) && /^(?:\p{L}{2,}|[or])\.?$/iu.test(text)) return raised;
  if (noteNumbers.test(text) && beforeNote.test(before)) return ` [${text}]${/^[\p{L}\p{N}]/u.test(after) ? ' ' : ''}`;
  if (!/[\p{L}\p{N})\]}]/u.test(last)) return raised;
  const gap = raised.slice(raised.trimEnd().length);
  const power = superscript(text);
  const isOpen = gap === '' && /^[\p{L}\p{N}]/u.test(after) && !power.startsWith('^(');
  return isOpen ? `^(${text})` : power + gap;
};

/** Marks a text as raised. `renderRaised` writes it once the text around it is known. */
export const markRaised = (text: string): string => (text === '' ? '' : raisedStart + text + raisedEnd);

/** Marks a fraction or another part of an equation, which must not join a figure beside it: 1 3/8. */
export const markFigure = (text: string): string => (text === '' ? '' : figureEnd + text + figureEnd);

/**
 * Writes the raised texts of a paragraph: powers as `10^6`, numbers of notes as `word [7]`. Ordinals (`1st`), signs and
 * raised text after a space stay as they are.
 */
export const renderRaised = (paragraph: string): string => {
  if (!/[\uFDD5-\uFDD7]/.test(paragraph)) return paragraph;
  return paragraph
    .replace(/(\d?)\uFDD7+(?=(\d?))/g, (_, before: string, after: string) => (before && after ? `${before} ` : before))
    .replaceAll(raisedEnd + raisedStart, '')
    .replace(/\uFDD5([^\uFDD5\uFDD6]*)\uFDD6/g, (whole, raised: string, at: number, all: string) =>
      afterText(all.slice(Math.max(0, at - 40), at), raised, all.slice(at + whole.length, at + whole.length + 1)),
    )
    .replace(/[\uFDD5\uFDD6]/g, '');
};
