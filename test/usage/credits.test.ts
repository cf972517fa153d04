import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { openTable } from '../../shared/db/table.ts';
import {
  beginJob,
  enqueueJob,
  type JobAddress,
  type JobRecord,
  newJob,
  type TaskMessage,
  type TaskRecord,
} from '../../shared/files/index.ts';
import { openFileWriter } from '../../shared/files/repository.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { embeddedModels } from '../../shared/kernel/config.ts';
import { freshIdempotencyContext } from '../../shared/http/idempotency.ts';
import { requireIndex } from '../../shared/indexes/index.ts';
import { uploadKey } from '../../shared/kernel/content-keys.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { bucketName } from '../../shared/kernel/names.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { sqsClient } from '../../shared/platform/aws/sqs-client.ts';
import type { ContentReader, ContentWriter } from '../../shared/platform/aws/objects.ts';
import type { Principal } from '../../shared/http/principal.ts';
import type { Extractor, Part } from '#documents';
import { readerInvoke } from '../../shared/reader/index.ts';
import { runSearch, searchUses } from '../../shared/search/index.ts';
import { upsertUses, upsertVectors } from '../../shared/vectors/index.ts';
import { Cloud, type Fault } from '../support/emulated-cloud.ts';
import { flac } from '../../packages/documents/test/extract/make-audio.ts';
import { extractor as reader, packages } from '../../packages/documents/test/extract/read.ts';
import { StubModels } from '../models/stub-models.ts';
import { blank, scan, toFax } from '../../packages/documents/test/ocr/pictures.ts';
import { makePdf } from '../support/make-pdf.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { transcriptOf } from '../../packages/documents/test/transcribe/transcript.ts';
import { wav } from '../../packages/documents/test/transcribe/wav.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const region = 'us-east-1';
const detect = 'Textract.DetectDocumentText';
const embed = 'POST /model/amazon.titan-embed-text-v2:0/invoke';
const allow = changeLimits({ after });
const usualLimits = { ...plans.developer.limits };
const cloud = new Cloud();
const models = new StubModels();
let objects: ObjectStore;
let directory: string;
let runtime: Runtime;

const bucket = bucketName('test', 'content', '000000000000', region);

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'strata-credits-'));
  await Promise.all([cloud.start(), models.start()]);
  objects = await startObjectStore({
    dataDir: directory,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    buckets: [{ name: bucket, region }],
  });
  process.env['AWS_ENDPOINT_URL_S3'] = objects.url;
  const Attributes = { FifoQueue: 'true' };
  await sqsClient(region).send(new CreateQueueCommand({ QueueName: 'test-log.fifo', Attributes }));
  runtime = {
    ...cloud.runtime,
    config: {
      ...cloud.runtime.config,
      assetsDirectory: packages,
      models: {
        embeddingProvider: 'bedrock',
        embeddingModel: 'amazon.titan-embed-text-v2:0',
        embeddingBaseUrl: '',
        embeddingModelDirectory: '',
        embeddingModels: [],
        ocrProvider: 'textract',
        audioProvider: 'transcribe',
        speechModelDirectory: '',
      },
    },
  };
});

after(async () => {
  await cloud.stop();
  models.stop();
  s3Client(region).destroy();
  await objects.close();
  await rm(directory, { recursive: true });
});

/** Reads each file once: what is looked at here begins when it has been read. */
const known = new Map<string, Promise<readonly Part[]>>();
const extractor: Extractor = {
  ...reader,
  extract: async (file, range) => {
    const key = `${createHash('sha256').update(file.bytes).digest('hex')} ${range.start} ${range.end}`;
    const parts = known.get(key) ?? reader.extract(file, range);
    known.set(key, parts);
    return parts;
  },
};

/** One process of the worker. */
const worker1 = () => ({ ...makeDeps(fileTask.uses, runtime), extractor });

/** The same over objects in memory, which no fault reaches anyway: it dies and comes back dozens of times. */
const worker2 = () => {
  const objects = new Map<string, Uint8Array>();
  const content: ContentReader = {
    head: async (_, key) => {
      const body = objects.get(key);
      return body === undefined ? null : { sizeBytes: body.length, contentType: '', etag: '' };
    },
    get: async (_, key) => objects.get(key) ?? null,
  };
  const stored: ContentWriter = {
    put: async (_, key, body) => void objects.set(key, body),
    deleteAll: () => Promise.reject(new Error('nothing is to be deleted')),
  };
  return { ...worker1(), content, stored };
};

