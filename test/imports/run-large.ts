// Imports one object of many megabytes and prints how much memory the worker took. Argument: --mb N (default 2048).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createImport } from '../../functions/imports/create.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, person } from '../support/call.ts';
import { putOrganization } from '../support/organization.ts';
import { putReadyIndex } from '../support/ready-index.ts';
import { GcsServer } from './support/gcs-server.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '2048' } } });
const mebibyte = 1024 * 1024;
const size = Number(values.mb) * mebibyte;

/** The object says in each megabyte how many were before it. */
const megabyte = (number: number): Buffer => Buffer.alloc(mebibyte, `${number} `);
const read = (start: number, end: number): Buffer => {
  const first = Math.floor(start / mebibyte);
  const count = Math.ceil(end / mebibyte) - first;
  const all = Buffer.concat(Array.from({ length: count }, (_, at) => megabyte(first + at)));
  return all.subarray(start - first * mebibyte, end - first * mebibyte);
};
const md5 = createHash('md5');
for (let number = 0; number < size / mebibyte; number += 1) md5.update(megabyte(number));

const directory = await mkdtemp(join(tmpdir(), 'strata-large-'));
const cloud = new Cloud(directory);
const gcs = new GcsServer();
try {
  await Promise.all([cloud.start({ faulty: false }), gcs.start()]);
  gcs.putMade('public', 'large', { size, read, md5: md5.digest('base64'), encoding: '' });
  const caller = { ...person(newId('org', new Date()), 'owner'), plan: 'enterprise' as const };
  const { organizationId } = caller;
  await putOrganization(cloud.runtime, organizationId, { plan: 'enterprise' });
  const index = await putReadyIndex(cloud.runtime, organizationId);
  const body = { provider: 'gcs', uri: 'gs://public/large' };
  const answer = await call(cloud.runtime, createImport, caller, { path: { index_id: index }, body });
  const job = (answer.body as { readonly id: string }).id;
  const worker = spawn(
    process.execPath,
    [join(import.meta.dirname, 'run-import-worker.ts'), organizationId, index, job, gcs.endpoint],
    { stdio: 'inherit' },
  );
  const [code] = (await once(worker, 'close')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  gcs.stop();
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
}
