import { endOfString, isJson } from '../../../../../shared/kernel/json-text.ts';
import { isObject, type JsonObject } from '../../../../../shared/kernel/json.ts';
import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { notebookBlocks } from './read-notebook.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';

const maxDepth = 60;

const pathOf = (outer: string, name: string): string => (outer === '' ? name : `${outer}.${name}`);

/**
 * Returns a line `path: value` for every value in `root`, in order. Line breaks within a value become spaces.
 * @param start Path of `root`.
 */
const linesOf = (root: unknown, start = ''): string => {
  const lines: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null && depth < maxDepth) {
      const entries = Array.isArray(value) ? value.map((item) => [path, item] as const) : Object.entries(value);
      for (const [name, inner] of entries) {
        visit(inner, Array.isArray(value) ? path : pathOf(path, name), depth + 1);
      }
      return;
    }
    const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
    if (text !== '') lines.push(path === '' ? text : `${path}: ${text}`);
  };
  visit(root, start, 0);
  return lines.join('\n');
};

/** Number of records read from a file. */
interface Count {
  records: number;
}

const recordBlocks = function* (
  records: Iterable<unknown>,
  path = '',
  count: Count = { records: 0 },
): Generator<Block> {
  for (const record of records) {
    count.records += 1;
    const row = count.records;
    const text = linesOf(record, path);
    if (text !== '') yield { text, level: null, bounds: { first: { row_start: row }, last: { row_end: row } } };
  }
};

// JavaScript cannot represent many integers of so many digits.
const longInteger = /(?<![\d.])\d{16}/;

const asWritten = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source ?? '';
  return typeof value === 'number' && longInteger.test(source) && source !== String(value) ? source : value;
};

/** Parses JSON. An integer that JavaScript would round stays a string as written. Throws `SyntaxError`. */
const parseExactly = (text: string): unknown =>
  // A reviver makes parsing several times slower.
  longInteger.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);

/** Value of a JSON stream, or the line (1-based) at which something else begins. */
type StreamItem = { readonly source: string } | { readonly badLine: number };

/** Position after the object or list at `start`; -1 if it does not end. A string with a line end is not closed. */
const endOfValue = (text: string, start: number): number => {
  const token = /["{}[\]]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') {
      const end = endOfString(text, found.index);
      if (text.slice(found.index, end).includes('\n')) return -1;
      token.lastIndex = end;
    } else {
      depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
      if (depth === 0) return token.lastIndex;
    }
  }
  return -1;
};

/**
 * Yields the sources of the JSON values of a text: one per line, or one after the other. A line that is no JSON is
 * reported, and the values after it are read. The text is searched for the ends of values at most twice.
 */
const jsonStream = function* (text: string): Generator<StreamItem> {
  let line = 1;
  let left = 2 * text.length;
  let lineEnd = -1;
  for (let at = 0; at < text.length;) {
    // A line may have many values, so its end is not searched again for each.
    if (lineEnd < at) lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1) lineEnd = text.length;
    const rest = text.slice(at, lineEnd).trim();
    const next = lineEnd + 1;
    const start = lineEnd - text.slice(at, lineEnd).trimStart().length;
    const isOpen = /^[{[]/.test(rest);
    // A failed parse is slow, so that it is only tried for what may be the only value of a line.
    const isLine = !isOpen || (/[}\]]/.test(rest.charAt(rest.length - 1)) && (at === 0 || text[at - 1] === '\n'));
    if (rest === '' || (isLine && isJson(rest))) {
      if (rest !== '') yield { source: rest };
      at = next;
      line += 1;
      continue;
    }
    const end = isOpen && left > 0 ? endOfValue(text, start) : -1;
    const source = end === -1 ? '' : text.slice(start, end);
    left -= end === -1 ? text.length - start : source.length;
    if (end !== -1 && isJson(source)) {
      yield { source };
      at = end;
      line += source.split('\n').length - 1;
    } else {
      yield { badLine: line };
      at = next;
      line += 1;
    }
  }
};

