import { isJson } from '../../../../../shared/kernel/json-text.ts';
import { isObject } from '../../../../../shared/kernel/json.ts';
import { readNonFinite } from '../../../../../shared/kernel/non-finite.ts';

const rowKeys: ReadonlySet<string> = new Set(['id', 'vector', 'embedding_model', 'text', 'metadata', 'expires_at']);

/** Fields of a row that the service returns besides the id and a requested vector. */
const givenKeys = ['text', 'metadata', 'file', 'version'];

/** Names of the vector in other services. */
const otherNames = ['vectors', 'embedding', 'embeddings', 'dense_vector', 'values'] as const;

/** Fields that may accompany `values` in a row. Other records have `values` too. */
const besideValues = new Set([...rowKeys, 'values', 'sparse_values', 'sparseValues']);

/** Form of a row, for error messages. */
export const rowForm =
  'a row has the form {"id": "…", "vector": [0.1, …], "text": "…", "metadata": {…}}, with a vector, a text or both';

/** Parses a line; undefined if it is not JSON. */
export const parseJsonLine = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** First line of a text that is not blank. */
const firstLine = (text: string): string => /^\s*(\S[^\n]*)/.exec(text)?.[1] ?? '';

/** First key that no row has. The keys that the service itself returns with every row are allowed. */
export const unknownKey = (value: object): string | undefined => {
  const others = Object.keys(value).filter((key) => !rowKeys.has(key));
  const isGiven = others.length === 2 && givenKeys.every((key) => key in value);
  return isGiven ? undefined : others[0];
};

/** Whether a value is a row: a string id, a vector or a text, and no unknown key. */
const isRow = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  ('vector' in value || 'text' in value) &&
  unknownKey(value) === undefined;

/** Whether a value is a list of numbers, in which some may be null, as JavaScript writes non-finite numbers. */
const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => item === null || typeof item === 'number');

/** Whether a value resembles a row: an id with a vector under any common name. */
const resemblesRow = (value: unknown): boolean => {
  if (!isObject(value) || !('id' in value)) return false;
  const name = ['vector', ...otherNames].find((other) => isNumbers(value[other]));
  return name !== undefined && (name !== 'values' || Object.keys(value).every((key) => besideValues.has(key)));
};

/** Whether a value is a response with fetched rows. */
const isPage = (value: unknown): boolean => {
  const rows: unknown = isObject(value) ? value['vectors'] : null;
  return Array.isArray(rows) && (isRow(rows[0]) || resemblesRow(rows[0]));
};

/**
 * Whether JSON lines are meant as rows of an index rather than as records. The first line decides: if it is or
 * resembles a row, a bad file is refused instead of stored as prose.
 */
export const isVectorLines = (text: string): boolean => {
  const line = firstLine(text);
  const first = parseJsonLine(line) ?? readNonFinite(line)?.value;
  if (first === undefined) return /"id"\s*:/.test(line) && /"vector"\s*:/.test(line) && !isJson(text);
  return isRow(first) || resemblesRow(first) || isPage(first);
};
