import { oneLine } from '../../../kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { decodeIn, describeDocument, describeFont, noFonts } from './rtf-fonts.ts';
import { rowLine } from '../table-rows.ts';

interface Group {
  readonly isHidden: boolean;
  readonly isFontTable: boolean;
  /** Number of fallback bytes after a Unicode character, for programs without Unicode. */
  readonly fallbackBytes: number;
  /** Null: no font was chosen. */
  readonly font: number | null;
  /** Destination of its text: the document or a note. */
  readonly writing: Writing;
}

interface Writing {
  readonly blocks: Block[];
  /** Notes of a heading, which are kept out of the heading path. */
  asides: string[];
  line: string;
  rows: string[];
  cells: string[];
  level: number | null;
  isInTable: boolean;
}

// Groups that contain settings, pictures and copies rather than text.
const hidden = new Set(
  (
    'annotation atnauthor atndate atnicn atnid atnparent atnref atntime author bkmkend bkmkstart category colortbl ' +
    'comment company creatim datafield datastore defchp defpap docvar doccomm do ebcend ebcstart factoidname filetbl ' +
    'fldinst fname fontemb fontfile fonttbl footer footerf footerl footerr generator header headerf headerl headerr info ' +
    'keywords latentstyles listoverridetable listpicture listtable manager mmathPr nextfile nonshppict objclass objdata ' +
    'operator panose password pgp pgptbl pict picprop pntext pntxta pntxtb printim private pwd revtbl revtim rsidtbl ' +
    'sp stylesheet subject template themedata title txe ud userprops wgrffmtfilter xe xmlnstbl'
  ).split(' '),
);

// Groups of text that programs mark as optional: text boxes, and the notes of LibreOffice.
const shown = new Set(['shptxt', 'footnote']);

const signs: Readonly<Record<string, string>> = {
  bullet: '•',
  emdash: '—',
  emspace: ' ',
  endash: '–',
  enspace: ' ',
  ldblquote: '“',
  line: '\n',
  lquote: '‘',
  rdblquote: '”',
  rquote: '’',
  tab: '\t',
};

const beginWriting = (): Writing => ({
  blocks: [],
  asides: [],
  line: '',
  rows: [],
  cells: [],
  level: null,
  isInTable: false,
});

const endParagraph = (writing: Writing): void => {
  const text = writing.line.trim();
  // The cell continues.
  writing.line = writing.isInTable && text !== '' ? `${text} ` : '';
  if (writing.isInTable) return;
  endTable(writing);
  if (text !== '') writing.blocks.push({ text, level: writing.level });
  for (const aside of writing.asides) writing.blocks.push({ text: aside, level: null });
  writing.asides = [];
};

const endTable = (writing: Writing): void => {
  if (writing.rows.length > 0) writing.blocks.push({ text: writing.rows.join('\n'), level: null });
  writing.rows = [];
};

const endCell = (writing: Writing): void => {
  writing.cells.push(oneLine(writing.line));
  writing.line = '';
};

const endRow = (writing: Writing): void => {
  if (writing.line.trim() !== '') endCell(writing);
  const line = rowLine(writing.cells);
  if (line !== '') writing.rows.push(line);
  writing.cells = [];
};

const endWriting = (writing: Writing): readonly Block[] => {
  writing.isInTable &&= writing.cells.length > 0;
  endRow(writing);
  endParagraph(writing);
  endTable(writing);
  return writing.blocks;
};

const addNote = (writing: Writing, note: Writing): void => {
  const words = endWriting(note).map(({ text }) => text);
  const text = oneLine(words.join(' '));
  if (text === '') return;
  if (writing.level === null || writing.isInTable) writing.line += ` (${text})`;
  else writing.asides.push(text);
};