const run = () => ({ ...cloud.run(), remainingMs: () => 300_000 });

const work = (message: TaskMessage, deps = worker1()) =>
  fileTask.handle({ deliveries: [{ message, messageId: 'm', attempt: 1 }], deps, run: run() });

const month = (): string => cloud.runtime.clock.now().toISOString().slice(0, 7);
const creditsKey = (organizationId: string) => ({ pk: `MONTH#${organizationId}#${month()}`, sk: 'CREDITS' });

const reserved = async (organizationId: string) => {
  const table = openTable(runtime, 'usage');
  const item = await table.get(creditsKey(organizationId));
  const reservations = await Array.fromAsync(table.all(`RESERVED#${organizationId}#${month()}`));
  const isUnsettled = reservations.some((reservation) => reservation['settled'] !== true);
  const held = isUnsettled || null;
  return { ocr: item?.['ocr_reserved'] ?? 0, audio: item?.['audio_reserved'] ?? 0, held };
};

interface Organization {
  readonly organizationId: string;
  readonly indexId: string;
}

interface TestFile {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly contentType: string;
}

const anOrganization = async (ocrReserved: number, audioReserved = 0): Promise<Organization> => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const model = 'bedrock/amazon.titan-embed-text-v2:0';
  const indexId = await putReadyIndex(runtime, organizationId, { dimensions: 256, embedding_model: model });
  await openTable(runtime, 'usage').put({
    ...creditsKey(organizationId),
    ocr_reserved: ocrReserved,
    audio_reserved: audioReserved,
  });
  return { organizationId, indexId };
};

/** Where a job is kept whose file has just been uploaded. */
const anUpload = async ({ organizationId, indexId }: Organization, file: TestFile): Promise<JobAddress> => {
  const at = cloud.runtime.clock.now();
  const jobId = newId('job', at);
  const address = { organizationId, indexId, jobId };
  const object = { Bucket: bucket, Key: uploadKey(address), Body: file.bytes };
  await s3Client(region).send(new PutObjectCommand(object));
  await openFileWriter(runtime).add(
    newJob({
      id: jobId,
      organizationId,
      indexId,
      region,
      filename: file.filename,
      contentType: file.contentType,
      source: 'upload',
      status: 'awaiting_upload',
      metadata: {},
      createdAt: at.toISOString(),
      checksumSha256: null,
      replacesJobId: null,
    }),
  );
  return address;
};

/** A planned job of one task over an uploaded file. */
const aTask = async (organization: Organization, file: TestFile & { readonly units: number }): Promise<TaskMessage> => {
  const address = await anUpload(organization, file);
  const { organizationId, indexId, jobId } = address;
  const at = cloud.runtime.clock.now();
  const taskId = newId('task', at);
  const files = openFileWriter(runtime);
  await enqueueJob(files, address, { sizeBytes: file.bytes.length, at: at.toISOString() });
  await files.addTask({
    id: taskId,
    organizationId,
    indexId,
    jobId,
    ordinal: 1,
    status: 'queued',
    unitStart: 1,
    unitEnd: file.units,
    paged: true,
    cut: 'first',
    span: null,
    createdAt: at.toISOString(),
  } as TaskRecord);
  await beginJob(files, address, { tasksTotal: 1, note: '', at: at.toISOString(), event: {} });
  return { organization_id: organizationId, index_id: indexId, job_id: jobId, task_id: taskId, ordinal: 1 };
};

/** The job of a file, once it is planned. */
const planned = async (organization: Organization, file: TestFile): Promise<JobRecord | null> => {
  const address = await anUpload(organization, file);
  const message = { Records: [{ awsRegion: region, s3: { object: { key: uploadKey(address) } } }], grouped: true };
  const deps = { ...makeDeps(plan.uses, runtime), extractor };
  await plan.handle({ deliveries: [{ message, messageId: 'm', attempt: 1 }], deps, run: run() });
  return openFileWriter(runtime).get(address);
};

const scanFile = async (pages: readonly string[]) => ({
  bytes: await scan(pages),
  filename: 'scan.pdf',
  contentType: 'application/pdf',
  units: pages.length,
});

