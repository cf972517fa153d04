import type { Block } from '../cut-units.ts';
import { pictureText } from './picture-text.ts';
import { isHidden, plainVisibility, type Visibility } from './hidden-elements.ts';
import { openLists } from './list-marks.ts';
import { openEmbedded } from './embedded-text.ts';
import { cellEnd, lineBreak, loweredStart, noteEnd, noteStart, PageDraft, paragraphBreak } from './page-draft.ts';
import { tableBlocks, type TableGrid } from '../table.ts';
import { raisedEnd, raisedStart } from '../text/superscript.ts';
import { type AttributeOf, openTagNames } from './tag-names.ts';

/** Part of the DOM that is read here. The project compiles without the types of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  /** Present on elements. */
  getAttribute?(name: string): string | null;
}

const elementNode = 1;
const textNode = 3;

const skipped = new Set(
  'AUDIO BUTTON CANVAS IFRAME NOSCRIPT OBJECT RP RT RTC SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE VIDEO'.split(
    ' ',
  ),
);

/** Whether the content of an element is ignored. @param name In upper case. */
export const isSkipped = (name: string): boolean => skipped.has(name);

const paragraphs = new Set('ARTICLE BLOCKQUOTE DL FIGURE OL P PRE SECTION TABLE UL'.split(' '));
const lines = new Set(
  'ADDRESS ASIDE CAPTION CENTER DD DETAILS DIV DT FIGCAPTION FOOTER FORM HEADER HR LI MAIN NAV SUMMARY TR'.split(' '),
);

const levelOf = (name: string): number | null => (/^H[1-6]$/.test(name) ? Number(name[1]) : null);

// Replace the names of the mark of a note, and of a link within the page that has no text yet.
const noteLink = 'A NOTE';
const fragmentLink = 'A #';

const noteNames = /\b(?:footnote|endnote|fn-?ref|note-?ref|cite_ref|reference)/;

/** Whether raised text is the mark of a note by its names. */
export const isNoteMark = (attributeOf: AttributeOf): boolean =>
  noteNames.test(`${attributeOf('class')} ${attributeOf('id')} ${attributeOf('role')}`);

/**
 * Replacement for the name of a link element; null for other elements. The number of a note follows a word without a
 * space.
 */
const linkName = (name: string, parent: string | undefined, attributeOf: AttributeOf): string | null => {
  if (name === 'SUP')
    return parent === fragmentLink || (parent !== noteLink && isNoteMark(attributeOf)) ? noteLink : null;
  if (name !== 'A') return null;
  if (/\bnoteref\b/.test(`${attributeOf('epub:type')} ${attributeOf('role')}`)) return noteLink;
  if (parent === noteLink || attributeOf('href')?.includes('#') !== true) return null;
  return parent === 'SUP' ? noteLink : fragmentLink;
};

const breakAround = (name: string, parent: string | undefined): string => {
  if (!paragraphs.has(name)) return lines.has(name) ? lineBreak : '';
  const isPartOfItem = parent === 'LI' && /^(?:OL|P|UL)$/.test(name);
  return isPartOfItem ? lineBreak : paragraphBreak;
};

const starts: ReadonlyMap<string, string> = new Map([
  ['BR', '\n'],
  ['SUB', loweredStart],
  [noteLink, noteStart],
]);

const ends: ReadonlyMap<string, string> = new Map([
  ['TD', cellEnd],
  ['TH', cellEnd],
  [noteLink, noteEnd],
]);

const startOf = (name: string, parent: string | undefined): string => starts.get(name) ?? breakAround(name, parent);

const endOf = (name: string, parent: string | undefined): string => ends.get(name) ?? breakAround(name, parent);

/** Collects the headings and texts of a page from its tags and texts in order. Tag names are in upper case. */
export interface BlockCollector {
  readonly open: (name: string, attributeOf: AttributeOf) => void;
  readonly text: (text: string) => void;
  /** Closes the tag that was opened last. */
  readonly close: () => void;
  /** Returns the blocks completed since the last call. */
  readonly take: () => readonly Block[];
  /** Returns the remaining blocks at the end of the page. */
  readonly end: () => readonly Block[];
}

const blocksOf = (text: string, level: number | null): readonly Block[] =>
  level === null
    ? text.split('\n\n').map((paragraph) => ({ text: paragraph, level }))
    : [{ text: text.replace(/\s+/g, ' ').replace(/ ?¶$/, ''), level }];

/** Returns the marks around raised text. Text that is raised within it is in brackets. */
const openRaised = () => {
  let depth = 0;
  return {
    open: (): string => {
      depth += 1;
      return depth === 1 ? raisedStart : '^(';
    },
    close: (): string => {
      depth -= 1;
      return depth === 0 ? raisedEnd : ')';
    },
  };
};

