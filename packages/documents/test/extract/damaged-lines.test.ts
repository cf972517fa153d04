import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere, fileOf, readWhole } from './read.ts';
import { assertLinear } from '../../../../test/support/cpu-time.ts';

const blocksOf = async (...file: Parameters<typeof fileOf>): Promise<readonly string[]> =>
  (await readWhole(fileOf(...file))).sections.flatMap(({ text }) => text.split('\n\n'));

const ships = Array.from({ length: 12 }, (_, at) => ({ ship: `Erna ${at + 1}`, note: 'a "quay" {in} [fog]\n\\' }));
const rows = ships.map(({ ship }) => `ship: ${ship}\nnote: a "quay" {in} [fog] \\`);

test('a damaged line of JSON Lines is named, and all other lines are read with their row numbers', async () => {
  for (const broken of ['{"ship":"Fri', '{"ship":"Frida"', 'lost', '{"ship":"Frida"},', '{"a":1} {"b"}']) {
    for (const at of [0, 5, 12]) {
      const lines = ships.map((ship) => JSON.stringify(ship));
      lines.splice(at, 0, broken);
      const file = fileOf('ships.jsonl', lines.join('\n'), 'application/jsonl');
      const { inspection, sections } = await readWhole(file);
      assert.deepEqual(inspection.notes, [`Line ${at + 1} is not valid JSON and was left out.`]);
      const text = sections.map((section) => section.text).join('\n\n');
      assert.ok(text.includes(rows.slice(at).join('\n\n')) && text.includes(rows.slice(0, at).join('\n\n')), broken);
    }
  }
  const many = Array.from({ length: 12 }, (_, at) => `{"ship":${at}}\n{"ship":`).join('\n');
  const { inspection } = await readWhole(fileOf('ships.ndjson', many));
  assert.deepEqual(inspection.notes, [
    '12 lines are not valid JSON and were left out: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and others.',
  ]);
});

test('JSON values that follow each other without separators are rows', async () => {
  for (const [between, indent] of [
    ['', 0],
    ['\n', 0],
    [' ', 2],
    ['\n', 2],
  ] as const) {
    const text = ships.map((ship) => JSON.stringify(ship, null, indent)).join(between);
    assert.deepEqual(await blocksOf('ships.json', text, 'application/json'), rows, JSON.stringify([between, indent]));
    assert.deepEqual(await blocksOf('ships.txt', text), rows);
  }
});

test('a file of damaged lines that is not declared as JSON is read as text, and so is a list that was cut off', async () => {
  const lines = [...ships.map((ship) => JSON.stringify(ship)), '[1] lost'].join('\n');
  assert.match((await blocksOf('a.txt', lines))[0] ?? '', /^\{"ship":"Erna 1".*\[1\] lost$/s);
  const list = JSON.stringify(ships, null, 1).slice(0, -3);
  assert.equal((await blocksOf('a.json', list))[0]?.slice(0, 20), list.slice(0, 20));
});

test('damaged JSON is read in time proportional to its length', async () => {
  for (const line of ['{"a":1}\n{"b":"\n', '{"a":1}\n{\n', '{"a":1}\n{"b":[\n', '{"a":1}', '{"a":1}{'])
    await assertLinear((lines) => readHere(fileOf('a.jsonl', line.repeat(lines))), 20_000, line);
});