const layout: Readonly<Record<string, (writing: Writing, value: number | null) => void>> = {
  par: endParagraph,
  sect: endParagraph,
  page: endParagraph,
  cell: endCell,
  nestcell: endCell,
  row: endRow,
  nestrow: endRow,
  intbl: (writing) => {
    writing.isInTable = true;
  },
  outlinelevel: (writing, value) => {
    writing.level = value !== null && value < 9 ? Math.min(6, value + 1) : null;
  },
  pard: (writing) => {
    writing.level = null;
    if (writing.isInTable && writing.cells.length === 0) writing.isInTable = false;
  },
};

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|((?:\\'[\da-f]{2})+)|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi;

const changed = (group: Group, word: string, value: number | null): Group => {
  if (word === 'fonttbl') return { ...group, isFontTable: true };
  if (word === 'uc') return { ...group, fallbackBytes: Math.max(0, Math.min(8, value ?? 1)) };
  if (word === 'plain') return { ...group, font: null };
  return word === 'f' && value !== null ? { ...group, font: value } : group;
};

/** Parses the paragraphs and tables of an RTF file in one pass, with an explicit stack of groups. */
const rtfBlocks = (rtf: string): readonly Block[] => {
  const body = beginWriting();
  const fonts = noFonts();
  const stack: Group[] = [];
  let group: Group = { isHidden: false, isFontTable: false, fallbackBytes: 1, font: null, writing: body };
  let bytes = '';
  let fallback = 0;
  let isStarred = false;
  const beyondFallback = (text: string): string => {
    const skipped = Math.min(fallback, text.length);
    fallback -= skipped;
    return group.isHidden ? '' : text.slice(skipped);
  };
  const endBytes = (): void => {
    group.writing.line += decodeIn(fonts, group.font, bytes);
    bytes = '';
  };
  const leaveFor = (outer: Group): void => {
    if (outer.writing !== group.writing) addNote(body, group.writing);
    group = outer;
  };
  const applyWord = (word: string, value: number | null): void => {
    if (isStarred || hidden.has(word)) group = { ...group, isHidden: group.isHidden || !shown.has(word) };
    // A note within a note is part of it, at any depth.
    if (word === 'footnote' && group.writing === body) group = { ...group, writing: beginWriting() };
    group = changed(group, word, value);
    if (value !== null) (group.isFontTable ? describeFont : describeDocument)(fonts, word, value);
    if (word === 'u' && value !== null) {
      if (!group.isHidden) group.writing.line += String.fromCharCode(value & 0xffff);
      fallback = group.fallbackBytes;
    } else if (signs[word] !== undefined) group.writing.line += beyondFallback(signs[word]);
    else if (!group.isHidden) layout[word]?.(group.writing, value);
  };
  for (const [, word, value, escaped, symbol, brace, text] of rtf.matchAll(token)) {
    // Only one of the two bytes of a character may be escaped.
    if (escaped !== undefined)
      bytes += beyondFallback(Buffer.from(escaped.replaceAll("\\'", ''), 'hex').toString('latin1'));
    else if (text !== undefined) bytes += beyondFallback(text);
    else endBytes();
    if (word !== undefined) applyWord(word, value === undefined ? null : Number(value));
    else if (brace === '{') stack.push(group);
    else if (brace === '}') leaveFor(stack.pop() ?? group);
    else if (symbol === '\n' || symbol === '\r') applyWord('par', null);
    else if (symbol !== undefined && symbol !== '*')
      group.writing.line += beyondFallback({ '~': '\u00A0', _: '-', '-': '' }[symbol] ?? symbol);
    if (brace !== undefined) fallback = 0;
    isStarred = symbol === '*';
  }
  endBytes();
  leaveFor({ ...group, writing: body });
  return endWriting(body);
};

/**
 * Reads RTF: paragraphs with their outline level and tables row by row. Notes are in parentheses at their reference;
 * headers, footers and field codes are skipped.
 */
export const readRtf: FormatReader = async ({ bytes }) => openBlocks(rtfBlocks(Buffer.from(bytes).toString('latin1')));