const stateOf = async (message: TaskMessage) => {
  const files = openFileWriter(runtime);
  const { organization_id: organizationId, index_id: indexId, job_id: jobId } = message;
  const job = await files.get({ organizationId, indexId, jobId });
  const [task] = await files.tasks(organizationId, jobId);
  assert.ok(job !== null && task !== undefined);
  return { job, task };
};

test('of ten scans at a time, an allowance of three lets three through and no model hears of the others', async () => {
  const organization = await anOrganization(997);
  const file = await scanFile(['One page.']);
  const messages = await Promise.all(Array.from({ length: 10 }, () => aTask(organization, file)));
  models.seen.length = 0;
  await Promise.all(messages.map((message) => work(message)));
  const states = await Promise.all(messages.map(stateOf));
  const read = states.filter(({ task }) => task.saved);
  const failed = states.filter(({ job }) => job.status === 'failed');
  assert.deepEqual([read.length, failed.length, models.count(detect)], [3, 7, 3]);
  for (const { job, task } of failed) {
    assert.equal(job.errorCode, 'multimodal_credit_limit_reached');
    assert.equal(job.error, 'The file needs 1 OCR credits, and of the 1000 of this month 0 are left');
    assert.equal(task.status, 'failed');
    assert.equal(job.processing?.ocr_credits, 0);
  }
  for (const { task } of read) assert.deepEqual(task.credits, { ocr: 1, audio: 0, audioSeconds: 0 });
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 1_000, audio: 0, held: null });
});

/** A letter of one line with a file, which has seven units with a fax of six pages. */
const mailWith = (fax: Uint8Array): Buffer =>
  Buffer.from(
    [
      'From: a@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n',
      '--b\nContent-Type: text/plain\n\nSee the fax.',
      '--b\nContent-Type: image/tiff\nContent-Disposition: attachment; filename="fax.tiff"',
      `Content-Transfer-Encoding: base64\n\n${Buffer.from(fax).toString('base64')}\n--b--\n`,
    ].join('\n'),
  );

test('pictures that the month has too few credits for are refused whole, before any task', async () => {
  const organization = await anOrganization(994);
  const bytes = await toFax(Array.from({ length: 7 }, () => blank(16, 16)));
  const refused = await planned(organization, { bytes, filename: 'fax.tiff', contentType: 'image/tiff' });
  assert.deepEqual(
    [refused?.status, refused?.tasksTotal, refused?.errorCode, refused?.error],
    [
      'failed',
      0,
      'multimodal_credit_limit_reached',
      'The file needs 7 OCR credits, and of the 1000 of this month 6 are left',
    ],
  );
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 994, audio: 0, held: null });
  const fits = await toFax(Array.from({ length: 6 }, () => blank(16, 16)));
  const begun = await planned(organization, { bytes: fits, filename: 'fax.tiff', contentType: 'image/tiff' });
  assert.ok(begun !== null);
  assert.deepEqual([begun.status, begun.tasksTotal, begun.error], ['processing', 2, null]);
  const { organizationId, indexId } = organization;
  const mail = await planned(organization, {
    bytes: mailWith(fits),
    filename: 'fax.eml',
    contentType: 'message/rfc822',
  });
  assert.deepEqual([mail?.status, mail?.tasksTotal, mail?.error], ['processing', 2, null]);
  await openTable(runtime, 'usage').put({ ...creditsKey(organizationId), ocr_reserved: 1_000 });
  const [task] = await openFileWriter(runtime).tasks(organizationId, begun.id);
  const message = { organization_id: organizationId, index_id: indexId, job_id: begun.id, task_id: task?.id ?? '' };
  await work({ ...message, ordinal: 1 });
  const { job } = await stateOf({ ...message, ordinal: 1 });
  assert.equal(job.error, 'Task 1 of the file needs 5 OCR credits, and of the 1000 of this month 0 are left');
});

