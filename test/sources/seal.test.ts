import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as z from 'zod';
import { seal, unseal } from '../../shared/kernel/seal.ts';
import { tagged } from '../../shared/kernel/tagged.ts';

test('a sealed text opens with its key and context only', () => {
  const key = randomBytes(32);
  const plain = 'geheim 🔑';
  const sealed = seal(plain, key, 'ours');
  assert.equal(unseal(sealed, key, 'ours'), plain);
  assert.equal(unseal(seal('', key, ''), key, ''), '');
  assert.notEqual(seal(plain, key, 'ours'), sealed);
  assert.ok(!Buffer.from(sealed, 'base64').includes('geheim'));
  assert.throws(() => unseal(sealed, randomBytes(32), 'ours'));
  assert.throws(() => unseal(sealed, key, 'theirs'));
  assert.throws(() => unseal('', key, 'ours'));
  const bytes = Buffer.from(sealed, 'base64');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => unseal(changed.toString('base64'), key, 'ours'), `byte ${at}`);
  }
});

test('an unknown tag is reported together with every problem that does not depend on it', () => {
  const shape = tagged('kind', [
    z.object({ kind: z.literal('a'), name: z.string(), size: z.number() }),
    z.object({ kind: z.literal('b'), name: z.string() }),
  ]);
  const issues = (value: unknown) => shape.safeParse(value).error?.issues.map(({ code, path }) => [code, ...path]);
  assert.deepEqual(shape.parse({ kind: 'b', name: 'n', more: 1 }), { kind: 'b', name: 'n' });
  for (const kind of [undefined, null, 'c', 'constructor', '__proto__', 1, ['a']]) {
    assert.deepEqual(issues({ kind }), [
      ['invalid_value', 'kind'],
      ['invalid_type', 'name'],
    ]);
  }
  assert.deepEqual(issues({ kind: 'a' }), [
    ['invalid_type', 'name'],
    ['invalid_type', 'size'],
  ]);
  for (const value of [undefined, null, [], 'a', 1]) assert.deepEqual(issues(value), [['invalid_type']]);
});
