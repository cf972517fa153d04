import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom } from '../support/random.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { allVectors } from './support/files.ts';
import { type ApiAnswer, call, type Caller } from './support/organization.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';

/** As many as the whole run of the tests can afford. */
const rounds = Number(process.env['FULL_DISKS'] ?? 2);
/** A disk of this size is mounted if the variable says so, which needs root. By default the service may write no larger files. */
const mountsDisk = process.env['MOUNT_DISK'] !== undefined;
const seed = Number(process.env['SEED'] ?? 20260101);

/** A disk that takes no more data at a random moment. */
interface Disk {
  readonly directory: string;
  readonly fill: (service: ServiceProcess, share: number) => void;
  readonly free: (service: ServiceProcess) => void;
}

const mountDisk = (t: TestContext): Disk => {
  const root = mkdtempSync(join(tmpdir(), 'strata-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', root]);
  t.after(() => {
    execFileSync('umount', ['-l', root]);
    rmSync(root, { recursive: true });
  });
  const ballast = join(root, 'ballast');
  return {
    directory: join(root, 'data'),
    fill: (_, share) => {
      const { bavail, bsize } = statfsSync(root);
      const left = Math.floor(share * 2_000_000);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize - left, 1));
      } catch {
        // The service has used the rest meanwhile.
      }
    },
    free: () => rmSync(ballast),
  };
};

/** Bytes of the log of the tables, which they write from its beginning again and again. */
const logBytes = (directory: string): number => statSync(join(directory, 'tables', 'us-east-1.sqlite-wal')).size;

/** Limits the size of files that the service may write. A write beyond it is cut and fails, as on a full disk. */
const limitFiles = (): Disk => {
  const directory = join(temporaryDirectory(), 'data');
  const limit = ({ pid }: ServiceProcess, bytes: number | 'unlimited'): void => {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  };
  return {
    directory,
    fill: (service, share) => limit(service, Math.floor(share * logBytes(directory))),
    free: (service) => limit(service, 'unlimited'),
  };
};

/** Everything that the service has acknowledged. */
interface Acknowledged {
  readonly rows: Set<string>;
  /** Rows that the service may apply later. */
  readonly accepted: Set<string>;
  readonly aliases: Set<string>;
  readonly jobs: Set<string>;
  readonly keys: Set<string>;
}

const isAcknowledged = ({ status }: ApiAnswer): boolean => status < 300;

/** Whether the service will apply a change of rows later. */
const isAccepted = ({ status, body }: ApiAnswer): boolean =>
  status === 503 && /accepted but not yet applied/.test(String(body.detail));

/** Writes of three kinds until `signal` aborts. */
const write = async (
  { key }: ServiceProcess,
  indexId: string,
  round: number,
  acknowledged: Acknowledged,
  refused: ApiAnswer[],
  signal: AbortSignal,
): Promise<void> => {
  const repeat = async (one: (id: string) => Promise<ApiAnswer>, keep: (id: string, answer: ApiAnswer) => void) => {
    for (let at = 0; !signal.aborted; at += 1) {
      const id = `${round}-${at}`;
      const answer = await one(id);
      if (isAcknowledged(answer)) keep(id, answer);
      else refused.push(answer);
      if (isAccepted(answer)) acknowledged.accepted.add(id);
    }
  };
  const path = `/v1/indexes/${indexId}`;
  await Promise.all([
    repeat(
      (id) => call(key, 'POST', `${path}/vectors`, [{ id, vector: [1, 2, 3, 4], text: 'tea '.repeat(500) }]),
      (id) => acknowledged.rows.add(id),
    ),
    repeat(
      (id) => call(key, 'PUT', `/v1/aliases/alias-${id}`, { index_id: indexId }),
      (id) => acknowledged.aliases.add(`alias-${id}`),
    ),
    repeat(
      (id) => call(key, 'POST', `${path}/files`, { filename: `${id}.txt`, content_type: 'text/plain' }),
      (_, { body }) => acknowledged.jobs.add(body.id),
    ),
  ]);
};

const statusOf = async (caller: Caller, path: string): Promise<number> => (await call(caller, 'GET', path)).status;

const storedRows = async (key: Caller, indexId: string): Promise<ReadonlySet<string>> =>
  new Set((await allVectors(key, indexId)).map(({ id }) => String(id)));

