import * as z from 'zod';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { metadataBytes, rowMetadataBytes } from '../kernel/row-metadata.ts';
import { mostProblems } from './problems.ts';

const isFiniteThroughout = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout);
};

const valuesOf = (weigh: (metadata: JsonObject) => number) =>
  z
    .record(z.string().min(1).max(255), z.json())
    .refine((metadata) => weigh(metadata) <= metadataBytes, { error: 'metadata may have at most 40 KiB as JSON' });

const requireFinite = (value: unknown, context: z.RefinementCtx): unknown => {
  // The only thing in a parsed body that is no JSON is a number such as 1e400. The schema would find half a million of
  // them, too, but tell of each by all that it is not.
  const keys = isObject(value) ? Object.keys(value).filter((key) => !isFiniteThroughout(value[key])) : [];
  for (const key of keys.slice(0, mostProblems)) {
    context.addIssue({ code: 'custom', path: [key], message: 'every number must be finite as a 64-bit float' });
  }
  return value;
};

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = z.preprocess(
  requireFinite,
  valuesOf((metadata) => Buffer.byteLength(JSON.stringify(metadata))),
);

/** The same of a row, which may have been a chunk of a file: what the service stated of it then is not weighed. */
export const RowMetadata = z.preprocess(requireFinite, valuesOf(rowMetadataBytes));
