import { medianOf } from '../../../../../../shared/platform/median.ts';
import { changedCharacter, type PageCharacter, type PageCharacters } from '../page-characters.ts';
import { hasRightToLeft } from '../../text/right-to-left.ts';
import type { TableBox } from './table-box.ts';

/** Text without a wide gap: words of a line, or a cell of a table. */
export interface Fragment {
  /** From left to right, spaces included. */
  readonly characters: readonly PageCharacter[];
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Extent of letters; accents and descenders may be outside. */
  readonly top: number;
  readonly bottom: number;
  /** Largest font size. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** Name of the font in its middle. */
  readonly font: string;
  /** Whether a space follows its last character. */
  readonly endsWithSpace: boolean;
  /** Whether it is one of several figures that were painted as one text, with single spaces between them. */
  readonly isFigure?: boolean;
  /** Set if the fragment is the place of a ruled table, whose text it doesn't contain. */
  readonly table?: TableBox;
}

/** Fragments on one baseline, from left to right. */
export interface Band {
  readonly fragments: readonly Fragment[];
  readonly baseline: number;
  readonly top: number;
  readonly bottom: number;
  readonly size: number;
}

// Shares of the font size.
const ascent = 0.75;
const descent = 0.22;
const sameBaseline = 0.25;
const raisedBy = 0.65;
const raisedSize = 0.86;
const raisedGap = 0.6;
const overlap = 0.5;
// Words of one text object are rarely farther apart, and cells of different text objects rarely nearer.
const wideGap = { same: 1, other: 0.55 } as const;
const letterGap = 0.3;

const isSpace = (text: string): boolean => text <= ' ' || (text > '~' && text.trim() === '');

// Shares of the font size. Letters of usual text are at most a kern apart.
const minSpacing = 0.08;
const minWordSpacing = 0.2;
const minSpacedChars = 4;

/** Keeps those spaces of letter-spaced text that are between words: its own, and gaps wider than those of letters. */
const closeSpacing = (characters: PageCharacter[]): void => {
  const printed = characters.filter(({ isGenerated, text }) => !isGenerated && !isSpace(text));
  if (!printed.every(({ text }) => /[\p{L}\p{P}]/u.test(text))) return;
  const gapOf = (at: number): number =>
    ((characters[at + 1]?.x ?? 0) - (characters[at - 1]?.x ?? 0) - (characters[at - 1]?.width ?? 0)) /
    (characters[at + 1]?.style.fontSize ?? 1);
  const gaps = printed
    .slice(1)
    .map((one, at) => (one.x - (printed[at]?.x ?? 0) - (printed[at]?.width ?? 0)) / one.style.fontSize);
  const usual = medianOf(gaps);
  if (usual < minSpacing) return;
  const isBetweenLetters = (at: number): boolean =>
    characters[at]?.isGenerated === true && gapOf(at) < usual + Math.max(minWordSpacing, 0.4 * usual);
  const kept = characters.filter((_, at) => !isBetweenLetters(at));
  characters.splice(0, characters.length, ...kept);
};

// In font sizes.
const ligatureLetter = 0.4;

/** Whether two characters are letters of one ligature, which have one box. */
const isSameGlyph = (one: PageCharacter, other: PageCharacter): boolean =>
  one.x === other.x && one.originY === other.originY && one.style === other.style;

/** Width of a ligature, whose box may be as wide as one of its letters. */
const widthOf = ({ width, style }: PageCharacter, letters: number): number =>
  letters < 2 ? width : Math.min(letters * width, Math.max(width, letters * ligatureLetter * style.fontSize));

class FragmentBuilder {
  readonly characters: PageCharacter[] = [];
  left: number;
  right: number;
  baseline: number;
  size: number;
  last: PageCharacter;
  isSorted = true;
  boldChars = 0;
  italicChars = 0;
  chars = 0;
  /** Right edge of the last ligature. */
  end = 0;
  /** Letters of the last ligature. */
  letters = 0;
  /** Letters with a space before them that is narrower than one between words. */
  spacedChars = 0;

  constructor(first: PageCharacter) {
    this.left = first.x;
    this.right = first.x + first.width;
    this.baseline = first.originY;
    this.size = first.style.fontSize;
    this.last = first;
    this.add(first, null);
  }

