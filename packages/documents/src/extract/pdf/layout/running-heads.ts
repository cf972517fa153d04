import { medianOf } from '../../../../../../shared/platform/median.ts';
import type { PageCharacter, PageCharacters } from '../page-characters.ts';
import { toBands, toFragments, type Band } from './fragments.ts';
import { rawText, textOfLines } from './line-of.ts';
import type { Box } from './text-places.ts';

/** Line near the top or bottom edge of a page. */
interface EdgeLine {
  /** In one line, without repeated spaces. */
  readonly text: string;
  /** Page number that the line may contain; null if there is none. */
  readonly label: PageLabel | null;
  readonly baseline: number;
  readonly left: number;
  readonly right: number;
  readonly size: number;
  /** Whether the space between the line and the text towards the middle of the page is wider than between lines. */
  readonly isApart: boolean;
  /** Whether it is a sentence in letters as large as those of the text. */
  readonly isSentence: boolean;
}

/** Page number in a line. */
interface PageLabel {
  readonly number: number;
  /** The line with `#` in place of the number. */
  readonly pattern: string;
  /** Whether the line has no other words. */
  readonly isAlone: boolean;
}

/** Lines near the edges of a page, from the edge towards the middle. */
export interface PageEdges {
  readonly top: readonly EdgeLine[];
  readonly bottom: readonly EdgeLine[];
}

/** Running head or footer of a page. */
export interface RunningLine {
  readonly text: string;
  readonly baseline: number;
  readonly box: Box;
  readonly isTop: boolean;
  /** Whether the line is only a page number, or is on a page before too. */
  readonly isRepeated: boolean;
}

const edgeShare = 0.12;
const maxEdgeLines = 4;
// Points.
const samePlace = 4;
const minPitch = 3;
// Shares of the font size and of the usual distance between lines.
const minDistance = { size: 1.65, pitch: 1.35 } as const;
const maxChars = 300;
const minSentenceWords = 5;
// Share of the font size.
const descent = 0.22;

const pageWord = String.raw`(?:page|pag\.?|pg\.?|p\.|seite|s\.|blatt|página|pagina|sida|side|strona|str\.|стр\.|страница|第|页码)`;
const counted = String.raw`(?:\s*(?:/|of|von|de|di|van|sur|av|af|z|из|共)\s*\d{1,5})?`;
const separator = String.raw`[|·•–—/\u241F-]`;
// `\u241F` means a wide gap.
const labels = [
  new RegExp(
    String.raw`^(?<before>${separator}?\s*(?:${pageWord}\s*)?)(?<number>\d{1,5})(?<after>${counted}\s*(?:[页頁쪽.)]|ページ)?\s*${separator}?)$`,
    'iu',
  ),
  new RegExp(
    String.raw`^(?<before>.*?(?:${separator}|(?<!\p{L})${pageWord})\s*)(?<number>\d{1,5})(?<after>${counted})$`,
    'iu',
  ),
  new RegExp(String.raw`^(?<before>(?:${pageWord}\s*)?)(?<number>\d{1,5})(?<after>${counted}\s*${separator}.*)$`, 'iu'),
] as const;

const labelOf = (text: string): PageLabel | null => {
  for (const [index, label] of labels.entries()) {
    const { before = '', number, after = '' } = label.exec(text)?.groups ?? {};
    if (number !== undefined) return { number: Number(number), pattern: `${before}#${after}`, isAlone: index === 0 };
  }
  return null;
};

const oneLine = (text: string): string => text.slice(0, maxChars).replace(/\s+/g, ' ').trim();

