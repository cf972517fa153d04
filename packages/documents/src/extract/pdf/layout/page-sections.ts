import { oneLine } from '../../../../../../shared/kernel/text.ts';
import { cutUnits, type Block } from '../../cut-units.ts';
import type { Section } from '../../port.ts';
import { toBlocks, type Continuation, type PageBlock, type PageText, type TextBlock } from './document-layout.ts';
import { maxBookmarkLevel, type Bookmark } from './outline.ts';

interface Heading {
  readonly level: number;
  readonly title: string;
}

const maxTitleChars = 200;
const maxBoldChars = 100;
// Levels of headings by font size over that of the text. They are inside all bookmarks, and bold lines are inside them.
const sizeLevels = [
  { ratio: 1.8, level: 21 },
  { ratio: 1.4, level: 22 },
  { ratio: 1.15, level: 23 },
] as const;
const boldLevel = 24;
// Plus the parts of the number: a chapter is inside the largest type, and `2.1.6` inside the smallest.
const numberedLevel = 20.5;

/** Type of most characters. */
interface UsualType extends Pick<TextBlock, 'size' | 'isBold' | 'isItalic' | 'font'> {}

const usualType = (blocks: readonly PageBlock[]): UsualType => {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let [bold, italic, all] = [0, 0, 0];
  for (const block of blocks) {
    const isText = block.kind === 'text';
    const length = isText ? block.text.length : block.table.rows.flat().join('').length;
    const size = Math.round((isText ? block.size : block.table.size) * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + length);
    if (isText) fonts.set(block.font, (fonts.get(block.font) ?? 0) + length);
    all += length;
    if (isText && block.isBold) bold += length;
    if (isText && block.isItalic) italic += length;
  }
  const mostOf = <Key>(counts: ReadonlyMap<Key, number>): Key | undefined =>
    [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  return {
    size: mostOf(sizes) ?? 0,
    font: mostOf(fonts) ?? '',
    isBold: bold * 2 > all,
    isItalic: italic * 2 > all,
  };
};

// A line of sentences is no heading, though the text layer of a scan gives it a size of its own.
const isSentences = (text: string): boolean => /^\p{Ll}/u.test(text) || /\p{Ll}[.!?]\s+\p{Lu}/u.test(text);

const maxSentenceChars = 60;

/** Whether the end of a text may be that of a heading: `Aims:`, or a full stop after few words. */
const endsLikeHeading = (text: string): boolean =>
  !/[,;]$/.test(text) && (!text.endsWith('.') || text.length <= maxSentenceChars);

const numbered = /^(\d{1,2}(?:\.\d{1,2})*)\.?\s+\p{L}/u;

/** Number of a heading, such as `2.1.6`; null if it has none. */
const numberOf = (title: string): readonly string[] | null => numbered.exec(title)?.[1]?.split('.') ?? null;

const marked = /^(?:\(\d{1,2}\)|\d{1,2}(?:\.\d{1,2})*[.)])\s*[\p{L}\p{P}]/u;

/** Whether a line begins with a number and differs from the text by font and size, though not by much. */
const isMarkedTitle = ({ text, lines, size, font }: TextBlock, usual: UsualType): boolean =>
  lines === 1 && text.length <= maxBoldChars && marked.test(text) && font !== usual.font && size >= 1.04 * usual.size;

const caption = /^(?:fig(?:ure)?|table|source|notes?|exhibit)\b/i;

/** Whether a line in italics is above a paragraph of upright text, as a title is. */
const isItalicTitle = ({ text, lines, size, isItalic }: TextBlock, next: PageBlock, usual: UsualType): boolean =>
  isItalic &&
  !usual.isItalic &&
  lines === 1 &&
  text.length <= maxSentenceChars &&
  size >= 0.95 * usual.size &&
  /^\p{Lu}.*[^.]$/u.test(text) &&
  !caption.test(text) &&
  next.kind === 'text' &&
  !next.isItalic &&
  next.lines > 1 &&
  Math.abs(next.size - usual.size) <= 0.05 * usual.size &&
  /^\p{Lu}/u.test(next.text);

/** Level of a block that is a heading by its type: larger or bolder than the text, short, and above other text. */
const levelByType = (block: TextBlock, next: PageBlock, usual: UsualType): number | null => {
  const { text, lines, size, isBold } = block;
  if (lines > 3 || text.length > maxTitleChars || !endsLikeHeading(text) || !/\p{L}{2}/u.test(text)) return null;
  const larger = sizeLevels.find(({ ratio }) => size >= ratio * usual.size);
  if (larger !== undefined) return isSentences(text) ? null : larger.level;
  const isTitle = isBold && !usual.isBold && lines <= 2 && text.length <= maxBoldChars && size >= 0.95 * usual.size;
  const isFollowed = next.kind === 'table' || !next.isBold || Math.abs(next.size - size) > 0.05 * size;
  if (isTitle && isFollowed && !/\d[.,]\d{2}(?!\d)/.test(text)) return boldLevel;
  return isMarkedTitle(block, usual) || isItalicTitle(block, next, usual) ? boldLevel + 1 : null;
};

/** Level of a block that is a heading. Its number decides the level: chapters are within an unnumbered title. */
const levelOf = (block: PageBlock, next: PageBlock | undefined, usual: UsualType): number | null => {
  if (block.kind !== 'text' || next === undefined || usual.size === 0) return null;
  const level = levelByType(block, next, usual);
  const number = level === null ? null : numberOf(block.text);
  return number === null ? level : numberedLevel + number.length;
};

