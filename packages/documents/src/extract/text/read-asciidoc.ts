import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { MarkupBlocks } from './markup-blocks.ts';
import { expandSpans, type SpanningCell, type TableGrid } from '../table.ts';

const heading = /^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$/;
const attribute = /^:(!?[\w][\w-]*!?):(?:\s+(.*))?$/;
const delimiter = /^(?:(-{4,})|(\.{4,})|(={4,})|(\*{4,})|(_{4,})|(\/{4,})|(\+{4,})|(```+)[\w-]*|(--))\s*$/;
const tableRule = /^[|,:!]===+\s*$/;
const blockMacro = /^(image|video|audio|include|toc|ifdef|ifndef|ifeval|endif)::(\S*?)\[(.*)\]\s*$/;
const listItem = /^\s*(\*{1,5}|-|\.{1,5}|\d+\.)\s+(\S.*)$/;
const term = /^(\s*\S.*?)(:{2,4}|;;)(?:\s+(.*))?$/;

/** Text of inline markup: links by their text, without the marks of emphasis and code. */
const plainInline = (text: string, attributes: ReadonlyMap<string, string>): string =>
  text
    .replace(/\{([\w-]+)\}/g, (whole, name: string) => attributes.get(name.toLowerCase()) ?? whole)
    .replace(/\[\[[^[\]]*\]\]|\(\(\([^()]*\)\)\)/g, '')
    .replace(/\(\(([^()]+)\)\)/g, '$1')
    .replace(/<<([^<>,]+)(?:,\s*([^<>]+))?>>/g, (_, target: string, name: string | undefined) => name ?? target)
    .replace(/\bxref:([^\s[\]]+)\[([^[\]]*)\]/g, (_, target: string, name: string) => name || target)
    .replace(/\bfootnote(?:ref)?:[\w-]*\[([^[\]]*)\]/g, ' ($1)')
    .replace(/\bimage:[^\s[\]]+\[([^[\],]*)[^[\]]*\]/g, '$1')
    .replace(/\b(?:kbd|btn|pass|stem|latexmath|asciimath):[\w,]*\[([^[\]]*)\]/g, '$1')
    .replace(/\bmenu:([^\s[\]]+)\[([^[\]]*)\]/g, (_, menu: string, item: string) =>
      item === '' ? menu : `${menu} > ${item}`,
    )
    .replace(
      /\blink:(?:\+\+)?([^\s[\]]+?)(?:\+\+)?\[([^[\]]*)\]/g,
      (_, url: string, name: string) => nameOfLink(name) || url,
    )
    .replace(
      /((?:https?|ftp|mailto):[^\s[\]<>]+)\[([^[\]]*)\]/g,
      (_, url: string, name: string) => nameOfLink(name) || url,
    )
    .replace(/\[[\w.#% -]*\](?=[#*_`])/g, '')
    .replace(/(\*\*|__|``|##|\+\+\+?)(\S(?:[^\n]*?\S)?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}\\])([*_`#+])(\S(?:[^\n]*?\S)?)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\^(\S+?)\^/g, '^$1')
    .replace(/~(\S+?)~/g, '$1')
    .replace(/\s\+$/, '');

/** Text of a link without the attributes after it: `text,window=_blank`. */
const nameOfLink = (text: string): string =>
  text
    .replace(/,\s*[\w-]+=.*$/, '')
    .replace(/\^$/, '')
    .replace(/^"|"$/g, '');

const maxCellCopies = 100;
// Specification of a cell before its bar: how often it is repeated, what it spans, how it is aligned and read.
const cellStart = /(?<=^|\s)(?:(\d+)(\*)|(?:(\d+)?(?:\.(\d+))?(\+)))?([<^>]?(?:\.[<^>])?[adehlmsv]?)\|/g;

/** Cells of the lines of a table in order. */
const cellsOf = (text: string): readonly { readonly cell: SpanningCell; readonly line: number }[] => {
  // An escaped bar is text.
  const shown = text.replaceAll('\\|', '\u0000');
  const starts = [...shown.matchAll(cellStart)];
  return starts.flatMap((start, at) => {
    const [whole, copies, , columns, rows] = start;
    const content = shown
      .slice(start.index + whole.length, starts[at + 1]?.index)
      .replaceAll('\u0000', '|')
      .trim();
    const cell = { text: content, columns: Number(columns ?? 1), rows: Number(rows ?? 1) };
    const line = shown.slice(0, start.index).split('\n').length;
    return Array.from({ length: Math.min(maxCellCopies, Number(copies ?? 1)) }, () => ({ cell, line }));
  });
};

/** Number of columns that the attributes of a table state: `cols="1,2a"` or `cols=3*`. */
const statedColumns = (attributes: string): number | null => {
  const stated = /\bcols\s*=\s*(?:"([^"]*)"|([\w*,.<>^%;]+))/.exec(attributes);
  const list = (stated?.[1] ?? stated?.[2] ?? '').trim();
  if (list === '') return null;
  return list
    .split(/[,;]/)
    .reduce((sum, part) => sum + Number(/^\s*(\d+)\*/.exec(part)?.[1] ?? (/^\d+$/.test(list) ? list : 1)), 0);
};

const readTable = (lines: readonly string[], attributes: string, plain: (text: string) => string): TableGrid => {
  const isHeaded = /%header|\boptions\s*=\s*"?[^"]*\bheader/.test(attributes);
  if (/\bformat\s*=\s*"?csv/.test(attributes)) {
    const rows = lines
      .filter((line) => line.trim() !== '')
      .map((line) => line.split(',').map((cell) => plain(cell.trim())));
    return { rows, ...(isHeaded && { headRows: 1 }) };
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  const all = cellsOf(lines.slice(Math.max(0, first)).join('\n'));
  const inFirstLine = all.filter(({ line }) => line === 1);
  const width = Math.max(
    1,
    statedColumns(attributes) ?? inFirstLine.reduce((sum, { cell }) => sum + (cell.columns ?? 1), 0),
  );
  const rows: SpanningCell[][] = [];
  // Columns of the next rows that cells above cover.
  const covered: number[] = [];
  let free = 0;
  for (const { cell } of all) {
    if (free <= 0) {
      rows.push([]);
      free = width - (covered.shift() ?? 0);
    }
    rows.at(-1)?.push({ ...cell, text: plain(cell.text.replace(/\s*\n\s*/g, ' ')) });
    free -= cell.columns ?? 1;
    for (let below = 0; below < Math.min(maxCellCopies, cell.rows ?? 1) - 1; below += 1)
      covered[below] = (covered[below] ?? 0) + (cell.columns ?? 1);
  }
  // A blank line after the first row makes it the head.
  const isFirstApart = lines[first + 1]?.trim() === '' && inFirstLine.length > 1;
  return { rows: expandSpans(rows), ...((isHeaded || isFirstApart) && { headRows: 1 }) };
};

/** Reads AsciiDoc: headings, tables, lists and code. Comments, attributes and conditions are left out. */
// oxlint-disable-next-line max-lines-per-function -- each kind of line may end the block before it
export const readAsciidoc: FormatReader = async (_, { text }) => {
  const out = new MarkupBlocks();
  const attributes = new Map<string, string>();
  const plain = (words: string): string => plainInline(words, attributes);
  const lines = text.split('\n');
  const numbers: number[] = [];
  let about = '';
  let title = '';
  /** Index of the line that ends a block. */
  const endOf = (at: number, isEnd: (line: string) => boolean): number => {
    let end = at + 1;
    while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1;
    return end;
  };
  const endTitle = (): void => {
    if (title !== '') {
      out.line(plain(title));
      out.end();
    }
    title = '';
  };
  const readItem = (mark: string, words: string): void => {
    endTitle();
    const isBullet = mark.startsWith('*') || mark === '-';
    const depth = /^\d/.test(mark) ? 1 : mark.length;
    if (!isBullet) {
      numbers.length = depth;
      numbers[depth - 1] = /^\d/.test(mark) ? Number.parseInt(mark, 10) : (numbers[depth - 1] ?? 0) + 1;
    }
    out.line(`${'  '.repeat(depth - 1)}${isBullet ? '-' : `${numbers[depth - 1] ?? 1}.`} ${plain(words)}`);
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, marks = '', words = ''] = heading.exec(line) ?? [];
    const block = delimiter.exec(line);
    const [, name, value] = attribute.exec(line) ?? [];
    const [, macro, target = '', inner = ''] = blockMacro.exec(line) ?? [];
    const [, mark = '', item = ''] = listItem.exec(line) ?? [];
    const under = /^([=\-~^+])\1{2,}\s*$/.exec(lines[at + 1] ?? '');
    if (marks !== '' && /^\S/.test(line)) {
      out.heading(plain(words), marks.length - 1);
      [about, title] = ['', ''];
    } else if (
      under !== null &&
      /\p{L}/u.test(line) &&
      block === null &&
      Math.abs(line.trim().length - (lines[at + 1] ?? '').trim().length) <= 2
    ) {
      out.heading(plain(line), '=-~^+'.indexOf(under[1] ?? ''));
      [about, title] = ['', ''];
      at += 1;
    } else if (tableRule.test(line)) {
      const end = endOf(at, (one) => one.trim() === line.trim());
      const stated = line.startsWith(',') ? `${about} format=csv` : about;
      out.table({
        ...readTable(lines.slice(at + 1, end), stated, plain),
        ...(title !== '' && { title: plain(title) }),
      });
      [about, title] = ['', ''];
      at = end;
    } else if (block !== null) {
      out.end();
      endTitle();
      const [, code, literal, , , , comment, pass, fence] = block;
      const isVerbatim = code !== undefined || literal !== undefined || fence !== undefined || pass !== undefined;
      if (isVerbatim || comment !== undefined) {
        const closing = line.trim().replace(/^(```+).*$/, '$1');
        const end = endOf(at, (one) => one.trim() === closing);
        if (comment === undefined) for (const one of lines.slice(at + 1, end)) out.line(one);
        out.end();
        at = end;
      }
      about = '';
    } else if (name !== undefined && !/\s/.test(name)) {
      attributes.set(name.replaceAll('!', '').toLowerCase(), name.includes('!') ? '' : (value ?? '').trim());
    } else if (macro !== undefined) {
      out.end();
      endTitle();
      // A condition may have its text beside it.
      if (macro === 'image') out.line(inner.split(',')[0]?.replace(/^"|"$/g, '') ?? '');
      else if (/^ifn?def$/.test(macro) && inner !== '' && target !== '') out.line(plain(inner));
      out.end();
    } else if (/^\[[^\]].*\]\s*$/.test(line)) about = line;
    else if (/^\/\/(?!\/)/.test(line) || /^\[\[.*\]\]\s*$/.test(line)) continue;
    else if (/^\.[^\s.].*$/.test(line)) title = line.slice(1).trim();
    else if (line.trim() === '') {
      out.end();
      about = '';
    } else if (/^\+\s*$/.test(line) || /^'''+\s*$/.test(line) || /^<<<\s*$/.test(line)) out.end();
    else if (mark !== '') readItem(mark, item);
    else {
      const [, defined, , meaning] = term.exec(line) ?? [];
      endTitle();
      if (/^[^\s]/.test(line) && !mark.startsWith('.')) numbers.length = 0;
      out.line(
        defined === undefined
          ? plain(line.replace(/^<(?:\d+|\.)>\s/, '- '))
          : plain(`${defined.trim()}: ${meaning ?? ''}`),
      );
    }
  }
  endTitle();
  return openBlocks(out.blocks());
};
