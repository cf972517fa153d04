import fc from 'fast-check';
import type { Filter } from '../../src/filter.ts';
import { makeRow } from './index-bench.ts';

const words = ['apple', 'banana', 'cherry'];
const id = fc.nat(11).map((number) => `id${number}`);
const job = fc.constantFrom('job_1', 'job_2', null);
/** A text that says the same in another spelling. */
const hyphenated = (text: string): string => text.replaceAll('an', 'a\u00ADn');
const headings = fc.subarray(['elder banana', 'fig']);
/** Time by which the clock of a sequence advances at once. */
export const tickMs = 10;
const expiry = fc.constantFrom(null, null, null, 1, 2, 3);
const row = fc
  .tuple(id, fc.nat(3), fc.nat(3), fc.subarray(words), fc.nat(3), job, fc.boolean(), headings, expiry)
  .map(([name, x, y, tags, n, jobId, other, path, ticks]) => {
    const text = tags.length === 0 ? null : tags.join(' ');
    return makeRow(name, [x, y], {
      text: other && text !== null ? hyphenated(text) : text,
      metadata: { n, tags, heading_path: path, at: { n, tag: tags[0] ?? null } },
      jobId,
      ...(ticks === null ? {} : { expiresAt: ticks * tickMs }),
    });
  });
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ n: fc.nat(3) }),
  fc.record({ n: fc.record({ $gte: fc.nat(3) }) }),
  fc.record({ tags: fc.constantFrom(...words) }),
  fc.record({ 'at.n': fc.record({ $lt: fc.nat(3) }) }),
  fc.record({ 'at.tag': fc.constantFrom(null, ...words) }),
  fc.record({ at: fc.record({ n: fc.nat(3), tag: fc.constantFrom(null, ...words) }) }),
  fc.record({ $not: fc.record({ tags: fc.record({ $in: fc.subarray(words) }) }) }),
);
const patch = fc.record({
  id,
  metadata: fc.record(
    { n: fc.oneof(fc.nat(3), fc.constant(null)), seen: fc.boolean(), heading_path: headings },
    { requiredKeys: [] },
  ),
});
/** How the writer of a conditional change guesses a row's version: rightly, that there is none, or wrongly. */
const guess = fc.constantFrom('right', 'right', 'right', 'absent', 'stale');

const change = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('upsert' as const), rows: fc.array(row, { maxLength: 5 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('upsertIf' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 3 }),
      guesses: fc.array(guess, { minLength: 3, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      patches: fc.array(patch, { minLength: 1, maxLength: 3 }),
      guesses: fc.option(fc.array(guess, { minLength: 3, maxLength: 3 }), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), ids: fc.array(id, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteWhere' as const), filter }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deleteJob' as const), jobId: fc.constantFrom('job_1', 'job_2') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('replaceJob' as const),
      oldJobId: fc.constantFrom('job_1', 'job_2'),
      rows: fc.array(row, { maxLength: 4 }),
      maxBytes: fc.constant(Infinity),
    }),
  },
);
export type PlannedChange = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'repeat' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'expire' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('restore' as const), back: fc.nat(5), isGone: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('erase' as const),
      ids: fc.array(id, { maxLength: 3 }),
      jobId: fc.constantFrom(null, 'job_1'),
      filter: fc.option(filter, { nil: null, freq: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'maintain' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('branch' as const), levels: fc.constantFrom(1, 1, 1, 1, 6) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'drop' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('promote' as const),
      parentChanges: fc.constantFrom('keep' as const, 'discard' as const),
    }),
  },
);

/** One step on a tree of branches; `on` picks one of the indexes that exist by then. */
const step = fc.record({ on: fc.nat(19), what: action });
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Sequences of steps. */
export const sequences = fc.array(step, { minLength: 4, maxLength: 12 });
