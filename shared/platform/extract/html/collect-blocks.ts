import type { Block } from '../cut-units.ts';
import { openLists } from './list-marks.ts';
import { cellEnd, lineBreak, openDraft, paragraphBreak, wordBreak } from './page-draft.ts';
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
  'BUTTON CANVAS IFRAME NOSCRIPT OBJECT RP RT RTC SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE'.split(' '),
);

/** Whether the content of an element is ignored. @param name In upper case. */
export const isSkipped = (name: string): boolean => skipped.has(name);

const paragraphs = new Set('ARTICLE BLOCKQUOTE DL FIGURE OL P PRE SECTION TABLE UL'.split(' '));
const lines = new Set(
  'ADDRESS ASIDE CAPTION CENTER DD DETAILS DIV DT FIGCAPTION FOOTER FORM HEADER HR LI MAIN NAV SUMMARY TR'.split(' '),
);

const levelOf = (name: string): number | null => (/^H[1-6]$/.test(name) ? Number(name[1]) : null);

// Replace the names of a link to a note, and of a link within the page that has no text yet.
const noteLink = 'A NOTE';
const fragmentLink = 'A #';

/**
 * Replacement for the name of a link element; null for other elements. The number of a note follows a word without a
 * space.
 */
const linkName = (name: string, parent: string | undefined, attributeOf: AttributeOf): string | null => {
  if (name === 'SUP') return parent === fragmentLink ? noteLink : null;
  if (name !== 'A') return null;
  if (/\bnoteref\b/.test(`${attributeOf('epub:type')} ${attributeOf('role')}`)) return noteLink;
  if (attributeOf('href')?.includes('#') !== true) return null;
  return parent === 'SUP' ? noteLink : fragmentLink;
};

const breakAround = (name: string, parent: string | undefined): string => {
  if (name === noteLink) return wordBreak;
  if (!paragraphs.has(name)) return lines.has(name) ? lineBreak : '';
  const isPartOfItem = parent === 'LI' && /^(?:OL|P|UL)$/.test(name);
  return isPartOfItem ? lineBreak : paragraphBreak;
};

const startOf = (name: string, parent: string | undefined): string =>
  name === 'BR' ? '\n' : breakAround(name, parent);

const endOf = (name: string, parent: string | undefined): string =>
  /^T[DH]$/.test(name) ? cellEnd : breakAround(name, parent);

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

/** Writes the texts of tags other than headings, with list markers and cell separators; `pre` is unchanged. */
const openWriter = () => {
  const draft = openDraft();
  const lists = openLists();
  let preDepth = 0;
  return {
    open: (name: string, parent: string | undefined, attributeOf: AttributeOf): void => {
      draft.write(startOf(name, parent));
      const mark = lists.open(name, attributeOf);
      if (preDepth === 0) draft.write(mark);
      if (name === 'PRE') {
        preDepth += 1;
        draft.openCode();
      }
      if (name === 'TR') draft.openRow();
      if (name === 'TABLE') draft.breakRow();
    },
    text: (words: string): void => draft.write(preDepth > 0 ? words : words.replace(/\s+/g, ' ')),
    /** Returns whether the written text should be taken now. */
    close: (name: string, parent: string | undefined): boolean => {
      if (name === 'PRE') {
        preDepth -= 1;
        draft.closeCode();
      }
      if (name === 'TR') draft.closeRow();
      lists.close(name);
      const end = endOf(name, parent);
      draft.write(end);
      return draft.isLong() && (end === lineBreak || end === paragraphBreak);
    },
    take: draft.take,
  };
};

/**
 * Creates a collector. List items begin with `- ` or their number, cells are separated by ` | `, `pre` is unchanged.
 */
export const openCollector = (): BlockCollector => {
  const blocks: Block[] = [];
  const names: string[] = [];
  const writer = openWriter();
  const tagNames = openTagNames();
  let skippedDepth = 0;
  const flush = (level: number | null): void => {
    const text = writer.take();
    // One by one: a page may have more paragraphs than a call allows arguments.
    if (text !== '') for (const block of blocksOf(text, level)) blocks.push(block);
  };
  const open = (tag: string, attributeOf: AttributeOf): void => {
    const name = linkName(tag, names.at(-1), attributeOf) ?? tagNames.open(tag);
    if (skippedDepth > 0 || isSkipped(name)) skippedDepth += 1;
    else if (levelOf(name) !== null) flush(null);
    else writer.open(name, names.at(-1), attributeOf);
    names.push(name);
  };
  const close = (): void => {
    const name = names.pop() ?? '';
    tagNames.close(name);
    if (skippedDepth > 0) skippedDepth -= 1;
    else if (levelOf(name) !== null) flush(levelOf(name));
    else if (writer.close(name, names.at(-1))) flush(null);
  };
  const text = (words: string): void => {
    if (skippedDepth > 0) return;
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
  collector.open(node.nodeName, (name) => node.getAttribute?.(name));
  for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, collector);
  collector.close();
};

/** Collects the headings and texts under an element, in order. Recursive, so the element must not be nested deeply. */
export const collectBlocks = (root: DomNode): readonly Block[] => {
  const collector = openCollector();
  visit(root, collector);
  return collector.end();
};
