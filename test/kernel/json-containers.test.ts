import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasMoreContainers } from '../../shared/kernel/json-text.ts';

test('objects and lists of a text are counted wherever they are nested, and brackets in strings are not', () => {
  const nested = '{"a":[[],{"b":[]}]}';
  assert.equal(hasMoreContainers(nested, 5), false);
  assert.equal(hasMoreContainers(nested, 4), true);
  assert.equal(hasMoreContainers(JSON.stringify([`${'{['.repeat(50)}"\\`, {}]), 2), false);
  assert.equal(hasMoreContainers(`[${'{},'.repeat(100)}{}]`, 101), true);
  assert.equal(hasMoreContainers(`[${'0,'.repeat(500)}0]`, 1), false);
});
