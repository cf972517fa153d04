import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { packRows, type RowWrite, unpackRows } from '../../shared/indexes/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { randomNumbers } from '../../shared/kernel/random-numbers.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const dimensions = 4;
const numbers = randomNumbers(20_261_125);

const writes: readonly RowWrite[] = Array.from({ length: 50 }, (_, at) => ({
  id: `row ${at} é 語`,
  vector: Float32Array.from({ length: dimensions }, () => numbers() / 2 ** 32 - 0.5),
  text: at % 3 === 0 ? null : `text ${at} \u0000 "${'ü'.repeat(at)}"`,
  metadata: { at, tags: ['a', 'b'] },
  jobId: at % 2 === 0 ? null : 'job',
  filename: null,
  pageStart: at % 2 === 0 ? null : at,
  pageEnd: null,
  ...(at % 5 === 0 ? { ifVersion: at % 10 === 0 ? null : 'rcp' } : {}),
}));

it('gives rows back as they were packed, wherever the part lies in memory', () => {
  const part = packRows(writes);
  for (const shift of [0, 1, 2, 3]) {
    const moved = new Uint8Array(part.length + shift);
    moved.set(part, shift);
    assert.deepEqual(unpackRows(moved.subarray(shift)), writes);
  }
  assert.deepEqual(unpackRows(packRows([])), []);
});

it('takes no part that was cut short', () => {
  const part = packRows(writes);
  for (const length of [0, 3, 20, part.length - 4]) assert.throws(() => unpackRows(part.subarray(0, length)));
});

it('writes a change that is too large for a message, to the last bit of its numbers', async () => {
  const index = await app.newIndex();
  const vectors = Array.from({ length: 900 }, () =>
    Array.from({ length: dimensions }, () => Math.fround(numbers() / 2 ** 32)),
  );
  const text = 'x'.repeat(300);
  const items = vectors.map((vector, at) => ({ id: `row ${at}`, vector, text, metadata: { at } }));
  assert.equal((await app.upsert(index, items)).status, 200);
  const rows = await app.engine().fetch(
    await app.ref(index),
    items.map(({ id }) => id),
    true,
  );
  const found = new Map(rows.map((row) => [row.id, [...(row.vector ?? [])]]));
  assert.deepEqual(
    items.map(({ id }) => found.get(id)),
    vectors,
  );
});
