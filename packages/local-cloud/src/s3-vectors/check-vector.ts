import { isObject, type Json, type JsonObject } from '../../../../shared/kernel/json.ts';
import type { IndexConfiguration } from './vector-store.ts';
import { invalid } from './vector-error.ts';

const maxMetadataKeys = 50;
const maxFilterableBytes = 2_048;
const maxMetadataBytes = 40_960;
const maxKeyBytes = 1_024;

const valueBytes = (value: Json): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 4;
  return Array.isArray(value) ? value.reduce<number>((sum, item: Json) => sum + 4 + valueBytes(item), 0) : 0;
};

const metadataBytes = (entries: readonly (readonly [string, Json])[]): number =>
  entries.reduce((sum, [key, value]) => sum + 8 + Buffer.byteLength(key) + valueBytes(value), 4);

const isMetadataValue = (value: Json): boolean => {
  if (!Array.isArray(value)) return ['string', 'number', 'boolean'].includes(typeof value);
  const [first] = value as readonly Json[];
  return ['string', 'number'].includes(typeof first) && value.every((item) => typeof item === typeof first);
};

/** Checks the metadata of a vector by type and size. @throws VectorError */
const checkMetadata = (metadata: Json, nonFilterableKeys: readonly string[], path: string): void => {
  if (!isObject(metadata)) throw invalid(path, 'Metadata must be an object');
  const entries = Object.entries(metadata);
  if (entries.length > maxMetadataKeys)
    throw invalid(path, `Metadata must have at most ${maxMetadataKeys} keys, but has ${entries.length}`);
  for (const [key, value] of entries)
    if (!isMetadataValue(value)) throw invalid(path, `Metadata value of '${key}' has a type that is not supported`);
  const filterable = metadataBytes(entries.filter(([key]) => !nonFilterableKeys.includes(key)));
  if (filterable > maxFilterableBytes)
    throw invalid(path, `Filterable metadata must have at most ${maxFilterableBytes} bytes, but has ${filterable}`);
  const total = metadataBytes(entries);
  if (total > maxMetadataBytes)
    throw invalid(path, `Total metadata must have at most ${maxMetadataBytes} bytes, but has ${total}`);
};

/** Returns numbers as stored. Null: not a vector of this index. */
export const toVector = (
  numbers: readonly number[],
  { dimension, distanceMetric }: Pick<IndexConfiguration, 'dimension' | 'distanceMetric'>,
): Float32Array | null => {
  const data = Float32Array.from(numbers);
  const isFinite = data.every((value) => Number.isFinite(value));
  const isZero = data.every((value) => value === 0);
  return data.length === dimension && isFinite && !(isZero && distanceMetric === 'cosine') ? data : null;
};

export interface InputVector {
  readonly key: string;
  readonly data: { readonly float32: readonly number[] };
  readonly metadata?: JsonObject;
}

/** Checks a vector of a PutVectors request, and returns its numbers as stored. @throws VectorError */
export const checkVector = (vector: InputVector, at: number, index: IndexConfiguration): Float32Array => {
  const { key, data, metadata } = vector;
  const path = `vectors[${at}]`;
  if (Buffer.byteLength(key) > maxKeyBytes) throw invalid(path, `Key must have at most ${maxKeyBytes} bytes`);
  checkMetadata(metadata ?? {}, index.nonFilterableKeys, path);
  const numbers = toVector(data.float32, index);
  if (numbers !== null) return numbers;
  throw data.float32.length === index.dimension
    ? invalid(path, `Invalid record for key '${key}': vector contains invalid values or is invalid for this index`)
    : invalid(
        path,
        `Invalid record for key '${key}': vector must have length ${index.dimension}, but has length ${data.float32.length}`,
      );
};