const toEdgeLines = (
  bands: readonly Band[],
  page: { readonly baselines: readonly number[]; readonly pitch: number; readonly size: number },
): readonly EdgeLine[] =>
  bands.slice(0, maxEdgeLines).map(({ fragments, baseline, size }, index) => {
    const text = oneLine(textOfLines([{ fragments }]));
    const inwards = bands.slice(index + 1).map((band) => band.baseline);
    const others = inwards.length > 0 ? inwards : page.baselines;
    const distance = Math.min(...others.map((other) => Math.abs(other - baseline)));
    const isLarge = size >= 0.95 * page.size;
    return {
      text,
      label: labelOf(oneLine(fragments.map((fragment) => rawText({ fragments: [fragment] })).join(' \u241F '))),
      baseline,
      left: Math.min(...fragments.map(({ left }) => left)),
      right: Math.max(...fragments.map(({ right }) => right)),
      size,
      isApart: distance >= Math.max(minDistance.size * size, minDistance.pitch * page.pitch),
      isSentence: isLarge && /\p{L}.*[.!?。！？]["'”’»)]*$/u.test(text) && text.split(' ').length >= minSentenceWords,
    };
  });

/** Usual distance between lines; 0 if there are few. */
const pitchOf = (baselines: readonly number[]): number => {
  const pitches = baselines.slice(1).map((baseline, index) => baseline - (baselines[index] ?? 0));
  return pitches.length < 3 ? 0 : medianOf(pitches);
};

/** Reads the lines near the edges of a page. */
export const readEdges = ({ height, characters }: PageCharacters): PageEdges => {
  const [topEnd, bottomStart] = [height * edgeShare, height * (1 - edgeShare)];
  const top: PageCharacter[] = [];
  const bottom: PageCharacter[] = [];
  const heights = new Set<number>();
  const sizes = new Map<number, number>();
  let [lastHeight, lastSize, chars] = [Number.NaN, 0, 0];
  for (const character of characters) {
    const { originY, style } = character;
    if (style.angle !== 0) continue;
    if (originY <= topEnd) top.push(character);
    else if (originY >= bottomStart) bottom.push(character);
    else if (!character.isGenerated) {
      if (originY !== lastHeight) heights.add(Math.round(originY));
      if (style.fontSize !== lastSize) {
        if (chars > 0) sizes.set(lastSize, (sizes.get(lastSize) ?? 0) + chars);
        [lastSize, chars] = [style.fontSize, 0];
      }
      lastHeight = originY;
      chars += 1;
    }
  }
  if (chars > 0) sizes.set(lastSize, (sizes.get(lastSize) ?? 0) + chars);
  const sorted = [...heights].toSorted((one, other) => one - other);
  const baselines = sorted.filter((one, index) => index === 0 || one - (sorted[index - 1] ?? 0) >= minPitch);
  const [size = 0] = [...sizes].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const pitch = pitchOf(baselines);
  const bandsOf = (part: readonly PageCharacter[]): readonly Band[] => toBands(toFragments(part));
  const [upper, lower] = [bandsOf(top), bandsOf(bottom).toReversed()];
  const heightsOf = (bands: readonly Band[]): readonly number[] => bands.map(({ baseline }) => baseline);
  return {
    top: toEdgeLines(upper, { baselines: [...baselines, ...heightsOf(lower)], pitch, size }),
    bottom: toEdgeLines(lower, { baselines: [...baselines, ...heightsOf(upper)], pitch, size }),
  };
};

const isSamePlace = (line: EdgeLine, other: EdgeLine): boolean =>
  Math.abs(line.baseline - other.baseline) <= samePlace &&
  [line.left - other.left, line.right - other.right, (line.left + line.right - other.left - other.right) / 2].some(
    (distance) => Math.abs(distance) <= samePlace,
  );

/** Whether the line of a page `offset` pages on is the same but for a page number. */
const countsWith = (line: EdgeLine, other: EdgeLine, offset: number): boolean =>
  line.label !== null &&
  line.label.pattern === other.label?.pattern &&
  other.label.number - line.label.number === offset &&
  isSamePlace(line, other);

const offsets = [-2, -1, 1, 2] as const;
const isYear = (number: number): boolean => number >= 1_900 && number < 2_100;

/** How a line relates to those of the pages beside it. */
const repetitionOf = (
  line: EdgeLine,
  page: number,
  linesAt: (offset: number) => readonly EdgeLine[],
): 'first' | 'repeated' | null => {
  if (line.text === '' || line.isSentence) return null;
  const equal = offsets.filter((offset) =>
    linesAt(offset).some((other) => other.text === line.text && isSamePlace(line, other)),
  );
  if (equal.length > 0) return equal.some((offset) => offset < 0) ? 'repeated' : 'first';
  if (line.label === null) return null;
  const { number, isAlone } = line.label;
  const counting = offsets.filter((offset) => linesAt(offset).some((other) => countsWith(line, other, offset)));
  // A figure of the text may follow that of the page before by chance.
  const isCounting = number === page ? counting.length > 0 : counting.length > 1 && !isYear(number);
  if (!isCounting) return null;
  return isAlone || counting.some((offset) => offset < 0) ? 'repeated' : 'first';
};

/**
 * Finds running heads, footers and page numbers: lines at an edge of a page, apart from its text, which a page up to
 * two before or after it has at the same place. They are equal, or differ by a number that counts with the pages.
 * @param page 1-based.
 * @param edgesAt Edges of a page, counted from this one; null beyond the ends of the document.
 */
export const findRunningLines = (
  page: number,
  edgesAt: (offset: number) => PageEdges | null,
): readonly RunningLine[] => {
  const edges = edgesAt(0);
  if (edges === null) return [];
  return (['top', 'bottom'] as const).flatMap((side) => {
    const found: RunningLine[] = [];
    let end = 0;
    for (const line of edges[side]) {
      const repetition = repetitionOf(line, page, (offset) => edgesAt(offset)?.[side] ?? []);
      if (repetition === null) break;
      const { text, baseline, left, right, size } = line;
      const box = { left, right, top: baseline - size, bottom: baseline + descent * size };
      found.push({ text, baseline, box, isTop: side === 'top', isRepeated: repetition === 'repeated' });
      if (line.isApart) end = found.length;
    }
    return found.slice(0, end);
  });
};
