import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { cancelFile } from '../../functions/files/cancel.ts';
import { createFile } from '../../functions/files/create.ts';
import { listFiles } from '../../functions/files/list.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { expireJob, filesWrite, planSend } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { type Extractor, UnreadableFile } from '#documents';
import { contentBucket } from '../../shared/platform/aws/objects.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { call, callOk } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { putStoredJob } from '../support/stored-job.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-originals-'));
const cloud = new Cloud(directory);
before(() => cloud.start());
after(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

const { runtime } = cloud;
const deps = makeDeps({ files: filesWrite, plans: planSend }, runtime);
const maxBytes = 1000;

/** Reads no file: it is not their content that matters here. */
const refuse = (): Promise<never> => Promise.reject(new UnreadableFile('unreadable'));
const extractor: Extractor = { inspect: refuse, extract: refuse, extractSpan: refuse };

interface Upload {
  readonly id: string;
  readonly upload_url: string;
  readonly upload_headers: Readonly<Record<string, string>>;
}

/** An index with its owner, and what a test does with files of it. */
const newIndex = async () => {
  const { caller, indexId } = await putStoredJob(runtime);
  await putOrganization(runtime, caller.organizationId);
  const path = { index_id: indexId };
  const start = (body: object = {}) =>
    call(runtime, createFile, caller, { path, body: { filename: 'a.txt', content_type: 'text/plain', ...body } });
  const addressOf = ({ id }: Upload) => ({ organizationId: caller.organizationId, indexId, jobId: id });
  const jobOf = async (upload: Upload) => (await deps.files.get(addressOf(upload))) ?? assert.fail();
  return {
    start,
    jobOf,
    jobs: () => call(runtime, listFiles, caller, { path }),
    begin: async (body?: object) => (await start(body)).body as Upload,
    cancel: ({ id }: Upload) => callOk(runtime, cancelFile, caller, { path: { ...path, job_id: id } }),
    /** Sends a file to the address; the status of the answer. */
    put: async ({ upload_url, upload_headers }: Upload, bytes: number, headers: Record<string, string> = {}) =>
      (
        await fetch(upload_url, {
          method: 'PUT',
          headers: { ...upload_headers, ...headers },
          body: new Uint8Array(bytes),
        })
      ).status,
    /** Plans as the notification of the bucket asks for it. */
    notify: async (upload: Upload) => {
      await deps.plans.resend(await jobOf(upload));
      await cloud.drain(plan, { ...makeDeps(plan.uses, runtime), extractor });
    },
    expire: async (upload: Upload) => expireJob(deps.files, addressOf(upload), runtime.clock.now().toISOString()),
    objects: async (upload: Upload): Promise<number> => {
      const Prefix = `uploads/${caller.organizationId}/${indexId}/${upload.id}/`;
      const Bucket = contentBucket(runtime, runtime.config.region);
      const { KeyCount } = await s3Client(runtime.config.region).send(new ListObjectsV2Command({ Bucket, Prefix }));
      return KeyCount ?? 0;
    },
  };
};

describe('originals of files', { concurrency: false }, () => {
  it('an original that is larger than the plan allows is deleted, and so is a second one at the same URL', async (context) => {
    changeLimits(context)({ max_file_bytes: maxBytes });
    const index = await newIndex();
    const upload = await index.begin();
    for (const _ of ['first', 'again']) {
      assert.equal(await index.put(upload, maxBytes + 1), 200);
      assert.equal(await index.objects(upload), 1);
      await index.notify(upload);
      const { status, error } = await index.jobOf(upload);
      assert.deepEqual([status, error], ['failed', 'The file has 1001 bytes, the plan allows 1000']);
      assert.equal(await index.objects(upload), 0);
    }
  });

  it('the original of a failed job is kept, even if its notification is repeated', async () => {
    const index = await newIndex();
    const upload = await index.begin();
    assert.equal(await index.put(upload, 10), 200);
    for (const _ of ['first', 'again']) {
      await index.notify(upload);
      assert.deepEqual([(await index.jobOf(upload)).status, await index.objects(upload)], ['failed', 1]);
    }
  });

  it('an upload with a stated size above the limit of the plan is refused before a job is created', async (context) => {
    changeLimits(context)({ max_file_bytes: maxBytes });
    const index = await newIndex();
    const before = (await index.jobs()).body as unknown[];
    const { status, body } = await index.start({ size_bytes: maxBytes + 1 });
    const { code, limit, current } = body as Record<string, unknown>;
    assert.deepEqual([status, code, limit, current], [402, 'plan_limit_reached', maxBytes, maxBytes + 1]);
    assert.equal(((await index.jobs()).body as unknown[]).length, before.length);
    for (const size_bytes of [-1, 1.5, '10', true])
      assert.equal((await index.start({ size_bytes })).status, 422, String(size_bytes));
    assert.equal((await index.start({ size_bytes: null })).status, 201);
    assert.equal((await index.start({ size_bytes: maxBytes })).status, 201);
  });

  it('an upload with a stated size is accepted only in that size', async () => {
    const index = await newIndex();
    const upload = await index.begin({ size_bytes: 10 });
    const { 'content-length': length, ...others } = upload.upload_headers;
    assert.equal(length, '10');
    for (const bytes of [9, 11, 0]) assert.equal(await index.put({ ...upload, upload_headers: others }, bytes), 403);
    assert.equal(await index.objects(upload), 0);
    assert.equal(await index.put(upload, 10), 200);
    assert.equal(await index.put(upload, 10), 412);
  });

  it('the original of a cancelled job is deleted, whether it arrives before or after', async () => {
    const index = await newIndex();
    const upload = await index.begin();
    assert.equal(await index.put(upload, 10), 200);
    await index.cancel(upload);
    cloud.advance(31 * 60);
    await cloud.tick(sweepFiles);
    const { counted, processing } = await index.jobOf(upload);
    assert.equal(counted, false);
    // The log has counted it.
    assert.ok(processing !== null);
    const { organizationId, indexId, id } = await index.jobOf(upload);
    await deps.files.markCounted({ organizationId, indexId, jobId: id }, processing);
    cloud.advance(31 * 60);
    await cloud.tick(sweepFiles);
    assert.equal(await index.objects(upload), 0);

    const late = await index.begin();
    await index.cancel(late);
    assert.equal(await index.put(late, 10), 200);
    await index.notify(late);
    assert.equal(await index.objects(late), 0);
  });

  it('an original that arrives after its job has expired is deleted', async () => {
    const index = await newIndex();
    const upload = await index.begin();
    await index.expire(upload);
    assert.equal(await index.put(upload, 10), 200);
    await index.notify(upload);
    assert.deepEqual([(await index.jobOf(upload)).status, await index.objects(upload)], ['expired', 0]);
  });
});