test('credits of calls that were not made or failed go back when the task fails for good', async () => {
  const organization = await anOrganization(0);
  const message = await aTask(organization, await scanFile(['First page.', 'Second page.', 'Third page.']));
  let calls = 0;
  models.replaced.set(detect, () => {
    calls += 1;
    return calls === 1
      ? { body: { Blocks: [{ BlockType: 'LINE', Text: 'read', Confidence: 99 }] } }
      : { status: 400, body: { __type: 'AccessDeniedException', message: 'no' } };
  });
  for (let attempt = 0; attempt < 4; attempt += 1) await assert.rejects(work(message));
  assert.equal((await reserved(organization.organizationId)).ocr, 3);
  await fileTask.onExhausted({ message, deps: worker1(), run: run() });
  models.replaced.delete(detect);
  const { job } = await stateOf(message);
  assert.deepEqual([job.status, job.errorCode, job.processing?.ocr_credits], ['failed', 'processing_failed', 1]);
  const cause = 'The model that reads pictures and recordings refused the request (400)';
  assert.equal(job.error, `Task 1 of the file could not be completed after several attempts: ${cause}`);
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 1, audio: 0, held: null });
});

test('a file whose text the embedding model refuses fails with that as its reason', async () => {
  const file = { bytes: await makePdf(['A page.']), filename: 'page.pdf', contentType: 'application/pdf', units: 1 };
  const message = await aTask(await anOrganization(0), file);
  const denied = { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, body: { message: 'no' } };
  models.script(embed, denied);
  await assert.rejects(work(message));
  const cause = 'The embedding model refused the request (403)';
  assert.equal((await stateOf(message)).task.error, cause);
  await fileTask.onExhausted({ message, deps: worker1(), run: run() });
  const { job, task } = await stateOf(message);
  const error = `Task 1 of the file could not be completed after several attempts: ${cause}`;
  assert.deepEqual([job.status, job.error, task.error], ['failed', error, error]);
});

test('a picture that cannot be read costs nothing, and the job says which', async () => {
  const organization = await anOrganization(0);
  const message = await aTask(organization, await scanFile(['Good page.', 'Bad page.']));
  models.seen.length = 0;
  models.script(detect, { status: 400, body: { __type: 'BadDocumentException', message: 'no' } });
  await work(message);
  const { task } = await stateOf(message);
  assert.equal(task.credits.ocr, 1);
  assert.match(task.error ?? '', /^A picture is damaged \(page [12]\)\.$/);
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 1, audio: 0, held: null });
});

/** Every request is a point to die at; `npm run test:faults` dies there in both ways, the tests at every third in one. */
const isSample = process.env['FAULT_STEP'] !== '1';

test('each credit is charged once, whichever request to a table or queue fails and however often a task comes', async () => {
  const file = await scanFile(['First page.', 'Second page.']);
  let points = 0;
  const explore = async (fault: Fault | null): Promise<number> => {
    const organization = await anOrganization(0);
    const message = await aTask(organization, file);
    const deps = worker2();
    const { organization_id: organizationId, index_id: indexId, job_id: jobId } = message;
    await deps.stored.put(region, uploadKey({ organizationId, indexId, jobId }), file.bytes, file.contentType);
    cloud.faults.arm(fault);
    await work(message, deps).catch(() => undefined);
    const requests = cloud.faults.count;
    cloud.faults.arm(null);
    await Promise.all([work(message, deps), work(message, deps)]);
    await work(message, deps);
    const { task } = await stateOf(message);
    assert.deepEqual([task.saved, task.credits.ocr], [true, 2], JSON.stringify(fault));
    const books = await reserved(organization.organizationId);
    assert.deepEqual(books, { ocr: 2, audio: 0, held: null }, JSON.stringify(fault));
    return requests;
  };
  const requests = await explore(null);
  assert.ok(requests > 8);
  const kinds = ['not applied', 'reply lost'] as const;
  for (let request = 1; request <= requests; request += isSample ? 3 : 1) {
    for (const kind of isSample ? kinds.slice(request % 2, 1 + (request % 2)) : kinds) {
      await explore({ request, kind });
      points += 1;
    }
  }
  console.log(`${points} crash points`);
});

