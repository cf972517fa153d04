import * as z from 'zod';
import { isWholeBase64 } from '../../../../../shared/kernel/base64.ts';
import { maxDimensions } from '../../../../../shared/kernel/bounds.ts';
import { forbiddenKeyIn, jsonFlaws, keyNotAllowed } from '../../../../../shared/kernel/json-text.ts';
import { isObject } from '../../../../../shared/kernel/json.ts';
import { readNonFinite } from '../../../../../shared/kernel/non-finite.ts';
import { readRegions } from '../../../../../shared/kernel/passage.ts';
import { expiryKey, maxMetadataBytes, rowMetadataBytes } from '../../../../../shared/kernel/row-metadata.ts';
import { headOf } from '../../../../../shared/kernel/text.ts';
import { unsafeIntegers } from '../../../../../shared/kernel/unsafe-integers.ts';
import { digestCut, openUnits, type FormatReader } from '../format.ts';
import { type Part, type Span, type SpanLines, type StoredRow, UnreadableFile } from '../port.ts';
import { decodeLines } from '../text/decode-text.ts';
import { parseJsonLine, rowForm, unknownKey } from './detect-vector-lines.ts';

/** Rows per unit if each has a vector. A row that must be embedded takes the time of `weightOfText` rows. */
const rowsPerUnit = 120;
const weightOfText = 10;

const maxTextChars = 32_768;
const newline = 10;

/** Maximum nesting of a line. In a request the row is a list item, which adds a level. */
const maxLevels = 99;

const idForm = 'id must be a text of 1 to 512 characters';
const vectorForm = 'vector must be a list of finite numbers, or their base64 as a text';
const numberForm = 'every number of metadata must be finite as a 64-bit float';
const keyForm = 'every key of metadata must have from 1 to 255 characters';

const Line = z.object(
  {
    id: z.string(idForm).min(1, idForm).max(512, idForm),
    vector: z.union([z.array(z.number()), z.string()], vectorForm).nullish(),
    embedding_model: z.string('embedding_model must be a text').nullish(),
    text: z.string('text must be a text').max(maxTextChars, 'text may have at most 32,768 characters').nullish(),
    metadata: z
      .record(z.string().min(1).max(255), z.json(), {
        error: ({ code }) => (code === 'invalid_key' ? keyForm : 'metadata must be an object'),
      })
      .nullish(),
    expires_at: z.iso.datetime({ offset: true, error: 'expires_at must be a time with an offset' }).nullish(),
  },
  rowForm,
);

const fail = (line: number, problem: string): never => {
  throw new UnreadableFile(`Line ${line}: ${problem}`);
};

const toVector = (line: number, value: readonly number[] | string): Float32Array => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : null;
  if (bytes !== null && (bytes.length % 4 !== 0 || !isWholeBase64(String(value), bytes)))
    fail(line, 'a vector as text must be base64 of little-endian 32-bit floats');
  const vector =
    bytes === null ? Float32Array.from(value as readonly number[]) : new Float32Array(new Uint8Array(bytes).buffer);
  if (vector.length === 0 || vector.length > maxDimensions)
    fail(line, `a vector has from 1 to ${maxDimensions} numbers, not ${vector.length}`);
  if (vector.some((number) => !Number.isFinite(number))) fail(line, 'every number of a vector must fit a 32-bit float');
  return vector;
};

/** Explains why a text is no JSON. Python writes non-finite numbers, which JSON does not allow. */
const whyNoJson = (text: string): string => {
  const path = readNonFinite(text)?.paths[0];
  return path === undefined ? 'this is not JSON' : `${path.join('.')}: every number must be finite`;
};

/**
 * Requires the first line to be JSON. Otherwise it may not be meant as a row, so the message contains the form of a
 * row.
 */
const requireJson = (text: string, line: number): void => {
  if (parseJsonLine(text) === undefined) fail(line, `${whyNoJson(text)}; ${rowForm}`);
};

// A row that no request could write could not be returned unchanged or moved to another index.
const parseLine = (text: string, line: number): unknown => {
  const value = parseJsonLine(text);
  if (value === undefined) fail(line, whyNoJson(text));
  const [flaw] = jsonFlaws(text, maxLevels);
  if (flaw !== undefined) fail(line, flaw.what);
  const key = forbiddenKeyIn(text, value);
  if (key !== null) fail(line, keyNotAllowed(key));
  for (const { path, msg } of unsafeIntegers(text, value)) fail(line, `${path.join('.')}: ${msg}`);
  return value;
};

const toPage = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : null;

const maxFilenameChars = 1_024;

/** Returns the source of a row as the service has returned it; none if it has another form. */
const sourceOf = (value: unknown): Pick<StoredRow, 'source'> => {
  const file = isObject(value) ? value['file'] : null;
  const filename = isObject(file) ? file['filename'] : null;
  if (!isObject(file) || typeof filename !== 'string' || filename === '' || filename.length > maxFilenameChars)
    return {};
  const [pageStart, pageEnd] = [toPage(file['page_start']), toPage(file['page_end'])];
  return { source: { filename, pageStart, pageEnd, regions: readRegions(file['regions']) } };
};

