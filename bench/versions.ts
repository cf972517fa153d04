// `npm run bench:versions`: storage of the kept versions of an index after days of writes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { openReader, openWriter, type Row } from '#engine';
import { seededRandom } from './data/random.ts';
import { bytesOf, timedStore } from './data/timed-store.ts';
import { markdownTable, whole } from './report/table.ts';

const usage = `npm run bench:versions -- [options]

Writes to an index for some days of a clock of its own, with the maintenance that the service requests. Measures the bytes
of its objects by the days for which versions are kept.

  --rows N      rows of the index (default 5000)
  --writes N    commits in an hour, of ten rows each (default 60)
  --hours N     hours of writes (default 48)
`;

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '5000' },
    writes: { type: 'string', default: '60' },
    hours: { type: 'string', default: '48' },
    help: { type: 'boolean', default: false },
  },
});

const [rows, writes, hours] = [Number(values.rows), Number(values.writes), Number(values.hours)];
const dimensions = 384;
const rowsPerCommit = 10;
const hourMs = 3_600_000;
/** Commits after which the service requests maintenance in any case, and hours between its purges. */
const [maintenanceAfter, purgeHours] = [128, 6];

const measure = async (keepDays: number): Promise<readonly [versions: number, bytes: number]> => {
  const random = seededRandom(7);
  const uri = await mkdtemp(join(tmpdir(), 'strata-versions-'));
  let now = Date.parse('2030-06-01T00:00:00Z');
  const clock = { now: () => new Date(now) };
  const objects = timedStore(uri, clock);
  const [writer, reader] = [openWriter({ uri, objects }, { clock }), openReader({ uri, objects }, clock)];
  const refAt = (version: number) =>
    ({ dimensions, metric: 'cosine', nonFilterableKeys: [], layers: [{ table: 'main', version }] }) as const;
  let state = await writer.create(refAt(0));
  const upsert = async (...written: readonly Row[]): Promise<void> => {
    ({ state } = await writer.commit(refAt(state.version), [{ kind: 'upsert', rows: written }]));
  };
  const rowOf = (nth: number): Row => ({
    id: `row-${nth}`,
    vector: Float32Array.from({ length: dimensions }, () => random() - 0.5),
    text: `Note ${nth}. `.repeat(40),
    metadata: {},
    jobId: null,
    filename: null,
    pageStart: null,
    pageEnd: null,
  });
  for (let from = 0; from < rows; from += 500)
    await upsert(...Array.from({ length: Math.min(500, rows - from) }, (_, at) => rowOf(from + at)));
  const maintain = async (purge: boolean): Promise<void> => {
    const retention = { keepSeconds: 20 * 60, keepDays, keepVersions: [state.version], purge };
    state = await writer.maintain(refAt(state.version), retention);
    await writer.collect(refAt(state.version), retention);
  };
  let since = 0;
  for (let at = 0; at < hours * writes; at += 1) {
    now += hourMs / writes;
    await upsert(...Array.from({ length: rowsPerCommit }, () => rowOf(Math.floor(random() * rows))));
    since += 1;
    const isPurge = at % (purgeHours * (1 + keepDays) * writes) === 0;
    if (!isPurge && since < maintenanceAfter && state.maintenance === 'none') continue;
    await maintain(isPurge);
    since = 0;
  }
  await maintain(true);
  const kept = await reader.versions(refAt(state.version), keepDays);
  const bytes = await bytesOf(uri, objects, 'main');
  await rm(uri, { recursive: true, force: true });
  return [kept.length, bytes];
};

if (values.help) process.stdout.write(usage);
else {
  const measured: (readonly [number, number, number])[] = [];
  for (const days of [0, 1, 2, 7]) measured.push([days, ...(await measure(days))]);
  const least = measured[0]?.[2] ?? 1;
  const table = markdownTable(
    ['`version_days`', 'Kept versions', 'MB', 'Times that of 0'],
    measured.map(([days, versions, bytes]) => [
      String(days),
      whole(versions),
      (bytes / 1e6).toFixed(1),
      (bytes / least).toFixed(2),
    ]),
  );
  process.stdout.write(
    `${rows} rows of ${dimensions} dimensions, ${hours} hours with ${writes} commits of ${rowsPerCommit} rows in each:\n\n${table}\n`,
  );
}