  /** Whether a character stands beside the fragment on its line. */
  takes(next: PageCharacter): boolean {
    const { fontSize } = next.style;
    const size = Math.max(fontSize, this.size);
    const offset = Math.abs(next.originY - this.baseline);
    const gap = this.gapTo(next, this.right);
    if (gap < 0 && isSameGlyph(this.last, next)) return true;
    const isOnLine = offset <= sameBaseline * Math.min(fontSize, this.size);
    const isRaised =
      offset <= raisedBy * size &&
      Math.min(fontSize, this.size) <= raisedSize * size &&
      (this.chars > 1 || fontSize >= this.size) &&
      size < 3 * Math.min(fontSize, this.size) &&
      Math.abs(gap) <= raisedGap * size;
    if (!isOnLine && !isRaised) return false;
    const limit = isRaised
      ? raisedGap * size
      : size * (next.style.object === this.last.style.object ? wideGap.same : wideGap.other);
    if (gap <= limit && gap >= -overlap * size) return true;
    const gapLeft = this.left - (next.x + next.width);
    return (
      gapLeft <= limit && gapLeft >= -overlap * size && (hasRightToLeft(next.text) || hasRightToLeft(this.last.text))
    );
  }

  /** Space between an edge of the last character and the next one, which a ligature may fill. */
  gapTo(next: PageCharacter, edge: number): number {
    const gap = next.x - edge;
    return gap > 0 && this.letters > 1 ? Math.max(0, next.x - this.end) : gap;
  }

  add(next: PageCharacter, space: PageCharacter | null): void {
    if (next.x - this.right > minSpacing * next.style.fontSize) this.spacedChars += 1;
    if (next.x < this.last.x) this.isSorted = false;
    if (space !== null) this.characters.push(space);
    this.characters.push(next);
    this.left = Math.min(this.left, next.x);
    this.letters = this.chars > 0 && isSameGlyph(this.last, next) ? this.letters + 1 : 1;
    this.end = next.x + widthOf(next, this.letters);
    this.right = Math.max(this.right, next.x + next.width);
    const { fontSize, isBold, isItalic } = next.style;
    if (fontSize > this.size) {
      this.size = fontSize;
      this.baseline = next.originY;
    }
    this.chars += 1;
    if (isBold) this.boldChars += 1;
    if (isItalic) this.italicChars += 1;
    this.last = next;
  }

  close(endsWithSpace: boolean): Fragment {
    const { baseline, size, left, right } = this;
    if (this.spacedChars * 2 >= this.chars && this.chars >= minSpacedChars) closeSpacing(this.characters);
    if (!this.isSorted) this.characters.sort((one, other) => one.x - other.x);
    return {
      characters: this.characters,
      left,
      right,
      baseline,
      size,
      top: baseline - ascent * size,
      bottom: baseline + descent * size,
      isBold: this.boldChars * 2 > this.chars,
      isItalic: this.italicChars * 2 > this.chars,
      font: this.characters[this.characters.length >> 1]?.style.fontName ?? '',
      endsWithSpace,
    };
  }
}

/** A space between two characters that has no character of its own on the page. */
const spaceAfter = (character: PageCharacter): PageCharacter =>
  changedCharacter(character, { text: ' ', x: character.x + character.width, width: 0, isGenerated: true });

/** Splits upright characters into fragments, in the order in which they were painted. */
export const toFragments = (characters: readonly PageCharacter[]): readonly Fragment[] => {
  const fragments: Fragment[] = [];
  let open: FragmentBuilder | undefined;
  let space: PageCharacter | null = null;
  for (const next of characters) {
    if (isSpace(next.text)) {
      space ??= next;
      continue;
    }
    if (open?.takes(next) === true) {
      const { last } = open;
      const isApart = open.gapTo(next, last.x + last.width) > letterGap * next.style.fontSize;
      const isRaised = Math.abs(next.originY - last.originY) > sameBaseline * next.style.fontSize;
      // PDFium puts a space between a figure and a power that stands a little apart from it.
      const kept = isRaised && space?.isGenerated === true ? null : space;
      const between = kept ?? (isApart && !isRaised ? spaceAfter(last) : null);
      open.add(next, between?.isGenerated === true ? spaceAfter(last) : between);
    } else {
      if (open !== undefined) fragments.push(open.close(space !== null && !space.isGenerated));
      open = new FragmentBuilder(next);
    }
    space = null;
  }
  if (open !== undefined) fragments.push(open.close(false));
  return fragments;
};

