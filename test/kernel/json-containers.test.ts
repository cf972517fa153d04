import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRefusal } from '../../shared/kernel/json-text.ts';

const ample = { containers: 1_000, keys: 1_000, keysOfObject: 10 };

test('objects and lists of a JSON text are counted at any depth, and brackets in strings are not', () => {
  const nested = '{"a":[[],{"b":[]}]}';
  assert.equal(parseRefusal(nested, { ...ample, containers: 5 }), null);
  assert.equal(parseRefusal(nested, { ...ample, containers: 4 }), 'containers');
  assert.equal(parseRefusal(JSON.stringify([`${'{['.repeat(50)}"\\`, {}]), { ...ample, containers: 2 }), null);
  assert.equal(parseRefusal(`[${'{},'.repeat(100)}{}]`, { ...ample, containers: 101 }), 'containers');
  assert.equal(parseRefusal(`[${'0,'.repeat(500)}0]`, { ...ample, containers: 1 }), null);
});

test('a JSON text with too many levels is rejected at the first of them', () => {
  assert.deepEqual(parseRefusal(`${'['.repeat(500)}${']'.repeat(500)}`, { ...ample, containers: 200 }), {
    position: 100,
    what: 'nested deeper than 100 levels',
  });
});

test('keys of a JSON text are counted by object and together, and texts in lists are not', () => {
  const keys = (count: number): string => Array.from({ length: count }, (_, at) => `"${at}":"a:"`).join();
  const two = { containers: 9, keys: 100, keysOfObject: 2 };
  assert.equal(parseRefusal(`{"a":{${keys(2)}},"b":[${'"c",'.repeat(20)}"c"]}`, two), null);
  assert.equal(parseRefusal(`{"a":[{${keys(3)}}]}`, two), 'keysOfObject');
  assert.equal(parseRefusal(`[{${keys(2)}},{${keys(2)}}]`, { ...two, keys: 3 }), 'keys');
});
