import { isJson } from '../../../kernel/json-text.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { oneLine } from '../../../kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { notebookBlocks } from './read-notebook.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';

const deepest = 60;

const pathOf = (outer: string, name: string): string => (outer === '' ? name : `${outer}.${name}`);

/** A line `path: value` for every value in `root`, in order, which lies at `start`; a value's lines stay one line each. */
const linesOf = (root: unknown, start = ''): string => {
  const lines: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null && depth < deepest) {
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

/** How many records of a file have been read. */
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

// JavaScript has no number for many of so many digits.
const longInteger = /(?<![\d.])\d{16}/;

const asWritten = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source ?? '';
  return typeof value === 'number' && longInteger.test(source) && source !== String(value) ? source : value;
};

/** The value of a JSON text; an integer that JavaScript would change stays as it is written. Throws `SyntaxError`. */
const parseExactly = (text: string): unknown =>
  // Looked at one by one, values take several times as long.
  longInteger.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);

/** The lines of a text, one after the other: all of them may be more than memory has room for. */
const linesIn = (text: string): IteratorObject<string> =>
  text
    .matchAll(/[^\n]+/g)
    .map(([line]) => line)
    .filter((line) => line.trim() !== '');

/** Whether every line of a text is JSON. */
export const isJsonLines = (text: string): boolean => linesIn(text).every(isJson);

const isRecordList = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const holdsRecords = (value: unknown, depth = 0): boolean =>
  isRecordList(value) ||
  (isObject(value) && depth < deepest && Object.values(value).some((inner) => holdsRecords(inner, depth + 1)));

// A chunk that begins with such a block must not be said to stand in the record before it.
const noRow: Block['bounds'] = { first: {}, last: {} };

/** The fields of an object as paragraphs, and as rows the records that one holds, as the answers of most APIs do. */
const fieldBlocks = function* (fields: JsonObject, path: string, count: Count): Generator<Block> {
  for (const [name, value] of Object.entries(fields)) {
    const inner = pathOf(path, name);
    if (isRecordList(value)) yield* recordBlocks(value, inner, count);
    else if (isObject(value) && holdsRecords(value)) yield* fieldBlocks(value, inner, count);
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

/** The transcript of a recording, which somebody has had made and uploads in its place; null for all other JSON. */
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
    // It only looks like one.
    return null;
  }
};

/**
 * Reads JSON: the items of a list as rows, the fields of an object as paragraphs, notebooks cell by cell, and what Amazon
 * Transcribe has written as the recording that it stands for.
 */
export const readJson: FormatReader = async (_, { text }) => {
  try {
    const value = parseExactly(text);
    return openBlocks((await transcriptBlocks(value)) ?? (await notebookBlocks(value)) ?? blocksOf(value));
  } catch (error) {
    // Lists in lists, deeper than a call stack: then every word is kept, with its brackets.
    if (error instanceof RangeError) return openBlocks(plainTextBlocks(text));
    throw error;
  }
};

/** Reads JSON Lines: every line is a row. That each is JSON has shown when the format was told. */
export const readJsonLines: FormatReader = async (_, { text }) =>
  openBlocks(recordBlocks(linesIn(text).map(parseExactly)));
