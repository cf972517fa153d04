import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { openReader } from '../src/open-location.ts';
import { keptOf } from '../src/segments/kept-versions.ts';
import { defaultBounds, type MergeBounds } from '../src/segments/write-version.ts';
import type { EngineReader, IndexRef } from '../src/port.ts';
import { makeRow, openBench, openEngines, tinyBounds } from './support/index-bench.ts';
import { timedStore } from '../../../bench/data/timed-store.ts';

const minuteMs = 60_000;
const start = Date.parse('2030-06-01T00:00:00Z');

const idsAt = async (reader: EngineReader, ref: IndexRef, version: number): Promise<readonly string[]> => {
  const [{ table }] = ref.layers;
  const at: IndexRef = { ...ref, manifest: '', layers: [{ table, version }], isPinned: true };
  const { rows } = await reader.list(at, { after: null, limit: 1_000 });
  return rows.map(({ id, version: written }) => `${id} ${written}`);
};

const forms: Readonly<Record<string, MergeBounds>> = { segments: defaultBounds, 'a table': tinyBounds };

for (const [form, bounds] of Object.entries(forms))
  test(`kept versions are read as they were after a day of writes and maintenance, and all others leave (${form})`, async () => {
    const uri = temporaryDirectory();
    let now = start;
    const clock = { now: () => new Date(now) };
    const objects = timedStore(uri, clock);
    const engines = openEngines(uri, { bounds, clock, objects });
    const { upsert, commit, ref, writer } = await openBench(uri, { dimensions: 2, metric: 'euclidean', engines });
    const retention = { keepSeconds: 20 * 60, keepDays: 1, keepVersions: [] };
    const expected = new Map<number, readonly string[]>();
    const commits = form === 'segments' ? 400 : 90;
    for (let at = 1; at <= commits; at += 1) {
      now += (1_800 / commits) * minuteMs;
      if (at % 7 === 0) await commit({ kind: 'delete', ids: [`row ${(at - 3) % 20}`] });
      else await upsert(makeRow(`row ${at % 20}`, [at, 1], { text: `text ${at}` }));
      const { version } = ref().layers[0];
      expected.set(version, await idsAt(engines.reader, ref(), version));
      if (at % 9 !== 0) continue;
      await writer.maintain(ref(), retention);
      await writer.collect(ref(), { ...retention, purge: at % 27 === 0 });
    }
    await writer.collect(ref(), { ...retention, purge: true });
    const reader = openReader({ uri, objects }, clock);
    const kept = await reader.versions(ref(), retention.keepDays);
    assert.ok(kept.length > 20, `${kept.length} versions`);
    let compared = 0;
    for (const { version } of kept) {
      const found = await idsAt(reader, ref(), version);
      // Maintenance has written the others, with the rows of the version before.
      const known = [...expected].findLast(([written]) => written <= version);
      assert.deepEqual(found, known?.[1] ?? [], `version ${version}`);
      compared += 1;
    }
    assert.equal(compared, kept.length);
    const oldest = kept[1]?.writtenAt.getTime() ?? 0;
    assert.ok(now - oldest < 25 * 60 * minuteMs, 'none is older than a day');
    assert.ok((await objects.list('main/versions/')).length < kept.length + 70, 'others are removed');
  });

test('versions are kept at the ends of units of time, for as long as they were the newest', () => {
  const at = (minutes: number): Date => new Date(start + minutes * minuteMs);
  const found = [0, 1, 2, 6, 7, 55, 56, 1_430, 1_439].map((minutes, number) => ({
    version: number + 1,
    writtenAt: at(minutes),
  }));
  const keptAt = (days: number, minutes: number) => keptOf(found, days, at(minutes)).map(({ version }) => version);
  assert.deepEqual(keptAt(0, 1_440), [7, 8, 9], 'all of the last twenty minutes');
  assert.deepEqual(keptAt(1, 1_440), [3, 5, 7, 8, 9], 'ends of five minutes');
  assert.deepEqual(keptAt(2, 2_880), [7, 9], 'ends of hours after a day');
  assert.deepEqual(keptAt(1, 2_880), [9]);
});
