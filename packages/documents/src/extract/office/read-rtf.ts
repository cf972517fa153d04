import { oneLine } from '../../../../../shared/kernel/text.ts';
import { altText } from './alt-text.ts';
import { composeBlocks, lineOf, type Look, type Piece } from './compose-blocks.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { noteHiddenText } from './hidden-notes.ts';
import { pageNumber, withoutPageNumbers } from './header-text.ts';
import { decodeIn, describeDocument, describeFont, noFonts } from './rtf-fonts.ts';
import { plainFormat, withFormat, type RtfFormat } from './rtf-format.ts';
import { edgedTable, type EdgedRow } from './edged-tables.ts';
import { defineRow, openRow, type OpenRow } from './rtf-rows.ts';
import { markRaised, renderRaised } from '../text/superscript.ts';

interface Group {
  readonly isHidden: boolean;
  readonly isFontTable: boolean;
  /** Number of fallback bytes after a Unicode character, for programs without Unicode. */
  readonly fallbackBytes: number;
  /** Null: no font was chosen. */
  readonly font: number | null;
  readonly format: RtfFormat;
  /** Destination of its text: the document, a note, a header. */
  readonly writing: Writing;
  /** Field to which it belongs, with its code. */
  readonly field: { code: string } | null;
  /** Whether its text is the code of the field. */
  readonly isCode: boolean;
}

/** Purpose of a destination. `name` and `value`: those of a property of a shape. */
type Purpose = 'body' | 'note' | 'box' | 'header' | 'footer' | 'name' | 'value';

interface Writing {
  readonly purpose: Purpose;
  readonly pieces: Piece[];
  /** Text boxes, descriptions of pictures, and notes of a heading, which are kept out of the heading path. */
  asides: Set<string>;
  line: string;
  rows: EdgedRow[];
  row: OpenRow;
  cells: string[];
  level: number | null;
  isInTable: boolean;
  hasBold: boolean;
  hasPlain: boolean;
  sizes: Set<number>;
}

// Groups that contain settings, pictures and copies rather than text.
const hidden = new Set(
  (
    'atnauthor atndate atnicn atnid atnparent atnref atntime author bkmkend bkmkstart category colortbl ' +
    'comment company creatim datafield datastore defchp defpap docvar doccomm do ebcend ebcstart factoidname filetbl ' +
    'fldinst fname fontemb fontfile fonttbl generator info ' +
    'keywords latentstyles listoverridetable listpicture listtable manager mmathPr nextfile nonshppict objclass objdata ' +
    'operator panose password pgp pgptbl pict picprop pntxta pntxtb printim private pwd revtbl revtim rsidtbl ' +
    'sp stylesheet subject template themedata title txe ud userprops wgrffmtfilter xe xmlnstbl'
  ).split(' '),
);

// Groups of text that programs mark as optional.
const shown = new Set(['annotation', 'footnote', 'shpinst', 'shptxt', 'sn', 'sv']);

const purposes: ReadonlyMap<string, Purpose> = new Map([
  ['footnote', 'note'],
  ['annotation', 'note'],
  ['shptxt', 'box'],
  ['sn', 'name'],
  ['sv', 'value'],
  ['header', 'header'],
  ['headerl', 'header'],
  ['headerr', 'header'],
  ['headerf', 'header'],
  ['footer', 'footer'],
  ['footerl', 'footer'],
  ['footerr', 'footer'],
  ['footerf', 'footer'],
]);

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

const beginWriting = (purpose: Purpose): Writing => ({
  purpose,
  pieces: [],
  asides: new Set(),
  line: '',
  rows: [],
  row: openRow(),
  cells: [],
  level: null,
  isInTable: false,
  hasBold: false,
  hasPlain: false,
  sizes: new Set(),
});

const takeLook = (writing: Writing): Look => {
  const { hasBold, hasPlain, sizes } = writing;
  const [size] = sizes;
  writing.hasBold = false;
  writing.hasPlain = false;
  writing.sizes = new Set();
  return { isBold: hasBold && !hasPlain, size: sizes.size === 1 ? (size ?? null) : null };
};

const endParagraph = (writing: Writing): void => {
  const { level, isInTable, asides } = writing;
  // The cell continues.
  if (isInTable) {
    if (writing.line.trim() !== '') writing.line = `${writing.line.trim()} `;
    return;
  }
  const text = withoutPageNumbers(renderRaised(writing.line));
  writing.line = '';
  const look = takeLook(writing);
  endTable(writing);
  if (text !== '') writing.pieces.push({ text, level, look });
  for (const aside of asides) writing.pieces.push({ text: aside, level: null });
  writing.asides = new Set();
};

