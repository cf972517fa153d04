import type { Block } from './cut-units.ts';

/** The part of the DOM that is read here; the project compiles without the types of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: DomNode | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
}

const textNode = 3;
const skipped = new Set(
  'BUTTON CANVAS HEAD IFRAME NOSCRIPT OBJECT SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE'.split(' '),
);
const paragraphs = new Set('ARTICLE BLOCKQUOTE DL FIGURE OL P PRE SECTION TABLE UL'.split(' '));
const lines = new Set(
  'ADDRESS ASIDE CAPTION CENTER DD DETAILS DIV DT FIGCAPTION FOOTER FORM HEADER HR LI MAIN NAV SUMMARY TR'.split(' '),
);

// Marks in the collected text, taken from code points that Unicode reserves for use inside a program.
const lineBreak = '\uFDD0';
const paragraphBreak = '\uFDD1';
const cellEnd = '\uFDD2';

/**
 * Visits every node under and including `root`, without recursion: hostile pages nest deeper than a call stack.
 * @param visit.enter Returns whether to visit the node's children and then call `leave` for it.
 */
export const walk = (
  root: DomNode,
  visit: { readonly enter: (node: DomNode) => boolean; readonly leave: (node: DomNode) => void },
): void => {
  let node: DomNode | null = root;
  while (node !== null) {
    const isEntered: boolean = visit.enter(node);
    if (isEntered && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    if (isEntered) visit.leave(node);
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      if (node !== null) visit.leave(node);
    }
    node = node === root || node === null ? null : node.nextSibling;
  }
};

const levelOf = (node: DomNode): number | null => (/^H[1-6]$/.test(node.nodeName) ? Number(node.nodeName[1]) : null);

const breakAround = (node: DomNode): string => {
  if (!paragraphs.has(node.nodeName)) return lines.has(node.nodeName) ? lineBreak : '';
  const isPartOfItem = node.parentNode?.nodeName === 'LI' && /^(?:OL|P|UL)$/.test(node.nodeName);
  return isPartOfItem ? lineBreak : paragraphBreak;
};

const startOf = (node: DomNode): string => {
  if (node.nodeName === 'BR') return '\n';
  return breakAround(node) + (node.nodeName === 'LI' ? '- ' : '');
};

const endOf = (node: DomNode): string => (/^T[DH]$/.test(node.nodeName) ? cellEnd : breakAround(node));

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

/** Headings and texts under `root`, in order: list items with `- `, rows with ` | ` between cells, `pre` as it stands. */
export const collectBlocks = (root: DomNode): readonly Block[] => {
  const blocks: Block[] = [];
  let parts: string[] = [];
  let preDepth = 0;
  const flush = (level: number | null): void => {
    const text = tidy(parts.join(''));
    parts = [];
    if (text === '') return;
    if (level !== null) blocks.push({ text: text.replace(/\s+/g, ' ').replace(/ ?¶$/, ''), level });
    // One by one: a page has more paragraphs than a call takes arguments.
    else for (const paragraph of text.split('\n\n')) blocks.push({ text: paragraph, level });
  };
  walk(root, {
    enter: (node) => {
      if (node.nodeType === textNode) {
        const text = node.textContent ?? '';
        parts.push(preDepth > 0 ? text : text.replace(/\s+/g, ' '));
      }
      if (node.nodeType === textNode || skipped.has(node.nodeName)) return false;
      if (node.nodeName === 'PRE') preDepth += 1;
      if (levelOf(node) === null) parts.push(startOf(node));
      else flush(null);
      return true;
    },
    leave: (node) => {
      if (node.nodeName === 'PRE') preDepth -= 1;
      const level = levelOf(node);
      if (level === null) parts.push(endOf(node));
      else flush(level);
    },
  });
  flush(null);
  return blocks;
};