/**
 * Whether a text is a stream of JSON values.
 * @param isDeclared Whether it is declared as JSON. Then up to half of its lines may be damaged, else none.
 */
export const isJsonStream = (text: string, isDeclared: boolean): boolean => {
  let values = 0;
  let badLines = 0;
  for (const item of jsonStream(text)) {
    if ('source' in item) values += 1;
    else badLines += 1;
    if (badLines > 0 && !isDeclared) return false;
  }
  return values > 0 && badLines <= values;
};

const isRecordList = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const containsRecords = (value: unknown, depth = 0): boolean =>
  isRecordList(value) ||
  (isObject(value) && depth < maxDepth && Object.values(value).some((inner) => containsRecords(inner, depth + 1)));

// A chunk that begins with such a block must not get the row of the record before it.
const noRow: Block['bounds'] = { first: {}, last: {} };

/** Yields the fields of an object as paragraphs, and the records in its lists as rows, as in responses of most APIs. */
const fieldBlocks = function* (fields: JsonObject, path: string, count: Count): Generator<Block> {
  for (const [name, value] of Object.entries(fields)) {
    const inner = pathOf(path, name);
    if (isRecordList(value)) yield* recordBlocks(value, inner, count);
    else if (isObject(value) && containsRecords(value)) yield* fieldBlocks(value, inner, count);
    else {
      const text = linesOf(value, inner);
      if (text !== '') yield { text, level: null, bounds: noRow };
    }
  }
};

const blocksOf = (value: unknown): Iterable<Block> => {
  if (Array.isArray(value)) return recordBlocks(value);
  if (isObject(value)) return fieldBlocks(value, '', { records: 0 });
  return [{ text: linesOf(value), level: null }];
};

const namesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** Blocks of an Amazon Transcribe transcript that was uploaded in place of its recording; null for other JSON. */
const transcriptBlocks = async (value: unknown): Promise<readonly Block[] | null> => {
  const isTranscript = ['results', 'jobName', 'status'].every((name) => namesOf(value).includes(name));
  if (!isTranscript) return null;
  const { readTranscript } = await import('../../transcribe/read-transcript.ts');
  try {
    return readTranscript(value).map(({ text, startSeconds, endSeconds }) => ({
      text,
      level: null,
      bounds: { first: { start_seconds: startSeconds }, last: { end_seconds: endSeconds } },
    }));
  } catch {
    // Other JSON with the same field names.
    return null;
  }
};

/**
 * Reads JSON: the items of a list as rows, the fields of an object as paragraphs, notebooks cell by cell, and output of
 * Amazon Transcribe as a recording.
 */
export const readJson: FormatReader = async (_, { text }) => {
  try {
    const value = parseExactly(text);
    return openBlocks((await transcriptBlocks(value)) ?? (await notebookBlocks(value)) ?? blocksOf(value));
  } catch (error) {
    // Lists nested deeper than the call stack: the text is kept whole, with its brackets.
    if (error instanceof RangeError) return openBlocks(plainTextBlocks(text));
    throw error;
  }
};

const maxNamedLines = 10;

const badLinesNote = (lines: readonly number[]): string => {
  const named = lines.slice(0, maxNamedLines).join(', ');
  if (lines.length === 1) return `Line ${named} is not valid JSON and was left out.`;
  return `${lines.length} lines are not valid JSON and were left out: ${named}${lines.length > maxNamedLines ? ' and others' : ''}.`;
};

/** Reads JSON Lines and other streams of JSON values: every value is a row. Damaged lines are named. */
export const readJsonLines: FormatReader = async (_, { text }) => {
  const badLines: number[] = [];
  const records = function* (): Generator {
    for (const item of jsonStream(text)) {
      if ('source' in item) yield parseExactly(item.source);
      else badLines.push(item.badLine);
    }
  };
  const opened = openBlocks(recordBlocks(records()));
  return badLines.length === 0 ? opened : { ...opened, notes: [badLinesNote(badLines)] };
};
