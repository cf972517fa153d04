import * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { decodeVector } from '../indexes/index.ts';

const largestFloat32 = 3.4028234663852886e38;

type Report = (message: string, at?: number) => void;

const fromNumbers = (values: readonly unknown[], report: Report): Float32Array => {
  const vector = new Float32Array(values.length);
  values.forEach((value, at) => {
    if (typeof value !== 'number') report('every element must be a number', at);
    else if (!Number.isFinite(value)) report('every element must be a finite number', at);
    else if (Math.abs(value) > largestFloat32) report('the number does not fit a 32-bit float', at);
    else vector[at] = value;
  });
  return vector;
};

const fromBase64 = (value: string, report: Report): Float32Array => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) report('a vector as text must be base64 of little-endian 32-bit floats');
  const vector = decodeVector(value);
  if (Buffer.from(value, 'base64').length % 4 !== 0) report('base64 must hold whole 32-bit floats');
  vector.forEach((number, at) => {
    if (!Number.isFinite(number)) report('every element must be a finite number', at);
  });
  return vector;
};

/** A vector as a list of numbers or as base64 of little-endian float32 (a third of the bytes). */
export const VectorInput = z
  .unknown()
  .transform((value, context): Float32Array => {
    const report: Report = (message, at) => {
      context.addIssue({ code: 'custom', message, path: at === undefined ? [] : [at], input: value });
    };
    if (Array.isArray(value)) return fromNumbers(value, report);
    if (typeof value === 'string') return fromBase64(value, report);
    report('a vector is a list of numbers or base64 text');
    return new Float32Array(0);
  })
  .meta({
    description: 'Numbers, or base64 of little-endian 32-bit floats.',
    jsonSchema: {
      anyOf: [
        { type: 'array', items: { type: 'number' } },
        { type: 'string', contentEncoding: 'base64' },
      ],
    },
  });

/** What keeps a well-formed vector out of an index: its length, or being all zero where only direction counts. */
export const vectorProblems = (
  loc: readonly (string | number)[],
  vector: Float32Array,
  index: Pick<IndexRecord, 'dimensions' | 'metric'>,
): readonly ValidationProblem[] => {
  const problem = (msg: string): ValidationProblem => ({ loc, msg: `Value error, ${msg}`, type: 'value_error' });
  if (vector.length !== index.dimensions) {
    return [problem(`the index has ${index.dimensions} dimensions, this vector has ${vector.length}`)];
  }
  if (index.metric === 'cosine' && vector.every((value) => value === 0)) {
    return [problem('a zero vector has no direction and cannot be stored under the cosine metric')];
  }
  return [];
};
