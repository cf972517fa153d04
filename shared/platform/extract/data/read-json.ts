import { isJson } from '../../../kernel/json-text.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { oneLine } from '../../../kernel/text.ts';
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

/** Iterates over the lines of a text. An array of all of them may exceed the memory. */
const linesIn = (text: string): IteratorObject<string> =>
  text
    .matchAll(/[^\n]+/g)
    .map(([line]) => line)
    .filter((line) => line.trim() !== '');

/** Whether every line of a text is JSON. */
export const isJsonLines = (text: string): boolean => linesIn(text).every(isJson);

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

/** Reads JSON Lines: every line is a row. Format detection has already checked that each line is JSON. */
export const readJsonLines: FormatReader = async (_, { text }) =>
  openBlocks(recordBlocks(linesIn(text).map(parseExactly)));