const endTable = (writing: Writing): void => {
  if (writing.rows.length > 0) writing.pieces.push(edgedTable(writing.rows));
  writing.rows = [];
};

const endCell = (writing: Writing): void => {
  const asides = [...writing.asides].join(' ');
  writing.cells.push(oneLine(`${withoutPageNumbers(renderRaised(writing.line))} ${asides}`).replace(/,$/, ''));
  writing.line = '';
  writing.asides = new Set();
};

const endRow = (writing: Writing): void => {
  if (writing.line.trim() !== '') endCell(writing);
  if (writing.cells.some((cell) => cell !== '')) writing.rows.push({ texts: writing.cells, definition: writing.row });
  writing.cells = [];
};

const endWriting = (writing: Writing): readonly Piece[] => {
  writing.isInTable &&= writing.cells.length > 0;
  endRow(writing);
  writing.isInTable = false;
  endParagraph(writing);
  endTable(writing);
  return writing.pieces;
};

const addNote = (writing: Writing, note: Writing): void => {
  const text = lineOf(endWriting(note));
  if (text === '') return;
  if (writing.level === null || writing.isInTable) writing.line += ` (${text})`;
  else writing.asides.add(text);
};

const layout: Readonly<Record<string, (writing: Writing, value: number | null) => void>> = {
  par: endParagraph,
  sect: endParagraph,
  page: endParagraph,
  cell: endCell,
  // A cell of a nested table belongs to the text of the outer cell.
  nestcell: (writing) => {
    writing.line = `${writing.line.trimEnd()}, `;
  },
  row: endRow,
  trowd: (writing) => {
    writing.row = openRow();
  },
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
  if (word === 'field') return { ...group, field: { code: '' } };
  if (word === 'fldinst') return { ...group, isCode: true };
  if (word === 'uc') return { ...group, fallbackBytes: Math.max(0, Math.min(8, value ?? 1)) };
  const font = word === 'plain' ? null : word === 'f' && value !== null ? value : group.font;
  const format = withFormat(group.format, word, value);
  return format === group.format && font === group.font ? group : { ...group, font, format };
};

const isRunning = ({ purpose }: Writing): boolean => purpose === 'header' || purpose === 'footer';

const isPageField = ({ field, writing }: Group): boolean =>
  isRunning(writing) && /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES|SECTION)\b/i.test(field?.code ?? '');

const signOf = (symbol: string): string => ({ '~': '\u00A0', _: '-', '-': '' })[symbol] ?? symbol;

const maxCodeChars = 200;

