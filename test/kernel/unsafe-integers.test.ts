import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unsafeIntegers, withDecimalPoints } from '../../shared/kernel/unsafe-integers.ts';

const found = (text: string, isFree = true): readonly string[] =>
  [...unsafeIntegers(text, JSON.parse(text), isFree)].map(({ path }) => path.join('.'));

test('whole numbers that a number does not keep are found by their path, in texts of any form', () => {
  const [last, next] = ['9007199254740991', '9007199254740992'];
  assert.deepEqual(found(`[${last},-${last},{"a":[${next}],"b":-${next}}]`), ['2.a.0', '2.b']);
  assert.deepEqual(found(`{ "a" :\n${next} , "b":\t[ 1746714878034235397 ] }`), ['a', 'b.0']);
  const kept = [
    '1e16',
    '9007199254740993.0',
    '12345678901234567.25',
    '1.2345678901234567891e25',
    '1e-12345678901234567',
  ];
  assert.deepEqual(found(`{"a":[${kept.join()}],"b":"${next}","\\",${next}":"\\"${next}","${next}":0}`), []);
});

test('numbers outside of metadata and filters may be large, such as those of vectors', () => {
  const large = '10000000000000000000';
  const row = `{"id":"a","vector":[${large}],"size":${large},"metadata":{"vector":[${large}]}}`;
  assert.deepEqual(found(`[${row}]`, false), ['0.metadata.vector.0']);
  const query = `{"params":{"arguments":{"filters":[{"value":${large}}],"filter":{"a":{"$in":[0,${large}]}}}}}`;
  assert.deepEqual(found(query, false), ['params.arguments.filters.0.value', 'params.arguments.filter.a.$in.1']);
  assert.deepEqual(found(large), []);
});

test('large floats are written so that they are read again, with the same value', () => {
  const anyNumber = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(1e16, -1e20, 2 ** 60),
  );
  const isKept = (value: unknown): void => {
    const text = withDecimalPoints(JSON.stringify(value));
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    assert.deepEqual(found(text), []);
  };
  fc.assert(fc.property(fc.array(fc.oneof(anyNumber, fc.string(), fc.record({ a: anyNumber }))), isKept), { seed: 7 });
});
