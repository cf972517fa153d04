import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { randomFrom } from '../support/random.ts';
import { makePdf } from '../support/make-pdf.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { call } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';

const directories: string[] = [];
const services = new Set<ServiceProcess>();

after(async () => {
  for (const service of services) await service.kill();
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

const newDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-crash-'));
  directories.push(directory);
  return directory;
};

const start = async (directory: string): Promise<ServiceProcess> => {
  const service = await startProcess(directory);
  services.add(service);
  return service;
};

const crash = async (service: ServiceProcess): Promise<void> => {
  services.delete(service);
  await service.kill();
};

const unfinished = new Set(['awaiting_upload', 'queued', 'processing']);

const seed = 20260101;
/** As many as the whole run of the tests can afford. */
const mostKills = Number(process.env['KILLS'] ?? 2);

test(
  `a job survives ${mostKills} kills of everything and has the same result as without them`,
  { timeout: 400_000 },
  async (t) => {
    const directory = await newDirectory();
    let service = await start(directory);
    const index = (await call(service.key, 'POST', '/v1/indexes', { name: 'crash', dimensions: 64 })).body.id;
    const pages = Array.from(
      { length: 300 },
      (_, at) => `Page ${at + 1} tells of lighthouse keeper number ${1000 + at}.`,
    );
    const pdf = await makePdf(pages);
    const jobs: string[] = [];
    const statusOf = async (jobId: string): Promise<string> =>
      (await call(service.key, 'GET', `/v1/indexes/${index}/files/${jobId}`)).body.status;
    const random = randomFrom(seed);
    t.diagnostic(`seed ${seed}`);
    for (let kills = 0; kills < mostKills;) {
      // A job that has ended before its kills hands the rest of them to another one.
      const last = jobs.at(-1);
      if (last === undefined || !unfinished.has(await statusOf(last))) {
        jobs.push(await upload(service.key, index, `keepers-${jobs.length}.pdf`, 'application/pdf', pdf));
      }
      const momentMs = Math.floor(random() * 1500);
      await new Promise((resolve) => {
        setTimeout(resolve, momentMs);
      });
      const status = await statusOf(jobs.at(-1) ?? '');
      await crash(service);
      service = await start(directory);
      t.diagnostic(`killed ${momentMs} ms later: job ${jobs.length} was ${status}`);
      if (unfinished.has(status)) kills += 1;
    }
    let vectorsWritten = 0;
    for (const jobId of jobs) {
      const job = await finished(service.key, index, jobId, 300);
      assert.equal(job.status, 'completed');
      vectorsWritten += job.vectors_written;
    }
    const history = await eventually(
      () => call(service.session, 'GET', '/v1/organization/webhooks/events?limit=100'),
      ({ body }) =>
        body.events.filter(({ event_type }: { event_type: string }) => event_type === 'file.processing.completed')
          .length >= jobs.length,
      150,
    );
    const types = history.body.events.map(
      ({ event_type, job_id }: { event_type: string; job_id: string | null }) => `${event_type} ${job_id ?? ''}`,
    );
    const expected = jobs.flatMap((jobId) => [
      `file.processing.completed ${jobId}`,
      `file.processing.started ${jobId}`,
    ]);
    assert.deepEqual(types.toSorted(), [...expected, 'index.created '].toSorted());
    const rows = await allVectors(service.key, index);
    assert.deepEqual([rows.length, new Set(rows.map(({ id }) => id)).size], [vectorsWritten, vectorsWritten]);
  },
);

test('a thousand acknowledged vectors are there after a kill', { timeout: 120_000 }, async () => {
  const directory = await newDirectory();
  const service = await start(directory);
  const index = (await call(service.key, 'POST', '/v1/indexes', { name: 'durable', dimensions: 16 })).body.id;
  const random = randomFrom(7);
  const items = Array.from({ length: 1000 }, (_, at) => ({
    id: `v${at}`,
    vector: Array.from({ length: 16 }, random),
    metadata: { at },
  }));
  const acknowledged = await call(service.key, 'POST', `/v1/indexes/${index}/vectors`, items);
  assert.deepEqual(acknowledged.body.upserted, 1000);
  await crash(service);
  const again = await start(directory);
  const rows = await allVectors(again.key, index);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(items.map(({ id }) => id)));
});
