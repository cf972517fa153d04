import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LRUCache } from 'lru-cache';
import { memoize, lazy, memoizePerOwner, memoizePerKey } from '../../shared/kernel/memoize.ts';
import { readerFiles, pdfReader } from '#documents';
import { makePdf } from '../support/make-pdf.ts';

/** Fails until it is mended, and counts how often it was called. */
const ailing = () => {
  const state = { calls: 0, isWell: false };
  const make = async (): Promise<number> => {
    state.calls += 1;
    if (!state.isWell) throw new Error('not yet');
    return state.calls;
  };
  return { state, make };
};

const owner = {};
const shelf = new LRUCache<string, Promise<number>>({ max: 2 });
const forms = {
  lazily: (make) => lazy(make),
  oncePer: (make) => {
    const get = memoizePerOwner(make);
    return () => get(owner);
  },
  oncePerKey: (make) => {
    const get = memoizePerKey((_one: string, _two: string) => make());
    return () => get('one', 'two');
  },
  keptOn: (make) => () => memoize(shelf, 'key', make),
} satisfies Record<string, (make: () => Promise<number>) => () => Promise<number>>;

for (const [name, form] of Object.entries(forms))
  test(`${name} creates a value once for concurrent calls, and again after a failure`, async () => {
    const { state, make } = ailing();
    const get = form(make);
    assert.equal(state.calls, 0);
    const failures = await Promise.allSettled([get(), get()]);
    assert.deepEqual([failures.map(({ status }) => status), state.calls], [['rejected', 'rejected'], 1]);
    state.isWell = true;
    assert.deepEqual(await Promise.all([get(), get()]), [2, 2]);
    assert.equal(await get(), 2);
  });

test('a rejected value removes only itself from the cache', async () => {
  const failing = Promise.withResolvers<number>();
  const first = memoize(shelf, 'late', () => failing.promise);
  shelf.delete('late');
  const second = memoize(shelf, 'late', () => Promise.resolve(2));
  failing.reject(new Error('late'));
  await assert.rejects(first);
  assert.equal(shelf.get('late'), second);
});

test('a reader whose program could not be loaded works once it can be', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-'));
  const program = join(directory, 'pdfium.wasm');
  const open = pdfReader(program);
  const bytes = await makePdf(['Hello']);
  await assert.rejects(open({ bytes }), { code: 'ENOENT' });
  await copyFile(join(import.meta.dirname, '../../node_modules', readerFiles.pdfium), program);
  assert.equal((await open({ bytes })).units, 1);
  await rm(directory, { recursive: true });
});
