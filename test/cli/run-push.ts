// `npm run test:push`: kills `strata push` of many files at random moments, changes some files and repeats it. Then every
// file must have exactly one job that is not replaced, of its newest content. With --complete it also waits until all jobs
// have completed.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient, type FileJobResponse } from '#client';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';
import { startService } from '../../scripts/support/start-service.ts';
import { randomFrom } from '../support/random.ts';

const { values } = commandLine({
  options: {
    files: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    complete: { type: 'boolean', default: false },
  },
});
const [files, kills, seed] = [Number(values.files), Number(values.kills), Number(values.seed)];
/** The latest moment of a kill, by the time that a file takes. */
const msPerFile = 12;
const filesPerDirectory = 500;
/** Share of the files that change before each repetition. */
const changedShare = 0.05;

const random = randomFrom(seed);
const directory = await mkdtemp(join(tmpdir(), 'strata-push-'));
const content = join(directory, 'files');
const names = Array.from({ length: files }, (_, at) => `${Math.floor(at / filesPerDirectory)}/${at}.txt`);
for (let at = 0; at < files; at += filesPerDirectory)
  await mkdir(join(content, String(at / filesPerDirectory)), { recursive: true });
const contents = new Map<string, string>();
const write = async (name: string, version: number): Promise<void> => {
  const text = `Note ${name}, version ${version}: the lighthouse stands on a cliff.`;
  contents.set(name, text);
  await writeFile(join(content, name), text);
};
for (const name of names) await write(name, 0);

const service = startService({ dataDirectory: join(directory, 'data') });
const { base_url: baseUrl, api_key: token, organization_id: organizationId } = await service.ready;
// The first plan allows 600 file jobs per minute.
const plan = ['--organization', organizationId, '--plan', 'scale', '--local', baseUrl];
await promisify(execFile)(process.execPath, [join(projectDirectory, 'scripts/set-plan.ts'), ...plan]);
const client = createClient({ baseUrl, token, retries: 30 });
const { id } = await client.post('/v1/indexes', { body: { name: 'pushed' } });

const strata = (...args: readonly string[]): ChildProcess =>
  spawn(
    process.execPath,
    [join(projectDirectory, 'packages/typescript/src/cli/main.ts'), ...args, '--index', id, '--json'],
    {
      env: { ...process.env, STRATA_URL: baseUrl, STRATA_API_KEY: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

const listJobs = async (): Promise<readonly FileJobResponse[]> => {
  const params = { path: { index_id: id }, query: { limit: 1_000 } };
  return Array.fromAsync(client.pages('/v1/indexes/{index_id}/files', { params }));
};

const push = async (): Promise<string> => {
  const child = strata('push', content);
  const [output] = await Promise.all([child.stdout === null ? '' : text(child.stdout), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`strata push ended with ${child.exitCode}: ${output}`);
  return output.trim();
};

/** A file as its job names it: by path and checksum. */
const labelOf = (name: string, checksum: string | null | undefined): string => `${name} ${checksum ?? null}`;

const isOpen = ({ status }: FileJobResponse): boolean => /^(?:awaiting_upload|queued|processing)$/.test(status);

/** Jobs that have or will have content, without those that another one is replacing. */
const lastingJobs = async (): Promise<readonly FileJobResponse[]> => {
  const live = (await listJobs()).filter((job) => isOpen(job) || job.status.startsWith('completed'));
  const replaced = new Set(live.filter(isOpen).map(({ replaces_job_id: id }) => id));
  return live.filter(({ id }) => !replaced.has(id));
};

const secondsSince = (startedMs: number): string => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;

let passed = false;
try {
  const firstMs = performance.now();
  for (let kill = 1; kill <= kills; kill += 1) {
    // The first pushes find files that are new, the later ones also files that have changed.
    const changed = kill === 1 ? [] : names.filter(() => random() < changedShare);
    for (const name of changed) await write(name, kill);
    const child = strata('push', content);
    const exited = once(child, 'exit');
    const afterMs = Math.round(random() * files * msPerFile);
    await Promise.race([exited, setTimeout(afterMs, undefined, { ref: false })]);
    const isKilled = child.kill('SIGKILL');
    await exited;
    console.log(
      `${isKilled ? `killed after ${afterMs} ms` : 'ended before the kill'}: ${(await listJobs()).length} jobs`,
    );
  }
  const lastMs = performance.now();
  console.log(`last push: ${await push()}, ${secondsSince(lastMs)}`);
  const jobs = await lastingJobs();
  const unique = new Set(jobs.map(({ filename, checksum_sha256: checksum }) => labelOf(filename, checksum)));
  const labels = new Set(
    [...contents].map(([name, text]) => labelOf(name, createHash('sha256').update(text).digest('hex'))),
  );
  const [missing, unknown] = [labels.difference(unique).size, unique.difference(labels).size];
  const duplicates = jobs.length - unique.size;
  console.log(
    `${files} files, ${jobs.length} jobs: ${duplicates} duplicates, ${missing} missing, ${unknown} unknown, ${secondsSince(firstMs)}`,
  );
  passed = duplicates === 0 && missing === 0 && unknown === 0;
  if (values.complete) {
    await once(strata('jobs', '--watch', '--status', 'failed'), 'exit');
    const completed = (await listJobs()).filter(({ status }) => status.startsWith('completed')).length;
    console.log(`${completed} jobs completed, ${secondsSince(firstMs)}`);
    passed &&= completed === files;
  }
} finally {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}
console.log(passed ? `${files} passed, 0 failed` : '0 passed, 1 failed');
process.exitCode = passed ? 0 : 1;
