import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRefusal } from '../../shared/kernel/json-text.ts';

test('objects and lists of a JSON text are counted at any depth, and brackets in strings are not', () => {
  const nested = '{"a":[[],{"b":[]}]}';
  assert.equal(parseRefusal(nested, 5), null);
  assert.equal(parseRefusal(nested, 4), 'too_many');
  assert.equal(parseRefusal(JSON.stringify([`${'{['.repeat(50)}"\\`, {}]), 2), null);
  assert.equal(parseRefusal(`[${'{},'.repeat(100)}{}]`, 101), 'too_many');
  assert.equal(parseRefusal(`[${'0,'.repeat(500)}0]`, 1), null);
});

test('a JSON text with too many levels is rejected at the first of them', () => {
  assert.deepEqual(parseRefusal(`${'['.repeat(500)}${']'.repeat(500)}`, 200), {
    position: 100,
    what: 'nested deeper than 100 levels',
  });
});
