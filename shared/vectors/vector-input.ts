import * as z from 'zod';
import { isWholeBase64 } from '../kernel/base64.ts';
import { maxDimensions } from '../kernel/bounds.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { floatsOf } from '../indexes/index.ts';

const largestFloat32 = 3.4028234663852886e38;

/** Reports a problem of the vector, or of its element `at`. A null message means that the element is no finite number. */
type Report = (message: string | null, at?: number) => void;

/** Maximum reported problems of one vector: a request may have a million wrong elements in a thousand vectors. */
const maxElementProblems = 20;

// A vector beyond the maximum dimensions is not checked further, because each number may be a problem.
const fromNumbers = (values: readonly unknown[], report: Report): Float32Array => {
  if (values.length > maxDimensions) {
    report(`a vector has at most ${maxDimensions} numbers, not ${values.length}`);
    return new Float32Array(0);
  }
  const vector = new Float32Array(values.length);
  values.forEach((value, at) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) report(null, at);
    else if (Math.abs(value) > largestFloat32) report('the number does not fit a 32-bit float', at);
    else vector[at] = value;
  });
  return vector;
};

// Hot path: a request may have 1.5 million numbers.
const fromBase64 = (value: string, report: Report): Float32Array => {
  const bytes = Buffer.from(value, 'base64');
  if (!isWholeBase64(value, bytes)) report('a vector as text must be base64 of little-endian 32-bit floats');
  if (bytes.length % 4 !== 0) report('base64 must hold whole 32-bit floats');
  const vector = floatsOf(bytes);
  if (vector.length > maxDimensions) report(`a vector has at most ${maxDimensions} numbers, not ${vector.length}`);
  for (let at = 0; at < vector.length && at < maxDimensions; at += 1) {
    if (!Number.isFinite(vector[at])) report('every element must be a finite number', at);
  }
  return vector;
};

/** Vector: a list of numbers, or base64 of little-endian float32, which takes a third of the bytes. */
export const VectorInput = z
  .unknown()
  .transform((value, context): Float32Array => {
    let problems = 0;
    const report: Report = (message, at) => {
      problems += 1;
      if (problems > maxElementProblems) return;
      const path = at === undefined ? [] : [at];
      if (message === null) context.addIssue({ code: 'invalid_type', expected: 'number', path, input: value });
      else context.addIssue({ code: 'custom', message, path, input: value });
    };
    if (Array.isArray(value)) return fromNumbers(value, report);
    if (typeof value === 'string') return fromBase64(value, report);
    report('a vector is a list of numbers or base64 text');
    return new Float32Array(0);
  })
  .meta({
    id: 'VectorInput',
    description: 'A vector: numbers, or base64 of little-endian 32-bit floats.',
    jsonSchema: {
      anyOf: [
        { type: 'array', items: { type: 'number', format: 'float' } },
        { type: 'string', contentEncoding: 'base64' },
      ],
    },
  });

/**
 * Minimum and maximum sum of squares of a vector. The engine sums squares as 32-bit floats, which would underflow or overflow
 * beyond.
 */
const [minSquares, maxSquares] = [1e-30, 1e37];

/**
 * Validates a vector against an index: its dimensions, numbers that are too large to be compared, or too small under the
 * cosine metric.
 */
export const vectorProblems = (
  loc: readonly (string | number)[],
  vector: Float32Array,
  index: Pick<IndexRecord, 'dimensions' | 'metric'>,
): readonly ValidationProblem[] => {
  const problem = (msg: string): ValidationProblem => valueProblem(loc, msg);
  if (vector.length !== index.dimensions) {
    return [problem(`the index has ${index.dimensions} dimensions, this vector has ${vector.length}`)];
  }
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] ?? 0) ** 2;
  if (squares > maxSquares) return [problem('the numbers are too large to be compared')];
  if (index.metric !== 'cosine' || squares >= minSquares) return [];
  return [
    problem(
      squares === 0
        ? 'a zero vector has no direction under the cosine metric'
        : 'the numbers are too small to be compared under the cosine metric',
    ),
  ];
};
