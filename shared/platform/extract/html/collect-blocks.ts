import type { Block } from '../cut-units.ts';
import { cellEnd, lineBreak, openDraft, paragraphBreak, wordBreak } from './page-draft.ts';
import { type AttributeOf, openTagNames } from './tag-names.ts';

/** The part of the DOM that is read here; the project compiles without the types of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  /** Of an element. */
  getAttribute?(name: string): string | null;
}

const elementNode = 1;
const textNode = 3;

const skipped = new Set(
  'BUTTON CANVAS IFRAME NOSCRIPT OBJECT RP RT RTC SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE'.split(' '),
);

/** Whether nothing within an element is read; its name in upper case. */
export const isSkipped = (name: string): boolean => skipped.has(name);

const paragraphs = new Set('ARTICLE BLOCKQUOTE DL FIGURE OL P PRE SECTION TABLE UL'.split(' '));
const lines = new Set(
  'ADDRESS ASIDE CAPTION CENTER DD DETAILS DIV DT FIGCAPTION FOOTER FORM HEADER HR LI MAIN NAV SUMMARY TR'.split(' '),
);

const levelOf = (name: string): number | null => (/^H[1-6]$/.test(name) ? Number(name[1]) : null);

// Kept in place of the name of a link to a note.
const noteLink = 'A NOTE';

/** Whether a tag is a link to a note, whose number follows a word without a space. */
const isNoteLink = (name: string, parent: string | undefined, attributeOf: AttributeOf): boolean =>
  name === 'A' &&
  (/\bnoteref\b/.test(`${attributeOf('epub:type')} ${attributeOf('role')}`) ||
    (parent === 'SUP' && attributeOf('href')?.includes('#') === true));

const breakAround = (name: string, parent: string | undefined): string => {
  if (name === noteLink) return wordBreak;
  if (!paragraphs.has(name)) return lines.has(name) ? lineBreak : '';
  const isPartOfItem = parent === 'LI' && /^(?:OL|P|UL)$/.test(name);
  return isPartOfItem ? lineBreak : paragraphBreak;
};

const startOf = (name: string, parent: string | undefined): string => {
  if (name === 'BR') return '\n';
  return breakAround(name, parent) + (name === 'LI' ? '- ' : '');
};

const endOf = (name: string, parent: string | undefined): string =>
  /^T[DH]$/.test(name) ? cellEnd : breakAround(name, parent);

/** Collects the headings and texts of a page whose tags and texts it is told in order; names of tags in upper case. */
export interface BlockCollector {
  readonly open: (name: string, attributeOf: AttributeOf) => void;
  readonly text: (text: string) => void;
  /** Ends the tag that was opened last. */
  readonly close: () => void;
  /** Blocks that are complete since they were last taken. */
  readonly take: () => readonly Block[];
  /** The blocks after those, at the end of the page. */
  readonly end: () => readonly Block[];
}

/** Starts to collect: list items with `- `, rows with ` | ` between cells, `pre` as it stands. */
export const openCollector = (): BlockCollector => {
  const blocks: Block[] = [];
  const names: string[] = [];
  const draft = openDraft();
  const tagNames = openTagNames();
  let preDepth = 0;
  let skippedDepth = 0;
  const flush = (level: number | null): void => {
    const text = draft.take();
    if (text === '') return;
    if (level !== null) blocks.push({ text: text.replace(/\s+/g, ' ').replace(/ ?¶$/, ''), level });
    // One by one: a page has more paragraphs than a call takes arguments.
    else for (const paragraph of text.split('\n\n')) blocks.push({ text: paragraph, level });
  };
  const open = (tag: string, attributeOf: AttributeOf): void => {
    const name = isNoteLink(tag, names.at(-1), attributeOf) ? noteLink : tagNames.open(tag);
    if (skippedDepth > 0 || isSkipped(name)) skippedDepth += 1;
    else if (levelOf(name) !== null) flush(null);
    else {
      draft.write(startOf(name, names.at(-1)));
      if (name === 'TR') draft.openRow();
      if (name === 'TABLE') draft.breakRow();
    }
    if (name === 'PRE') preDepth += 1;
    names.push(name);
  };
  const close = (): void => {
    const name = names.pop() ?? '';
    tagNames.close(name);
    if (name === 'PRE') preDepth -= 1;
    if (skippedDepth > 0) skippedDepth -= 1;
    else if (levelOf(name) !== null) flush(levelOf(name));
    else {
      if (name === 'TR') draft.closeRow();
      const end = endOf(name, names.at(-1));
      draft.write(end);
      if (draft.isLong() && (end === lineBreak || end === paragraphBreak)) flush(null);
    }
  };
  const text = (words: string): void => {
    if (skippedDepth > 0) return;
    tagNames.text(words);
    draft.write(preDepth > 0 ? words : words.replace(/\s+/g, ' '));
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

/** Headings and texts under an element that is not deep, in order. */
export const collectBlocks = (root: DomNode): readonly Block[] => {
  const collector = openCollector();
  visit(root, collector);
  return collector.end();
};