test('a task that is cancelled meanwhile stops, and what was not used goes back', async () => {
  const organization = await anOrganization(0);
  const message = await aTask(organization, await scanFile(Array.from({ length: 9 }, (_, at) => `Page ${at}.`)));
  const files = openFileWriter(runtime);
  models.seen.length = 0;
  let calls = 0;
  models.replaced.set(detect, async () => {
    calls += 1;
    if (calls === 4) {
      const { organization_id: organizationId, index_id: indexId, job_id: jobId } = message;
      const at = new Date().toISOString();
      await files.transition({ organizationId, indexId, jobId }, 'cancelled', at);
      await files.closeTasks(organizationId, jobId, { status: 'cancelled', at, error: null });
    }
    return { body: { Blocks: [{ BlockType: 'LINE', Text: 'read', Confidence: 99 }] } };
  });
  await work(message);
  models.replaced.delete(detect);
  assert.ok(models.count(detect) < 9, `${models.count(detect)} calls`);
  const { task } = await stateOf(message);
  assert.equal(task.saved, false);
  assert.deepEqual(await reserved(organization.organizationId), { ocr: task.credits.ocr, audio: 0, held: null });
});

test('a recording is transcribed into rows with their times, for a credit each started minute', async () => {
  const organization = await anOrganization(0);
  const file = { bytes: wav(61), filename: 'talk.wav', contentType: 'audio/wav', units: 1 };
  const message = await aTask(organization, file);
  models.seen.length = 0;
  models.replaced.set('Transcribe.StartTranscriptionJob', async ({ OutputBucketName, OutputKey, Media }) => {
    assert.match(Media.MediaFileUri, new RegExp(`^s3://${bucket}/batches/`));
    const Body = JSON.stringify(transcriptOf('The comets return every winter. Watch the northern sky.'));
    await s3Client(region).send(new PutObjectCommand({ Bucket: OutputBucketName, Key: OutputKey, Body }));
    return { body: { TranscriptionJob: { TranscriptionJobStatus: 'IN_PROGRESS' } } };
  });
  models.replaced.set('Transcribe.GetTranscriptionJob', () => ({
    body: { TranscriptionJob: { TranscriptionJobStatus: 'COMPLETED' } },
  }));
  await work(message);
  await work(message);
  assert.equal(models.count('Transcribe.StartTranscriptionJob'), 1);
  const { task } = await stateOf(message);
  assert.deepEqual(task.credits, { ocr: 0, audio: 2, audioSeconds: 61 });
  assert.match(task.sparseText, /comets return every winter/);
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 0, audio: 2, held: null });
});

test('a recording that says to be shorter than its sound can be is refused where the month has no room for it', async () => {
  const organization = await anOrganization(0, 590);
  const bytes = flac({ sampleRate: 16_000, channels: 1, bits: 16 }, { seconds: 1, soundBytes: 4_000_000 });
  const message = await aTask(organization, { bytes, filename: 'talk.flac', contentType: 'audio/flac', units: 1 });
  models.seen.length = 0;
  await work(message);
  const { job } = await stateOf(message);
  assert.deepEqual(
    [job.status, job.errorCode, job.error],
    [
      'failed',
      'multimodal_credit_limit_reached',
      'The file needs 34 audio credits, and of the 600 of this month 10 are left',
    ],
  );
  assert.equal(models.count('Transcribe.StartTranscriptionJob'), 0);
  assert.deepEqual(await reserved(organization.organizationId), { ocr: 0, audio: 590, held: null });
});

test('an unchanged file of a hundred pages is embedded once: its second upload makes no request to the model', async () => {
  const organization = await anOrganization(0);
  const pages = Array.from({ length: 100 }, (_, at) =>
    Array.from({ length: 12 }, (_, line) => `Line ${line} of page ${at} tells of comets, herring and clocks.`).join(
      ' ',
    ),
  );
  const file = { bytes: await makePdf(pages), filename: 'book.pdf', contentType: 'application/pdf', units: 100 };
  const requests: number[] = [];
  const tokens: number[] = [];
  for (let upload = 0; upload < 2; upload += 1) {
    const message = await aTask(organization, file);
    models.seen.length = 0;
    await work(message);
    const { task } = await stateOf(message);
    assert.equal(task.saved, true);
    requests.push(models.count(embed));
    tokens.push(task.tokens);
    // One more attempt at the same task costs nothing either, and counts what the first has paid for.
    await work(message);
    assert.equal(models.count(embed), requests.at(-1));
    assert.equal((await stateOf(message)).task.tokens, tokens.at(-1));
  }
  assert.ok((requests[0] ?? 0) >= 100 && (tokens[0] ?? 0) > 1_000, JSON.stringify({ requests, tokens }));
  assert.deepEqual([requests[1], tokens[1]], [0, 0]);
});

