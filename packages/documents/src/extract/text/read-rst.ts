import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { MarkupBlocks } from './markup-blocks.ts';
import type { TableGrid } from '../table.ts';
import { openUnderlines } from './underlined-headings.ts';

const directive = /^(\s*)\.\.\s+(?:\|[^|]+\|\s+)?([\w:-]+)::\s*(.*)$/;
const comment = /^(\s*)\.\.(?:\s|$)/;
const target = /^\s*(?:\.\.\s+_[^:]+:|__\s)/;
const simpleRule = /^\s*=+(?:\s+=+)+\s*$/;
const gridRule = /^\s*\+(?:[-=]+\+)+\s*$/;

/** Directives whose content is code or a picture, and those that are about the document. */
const literal: ReadonlySet<string> = new Set([
  'code',
  'code-block',
  'sourcecode',
  'parsed-literal',
  'literalinclude',
  'math',
]);
const silent: ReadonlySet<string> = new Set(
  (
    'toctree contents index include highlight default-role role raw only meta sectnum module currentmodule automodule ' +
    'autoclass autofunction tabularcolumns target-notes default-domain'
  ).split(' '),
);

/** Text of inline markup: links by their text, roles by their content, without the marks of emphasis and code. */
const plain = (text: string): string =>
  text
    .replace(/:[\w:.+-]+:`([^`]*)`/g, '`$1`')
    .replace(/`([^`<]*?)\s*<[^`<>]*>`_{0,2}/g, (whole, name: string) => (name === '' ? whole : name))
    .replace(
      /``([^`]+)``|`([^`]+)`_{0,2}/g,
      (_, code: string | undefined, name: string | undefined) => code ?? name ?? '',
    )
    .replace(/(?<![\p{L}\p{N}*])(\*{1,2})(\S(?:[^\n*]*\S)?)\1(?![\p{L}\p{N}*])/gu, '$2')
    .replace(/\|(\p{L}[^|\n]*)\|(?!\s*\S+\s*\|)/gu, '$1')
    .replace(/(?<=[\p{L}\p{N}\]])__?(?![\p{L}\p{N}_])/gu, '')
    .replace(/\\(.)/g, '$1');

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Reads a simple table, whose columns are below rules of `=`. Text without a first cell continues the row above. */
const readSimple = (lines: readonly string[]): TableGrid => {
  const rules = lines.flatMap((line, at) => (simpleRule.test(line) ? [at] : []));
  const columns = [...(lines[0] ?? '').matchAll(/=+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let headRows = 0;
  for (const [at, line] of lines.entries()) {
    if (rules.includes(at)) {
      if (at > 0 && rules.length > 2 && headRows === 0) headRows = rows.length;
      continue;
    }
    if (line.trim() === '' || /^\s*-+(?:\s+-+)*\s*$/.test(line)) continue;
    const cells = columns.map((start, column) => line.slice(start, columns[column + 1]).trim());
    const above = rows.at(-1);
    if (cells[0] === '' && above !== undefined && rows.length > headRows)
      for (const [column, cell] of cells.entries()) above[column] = `${above[column] ?? ''} ${cell}`.trim();
    else rows.push(cells);
  }
  return { rows: rows.map((row) => row.map(plain)), ...(headRows > 0 && { headRows }) };
};

/** Reads a table with rules of `-` and `|`. */
const readGrid = (lines: readonly string[]): TableGrid => {
  const rows: string[][] = [];
  let headRows = 0;
  let open: string[] = [];
  for (const line of lines) {
    if (gridRule.test(line)) {
      if (open.length > 0) rows.push(open);
      open = [];
      if (line.includes('=')) headRows = rows.length;
    } else
      for (const [column, cell] of line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .entries())
        open[column] = `${open[column] ?? ''} ${cell.trim()}`.trim();
  }
  if (open.length > 0) rows.push(open);
  return { rows: rows.map((row) => row.map(plain)), ...(headRows > 0 && { headRows }) };
};

/** Rows of a table that is written as a list of lists. */
const readListTable = (lines: readonly string[], headRows: number): TableGrid => {
  const rows: string[][] = [];
  for (const line of lines) {
    const [, isRow, cell] = /^\s*(\*\s+)?-\s?(.*)$/.exec(line) ?? [];
    if (isRow !== undefined) rows.push([cell ?? '']);
    else if (cell !== undefined) rows.at(-1)?.push(cell);
    else {
      const last = rows.at(-1);
      if (last !== undefined && line.trim() !== '')
        last[last.length - 1] = `${last.at(-1) ?? ''} ${line.trim()}`.trim();
    }
  }
  return { rows: rows.map((row) => row.map(plain)), headRows };
};

/** Number of lines from `at` that are blank or indented deeper. */
const countIndented = (lines: readonly string[], at: number, indent: number): number => {
  let end = at;
  while (end < lines.length && (lines[end]?.trim() === '' || indentOf(lines[end] ?? '') > indent)) end += 1;
  return end - at;
};

/** Reads reStructuredText: headings, tables, lists, code and notes. Comments, targets and settings are left out. */
// oxlint-disable-next-line max-lines-per-function -- lines and directives contain each other
export const readRst: FormatReader = async (_, { text }) => {
  const out = new MarkupBlocks();
  const headingOf = openUnderlines();
  const readLines = (lines: readonly string[]): void => {
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const heading = indentOf(line) === 0 ? headingOf(lines.slice(at, at + 3)) : null;
      const tableRule = simpleRule.test(line) ? simpleRule : gridRule.test(line) ? gridRule : null;
      const [, indent = '', name = '', argument = ''] = directive.exec(line) ?? [];
      if (heading !== null) {
        out.heading(plain(heading.title), heading.level);
        at += heading.lines - 1;
      } else if (tableRule !== null) {
        let end = at + 1;
        let rules = 1;
        while (end < lines.length) {
          const isRule = tableRule.test(lines[end] ?? '');
          const isBlank = (lines[end] ?? '').trim() === '';
          if (isBlank && (tableRule === gridRule || rules > 1)) {
            if (tableRule === gridRule || simpleRule.test(lines[end - 1] ?? '')) break;
          }
          if (isRule) rules += 1;
          end += 1;
        }
        out.table((tableRule === gridRule ? readGrid : readSimple)(lines.slice(at, end)));
        at = end - 1;
      } else if (name !== '') {
        out.end();
        const count = countIndented(lines, at + 1, indent.length);
        const inner = lines.slice(at + 1, at + 1 + count);
        const options = inner.findIndex((one) => !/^\s*:[\w-]+:/.test(one));
        readDirective(name, argument, inner.slice(0, Math.max(0, options)), inner.slice(Math.max(0, options)));
        at += count;
      } else if (target.test(line)) out.end();
      else if (comment.test(line) && !/^\s*\.\.\s+\[/.test(line)) {
        out.end();
        at += countIndented(lines, at + 1, indentOf(line));
      } else if (line.trim() === '') out.end();
      else if (/::\s*$/.test(line)) {
        const words = plain(line.replace(/\s*::\s*$/, /^\s*::\s*$/.test(line) ? '' : ':'));
        if (words.trim() !== '') out.line(words);
        out.end();
        const count = countIndented(lines, at + 1, indentOf(line));
        for (const code of lines.slice(at + 1, at + 1 + count)) out.line(code);
        out.end();
        at += count;
      } else out.line(plain(line.replace(/^(\s*)\.\.\s+(?=\[)/, '$1').replace(/^\s*:([\w -]+):\s/, '$1: ')));
    }
    out.end();
  };
  const readDirective = (
    name: string,
    argument: string,
    options: readonly string[],
    content: readonly string[],
  ): void => {
    if (silent.has(name)) return;
    if (literal.has(name)) {
      for (const line of content) out.line(line);
      out.end();
    } else if (name === 'list-table') {
      const heads = Number(/:header-rows:\s*(\d+)/.exec(options.join('\n'))?.[1] ?? 0);
      out.table({ ...readListTable(content, heads), ...(argument !== '' && { title: plain(argument) }) });
    } else {
      const alt = /:alt:\s*(.+)/.exec(options.join('\n'))?.[1];
      const words = name === 'image' || name === 'figure' ? (alt ?? '') : argument;
      if (words !== '') out.line(plain(words));
      out.end();
      const depth = Math.min(...content.filter((line) => line.trim() !== '').map(indentOf), 1_000);
      readLines(content.map((line) => line.slice(depth)));
    }
  };
  readLines(text.split('\n'));
  return openBlocks(out.blocks());
};
