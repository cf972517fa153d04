import { isJson } from '../../../kernel/json-text.ts';
import { isObject } from '../../../kernel/json.ts';
import { readNonFinite } from '../../../kernel/non-finite.ts';

const rowKeys: ReadonlySet<string> = new Set(['id', 'vector', 'text', 'metadata']);

/** What the service gives of a row besides an id, and where it was asked for a vector. */
const givenKeys = ['text', 'metadata', 'file', 'version'];

/** Names under which other services write the numbers of a row. */
const otherNames = ['vectors', 'embedding', 'embeddings', 'dense_vector', 'values'] as const;

/** Records of other kinds have values as well; what stands beside those of a row is known. */
const besideValues = new Set([...rowKeys, 'values', 'sparse_values', 'sparseValues']);

/** The form of a row, for the message to whoever sent something like it. */
export const rowForm =
  'a row has the form {"id": "…", "vector": [0.1, …], "text": "…", "metadata": {…}}, with a vector, a text or both';

/** The value of a line; undefined where it is no JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The first line of a text that is not blank. */
const firstLine = (text: string): string => /^\s*(\S[^\n]*)/.exec(text)?.[1] ?? '';

/** The first key that no row has, unless it is one of those that the service itself gives with all rows. */
export const strangeKey = (value: object): string | undefined => {
  const others = Object.keys(value).filter((key) => !rowKeys.has(key));
  const isGiven = others.length === 2 && givenKeys.every((key) => key in value);
  return isGiven ? undefined : others[0];
};

/** Whether it has a string id, a vector or a text, and no key that no row has. */
const isRow = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  ('vector' in value || 'text' in value) &&
  strangeKey(value) === undefined;

/** Whether it is a list of numbers, also where some are null, as JavaScript writes those that are not finite. */
const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => item === null || typeof item === 'number');

/** Whether it is what somebody would take for a row: an id beside a vector, whatever that is called. */
const resemblesRow = (value: unknown): boolean => {
  if (!isObject(value) || !('id' in value)) return false;
  const name = ['vector', ...otherNames].find((other) => isNumbers(value[other]));
  return name !== undefined && (name !== 'values' || Object.keys(value).every((key) => besideValues.has(key)));
};

/** Whether it is a page of rows, as fetching them gives it. */
const isPage = (value: unknown): boolean => {
  const rows: unknown = isObject(value) ? value['vectors'] : null;
  return Array.isArray(rows) && (isRow(rows[0]) || resemblesRow(rows[0]));
};

/**
 * Whether lines of JSON are meant as rows of an index rather than as records. The first one tells: it is a row, or looks
 * like one, and is refused rather than stored as prose.
 */
export const isVectorLines = (text: string): boolean => {
  const line = firstLine(text);
  const first = parse(line) ?? readNonFinite(line)?.value;
  if (first === undefined) return /"id"\s*:/.test(line) && /"vector"\s*:/.test(line) && !isJson(text);
  return isRow(first) || resemblesRow(first) || isPage(first);
};
