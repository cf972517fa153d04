import * as z from 'zod';
import { isObject } from '../kernel/json.ts';
import { mostProblems } from './problems.ts';

/** Most bytes of one thing's metadata as JSON. */
export const metadataBytes = 40 * 1024;

const isFiniteThroughout = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout);
};

const Values = z
  .record(z.string().min(1).max(255), z.json())
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytes, {
    error: 'metadata may have at most 40 KiB as JSON',
  });

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = z.preprocess((value, context) => {
  // The only thing in a parsed body that is no JSON is a number such as 1e400. The schema would find half a million of
  // them, too, but tell of each by all that it is not.
  const keys = isObject(value) ? Object.keys(value).filter((key) => !isFiniteThroughout(value[key])) : [];
  for (const key of keys.slice(0, mostProblems)) {
    context.addIssue({ code: 'custom', path: [key], message: 'every number must be finite as a 64-bit float' });
  }
  return value;
}, Values);
