import * as z from 'zod';
import { isWholeBase64 } from '../../../kernel/base64.ts';
import { mostDimensions } from '../../../kernel/bounds.ts';
import { forbiddenKeyIn, jsonFlaws, keyNotAllowed } from '../../../kernel/json-text.ts';
import { readNonFinite } from '../../../kernel/non-finite.ts';
import { digestCut, openUnits, type FormatReader } from '../format.ts';
import { type Part, type StoredRow, UnreadableFile } from '../port.ts';
import { isRow, parse, rowForm } from './tell-rows.ts';

/** Rows of a unit, where each has its vector; a row that is still to be embedded takes the time of many. */
const rowsPerUnit = 120;
const weightOfText = 10;

const longestText = 32_768;
const mostMetadataBytes = 40 * 1024;

/** Of a line; in a request a row is one of a list, which is a level more. */
const mostLevels = 99;

const Line = z.object({
  id: z.string().min(1).max(512),
  vector: z.union([z.array(z.number()), z.string()]).nullish(),
  text: z.string().max(longestText).nullish(),
  metadata: z.record(z.string().min(1).max(255), z.json()).nullish(),
});

const fail = (line: number, problem: string): never => {
  throw new UnreadableFile(`Line ${line}: ${problem}`);
};

const toVector = (line: number, value: readonly number[] | string): Float32Array => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : null;
  if (bytes !== null && (bytes.length % 4 !== 0 || !isWholeBase64(String(value), bytes)))
    fail(line, 'a vector as text must be base64 of little-endian 32-bit floats');
  const vector =
    bytes === null ? Float32Array.from(value as readonly number[]) : new Float32Array(new Uint8Array(bytes).buffer);
  if (vector.length === 0 || vector.length > mostDimensions)
    fail(line, `a vector has from 1 to ${mostDimensions} numbers, not ${vector.length}`);
  if (vector.some((number) => !Number.isFinite(number))) fail(line, 'every number of a vector must fit a 32-bit float');
  return vector;
};

/** Python writes numbers that are not finite into what is then no JSON. */
const whyNoJson = (text: string): string => {
  const path = readNonFinite(text)?.paths[0];
  return path === undefined ? 'this is no JSON' : `${path.join('.')}: every number must be finite`;
};

/** Refuses a first line that only looks like a row. */
const requireRow = (text: string, line: number): void => {
  const value = parse(text);
  if (value === undefined) fail(line, `${whyNoJson(text)}; ${rowForm}`);
  if (!isRow(value)) fail(line, rowForm);
};

// A row that no request could write would not come back as it is, nor could it be moved to another index.
const parseLine = (text: string, line: number): unknown => {
  const value = parse(text);
  if (value === undefined) fail(line, whyNoJson(text));
  const [flaw] = jsonFlaws(text, mostLevels);
  if (flaw !== undefined) fail(line, flaw.what);
  const key = forbiddenKeyIn(text, value);
  if (key !== null) fail(line, keyNotAllowed(key));
  return value;
};

const toRow = (text: string, line: number): StoredRow => {
  const { success, data, error } = Line.safeParse(parseLine(text, line));
  if (!success) {
    const [issue] = error.issues;
    return fail(line, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'this is no row'}`);
  }
  const [vector, metadata, content] = [data.vector ?? null, data.metadata ?? {}, data.text ?? ''];
  if (vector === null && content === '') fail(line, 'a row needs a vector or a text');
  if (Buffer.byteLength(JSON.stringify(metadata)) > mostMetadataBytes)
    fail(line, 'metadata may have at most 40 KiB as JSON');
  return {
    line,
    id: data.id,
    vector: vector === null ? null : toVector(line, vector),
    text: data.text ?? null,
    metadata,
  };
};

// One line after the other, so that the numbers of all of them never stand in memory at once.
const cutUnits = (lines: readonly string[]): readonly (readonly [number, string][])[] => {
  const units: [number, string][][] = [];
  const lineOf = new Map<string, number>();
  let weight = rowsPerUnit;
  let dimensions: number | null = null;
  lines.forEach((text, at) => {
    if (text.trim() === '') return;
    if (lineOf.size === 0) requireRow(text, at + 1);
    const { id, vector } = toRow(text, at + 1);
    const first = lineOf.get(id);
    if (first !== undefined) fail(at + 1, `the id is the same as that of line ${first}`);
    lineOf.set(id, at + 1);
    dimensions ??= vector?.length ?? null;
    if (vector !== null && vector.length !== dimensions)
      fail(at + 1, `the vector has ${vector.length} numbers, those before it have ${dimensions}`);
    if (weight >= rowsPerUnit) {
      units.push([]);
      weight = 0;
    }
    weight += vector === null ? weightOfText : 1;
    units.at(-1)?.push([at + 1, text]);
  });
  return units;
};

const toPart = (row: StoredRow): Part => ({
  kind: 'text',
  text: row.text ?? '',
  pageStart: null,
  pageEnd: null,
  headingPath: [],
  place: {},
  row,
});

/** Reads JSON Lines whose every line is a row with an id of its own: `{id, vector?, text?, metadata?}`. */
export const readVectorLines: FormatReader = async (_, { text }) => {
  const units = cutUnits(text.split('\n'));
  return {
    ...openUnits(units.map(() => [])),
    cut: digestCut(units.map(({ length }) => length)),
    read: async ({ start, end }) =>
      units
        .slice(start - 1, end)
        .flat()
        .map(([line, row]) => toPart(toRow(row, line))),
  };
};
