import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { MarkupBlocks } from './markup-blocks.ts';

const heading = /^(\*+)\s+(.+?)(?:\s+:[\p{L}\p{N}_@#%:]+:)?\s*$/u;
const keyword = /^\s*#\+(\w+):\s*(.*)$/;
const blockStart = /^\s*#\+begin_(\w+)/i;
const row = /^\s*\|(.*?)\|?\s*$/;
const rule = /^\s*\|[-+|\s]+$/;

/** Text of inline markup: links by their text, without the marks of emphasis and code. */
const plain = (text: string): string =>
  text
    .replace(/\[\[([^[\]]+)\](?:\[([^[\]]+)\])?\]/g, (_, target: string, name: string | undefined) => name ?? target)
    .replace(/(?<![\p{L}\p{N}])([*/_=~+])(\S(?:[^\n]*?\S)?)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/<<+([^<>]+)>>+/g, '$1');

const namedValues: ReadonlySet<string> = new Set(['author', 'date', 'subtitle', 'caption', 'description']);

/** Reads Org: headings, tables, lists and code. Settings, drawers and comments are left out. */
export const readOrg: FormatReader = async (_, { text }) => {
  const out = new MarkupBlocks();
  let rows: string[][] = [];
  let headRows = 0;
  let block = '';
  let isInDrawer = false;
  const endTable = (): void => {
    if (rows.length > 0) out.table({ rows, ...(headRows > 0 && { headRows }) });
    rows = [];
    headRows = 0;
  };
  for (const line of text.split('\n')) {
    if (block !== '') {
      if (line.trim().toLowerCase() === `#+end_${block}`) {
        block = '';
        out.end();
      } else if (block !== 'comment') out.line(block === 'src' || block === 'example' ? line : plain(line));
      continue;
    }
    if (isInDrawer) {
      isInDrawer = !/^\s*:END:\s*$/i.test(line);
      continue;
    }
    const [, cells] = row.exec(line) ?? [];
    if (cells !== undefined) {
      out.end();
      if (!rule.test(line)) rows.push(cells.split('|').map((cell) => plain(cell.trim())));
      else if (headRows === 0) headRows = rows.length;
      continue;
    }
    endTable();
    const [, stars = '', title = ''] = heading.exec(line) ?? [];
    const [, name = '', value = ''] = keyword.exec(line) ?? [];
    const [, begun = ''] = blockStart.exec(line) ?? [];
    if (stars !== '') out.heading(plain(title.replace(/\[#[A-Z]\]\s*/, '')), stars.length);
    else if (begun !== '') {
      out.end();
      block = begun.toLowerCase();
    } else if (name.toLowerCase() === 'title') out.heading(plain(value), 0);
    else if (name !== '') {
      if (namedValues.has(name.toLowerCase())) out.line(plain(value));
    } else if (/^\s*:(?:PROPERTIES|LOGBOOK):\s*$/i.test(line)) isInDrawer = true;
    else if (line.trim() === '') out.end();
    else if (!/^\s*#(?:\s|$)/.test(line)) out.line(plain(line));
  }
  endTable();
  return openBlocks(out.blocks());
};