const keyOf = (text: string): string => text.toLowerCase().replace(/[\s\u00A0.:–—-]+/g, '');

/** Whether a numbered heading is within another one: `2.1.6` is within `2.1` and not within `1.2`. */
const isWithin = (number: readonly string[] | null, outer: Heading): boolean => {
  const other = number === null || outer.level <= maxBookmarkLevel ? null : numberOf(outer.title);
  return other === null || number === null || other.every((part, at) => part === number[at]);
};

const push = (path: readonly Heading[], { level, title }: Heading): readonly Heading[] => {
  const shown = oneLine(title)
    .slice(0, maxTitleChars)
    .toWellFormed()
    .trim()
    .replace(/(?<=\p{L}{2})[:.]$/u, '');
  const number = level > maxBookmarkLevel ? numberOf(shown) : null;
  return [...path.filter((outer) => outer.level < level && isWithin(number, outer)), { level, title: shown }];
};

/** Bookmarks that are open where a page begins. */
const pathBefore = (outline: readonly Bookmark[], page: number): readonly Heading[] => {
  let path: readonly Heading[] = [];
  for (const bookmark of outline) if (bookmark.page < page) path = push(path, bookmark);
  return path;
};

/** Bookmark of a page whose title a block is. */
const bookmarkOf = (block: PageBlock, bookmarks: readonly Bookmark[]): Bookmark | undefined => {
  if (bookmarks.length === 0 || block.kind !== 'text' || block.lines > 4 || block.text.length > 2 * maxTitleChars)
    return undefined;
  const key = keyOf(block.text);
  return bookmarks.find(({ title }) => {
    const wanted = keyOf(title);
    return (
      wanted !== '' &&
      (key === wanted || (wanted.length > 3 && key.endsWith(wanted) && key.length - wanted.length < 10))
    );
  });
};

/** Joins a sentence over a page end; a word that was split there is joined. */
const joinSentence = ({ text, textPlaces }: TextBlock, rest: Continuation): Block => {
  const before = /\p{L}[-\u2010]$/u.test(text) ? text.slice(0, -1) : `${text}\n`;
  const moved = rest.textPlaces.map((place) => ({ ...place, at: place.at + before.length }));
  return { text: before + rest.text, level: null, textPlaces: [...textPlaces, ...moved] };
};

type ShownText = Pick<PageText, 'blocks' | 'heads' | 'footers' | 'continuation'>;

const sectionsOf = (
  number: number,
  { blocks, heads, footers, continuation }: ShownText,
  {
    outline,
    before,
    notes,
  }: { readonly outline: readonly Bookmark[]; readonly before: readonly Heading[]; readonly notes: readonly Block[] },
): { readonly sections: readonly Section[]; readonly path: readonly Heading[] } => {
  const usual = usualType(blocks);
  const bookmarks = outline.filter(({ page }) => page === number);
  const matched = new Set(blocks.flatMap((block) => bookmarkOf(block, bookmarks) ?? []));
  let path = before;
  for (const bookmark of bookmarks) if (!matched.has(bookmark)) path = push(path, bookmark);
  const sections: Section[] = [];
  let open: Block[] = [...heads];
  let hasBody = heads.length > 0;
  const close = (pageEnd: number): void => {
    const headingPath = path.map(({ title }) => title);
    for (const section of [...cutUnits(open)].flat())
      sections.push({ ...section, headingPath, pageStart: number, pageEnd });
    open = [];
    hasBody = false;
  };
  for (const [index, block] of blocks.entries()) {
    const bookmark = bookmarkOf(block, bookmarks);
    const level = bookmark?.level ?? levelOf(block, blocks[index + 1], usual);
    const isHeading = level !== null && block.kind === 'text';
    if (isHeading) {
      if (hasBody || (path.at(-1)?.level ?? 0) >= level) close(number);
      path = push(path, { level, title: bookmark?.title ?? block.text });
    }
    const isContinued = index === blocks.length - 1 && continuation.text !== '' && block.kind === 'text';
    if (isContinued) {
      if (!isHeading) close(number);
      open.push(joinSentence(block, continuation));
      close(number + 1);
    } else if (isHeading) {
      open.push(...toBlocks(block));
    } else {
      open.push(...toBlocks(block));
      hasBody = true;
    }
  }
  open.push(...footers, ...notes);
  close(number);
  return { sections, path };
};

/** Cuts pages into sections, one for each heading. Headings of a page apply to the pages that are read after it. */
export interface HeadingTracker {
  /** @param notes Text of annotations, at the end. */
  sections(number: number, page: ShownText, notes: readonly Block[]): readonly Section[];
}

/**
 * Tracks headings over pages that are read in order. Bookmarks give the headings of all earlier pages; font size and
 * weight those of the pages read before. A bookmark whose title is not on its page applies from the start of the page.
 */
export const trackHeadings = (outline: readonly Bookmark[]): HeadingTracker => {
  let path: readonly Heading[] = [];
  return {
    sections: (number, page, notes) => {
      const marked = pathBefore(outline, number);
      const last = path.findLast(({ level }) => level <= maxBookmarkLevel);
      const isSame = last?.title === marked.at(-1)?.title;
      const before = isSame ? [...marked, ...path.filter(({ level }) => level > maxBookmarkLevel)] : marked;
      const result = sectionsOf(number, page, { outline, before, notes });
      ({ path } = result);
      return result.sections;
    },
  };
};
