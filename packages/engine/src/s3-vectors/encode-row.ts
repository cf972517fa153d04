import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { type FilterSettings, metadataTokens } from '../metadata-tokens.ts';
import type { FoundRow, Row } from '../port.ts';
import { anyRow, jobToken, metadataKey, numberKey, originKey, storedToken, textKey, tokensKey } from './row-keys.ts';

/** Limits of Amazon S3 Vectors for the metadata of one vector. */
const maxFilterableBytes = 2_048;
const maxMetadataBytes = 40_960;
const maxMetadataKeys = 50;

export interface StoredRow {
  readonly key: string;
  readonly data: { readonly float32: readonly number[] };
  readonly metadata: JsonObject;
}

/** Origin and version of a row. */
type Origin = Pick<Row, 'jobId' | 'filename' | 'pageStart' | 'pageEnd' | 'passage'> & { readonly version: string };

const bytesOf = (value: JsonObject[string]): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item: JsonObject[string]) => sum + 4 + bytesOf(item), 0);
  return 4;
};

/** Returns the size of metadata as the service counts it. */
const metadataBytes = (metadata: JsonObject): number =>
  Object.entries(metadata).reduce((sum, [key, value]) => sum + 8 + Buffer.byteLength(key) + bytesOf(value), 4);

type RowContent = Omit<Row, 'id' | 'vector'>;

interface Encoded {
  readonly filterable: JsonObject;
  readonly metadata: JsonObject;
}

const encodeContent = (row: RowContent, version: string, ref: FilterSettings): Encoded => {
  const { tokens, numbers } = metadataTokens(ref)(row.metadata);
  const { jobId, filename, pageStart, pageEnd } = row;
  const filterable: JsonObject = {
    [tokensKey]: [anyRow, ...(jobId === null ? [] : [jobToken(jobId)]), ...[...tokens].map(storedToken)],
    ...Object.fromEntries([...numbers].map(([token, value]) => [numberKey(token), value])),
  };
  const origin: Origin = { jobId, filename, pageStart, pageEnd, version };
  const metadata: JsonObject = {
    ...filterable,
    [metadataKey]: JSON.stringify(row.metadata),
    [originKey]: JSON.stringify(origin),
    ...(row.text === null ? {} : { [textKey]: row.text }),
  };
  return { filterable, metadata };
};

/** Adds the place of a text to its row, unless the row has no room for it. */
const withPassage = (metadata: JsonObject, origin: Origin): JsonObject => {
  const placed = { ...metadata, [originKey]: JSON.stringify(origin) };
  return metadataBytes(placed) > maxMetadataBytes ? metadata : placed;
};

/** Returns a row as a vector of the service. */
export const encodeRow = (row: Row, version: string, ref: FilterSettings): StoredRow => {
  const { jobId, filename, pageStart, pageEnd, passage } = row;
  const { metadata } = encodeContent(row, version, ref);
  return {
    key: row.id,
    data: { float32: Array.from(row.vector) },
    metadata:
      passage === undefined
        ? metadata
        : withPassage(metadata, { jobId, filename, pageStart, pageEnd, passage, version }),
  };
};

/** Room for a version in the check of a row, whose version is not known yet. */
const anyVersion = 'x'.repeat(128);

/** Returns why a row does not fit into a vector of the service, with its size and the limit; null if it fits. */
export const rowProblem = (row: RowContent, ref: FilterSettings): string | null => {
  const { filterable, metadata } = encodeContent(row, anyVersion, ref);
  const sizes = [
    ['numbers and other keys of metadata', Object.keys(metadata).length, maxMetadataKeys],
    ['bytes of filterable metadata', metadataBytes(filterable), maxFilterableBytes],
    ['bytes of text and metadata', metadataBytes(metadata), maxMetadataBytes],
  ] as const;
  const excess = sizes.find(([, size, limit]) => size > limit);
  if (excess === undefined) return null;
  const [what, size, limit] = excess;
  return `the row takes ${size} ${what}; the engine s3_vectors stores at most ${limit}`;
};

/** Returns a row from a vector of the service. Its metadata was written by `encodeRow`. */
export const decodeRow = (vector: {
  readonly key: string;
  readonly data?: { readonly float32: readonly number[] };
  readonly metadata?: JsonObject;
}): FoundRow & { readonly version: string } => {
  const { metadata = {} } = vector;
  const text = metadata[textKey];
  return {
    id: vector.key,
    vector: vector.data === undefined ? null : Float32Array.from(vector.data.float32),
    text: typeof text === 'string' ? text : null,
    metadata: JSON.parse(metadata[metadataKey] as string) as JsonObject,
    ...(JSON.parse(metadata[originKey] as string) as Origin),
  };
};