/** Writes the texts of tags other than headings, with list markers and cell separators; `pre` is unchanged. */
const openWriter = () => {
  const draft = new PageDraft();
  const lists = openLists();
  const raised = openRaised();
  let preDepth = 0;
  return {
    open: (name: string, parent: string | undefined, attributeOf: AttributeOf): void => {
      draft.write(name === 'SUP' ? raised.open() : startOf(name, parent));
      const mark = lists.open(name, attributeOf);
      if (preDepth === 0) draft.write(mark);
      if (name === 'PRE') {
        preDepth += 1;
        draft.openCode();
      }
      draft.openInTable(name, attributeOf);
      const picture = pictureText(name, attributeOf);
      if (picture !== '') draft.write(` ${picture} `);
    },
    text: (words: string): void => draft.write(preDepth > 0 ? words : words.replace(/\s+/g, ' ')),
    /** Returns the rows of a table that ends, or of a long one so far. */
    close: (name: string, parent: string | undefined): TableGrid | null => {
      if (name === 'PRE') {
        preDepth -= 1;
        draft.closeCode();
      }
      const table = draft.closeInTable(name);
      lists.close(name);
      draft.write(name === 'SUP' ? raised.close() : endOf(name, parent));
      return table ?? (name === 'TR' && draft.isLong() ? draft.takeRows() : null);
    },
    /** Whether the written text should be taken after a tag. */
    isLongAfter: (name: string, parent: string | undefined): boolean => {
      const end = endOf(name, parent);
      return draft.isLong() && (end === lineBreak || end === paragraphBreak);
    },
    take: (): string => draft.take(),
  };
};

/**
 * Creates a collector. List items begin with `- ` or their number, `pre` is unchanged, tables are rows under their head,
 * formulas are one line, and pictures are their description. What a reader cannot see is left out.
 */
export const openCollector = (visibility: Visibility = plainVisibility): BlockCollector => {
  const blocks: Block[] = [];
  const names: string[] = [];
  const writer = openWriter();
  const tagNames = openTagNames();
  const embedded = openEmbedded();
  let skippedDepth = 0;
  const flush = (level: number | null): void => {
    const text = writer.take();
    // One by one: a page may have more paragraphs than a call allows arguments.
    if (text !== '') for (const block of blocksOf(text, level)) blocks.push(block);
  };
  const open = (tag: string, attributeOf: AttributeOf): void => {
    const isLeftOut = skippedDepth > 0 || isHidden(tag, attributeOf, visibility);
    if (!isLeftOut && embedded.open(tag)) return;
    const name = linkName(tag, names.at(-1), attributeOf) ?? tagNames.open(tag);
    if (isLeftOut || isSkipped(name)) skippedDepth += 1;
    else if (levelOf(name) !== null) flush(null);
    else writer.open(name, names.at(-1), attributeOf);
    names.push(name);
  };
  const closeText = (name: string, parent: string | undefined): void => {
    const grid = writer.close(name, parent);
    if (grid !== null || writer.isLongAfter(name, parent)) flush(null);
    if (grid !== null) for (const block of tableBlocks(grid)) blocks.push(block);
  };
  const close = (): void => {
    const inserted = embedded.close();
    if (inserted !== null) {
      writer.text(inserted);
      return;
    }
    const name = names.pop() ?? '';
    tagNames.close(name);
    if (skippedDepth > 0) skippedDepth -= 1;
    else if (levelOf(name) !== null) flush(levelOf(name));
    else closeText(name, names.at(-1));
  };
  const text = (words: string): void => {
    if (skippedDepth > 0 || embedded.text(words)) return;
    tagNames.text(words);
    if (names.at(-1) === fragmentLink && words.trim() !== '') names[names.length - 1] = 'A';
    writer.text(words);
  };
  const take = (): readonly Block[] => blocks.splice(0);
  const end = (): readonly Block[] => {
    flush(null);
    return take();
  };
  return { open, text, close, take, end };
};

const visit = (node: DomNode, collector: BlockCollector): void => {
  if (node.nodeType === textNode) collector.text(node.textContent ?? '');
  if (node.nodeType !== elementNode) return;
  collector.open(node.nodeName.toUpperCase(), (name) => node.getAttribute?.(name));
  for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, collector);
  collector.close();
};

/** Collects the headings and texts under an element, in order. Recursive, so the element must not be nested deeply. */
export const collectBlocks = (root: DomNode): readonly Block[] => {
  const collector = openCollector();
  visit(root, collector);
  return collector.end();
};
