import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { validate } from '../../shared/http/validate.ts';
import { integer } from '../../shared/http/schema-helpers.ts';
import type { ValidationProblem } from '../../shared/kernel/errors.ts';

const problemsWith = (schema: z.ZodType, input: unknown): readonly ValidationProblem[] => {
  const problems: ValidationProblem[] = [];
  assert.equal(validate('query', schema, input, problems), undefined);
  return problems;
};

const bounded = (least: number, most: number): z.ZodType => z.object({ at: integer().min(least).max(most) });

test('of several bounds of a value only the narrower one is reported', () => {
  const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const reported = (schema: z.ZodType, at: number) =>
    problemsWith(schema, { at }).map(({ loc, type, msg }) => [loc, type, /-?\d+$/.exec(msg)?.[0]]);
  const loc = ['query', 'at'];
  assert.deepEqual(reported(bounded(least, most), 2 ** 53), [[loc, 'less_than_equal', String(most)]]);
  assert.deepEqual(reported(bounded(least, most), -(2 ** 53)), [[loc, 'greater_than_equal', String(least)]]);
  assert.deepEqual(reported(bounded(0, 9), 2 ** 53), [[loc, 'less_than_equal', '9']]);
  assert.deepEqual(reported(bounded(0, 9), -(2 ** 53)), [[loc, 'greater_than_equal', '0']]);
});

test('a value that fails validation without an issue is still refused', () => {
  const silent = z.looseObject({}).superRefine((input, context) => {
    context.addIssue({ code: 'unrecognized_keys', keys: [], input });
  });
  assert.deepEqual(problemsWith(silent, {}), [{ loc: ['query'], msg: 'The value is not valid', type: 'value_error' }]);
});
