import { oneLine } from '../../../kernel/text.ts';
import type { Block } from '../cut-units.ts';
import { attributeOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import { rowLine } from '../table-rows.ts';

const skipped = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'sequence-decls',
  'forms',
  'soft-page-break',
  'ruby-text',
]);
const isParagraph = ({ name }: XmlElement): boolean => name === 'p' || name === 'h';

/** Text of a paragraph. @param isApart Returns whether a child element is separate from its text. */
const wordsOf = (element: XmlElement, isApart: (child: XmlElement) => boolean): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 's') return ' '.repeat(Math.min(100, Number(attributeOf(child, 'c') ?? 1) || 1));
      if (child.name === 'tab') return '\t';
      if (child.name === 'line-break') return '\n';
      if (skipped.has(child.name) || isApart(child)) return '';
      return child.name === 'note' ? ` (${paragraphsIn(child).join(' ')})` : wordsOf(child, isApart);
    })
    .join('');

interface Paragraph {
  readonly text: string;
  /** Boxes and shapes anchored to it. Notes of a heading too, which are kept out of the heading path. */
  readonly apart: readonly XmlElement[];
}

const readParagraph = (paragraph: XmlElement): Paragraph => {
  const apart: XmlElement[] = [];
  const isApart = (child: XmlElement): boolean => {
    const isNote = child.name === 'note' && paragraph.name === 'h';
    if (!isNote && child.name !== 'text-box' && !isParagraph(child)) return false;
    apart.push(child);
    return true;
  };
  return { text: wordsOf(paragraph, isApart).trim(), apart };
};

/** Texts of the paragraphs in elements, at any depth. */
const paragraphsOf = (elements: readonly XmlElement[]): readonly string[] =>
  elements.flatMap((element) => {
    if (skipped.has(element.name)) return [];
    if (!isParagraph(element)) return paragraphsIn(element);
    const { text, apart } = readParagraph(element);
    return [text, ...paragraphsOf(apart)];
  });

/** Paragraphs of a table cell, a list item or a shape. */
export const paragraphsIn = (element: XmlElement): readonly string[] => paragraphsOf(childrenOf(element));

const listText = (list: XmlElement, indent: string): string =>
  childrenOf(list)
    .map((item) => {
      const inner = childrenOf(item, 'list').map((nested) => listText(nested, `${indent}  `));
      const own = paragraphsOf(childrenOf(item).filter(isParagraph));
      return [`${indent}- ${own.join(' ')}`, ...inner].filter((line) => line.trim() !== '-').join('\n');
    })
    .filter((text) => text !== '')
    .join('\n');

/** Rows of a table, in header rows and row groups too. */
export const rowsOf = (table: XmlElement): readonly XmlElement[] =>
  childrenOf(table).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });

const tableText = (table: XmlElement): string =>
  rowsOf(table)
    .map((row) => rowLine(childrenOf(row, 'table-cell').map((cell) => oneLine(paragraphsIn(cell).join(' ')))))
    .filter((line) => line !== '')
    .join('\n');

const paragraphBlocks = (paragraph: XmlElement): readonly Block[] => {
  const { text, apart } = readParagraph(paragraph);
  const outline = Number(attributeOf(paragraph, 'outline-level') ?? 1);
  const isTitle = attributeOf(paragraph, 'style-name') === 'Title';
  const level = paragraph.name === 'h' ? Math.min(6, Math.max(1, outline || 1)) : isTitle ? 0 : null;
  return [{ text, level }, ...blocksOf(apart)];
};

const blocksOf = (elements: readonly XmlElement[]): readonly Block[] =>
  elements
    .filter(({ name }) => !skipped.has(name))
    .flatMap((element) => {
      if (isParagraph(element)) return paragraphBlocks(element);
      if (element.name === 'table') return [{ text: tableText(element), level: null }];
      // A numbered heading is inside a list of its own.
      const isList = element.name === 'list' && findAll(element, 'h').length === 0;
      return isList ? [{ text: listText(element, ''), level: null }] : blocksIn(element);
    })
    .filter(({ text }) => text !== '');

/** Blocks of the text of an element: headings, paragraphs, lists, tables. */
export const blocksIn = (body: XmlElement): readonly Block[] => blocksOf(childrenOf(body));
