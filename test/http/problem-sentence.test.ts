import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { sentenceOf } from '../../shared/http/problem-sentence.ts';
import { integer, integerText } from '../../shared/http/schema-helpers.ts';
import { Timestamp } from '../../shared/http/timestamp.ts';
import { problemsOf } from '../../shared/http/validation-problems.ts';

const sentenceFor = (schema: z.ZodType, value: unknown, field: string | null = 'Field'): string => {
  const { error } = z.object({ value: schema }).safeParse({ value });
  const [problem] = problemsOf('body', error?.issues ?? [], { value });
  return sentenceOf(problem ?? assert.fail('the value is valid'), field);
};

test('each problem of a field is a sentence without the words of a validator', () => {
  const cases: readonly (readonly [schema: z.ZodType, value: unknown, sentence: string])[] = [
    [z.string(), undefined, 'Field is required'],
    [z.string(), 7, 'Field must be a text'],
    [z.string().min(1), '', 'Field must have at least 1 character'],
    [z.string().max(3), 'long', 'Field must have at most 3 characters'],
    [z.string().regex(/^a/), 'b', 'Field has a form that is not allowed'],
    [integer(), 1.5, 'Field must be a whole number'],
    [integerText(1, 9), 'x', 'Field must be a whole number'],
    [integer().min(2), 1, 'Field must be at least 2'],
    [integer().max(2), 3, 'Field must be at most 2'],
    [z.number().gt(0), 0, 'Field must be greater than 0'],
    [z.number().multipleOf(5), 3, 'Field must be a multiple of 5'],
    [z.boolean(), 'yes', 'Field must be true or false'],
    [z.array(z.string()), 'x', 'Field must be a list'],
    [z.array(z.string()).min(1), [], 'Field must have at least 1 item, and has 0'],
    [z.record(z.string(), z.string()), 'x', 'Field must be an object'],
    [z.null(), 'x', 'Field must be null'],
    [z.enum(['read', 'write']), 'x', "Field must be 'read' or 'write'"],
    [z.url(), 'x', 'Field must be an address, such as https://example.com'],
    [Timestamp, 'x', 'Field must be a time with its zone, such as 2026-01-31T09:30:00Z'],
    [z.union([z.string(), z.array(z.string())]), 7, 'Field must be a valid string or a valid list'],
    [z.string().refine(() => false, { error: 'the address must be public' }), 'x', 'Field: The address must be public'],
  ];
  for (const [schema, value, sentence] of cases) assert.equal(sentenceFor(schema, value), sentence);
  assert.equal(
    sentenceFor(
      z.string().refine(() => false, { error: 'it is taken' }),
      'x',
      null,
    ),
    'It is taken',
  );
});