test('the tokens of the month are reserved before a file is embedded, settled by what the model read, and not taken twice', async () => {
  const organization = await anOrganization(0);
  const { organizationId } = organization;
  const page = 'Comets, herring and clocks are told of on this page, as they are on all the others. '.repeat(6);
  const file = { bytes: await makePdf([page]), filename: 'page.pdf', contentType: 'application/pdf', units: 1 };
  const reservedTokens = async () =>
    (await openTable(runtime, 'usage').get(creditsKey(organizationId)))?.['tokens_reserved'] ?? 0;
  const message = await aTask(organization, file);
  models.seen.length = 0;
  await work(message);
  await work(message);
  const { task } = await stateOf(message);
  assert.ok(task.saved && task.tokens > 50);
  assert.equal(await reservedTokens(), task.tokens);
  // The same file again is not read by the model.
  await work(await aTask(organization, file));
  assert.equal(await reservedTokens(), task.tokens);
  allow({ embedding_tokens_per_month: task.tokens + 100 });
  const calls = models.count(embed);
  const changed = { ...file, bytes: await makePdf([`Another page. ${page}`]) };
  const tooMuch = await aTask(organization, changed);
  await work(tooMuch);
  allow(usualLimits);
  const { job, task: failed } = await stateOf(tooMuch);
  assert.deepEqual(
    [job.status, job.errorCode, failed.status, models.count(embed)],
    ['failed', 'processing_failed', 'failed', calls],
  );
  assert.match(
    job.error ?? '',
    /^The file needs up to \d+ embedding tokens, and of the \d+ of this month 100 are left$/,
  );
  assert.equal(await reservedTokens(), task.tokens);
});

test('text is not embedded for an index whose model this deployment does not call, and the answer says which', async () => {
  const organization = await anOrganization(0);
  const { organizationId, indexId } = organization;
  const elsewhere: Runtime = { ...runtime, config: { ...runtime.config, models: embeddedModels } };
  const caller = { organizationId, plan: 'developer', indexIds: null } as Principal;
  const search = { text: 'comets', top_k: 3, include: [], exact: false } as const;
  const { clock } = runtime;
  const refused = { code: 'conflict', message: /embedding model bedrock\/amazon\.titan-embed-text-v2:0/ };
  const searched = makeDeps(searchUses(readerInvoke), elsewhere);
  const ahead = requireIndex(searched.indexes, organizationId, indexId);
  const begun = Promise.resolve({
    index: await ahead,
    counting: Promise.resolve(null),
    speculative: Promise.resolve(null),
  });
  const searching = { deps: searched, prefetched: begun, caller, onEnd: () => undefined, clock };
  await assert.rejects(runSearch(searching, { mode: 'dense', ...search }), refused);
  await assert.rejects(runSearch(searching, { mode: 'hybrid', ...search }), refused);
  const upserting = {
    deps: makeDeps(upsertUses, elsewhere),
    prefetched: ahead,
    caller,
    idempotency: freshIdempotencyContext(clock),
  };
  await assert.rejects(upsertVectors(upserting, [{ id: 'a', text: 'comets' }]), refused);
  const message = await aTask(organization, { ...(await scanFile(['A page.'])), filename: 'page.pdf' });
  const deps = { ...makeDeps(fileTask.uses, elsewhere), extractor };
  await work(message, deps);
  const { job } = await stateOf(message);
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', refused.message);
});

test('a file of an index that has become full fails before any model is called, with the maximum in its error', async () => {
  const organization = await anOrganization(0);
  const { organizationId } = organization;
  const model = 'bedrock/amazon.titan-embed-text-v2:0';
  const indexId = await putReadyIndex(runtime, organizationId, { dimensions: 256, embedding_model: model, rows: 10 });
  const message = await aTask({ organizationId, indexId }, await scanFile(['A page.']));
  models.seen.length = 0;
  const config = { ...runtime.config, maxIndexNumbers: 2_560 };
  await work(message, { ...makeDeps(fileTask.uses, { ...runtime, config }), extractor });
  const { job } = await stateOf(message);
  assert.deepEqual([job.status, job.errorCode, models.seen], ['failed', 'processing_failed', []]);
  assert.match(
    job.error ?? '',
    /^The index is full: it has 2560 numbers in its vectors, and takes no more content from 2560/,
  );
});