/** Returns what is not there any more. */
const missing = async (
  { key }: ServiceProcess,
  indexId: string,
  { rows, aliases, jobs, keys }: Acknowledged,
): Promise<readonly string[]> => {
  const lost = async (ids: ReadonlySet<string>, read: (id: string) => Promise<number>): Promise<readonly string[]> => {
    const gone: string[] = [];
    await inParallel([...ids], 8, async (id) => {
      const status = await eventually(
        () => read(id),
        (answered) => answered !== 503,
      );
      if (status !== 200) gone.push(`${id} ${status}`);
    });
    return gone;
  };
  const stored = await storedRows(key, indexId);
  return [
    ...[...rows].filter((id) => !stored.has(id)),
    ...(await lost(aliases, (id) => statusOf(key, `/v1/aliases/${id}`))),
    ...(await lost(jobs, (id) => statusOf(key, `/v1/indexes/${indexId}/files/${id}`))),
    ...(await lost(keys, (bearer) => statusOf({ ...key, bearer }, '/v1/indexes?limit=1'))),
  ];
};

const countOf = ({ rows, aliases, jobs }: Acknowledged): number => rows.size + aliases.size + jobs.size;

test(
  `after a full disk, no acknowledged write is lost, ${rounds} times`,
  { timeout: 60_000 + rounds * 120_000, skip: process.platform === 'linux' ? false : 'prlimit is of Linux' },
  async (t) => {
    const random = randomFrom(seed);
    const disk = mountsDisk ? mountDisk(t) : limitFiles();
    mkdirSync(disk.directory);
    const lines: string[] = [];
    let service = await startProcess(disk.directory, (line) => lines.push(line));
    t.after(() => service.kill());
    const { body } = await call(service.key, 'POST', '/v1/indexes', { name: 'full', dimensions: 4 });
    const indexId: string = body.id;
    const acknowledged: Acknowledged = {
      rows: new Set(),
      accepted: new Set(),
      aliases: new Set(),
      jobs: new Set(),
      keys: new Set(),
    };
    for (let round = 0; round < rounds; round += 1) {
      const refused: ApiAnswer[] = [];
      const stopping = new AbortController();
      const writing = write(service, indexId, round, acknowledged, refused, stopping.signal);
      const before = countOf(acknowledged) + 3 + Math.floor(random() * 40);
      await eventually(() => (countOf(acknowledged) >= before && acknowledged.rows.size > 0) || null);
      lines.length = 0;
      disk.fill(service, random());
      await eventually(() => refused.some(({ status }) => status === 503) || null);
      const health = await eventually(
        () => call(service.key, 'GET', '/v1/health'),
        ({ status }) => status === 503,
      );
      assert.match(health.body.detail, new RegExp(`^${disk.directory} cannot be written: `));
      assert.ok(
        lines.some((line) => line.startsWith(health.body.detail)),
        lines.join('\n'),
      );
      const search = await call(service.key, 'POST', `/v1/indexes/${indexId}/search/sparse`, { text: 'tea', top_k: 1 });
      assert.deepEqual([search.status, search.body.results.length], [200, 1]);
      assert.equal(await statusOf(service.key, '/v1/indexes'), 200);
      await eventually(() => refused.some((answer) => String(answer.body.detail).includes(health.body.detail)) || null);
      disk.free(service);
      await eventually(
        () => statusOf(service.key, '/v1/health'),
        (status) => status === 200,
      );
      const after = countOf(acknowledged) + 3 + Math.floor(random() * 10);
      await eventually(() => countOf(acknowledged) >= after || null);
      acknowledged.keys.add((await call(service.session, 'POST', '/v1/api-keys', { name: 'later' })).body.token);
      stopping.abort();
      await writing;
      await (round % 2 === 0 ? service.kill() : service.stop());
      service = await startProcess(disk.directory, (line) => lines.push(line));
      assert.deepEqual(await missing(service, indexId, acknowledged), []);
      await eventually(
        () => storedRows(service.key, indexId),
        (stored) => acknowledged.accepted.isSubsetOf(stored),
      );
      t.diagnostic(`round ${round + 1}: ${countOf(acknowledged)} acknowledged, ${refused.length} refused`);
    }
  },
);
