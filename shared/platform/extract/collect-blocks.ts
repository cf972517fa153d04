import type { Block } from './cut-units.ts';

/** The part of the DOM that is read here; the project compiles without the types of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
}

const elementNode = 1;
const textNode = 3;

// A list or table of more is taken in portions: it is cut into units all the same.
const mostChars = 64 * 1024;

const skipped = new Set(
  'BUTTON CANVAS IFRAME NOSCRIPT OBJECT SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE'.split(' '),
);
const paragraphs = new Set('ARTICLE BLOCKQUOTE DL FIGURE OL P PRE SECTION TABLE UL'.split(' '));
const lines = new Set(
  'ADDRESS ASIDE CAPTION CENTER DD DETAILS DIV DT FIGCAPTION FOOTER FORM HEADER HR LI MAIN NAV SUMMARY TR'.split(' '),
);

// Marks in the collected text, taken from code points that Unicode reserves for use inside a program.
const lineBreak = '\uFDD0';
const paragraphBreak = '\uFDD1';
const cellEnd = '\uFDD2';

const levelOf = (name: string): number | null => (/^H[1-6]$/.test(name) ? Number(name[1]) : null);

const breakAround = (name: string, parent: string | undefined): string => {
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

/** What stands for a run of marks and white space. One look at each run keeps this linear, whatever the page holds. */
const renderGap = (gap: string): string => {
  if (gap.includes(paragraphBreak)) return '\n\n';
  if (gap.includes(lineBreak)) return '\n';
  if (gap.includes(cellEnd)) return ' | ';
  const lineEnds = gap.split('\n');
  if (lineEnds.length === 1) return ' ';
  // A single space after a line end is layout of the source, more is the indentation of code.
  const indentation = lineEnds.at(-1) ?? '';
  return (lineEnds.length > 2 ? '\n\n' : '\n') + (indentation.length > 1 ? indentation : '');
};

const tidy = (text: string): string =>
  text
    .replace(/[\s\uFDD0-\uFDD2]+/g, renderGap)
    .replace(/(?<=^|\n)-\n+/g, '- ')
    .replace(/(?: \|)? $/, '')
    .trim();

/** Collects the headings and texts of a page whose tags and texts it is told in order; names of tags in upper case. */
export interface BlockCollector {
  readonly open: (name: string) => void;
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
  let parts: string[] = [];
  let chars = 0;
  let preDepth = 0;
  let skippedDepth = 0;
  const write = (part: string): void => {
    parts.push(part);
    chars += part.length;
  };
  const flush = (level: number | null): void => {
    const text = tidy(parts.join(''));
    parts = [];
    chars = 0;
    if (text === '') return;
    if (level !== null) blocks.push({ text: text.replace(/\s+/g, ' ').replace(/ ?¶$/, ''), level });
    // One by one: a page has more paragraphs than a call takes arguments.
    else for (const paragraph of text.split('\n\n')) blocks.push({ text: paragraph, level });
  };
  const open = (name: string): void => {
    if (skippedDepth > 0 || skipped.has(name)) skippedDepth += 1;
    else if (levelOf(name) !== null) flush(null);
    else write(startOf(name, names.at(-1)));
    if (name === 'PRE') preDepth += 1;
    names.push(name);
  };
  const close = (): void => {
    const name = names.pop() ?? '';
    if (name === 'PRE') preDepth -= 1;
    if (skippedDepth > 0) skippedDepth -= 1;
    else if (levelOf(name) !== null) flush(levelOf(name));
    else {
      const end = endOf(name, names.at(-1));
      write(end);
      if (chars > mostChars && (end === lineBreak || end === paragraphBreak)) flush(null);
    }
  };
  const text = (words: string): void => {
    if (skippedDepth === 0) write(preDepth > 0 ? words : words.replace(/\s+/g, ' '));
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
  collector.open(node.nodeName);
  for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, collector);
  collector.close();
};

/** Headings and texts under an element that is not deep, in order. */
export const collectBlocks = (root: DomNode): readonly Block[] => {
  const collector = openCollector();
  visit(root, collector);
  return collector.end();
};
