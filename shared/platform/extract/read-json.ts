import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { plainTextBlocks } from './read-plain-text.ts';

const deepest = 60;

/** A line `path: value` for every value in `root`, in order; a value's lines stay one line each. */
const linesOf = (root: unknown): string => {
  const lines: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null && depth < deepest) {
      const entries = Array.isArray(value) ? value.map((item) => [path, item] as const) : Object.entries(value);
      for (const [name, inner] of entries) {
        visit(inner, Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`, depth + 1);
      }
      return;
    }
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();
    if (text !== '') lines.push(path === '' ? text : `${path}: ${text}`);
  };
  visit(root, '', 0);
  return lines.join('\n');
};

const recordBlocks = function* (records: Iterable<unknown>): Generator<Block> {
  let row = 0;
  for (const record of records) {
    row += 1;
    const text = linesOf(record);
    if (text !== '') yield { text, level: null, bounds: { first: { row_start: row }, last: { row_end: row } } };
  }
};

/** Lines of JSON as values, one after the other: all of them may be more than memory has room for. */
const parseLines = function* (text: string): Generator {
  for (const [line] of text.matchAll(/[^\n]+/g)) if (line.trim() !== '') yield JSON.parse(line);
};

/** Whether every line of a text is JSON. */
export const isJsonLines = (text: string): boolean => {
  try {
    for (const _ of parseLines(text));
    return true;
  } catch {
    return false;
  }
};

/** The value of a JSON text, or undefined where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const blocksOf = (value: unknown): Iterable<Block> => {
  if (Array.isArray(value)) return recordBlocks(value);
  if (typeof value !== 'object' || value === null) return [{ text: linesOf(value), level: null }];
  return Object.entries<unknown>({ ...value })
    .map(([name, inner]) => ({ text: linesOf({ [name]: inner }), level: null }))
    .filter(({ text }) => text !== '');
};

const namesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** The transcript of a recording, which somebody has had made and uploads in its place; null for all other JSON. */
const transcriptBlocks = async (value: unknown): Promise<readonly Block[] | null> => {
  const isTranscript = ['results', 'jobName', 'status'].every((name) => namesOf(value).includes(name));
  if (!isTranscript) return null;
  const { readTranscript } = await import('../transcribe/read-transcript.ts');
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
 * Reads JSON: the items of a list as rows, the fields of an object as paragraphs, and what Amazon Transcribe has written as
 * the recording that it stands for.
 */
export const readJson: FormatReader = async (_, { text }) => {
  const value = parseJson(text);
  try {
    if (value === undefined) return openBlocks(plainTextBlocks(text));
    return openBlocks((await transcriptBlocks(value)) ?? blocksOf(value));
  } catch (error) {
    // Lists in lists, deeper than a call stack: then every word is kept, with its brackets.
    if (error instanceof RangeError) return openBlocks(plainTextBlocks(text));
    throw error;
  }
};

/** Reads JSON Lines: every line is a row. That each is JSON has shown when the format was told. */
export const readJsonLines: FormatReader = async (_, { text }) => openBlocks(recordBlocks(parseLines(text)));
