import type { JsonObject } from '../../../kernel/json.ts';
import { metadataTokens } from '../metadata-tokens.ts';
import type { FoundRow, IndexRef, Row } from '../port.ts';
import { anyRow, jobToken, metadataKey, numberKey, originKey, textKey, tokensKey } from './row-keys.ts';
import { Unsupported } from './unsupported.ts';

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
type Origin = Pick<Row, 'jobId' | 'filename' | 'pageStart' | 'pageEnd'> & { readonly version: string };

const bytesOf = (value: JsonObject[string]): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item: JsonObject[string]) => sum + 4 + bytesOf(item), 0);
  return 4;
};

/** Returns the size of metadata as the service counts it. */
const metadataBytes = (metadata: JsonObject): number =>
  Object.entries(metadata).reduce((sum, [key, value]) => sum + 8 + Buffer.byteLength(key) + bytesOf(value), 4);

const refuse = (id: string, what: string, size: number, limit: number, unit: string): never => {
  throw new Unsupported(
    'large_rows',
    `The row "${id}" has ${size} ${unit} of ${what}; the engine s3_vectors stores at most ${limit}`,
  );
};

/**
 * Returns a row as a vector of the service.
 * @throws Unsupported that names row, size and limit if the row does not fit.
 */
export const encodeRow = (row: Row, version: string, ref: IndexRef): StoredRow => {
  const { tokens, numbers } = metadataTokens(ref)(row.metadata);
  const { jobId, filename, pageStart, pageEnd } = row;
  const filterable: JsonObject = {
    [tokensKey]: [anyRow, ...(jobId === null ? [] : [jobToken(jobId)]), ...tokens],
    ...Object.fromEntries([...numbers].map(([token, value]) => [numberKey(token), value])),
  };
  const origin: Origin = { jobId, filename, pageStart, pageEnd, version };
  const metadata: JsonObject = {
    ...filterable,
    [metadataKey]: JSON.stringify(row.metadata),
    [originKey]: JSON.stringify(origin),
    ...(row.text === null ? {} : { [textKey]: row.text }),
  };
  const keys = Object.keys(metadata).length;
  const filterableBytes = metadataBytes(filterable);
  const totalBytes = metadataBytes(metadata);
  if (keys > maxMetadataKeys) refuse(row.id, 'metadata', keys, maxMetadataKeys, 'keys');
  if (filterableBytes > maxFilterableBytes)
    refuse(row.id, 'filterable metadata', filterableBytes, maxFilterableBytes, 'bytes');
  if (totalBytes > maxMetadataBytes) refuse(row.id, 'text and metadata', totalBytes, maxMetadataBytes, 'bytes');
  return { key: row.id, data: { float32: Array.from(row.vector) }, metadata };
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
