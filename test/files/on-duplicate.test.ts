import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { cancelFile } from '../../functions/files/cancel.ts';
import { createFile } from '../../functions/files/create.ts';
import { listFiles } from '../../functions/files/list.ts';
import { beginJob, enqueueJob, filesWrite, type JobRecord, newJob, toProcessing } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { call, callOk, machine } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-duplicates-'));
const cloud = new Cloud(directory);
before(() => cloud.start());
after(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

const { runtime } = cloud;
const { files } = makeDeps({ files: filesWrite }, runtime);
const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Created {
  readonly id: string;
  readonly status?: string;
  readonly upload_url?: string;
  readonly replaces_job_id: string | null;
}

/** An index, and files that its caller creates in it. */
const newIndex = async () => {
  const caller = machine(newId('org', runtime.clock.now()));
  const { organizationId } = caller;
  await putOrganization(runtime, organizationId);
  const indexId = await putReadyIndex(runtime, organizationId);
  const path = { index_id: indexId };
  const create = (text: string | null, on_duplicate?: string, fields: object = {}, idempotencyKey?: string) =>
    call(runtime, createFile, caller, {
      path,
      body: {
        filename: 'notes.txt',
        content_type: 'text/plain',
        ...(text === null ? {} : { checksum_sha256: checksumOf(text) }),
        ...(on_duplicate === undefined ? {} : { on_duplicate }),
        ...fields,
      },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  const created = async (...asked: Parameters<typeof create>): Promise<Created> => {
    const { status, body } = await create(...asked);
    assert.equal(status, 201, JSON.stringify(body));
    return body as Created;
  };
  const addressOf = (jobId: string) => ({ organizationId, indexId, jobId });
  const jobOf = async (jobId: string): Promise<JobRecord> => (await files.get(addressOf(jobId))) ?? assert.fail();
  /** Completes a job without its file. */
  const complete = async (jobId: string): Promise<void> => {
    const at = runtime.clock.now().toISOString();
    await enqueueJob(files, addressOf(jobId), { sizeBytes: 1, at });
    await beginJob(files, addressOf(jobId), { tasksTotal: 1, note: '', at, event: {} });
    const processing = toProcessing(await jobOf(jobId), [], at);
    const set = { processing, chunks_written: 1, vectors_written: 1 };
    await files.transition(addressOf(jobId), 'completed', at, { set });
  };
  return {
    create,
    created,
    complete,
    jobOf,
    organizationId,
    indexId,
    jobs: async () => (await callOk(runtime, listFiles, caller, { path })) as unknown as readonly Created[],
    cancel: (jobId: string) => callOk(runtime, cancelFile, caller, { path: { ...path, job_id: jobId } }),
  };
};

describe('files of one name', { concurrency: false }, () => {
  it('a file is stored beside one of the same name unless the request says otherwise', async () => {
    const index = await newIndex();
    const first = await index.created('one');
    for (const on_duplicate of [undefined, 'keep']) {
      const next = await index.created('one', on_duplicate);
      assert.notEqual(next.id, first.id);
      assert.equal(next.replaces_job_id, null);
    }
    assert.equal((await index.jobs()).length, 3);
  });

  it('skip returns the job of a file with the same name and checksum, and creates nothing', async () => {
    const index = await newIndex();
    const first = await index.created('one');
    await index.complete(first.id);
    for (const checksum_sha256 of [checksumOf('one'), Buffer.from(checksumOf('one'), 'hex').toString('base64')]) {
      const { status, body } = await index.create(null, 'skip', { checksum_sha256 });
      assert.deepEqual([status, (body as Created).id, (body as Created).status], [200, first.id, 'completed']);
    }
    assert.equal((await index.jobs()).length, 1);
    const other = await index.created('two', 'skip');
    assert.equal(other.replaces_job_id, null);
    const renamed = await index.created('one', 'skip', { filename: 'other.txt' });
    assert.equal((await index.jobs()).length, 3);
    // The older of two files of the name is found too.
    await index.complete(other.id);
    assert.deepEqual((await index.create('one', 'skip')).status, 200);
    assert.notEqual(renamed.id, first.id);
  });

  it('skip finds a name in every form of Unicode', async () => {
    const index = await newIndex();
    const { id } = await index.created('one', 'skip', { filename: 'Übersicht.txt'.normalize('NFC') });
    assert.equal((await index.created('one', 'skip', { filename: 'Übersicht.txt'.normalize('NFD') })).id, id);
  });

  it('skip gives an equal file that never arrived another URL', async () => {
    const index = await newIndex();
    const first = await index.created('one', 'skip', { size_bytes: 3 });
    const again = await index.created('one', 'skip', { size_bytes: 3 });
    assert.equal(again.id, first.id);
    const sent = await fetch(again.upload_url ?? '', {
      method: 'PUT',
      headers: (again as unknown as { readonly upload_headers: Record<string, string> }).upload_headers,
      body: 'one',
    });
    assert.equal(sent.status, 200);
  });

  it('skip and replace need a checksum, and a wrong value is listed', async () => {
    const index = await newIndex();
    for (const on_duplicate of ['skip', 'replace']) {
      const { status, body } = await index.create(null, on_duplicate, { filename: '' });
      const { detail } = body as {
        readonly detail: readonly { readonly loc: readonly string[]; readonly type: string }[];
      };
      assert.equal(status, 422);
      assert.deepEqual(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).toSorted(), [
        'body.checksum_sha256 missing',
        'body.filename string_too_short',
      ]);
    }
    assert.equal((await index.create('one', 'overwrite')).status, 422);
    assert.equal((await index.create(null, 'keep')).status, 201);
  });

  it('jobs without content do not count as files of a name', async () => {
    const index = await newIndex();
    const first = await index.created('one');
    await index.cancel(first.id);
    assert.notEqual((await index.created('one', 'skip')).id, first.id);
    const other = await newIndex();
    await other.cancel((await other.created('one')).id);
    assert.equal((await other.created('two', 'replace')).replaces_job_id, null);
  });

  it('replace names the newest file that is open or has content', async () => {
    const index = await newIndex();
    const first = await index.created('one');
    await index.complete(first.id);
    const second = await index.created('two', 'replace');
    assert.equal(second.replaces_job_id, first.id);
    const third = await index.created('three', 'replace');
    assert.equal(third.replaces_job_id, second.id, 'an unfinished file is followed');
    await index.cancel(third.id);
    await index.cancel(second.id);
    assert.equal((await index.created('four', 'replace')).replaces_job_id, first.id);
    assert.equal((await index.created('five', 'replace', { filename: 'new.txt' })).replaces_job_id, null);
  });

  it('concurrent requests for one file create one job, and concurrent replacements follow each other', async () => {
    const index = await newIndex();
    const skipped = await Promise.all(Array.from({ length: 5 }, () => index.created('one', 'skip')));
    assert.equal(new Set(skipped.map(({ id }) => id)).size, 1);
    const [first] = skipped;
    const next = await Promise.all(Array.from({ length: 4 }, (_, at) => index.created(`new ${at}`, 'replace')));
    const replaced = next.map(({ replaces_job_id }) => replaces_job_id);
    assert.equal(new Set(replaced).size, 4, 'each replaces another one');
    assert.ok(replaced.includes(first?.id ?? ''));
  });

  it('a repeat under one Idempotency-Key gets the first response, created or skipped', async () => {
    const index = await newIndex();
    const first = await index.created('one', 'replace', {}, 'first');
    assert.deepEqual(await index.created('one', 'replace', {}, 'first'), first);
    await index.complete(first.id);
    const skipped = await index.create('one', 'skip', {}, 'skip');
    assert.equal(skipped.status, 200);
    await index.created('one', 'replace');
    assert.deepEqual(await index.create('one', 'skip', {}, 'skip'), skipped);
    assert.equal((await index.create('two', 'skip', {}, 'skip')).status, 409);
  });

  it('a request that the plan refuses leaves no file of its name', async (context) => {
    const index = await newIndex();
    const allow = changeLimits(context);
    allow({ file_jobs_per_month: 0 });
    for (const on_duplicate of ['keep', 'skip', 'replace'])
      assert.equal((await index.create('one', on_duplicate)).status, 402);
    allow({ file_jobs_per_month: 10 });
    assert.equal((await index.created('one', 'skip')).replaces_job_id, null);
  });

  it('a job whose request died after it recorded the name delays others for a minute at most', async () => {
    const index = await newIndex();
    const now = runtime.clock.now();
    const { organizationId, indexId } = index;
    const dead = newJob({
      id: newId('job', now),
      organizationId,
      indexId,
      region: runtime.config.region,
      filename: 'notes.txt',
      contentType: 'text/plain',
      source: 'upload',
      status: 'awaiting_upload',
      checksumSha256: checksumOf('one'),
      metadata: {},
      replacesJobId: null,
      createdAt: now.toISOString(),
    });
    await files.recordName(dead);
    assert.equal((await index.create('one', 'skip')).status, 503);
    cloud.advance(61);
    assert.equal((await index.create('one', 'skip')).status, 201);
  });

  it('a name remembers its newest files, however many there are', async () => {
    const index = await newIndex();
    for (let at = 0; at < 45; at += 1) await index.created(`text ${at}`);
    const { jobs } = await files.jobsNamed({
      organizationId: index.organizationId,
      indexId: index.indexId,
      filename: 'notes.txt',
    });
    assert.ok(jobs.length < 40, `${jobs.length} jobs`);
    assert.equal((await index.created('text 44', 'skip')).id, jobs[0]?.jobId);
  });
});