/** Parses the paragraphs and tables of an RTF file in one pass, with an explicit stack of groups. */
class RtfParser {
  readonly headers: Piece[] = [];
  readonly footers: Piece[] = [];
  hasHidden = false;
  readonly #body = beginWriting('body');
  readonly #fonts = noFonts();
  readonly #stack: Group[] = [];
  #group: Group = {
    isHidden: false,
    isFontTable: false,
    fallbackBytes: 1,
    font: null,
    format: plainFormat,
    writing: this.#body,
    field: null,
    isCode: false,
  };
  #bytes = '';
  #fallback = 0;
  // The name of the property of a shape, whose value follows.
  #property = '';

  /** Returns the paragraphs and tables of the document. */
  parse(rtf: string): readonly Piece[] {
    let isStarred = false;
    for (const [, word, value, escaped, symbol, brace, text] of rtf.matchAll(token)) {
      // Only one of the two bytes of a character may be escaped.
      if (escaped !== undefined)
        this.#bytes += this.#beyondFallback(Buffer.from(escaped.replaceAll("\\'", ''), 'hex').toString('latin1'));
      else if (text !== undefined) this.#bytes += this.#beyondFallback(text);
      else this.#endBytes();
      if (word !== undefined) this.#applyWord(word, value === undefined ? null : Number(value), isStarred);
      else if (brace === '{') this.#stack.push(this.#group);
      else if (brace === '}') this.#leaveFor(this.#stack.pop() ?? this.#group);
      else if (symbol === '\n' || symbol === '\r') this.#applyWord('par', null, isStarred);
      else if (symbol !== undefined && symbol !== '*') this.#write(this.#beyondFallback(signOf(symbol)));
      if (brace !== undefined) this.#fallback = 0;
      isStarred = symbol === '*';
    }
    this.#endBytes();
    this.#leaveFor({ ...this.#group, writing: this.#body });
    return endWriting(this.#body);
  }

  #write(text: string): void {
    const { format, writing, field, isCode, isHidden } = this.#group;
    if (isCode && field !== null && field.code.length < maxCodeChars) field.code += text.slice(0, maxCodeChars);
    if (isHidden || text === '') return;
    if (format.isHidden || format.isDeleted) {
      this.hasHidden ||= format.isHidden && !format.isDeleted && text.trim() !== '';
      return;
    }
    if (text.trim() !== '') {
      writing.sizes.add(format.size);
      writing.hasBold ||= format.isBold;
      writing.hasPlain ||= !format.isBold;
    }
    writing.line += format.isRaised ? markRaised(text) : text;
  }

  #beyondFallback(text: string): string {
    const dropped = Math.min(this.#fallback, text.length);
    this.#fallback -= dropped;
    return this.#group.isHidden && !this.#group.isCode ? '' : text.slice(dropped);
  }

  #endBytes(): void {
    if (this.#bytes !== '') this.#write(decodeIn(this.#fonts, this.#group.font, this.#bytes));
    this.#bytes = '';
  }

  #leaveFor(outer: Group): void {
    const { writing } = this.#group;
    if (outer.writing !== writing) this.#endDestination(writing, outer.writing);
    this.#group = outer;
  }

  #endDestination(inner: Writing, outer: Writing): void {
    const { purpose } = inner;
    if (purpose === 'note') addNote(outer, inner);
    if (purpose === 'name') this.#property = inner.line.trim();
    if (purpose === 'value' && this.#property === 'wzDescription') outer.asides.add(altText(inner.line));
    if (purpose === 'box') for (const piece of endWriting(inner)) outer.asides.add(lineOf([piece]));
    if (purpose === 'header') for (const piece of endWriting(inner)) this.headers.push(piece);
    if (purpose === 'footer') for (const piece of endWriting(inner)) this.footers.push(piece);
    outer.asides.delete('');
  }

  /** Opens the destination of a note, a box or a header. Within another one it is part of that. */
  #openDestination(word: string): void {
    const purpose = purposes.get(word);
    if (purpose === undefined) return;
    const { isHidden, writing, format } = this.#group;
    const isProperty = purpose === 'name' || purpose === 'value';
    if (!isProperty && (isHidden || writing.purpose !== 'body')) return;
    const isLeftOut = format.isHidden || format.isDeleted;
    const next = { isHidden: isLeftOut, writing: beginWriting(purpose), format: plainFormat, field: null };
    this.#group = { ...this.#group, ...next };
  }

  #applyWord(word: string, value: number | null, isStarred: boolean): void {
    if (isStarred || hidden.has(word))
      this.#group = { ...this.#group, isHidden: this.#group.isHidden || !shown.has(word) };
    this.#openDestination(word);
    this.#group = changed(this.#group, word, value);
    if (value !== null) (this.#group.isFontTable ? describeFont : describeDocument)(this.#fonts, word, value);
    if (word === 'u' && value !== null) {
      this.#write(String.fromCharCode(value & 0xffff));
      this.#fallback = this.#group.fallbackBytes;
    } else if (word === 'chpgn') this.#writePageNumber();
    else if (word === 'fldrslt' && isPageField(this.#group)) {
      this.#writePageNumber();
      this.#group = { ...this.#group, isHidden: true };
    } else if (signs[word] !== undefined) this.#write(this.#beyondFallback(signs[word]));
    else if (!this.#group.isHidden) {
      layout[word]?.(this.#group.writing, value);
      defineRow(this.#group.writing.row, word, value);
    }
  }

  #writePageNumber(): void {
    if (isRunning(this.#group.writing)) this.#write(pageNumber);
  }
}

/** Blocks of headers or footers, each text once. */
const runningBlocks = (pieces: readonly Piece[]): readonly Block[] => {
  const texts = new Set(pieces.map((piece) => lineOf([piece])));
  return [...texts].filter((text) => text !== '').map((text) => ({ text, level: null, isApart: true }));
};

/**
 * Reads RTF: paragraphs with their outline level, headings in bold or larger type, tables with merged cells, text boxes and
 * descriptions of pictures. Notes and comments are in parentheses at their reference. Headers are read once before the text,
 * footers after it. Field codes, hidden text and deleted text are left out.
 */
export const readRtf: FormatReader = async ({ bytes }) => {
  const parser = new RtfParser();
  const body = parser.parse(Buffer.from(bytes).toString('latin1'));
  const file = openBlocks([...runningBlocks(parser.headers), ...composeBlocks(body), ...runningBlocks(parser.footers)]);
  return parser.hasHidden ? { ...file, notes: [...file.notes, noteHiddenText] } : file;
};