const toRow = (text: string, line: number, ignoresVectors: boolean): StoredRow => {
  const value = parseLine(text, line);
  const strange = isObject(value) ? unknownKey(value) : undefined;
  if (strange !== undefined) fail(line, `a row has no key '${headOf(strange, 100)}'; ${rowForm}`);
  const { success, data, error } = Line.safeParse(value, { error: () => numberForm });
  if (!success) return fail(line, error.issues[0]?.message ?? rowForm);
  const { metadata: given, embedding_model: model, expires_at: expiresAt } = data;
  const vector = ignoresVectors ? null : (data.vector ?? null);
  const metadata = given ?? {};
  if (Object.hasOwn(metadata, expiryKey))
    fail(line, `metadata may not have the key '${expiryKey}': write expires_at beside it`);
  if (vector === null && (data.text ?? '') === '')
    fail(line, ignoresVectors ? 'a row whose vector is ignored needs a text' : 'a row needs a vector or a text');
  if (rowMetadataBytes(metadata) > maxMetadataBytes) fail(line, 'metadata may have at most 40 KiB as JSON');
  return {
    line,
    id: data.id,
    vector: vector === null ? null : toVector(line, vector),
    ...(typeof model === 'string' ? { model } : {}),
    text: data.text ?? null,
    metadata,
    ...(typeof expiresAt === 'string' ? { expiresAt: Date.parse(expiresAt) } : {}),
    ...sourceOf(value),
  };
};

/** Lines `[start, end)` that are read together, and the number of rows among them. */
interface Unit {
  readonly start: number;
  end: number;
  rows: number;
}

// Line by line, so that the vectors of the whole file are never in memory at once.
export const cutUnits = (lines: readonly string[], ignoresVectors: boolean): readonly Unit[] => {
  const units: Unit[] = [];
  const lineOf = new Map<string, number>();
  let weight = 0;
  let dimensions: number | null = null;
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue;
    if (lineOf.size === 0) requireJson(text, at + 1);
    const { id, vector } = toRow(text, at + 1, ignoresVectors);
    const first = lineOf.get(id);
    if (first !== undefined) fail(at + 1, `the id is the same as that of line ${first}`);
    lineOf.set(id, at + 1);
    dimensions ??= vector?.length ?? null;
    if (vector !== null && vector.length !== dimensions)
      fail(at + 1, `the vector has ${vector.length} numbers, those before it have ${dimensions}`);
    const last = units.at(-1);
    if (last === undefined || weight >= rowsPerUnit) {
      units.push({ start: last?.end ?? 0, end: at + 1, rows: 1 });
      weight = 0;
    } else {
      last.end = at + 1;
      last.rows += 1;
    }
    weight += vector === null ? weightOfText : 1;
  }
  return units;
};

/** Byte ranges of the units. Null if the file is not UTF-8 with the same line ends as its text. */
const spansOf = (bytes: Uint8Array, lines: readonly string[], units: readonly Unit[]): readonly Span[] | null => {
  const spans: Span[] = [];
  let to = 0;
  for (const { start, end } of units) {
    const from = to;
    for (let line = start; line < end; line += 1) {
      const lineEnd = bytes.indexOf(newline, to);
      to = lineEnd < 0 ? bytes.length : lineEnd + 1;
    }
    const text = decodeLines(bytes.subarray(from, to));
    if (text?.replace(/\n$/, '') !== lines.slice(start, end).join('\n')) return null;
    spans.push({ from, to, line: start + 1 });
  }
  return spans;
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

/** Reads lines as rows. */
export const readRows = (lines: readonly string[], { first, ignoresVectors }: SpanLines): readonly Part[] =>
  lines.flatMap((text, at) => (text.trim() === '' ? [] : [toPart(toRow(text, first + at, ignoresVectors))]));

/** Reads JSON Lines in which every line is a row with an id: `{id, vector?, text?, metadata?}`. */
export const readVectorLines: FormatReader = async ({ bytes, ignoresVectors = false }, { text }) => {
  const lines = text.split('\n');
  const units = cutUnits(lines, ignoresVectors);
  const spans = spansOf(bytes, lines, units);
  return {
    ...openUnits(units.map(() => [])),
    cut: digestCut(units.map(({ rows }) => rows)),
    ...(spans !== null && { spans }),
    read: async ({ start, end }) =>
      units
        .slice(start - 1, end)
        .flatMap((unit) => readRows(lines.slice(unit.start, unit.end), { first: unit.start + 1, ignoresVectors })),
  };
};

/** Reads units of such a file by their byte range. */
export const readVectorSpan = (bytes: Uint8Array, read: SpanLines): readonly Part[] => {
  const text = decodeLines(bytes);
  if (text === null) throw new Error('units that have spans are of UTF-8');
  return readRows(text.split('\n'), read);
};