const maxRaisedChars = 6;
const maxRaised = 300;

/** Gives powers and numbers of notes that were painted apart from their words the baseline of those. */
const withRaised = (fragments: readonly Fragment[]): readonly Fragment[] => {
  const largest = Math.max(0, ...fragments.map(({ size }) => size));
  const small = fragments.filter(
    ({ characters, size, table }) =>
      table === undefined && characters.length <= maxRaisedChars && size <= raisedSize * largest,
  );
  if (small.length === 0 || small.length > maxRaised) return fragments;
  const lowered = new Map<Fragment, Fragment>();
  for (const raised of small) {
    const host = fragments.find(({ size, baseline, left, right }) => {
      const gap = raised.left - right;
      const height = baseline - raised.baseline;
      const isBeside = gap >= -letterGap * size && (gap <= raisedGap * size || raised.right <= left + letterGap * size);
      return (
        raised.size <= raisedSize * size &&
        height >= 0.15 * size &&
        height <= raisedBy * size &&
        isBeside &&
        left - raised.right <= raisedGap * size
      );
    });
    if (host !== undefined) lowered.set(raised, { ...raised, baseline: host.baseline });
  }
  return fragments.map((one) => lowered.get(one) ?? one);
};

/** Groups fragments by baseline, from the top of the page to its bottom. */
export const toBands = (fragments: readonly Fragment[]): readonly Band[] => {
  const sorted = withRaised(fragments).toSorted((one, other) => one.baseline - other.baseline || one.left - other.left);
  const bands: Fragment[][] = [];
  let baseline = Number.NEGATIVE_INFINITY;
  let size = 0;
  for (const fragment of sorted) {
    const isApart = fragment.baseline - baseline > 0.35 * Math.min(size, fragment.size);
    if (isApart || fragment.table !== undefined || size === 0) {
      bands.push([]);
      baseline = fragment.baseline;
      size = fragment.table === undefined ? fragment.size : 0;
    }
    bands.at(-1)?.push(fragment);
  }
  return bands.map(toBand);
};

const toBand = (fragments: readonly Fragment[]): Band => ({
  fragments: fragments.length < 2 ? fragments : fragments.toSorted((one, other) => one.left - other.left),
  baseline: fragments[0]?.baseline ?? 0,
  top: Math.min(...fragments.map(({ top }) => top)),
  bottom: Math.max(...fragments.map(({ bottom }) => bottom)),
  size: Math.max(...fragments.map(({ size }) => size)),
});

/** Characters that read in one direction, turned so that they read from left to right. */
export const uprightGroups = (page: PageCharacters): readonly PageCharacters[] => {
  const { width, height, characters } = page;
  if (page.isUpright) return [page];
  const groups = new Map<number, PageCharacter[]>([[0, []]]);
  let quarter = 0;
  for (const character of characters) {
    if (!character.isGenerated) quarter = Math.round(character.style.angle / 90) % 4;
    const group = groups.get(quarter);
    if (group === undefined) groups.set(quarter, [character]);
    else group.push(character);
  }
  return [...groups].map(([turns, group]) => ({
    width: turns % 2 === 0 ? width : height,
    height: turns % 2 === 0 ? height : width,
    characters: turns === 0 ? group : group.map((character) => turned(character, turns, width, height)),
    isUpright: true,
    turns,
  }));
};

const turned = (one: PageCharacter, turns: number, pageWidth: number, pageHeight: number): PageCharacter => {
  const { x, y, width, height, originX, originY } = one;
  if (turns === 2) {
    const origin = { originX: pageWidth - originX, originY: pageHeight - originY };
    return changedCharacter(one, { x: pageWidth - x - width, y: pageHeight - y - height, ...origin });
  }
  const size = { width: height, height: width };
  const place =
    turns === 1
      ? { x: pageHeight - y - height, y: x, originX: pageHeight - originY, originY: originX }
      : { x: y, y: pageWidth - x - width, originX: originY, originY: pageWidth - originX };
  return changedCharacter(one, { ...size, ...place });
};
