import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { cutUnits } from '../../src/extract/cut-units.ts';
import { expandSpans, tableBlocks } from '../../src/extract/table.ts';

const paragraph = { text: 'The valves were checked in May. Two of them leak.', level: null };

test('every chunk of a long table begins with its title and head, and ends after a whole row', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_500 }),
      fc.integer({ min: 400, max: 2_000 }),
      fc.integer({ min: 0, max: 150 }),
      (count, maxChars, overlapChars) => {
        const rows = Array.from({ length: count }, (_, at) => [`V-${at + 1}`, at % 3 === 0 ? '' : 'Hall', `${at * 7}`]);
        const grid = { rows: [['Valve', 'Place', 'Limit (bar)'], ...rows], title: 'Valves', headRows: 1 };
        const sections = [...cutUnits([paragraph, ...tableBlocks(grid), paragraph])].flat();
        const chunks = chunkSections(sections, { maxChars, overlapChars });
        const written = new Set(rows.map((row) => row.join(' | ').replaceAll('  ', ' ')));
        const found = new Set<string>();
        for (const { text } of chunks) {
          assert.ok(text.length <= maxChars, `${text.length} characters`);
          const lines = text.split('\n');
          const first = lines.findIndex((line) => line.startsWith('V-'));
          if (first === -1) continue;
          assert.deepEqual(lines.slice(first - 2, first), ['Valves', 'Valve | Place | Limit (bar)']);
          const body = lines.filter((line) => line.startsWith('V-'));
          for (const line of body) assert.ok(written.has(line), line);
          for (const line of body) found.add(line);
        }
        assert.equal(found.size, count);
      },
    ),
    { numRuns: 30, seed: 5 },
  );
});

test('a table of many columns names the column of each value in its row', () => {
  const names = Array.from({ length: 60 }, (_, at) => `Column number ${at}`);
  const [first, second] = tableBlocks({
    rows: [names, names.map((_, at) => `value ${at}`), ['x', '', 'y']],
    headRows: 1,
  });
  assert.match(first?.text ?? '', /^Column number 0: value 0\nColumn number 1: value 1\n/);
  assert.equal(second?.text, 'Column number 0: x\nColumn number 2: y');
});

test('a merged cell has its text in every cell that it covers', () => {
  const rows = expandSpans([
    [
      { text: 'Vessel', rows: 2 },
      { text: 'Summer', columns: 2 },
      { text: 'Winter', columns: 2 },
    ],
    [{ text: 'Week' }, { text: 'Weekend' }, { text: 'Week' }, { text: 'Weekend' }],
    [{ text: 'Draco', rows: 0 }, { text: '8' }, { text: '9' }, { text: '', columns: 1 }, { text: '11' }],
    [{ text: '7' }, { text: '', columns: 2 }, { text: '10' }],
  ]);
  assert.deepEqual(rows, [
    ['Vessel', 'Summer', 'Summer', 'Winter', 'Winter'],
    ['Vessel', 'Week', 'Weekend', 'Week', 'Weekend'],
    ['Draco', '8', '9', '', '11'],
    ['Draco', '7', '', '', '10'],
  ]);
  const [block] = tableBlocks({ rows, headRows: 2 });
  assert.equal(block?.head, 'Vessel | Summer | Summer | Winter | Winter\nVessel | Week | Weekend | Week | Weekend');
  assert.match(block?.text ?? '', /\nDraco \| 8 \| 9 \| \| 11\nDraco \| 7 \| \| \| 10$/);
});

test('merged cells of impossible size are bounded', () => {
  const wide = Array.from({ length: 500 }, () => [{ text: 'x'.repeat(1_000), columns: 1_000_000, rows: 1_000_000 }]);
  const chars = expandSpans(wide).reduce((sum, row) => sum + row.join('').length, 0);
  assert.ok(chars <= 500 * 1_000 + 200_000, `${chars} characters`);
});
