import { markFigure, markRaised } from '../text/superscript.ts';
import type { PageCharacter } from './page-characters.ts';

// Shares of the font size of the text beside it.
const maxSize = 0.86;
const minRise = 0.15;
// A raised number so near to a word or figure belongs to it.
const maxGap = 0.8;
// Longer text is small print beside large letters.
const maxRaisedChars = 12;
// Share of a raised number that stands above a lowered one if both are a fraction.
const minStacked = 0.5;

type Position = 'plain' | 'raised' | 'low';

interface Piece {
  readonly position: Position;
  text: string;
  readonly left: number;
  right: number;
  readonly size: number;
}

/** Character whose size and baseline the line has: the most frequent size, the larger one of equals. */
const baseOf = (characters: readonly PageCharacter[]): PageCharacter | undefined => {
  const counts = new Map<number, { count: number; readonly first: PageCharacter }>();
  for (const character of characters) {
    if (character.isGenerated || character.text.trim() === '') continue;
    const key = Math.round(character.style.fontSize * 10);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { count: 1, first: character });
    else known.count += 1;
  }
  let best: { count: number; readonly first: PageCharacter } | undefined;
  for (const entry of counts.values()) {
    const isLarger = best !== undefined && entry.first.style.fontSize > best.first.style.fontSize;
    if (best === undefined || entry.count > best.count || (entry.count === best.count && isLarger)) best = entry;
  }
  return best?.first;
};

const positionOf = (character: PageCharacter, base: PageCharacter): Position => {
  const size = base.style.fontSize;
  if (character.style.fontSize > size * maxSize) return 'plain';
  return base.originY - character.originY >= minRise * size ? 'raised' : 'low';
};

/** Divides a line into pieces of one position. Spaces belong to the text before them. */
const piecesOf = (characters: readonly PageCharacter[], base: PageCharacter): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (const character of characters) {
    const last = pieces.at(-1);
    const isSpace = character.text.trim() === '';
    const position = isSpace ? (last?.position ?? 'plain') : positionOf(character, base);
    const right = character.x + character.width;
    if (last !== undefined && last.position === position) {
      last.text += character.text;
      if (!isSpace) last.right = right;
    } else {
      const { fontSize: size } = character.style;
      pieces.push({ position, text: character.text, left: character.x, right, size });
    }
  }
  return pieces;
};

const figures = /^\d{1,4}\s*$/;
const divided = /^(\d{1,4})\s*[/\u2044\u2215]\s*(\d{1,4})(?!\d)/;
const divider = /^\s*[/\u2044\u2215]\s*$/;

/** Number of pieces, and the text, of a fraction that begins with a raised figure; null if it is none. */
const fractionAt = (
  pieces: readonly Piece[],
  at: number,
): { readonly text: string; readonly pieces: number } | null => {
  const [above, next, below] = pieces.slice(at, at + 3);
  if (above?.position !== 'raised' || next === undefined) return null;
  const whole = above.text + (next.position === 'low' ? next.text : '');
  const match = divided.exec(whole);
  if (match !== null && match[0].trim() === whole.trim())
    return { text: `${match[1]}/${match[2]}${/\s$/.test(whole) ? ' ' : ''}`, pieces: next.position === 'low' ? 2 : 1 };
  if (!figures.test(above.text)) return null;
  if (divider.test(next.text) && below?.position === 'low' && figures.test(below.text))
    return { text: `${above.text.trim()}/${below.text}`, pieces: 3 };
  const before = pieces[at - 1]?.text.trimEnd() ?? '';
  const shared = Math.min(above.right, next.right) - Math.max(above.left, next.left);
  const isStacked = shared >= minStacked * Math.min(above.right - above.left, next.right - next.left);
  // A letter may have an exponent above an index.
  if (next.position !== 'low' || !figures.test(next.text) || !isStacked || /[\p{L})\]]$/u.test(before)) return null;
  return { text: `${above.text.trim()}/${next.text}`, pieces: 2 };
};

/**
 * Returns the text of a line in which raised text is marked and fractions are written with a stroke; null if all of it
 * has one size.
 */
export const markedText = (characters: readonly PageCharacter[]): string | null => {
  const first = characters[0]?.style.fontSize;
  if (characters.every(({ style, isGenerated }) => isGenerated || style.fontSize === first)) return null;
  const base = baseOf(characters);
  if (base === undefined) return null;
  const size = base.style.fontSize;
  if (characters.every(({ style, isGenerated }) => isGenerated || style.fontSize > size * maxSize)) return null;
  const pieces = piecesOf(characters, base);
  let text = '';
  for (let at = 0; at < pieces.length;) {
    const piece = pieces[at];
    if (piece === undefined) break;
    const fraction = fractionAt(pieces, at);
    if (fraction !== null) {
      text += markFigure(fraction.text.trimEnd()) + (fraction.text.endsWith(' ') ? ' ' : '');
      at += fraction.pieces;
      continue;
    }
    const before = pieces[at - 1];
    if (piece.position === 'raised' && piece.text.trim().length <= maxRaisedChars) {
      if (before !== undefined && piece.left - before.right <= maxGap * size) text = text.trimEnd();
      const raised = piece.text.trimEnd();
      text += markRaised(raised) + piece.text.slice(raised.length);
    } else {
      text += piece.text;
    }
    at += 1;
  }
  return text;
};
