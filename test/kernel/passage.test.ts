import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundRegions, packPassage, unpackPassage, readRegions } from '../../shared/kernel/passage.ts';

const cells = Array.from({ length: 60 }, (_, at) => ({
  page: 1 + Math.floor(at / 30),
  left: 0.1 + 0.3 * (at % 3),
  top: 0.1 + 0.02 * Math.floor((at % 30) / 3),
  width: 0.2,
  height: 0.015,
}));

test('the boxes of many cells are joined within their pages until the result is at most half as large again', () => {
  const joined = boundRegions(cells, 1_000);
  assert.ok(Buffer.byteLength(JSON.stringify(joined)) < 1_000 && joined.length > 2, String(joined.length));
  for (const { page, left, top, width, height } of cells) {
    const [x, y] = [left + width / 2, top + height / 2];
    const isIn = (box: (typeof cells)[number]): boolean =>
      box.page === page && x > box.left && x < box.left + box.width && y > box.top && y < box.top + box.height;
    assert.ok(joined.some(isIn));
  }
  assert.deepEqual(boundRegions(cells.slice(0, 3), 1_000), cells.slice(0, 3));
  assert.equal(boundRegions(cells, 0).filter(({ page }) => page === 2).length > 0, true);
});

test('a passage is unpacked as it was packed, and absent places are none', () => {
  const [first] = cells;
  const passage = { start: 3, end: 99, regions: first === undefined ? [] : [first] };
  assert.deepEqual(unpackPassage(packPassage(passage)), passage);
  assert.deepEqual(unpackPassage(packPassage({ ...passage, regions: [] })), { ...passage, regions: [] });
  assert.equal(unpackPassage(undefined), null);
});

test('boxes of a file of rows are read if each is one, and there are not too many', () => {
  const region = { page: 7, left: 0.1, top: 0, width: 0.5, height: 1 };
  assert.deepEqual(readRegions([{ ...region, colour: 'red' }, region]), [region, region]);
  const refused = [
    null,
    'all',
    { ...region },
    [region, null],
    [{ ...region, page: 0 }],
    [{ ...region, page: 1.5 }],
    [{ ...region, left: -0.1 }],
    [{ ...region, width: 1.1 }],
    [{ ...region, top: '0' }],
    [{ page: 7 }],
    Array.from({ length: 1_001 }, () => region),
  ];
  for (const value of refused) assert.deepEqual(readRegions(value), [], JSON.stringify(value).slice(0, 100));
});
