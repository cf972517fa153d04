import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { check } from '../../shared/http/check.ts';
import { integer } from '../../shared/http/integer.ts';
import type { ValidationProblem } from '../../shared/kernel/errors.ts';

const problemsWith = (schema: z.ZodType, input: unknown): readonly ValidationProblem[] => {
  const problems: ValidationProblem[] = [];
  assert.equal(check('query', schema, input, problems), undefined);
  return problems;
};

const bounded = (least: number, most: number): z.ZodType => z.object({ at: integer().min(least).max(most) });

test('of several bounds at one end the narrower is told, and of equal ones one', () => {
  const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const told = (schema: z.ZodType, at: number) =>
    problemsWith(schema, { at }).map(({ loc, type, msg }) => [loc, type, /-?\d+$/.exec(msg)?.[0]]);
  const loc = ['query', 'at'];
  assert.deepEqual(told(bounded(least, most), 2 ** 53), [[loc, 'less_than_equal', String(most)]]);
  assert.deepEqual(told(bounded(least, most), -(2 ** 53)), [[loc, 'greater_than_equal', String(least)]]);
  assert.deepEqual(told(bounded(0, 9), 2 ** 53), [[loc, 'less_than_equal', '9']]);
  assert.deepEqual(told(bounded(0, 9), -(2 ** 53)), [[loc, 'greater_than_equal', '0']]);
});

test('a value that fails without a problem to tell is refused all the same', () => {
  const silent = z.looseObject({}).superRefine((input, context) => {
    context.addIssue({ code: 'unrecognized_keys', keys: [], input });
  });
  assert.deepEqual(problemsWith(silent, {}), [
    { loc: ['query'], msg: 'Value error, the value is not valid', type: 'value_error' },
  ]);
});
