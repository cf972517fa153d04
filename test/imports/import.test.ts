import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createImport } from '../../functions/imports/create.ts';
import { importFile } from '../../functions/workers/import-file/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { filesWrite, planSend, toJobResponse } from '../../shared/files/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { bucketName } from '../../shared/kernel/names.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { objectSources } from '../../shared/platform/object-sources/capability.ts';
import { SourceFailed, SourceRefused } from '../../shared/platform/object-sources/port.ts';
import { extractor } from '../../packages/documents/test/extract/read.ts';
import { call, machine } from '../support/call.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { everyPoint } from '../support/every-point.ts';
import { Cloud, listening } from '../support/emulated-cloud.ts';
import { putReadyIndex } from '../support/ready-index.ts';
import { randomFrom } from '../support/random.ts';
import { type Azurite, startAzurite } from './support/azurite.ts';
import { GcsServer } from './support/gcs-server.ts';

const region = 'us-east-1';
const accessKeys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMIK7MDENGbPxRfiCY' };

const gcs = new GcsServer();
let directory: string;
let cloud: Cloud;
let storage: ObjectStore;
let azurite: Azurite;
let runtime: Runtime;
let index: string;

const caller = machine(newId('org', new Date()));

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'strata-imports-'));
  cloud = new Cloud(directory);
  storage = await startObjectStore({
    dataDir: join(directory, 'theirs'),
    credentials: { accessKeyId: accessKeys.access_key_id, secretAccessKey: accessKeys.secret_access_key },
    buckets: [{ name: 'theirs', region }],
  });
  [azurite] = await Promise.all([startAzurite(), cloud.start(), gcs.start()]);
  const imports = { s3Endpoint: storage.url, gcsEndpoint: gcs.endpoint, azureEndpoint: azurite.endpoint };
  runtime = { ...cloud.runtime, config: { ...cloud.runtime.config, imports } };
  index = await putReadyIndex(runtime, caller.organizationId);
});
after(async () => {
  await cloud.stop();
  await storage.close();
  azurite.stop();
  gcs.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Asks for an import; the id of its job. */
const ask = async (body: Readonly<Record<string, unknown>>): Promise<string> => {
  const answer = await call(runtime, createImport, caller, { path: { index_id: index }, body });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return (answer.body as { readonly id: string }).id;
};

/** Lets the worker go on; a run that throws has crashed, and its message comes again. */
const work = async (remainingMs = 300_000): Promise<void> => {
  const deps = makeDeps(importFile.uses, runtime);
  const run = { ...cloud.run(), remainingMs: () => remainingMs };
  await cloud.drain({ ...importFile, handle: (input) => importFile.handle({ ...input, run }) }, deps);
};

const jobOf = async (jobId: string) => {
  const { files } = makeDeps({ files: filesWrite }, runtime);
  const job = await files.get({ organizationId: caller.organizationId, indexId: index, jobId });
  if (job === null) throw new Error(`there is no job ${jobId}`);
  return job;
};

/** The bytes that lie where an upload of the job would. */
const copied = async (jobId: string): Promise<Buffer> => {
  const Bucket = bucketName('test', 'content', runtime.config.accountId, region);
  const { Body } = await s3Client(region).send(new GetObjectCommand({ Bucket, Key: (await jobOf(jobId)).objectKey }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};

/** Everything that is kept of an import besides its job: how to find it, and what opens it. */
const kept = async (jobId: string): Promise<number> => {
  const key = { pk: `INDEX#${caller.organizationId}#${index}`, sk: jobId };
  const items = [await openTable(runtime, 'imports').get(key), await openTable(runtime, 'secrets').get(key)];
  return items.filter((item) => item !== null).length;
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const assertCopied = async (jobId: string, bytes: Uint8Array): Promise<void> => {
  const job = await jobOf(jobId);
  assert.deepEqual([job.status, job.error], ['queued', null]);
  assert.equal(digest(await copied(jobId)), digest(bytes));
  assert.equal(await kept(jobId), 0);
};

const putS3 = async (key: string, bytes: Uint8Array, checksum: object = {}): Promise<string> => {
  const credentials = { accessKeyId: accessKeys.access_key_id, secretAccessKey: accessKeys.secret_access_key };
  const client = new S3Client({ region, endpoint: storage.url, forcePathStyle: true, credentials });
  await client.send(new PutObjectCommand({ Bucket: 'theirs', Key: key, Body: bytes, ...checksum }));
  client.destroy();
  return `s3://theirs/${key}`;
};

const azureUri = (container: string, name: string): string =>
  `https://${azurite.account}.blob.core.windows.net/${container}/${name}`;

const mebibyte = 1024 * 1024;

describe('imports', { concurrency: false }, () => {
  it('an address or credential that can never be copied is refused at once, with the field', async () => {
    const strict = { ...runtime, config: { ...runtime.config, allowLocalWebhooks: false } };
    const problemsOf = async (body: object) => {
      const answer = await call(strict, createImport, caller, { path: { index_id: index }, body });
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      const { detail } = answer.body as {
        readonly detail: readonly { readonly loc: string[]; readonly msg: string }[];
      };
      return detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ');
    };
    for (const uri of ['s3://theirs/folder/', 's3://theirs/folder/*', 's3://theirs/**', 's3://theirs'])
      assert.match(
        await problemsOf({ provider: 'aws_s3', uri }),
        /uri: .*an import has neither prefixes nor patterns/,
        uri,
      );
    assert.match(await problemsOf({ provider: 'gcs', uri: 'gs://theirs/folder/*' }), /a connector reads a prefix/);
    for (const uri of ['http://127.0.0.1:9/a', 'http://localhost/a', 'https://10.0.0.1/a', 'https://[::1]/a'])
      assert.match(await problemsOf({ provider: 'url', uri }), /uri: .*(must be public|must begin with https)/, uri);
    const role = { role_arn: 'arn:aws:iam::123456789012:role/reader' };
    const ofRole = { provider: 'aws_s3', uri: 's3://theirs/a.txt', credentials: role };
    assert.match(await problemsOf(ofRole), /role_arn: .*give access keys/);
  });

  it('an import without a declared type gets the detected type of its file', async () => {
    const told = async (name: string, text: string, said: object = {}): Promise<readonly string[]> => {
      gcs.put('public', name, Buffer.from(text));
      const id = await ask({ provider: 'gcs', uri: `gs://public/${name}`, ...said });
      const asked = toJobResponse(await jobOf(id)).content_type;
      await work();
      const { plans } = makeDeps({ plans: planSend }, runtime);
      await plans.resend(await jobOf(id));
      await cloud.drain(plan, { ...makeDeps(plan.uses, runtime), extractor });
      return [asked, toJobResponse(await jobOf(id)).content_type];
    };
    const unknown = 'application/octet-stream';
    assert.deepEqual(await told('page', '<!doctype html><p>Words'), [unknown, 'text/html']);
    assert.deepEqual(await told('words.py', 'print("words")'), [unknown, 'text/plain']);
    const type = 'application/x-words';
    assert.deepEqual(await told('words', 'Words', { content_type: type }), [type, type]);
  });

  it('an import copies public and private objects of every storage, in one piece or in parts', async () => {
    const sizes = [0, 5, 8 * mebibyte + 1];
    for (const size of sizes) {
      const bytes = randomBytes(size);
      const name = `folder/report ${size}.pdf`;
      gcs.put('theirs', name, bytes);
      gcs.put('public', name, bytes);
      await azurite.put('theirs', name, bytes);
      await azurite.put('public', name, bytes);
      const encoded = encodeURIComponent(name).replaceAll('%2F', '/');
      const jobs = [
        await ask({ provider: 'aws_s3', uri: await putS3(name, bytes), credentials: accessKeys }),
        await ask({ provider: 'gcs', uri: `gs://theirs/${name}`, credentials: gcs.account }),
        await ask({ provider: 'gcs', uri: `gs://public/${name}` }),
        await ask({
          provider: 'azure_blob',
          uri: azureUri('theirs', encoded),
          credentials: { sas_token: azurite.sas('theirs', name) },
        }),
        await ask({ provider: 'azure_blob', uri: azureUri('public', encoded) }),
      ];
      await work();
      for (const job of jobs) await assertCopied(job, bytes);
      assert.equal((await jobOf(jobs[0] ?? '')).filename, `report ${size}.pdf`);
    }
  });

  it('an import decodes an object with a Content-Encoding, within the limits of the plan', async (context) => {
    const small = Buffer.from('a line of text\n'.repeat(100));
    const large = randomBytes(9 * mebibyte);
    const put = async (name: string, bytes: Buffer, encoding: string) => {
      gcs.put('public', name, bytes, createHash('md5').update(bytes).digest('base64'), encoding);
      await azurite.put('public', name, bytes, encoding);
      const s3 = await putS3(name, bytes, { ContentEncoding: encoding });
      const jobs = [
        await ask({ provider: 'aws_s3', uri: s3, credentials: accessKeys }),
        await ask({ provider: 'gcs', uri: `gs://public/${name}` }),
        await ask({ provider: 'azure_blob', uri: azureUri('public', name) }),
      ];
      await work();
      return jobs;
    };
    for (const job of await put('small.txt', gzipSync(small), 'gzip')) await assertCopied(job, small);
    for (const job of await put('large.txt', gzipSync(large), 'gzip')) await assertCopied(job, large);
    for (const job of await put('brotli.txt', brotliCompressSync(small), 'br')) await assertCopied(job, small);
    // Not gzip, although the storage states so.
    for (const job of await put('plain.txt', small, 'gzip')) await assertCopied(job, small);
    for (const job of await put('other.txt', small, 'aes128gcm')) await assertCopied(job, small);
    changeLimits(context)({ max_file_bytes: 9 * mebibyte });
    const bomb = await ask({
      provider: 'aws_s3',
      uri: await putS3('bomb', gzipSync(Buffer.alloc(10 * mebibyte)), { ContentEncoding: 'gzip' }),
      credentials: accessKeys,
    });
    await work();
    const { status, error } = await jobOf(bomb);
    assert.deepEqual([status, error], ['failed', 'The file has more than the 9437184 bytes that the plan allows']);
  });

  it('an import verifies its copy with the checksum of the storage', async () => {
    const bytes = randomBytes(9 * mebibyte);
    const told = createHash('sha256').update(bytes).digest('base64');
    const job = await ask({
      provider: 'aws_s3',
      uri: await putS3('sum', bytes, { ChecksumSHA256: told }),
      credentials: accessKeys,
    });
    for (const [name, size] of [
      ['small', 10],
      ['large', 9 * mebibyte],
    ] as const) {
      gcs.put('public', name, randomBytes(size), createHash('md5').update('something else').digest('base64'));
      const damaged = await ask({ provider: 'gcs', uri: `gs://public/${name}` });
      await work();
      const { status, error } = await jobOf(damaged);
      assert.deepEqual(
        [status, error],
        ['failed', 'The bytes of the object do not match the checksum that its storage states'],
      );
      assert.equal(await kept(damaged), 0);
    }
    await assertCopied(job, bytes);
  });

  it('an import that cannot copy its object fails with the reason and deletes its credentials', async () => {
    gcs.put('theirs', 'there', randomBytes(8));
    await putS3('there', randomBytes(8));
    await azurite.put('theirs', 'there', randomBytes(8));
    const wrong = { ...accessKeys, secret_access_key: 'wrong' };
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ provider: 'aws_s3', uri: 's3://theirs/there', credentials: wrong }, /secret is wrong/],
      [
        {
          provider: 'aws_s3',
          uri: 's3://theirs/there',
          credentials: { ...accessKeys, access_key_id: 'AKIAUNKNOWN00000' },
        },
        /does not know the key/,
      ],
      [{ provider: 'aws_s3', uri: 's3://unknown-bucket/there', credentials: accessKeys }, /no such bucket/],
      [{ provider: 'aws_s3', uri: 's3://theirs/there' }, /not public/],
      [{ provider: 'aws_s3', uri: 's3://theirs/nowhere', credentials: accessKeys }, /no such object/],
      [{ provider: 'gcs', uri: 'gs://theirs/there' }, /refuses/],
      [{ provider: 'gcs', uri: 'gs://public/nowhere' }, /no such object/],
      [{ provider: 'azure_blob', uri: azureUri('theirs', 'there') }, /no such object|not public|refuses/],
      [
        { provider: 'azure_blob', uri: azureUri('theirs', 'there'), credentials: { sas_token: 'sv=2021&sig=wrong' } },
        // Azurite sends the code of the firewall for a wrong signature.
        /secret is wrong|its firewall does not admit the service/,
      ],
      [{ provider: 'azure_blob', uri: azureUri('public', 'nowhere') }, /no such object/],
    ];
    for (const [body, reason] of cases) {
      const job = await ask(body);
      await work();
      const { status, error, errorCode } = await jobOf(job);
      assert.deepEqual([status, errorCode], ['failed', 'processing_failed'], `${JSON.stringify(body)}: ${error}`);
      assert.match(error ?? '', reason);
      assert.equal(await kept(job), 0);
    }
  });

  it('an import with a damaged service account key is refused, and a stored one fails', async () => {
    const lines = gcs.account.private_key.split('\n');
    const damaged = [...lines.slice(0, 5), ...lines.slice(9)].join('\n');
    const credentials = { ...gcs.account, private_key: damaged };
    const body = { provider: 'gcs', uri: 'gs://theirs/there', credentials };
    const answer = await call(runtime, createImport, caller, { path: { index_id: index }, body });
    const msg = 'The key is damaged or is no RSA key';
    const loc = ['body', 'credentials', 'private_key'];
    assert.deepEqual([answer.status, answer.body], [422, { detail: [{ loc, msg, type: 'value_error' }] }]);
    const { sources } = makeDeps({ sources: objectSources }, runtime);
    const place = { account: null, container: 'theirs', key: 'there' };
    const source = sources({ provider: 'gcs', place, access: credentials }, caller.organizationId);
    await assert.rejects(source.head(), SourceRefused);
  });

  it('an import retries a busy storage several times in an hour, and then fails', async () => {
    const bytes = randomBytes(64);
    gcs.put('public', 'busy', bytes);
    // Google's library backs off by the real clock, which the test does not control.
    gcs.fault = { status: 503, times: 1 };
    const job = await ask({ provider: 'gcs', uri: 'gs://public/busy' });
    await work();
    await assertCopied(job, bytes);
    const lost = await ask({ provider: 'gcs', uri: 'gs://public/busy' });
    const delays: number[] = [];
    for (let waiting = cloud.take('imports')[0]; waiting !== undefined; waiting = cloud.take('imports')[0]) {
      assert.equal((await jobOf(lost)).status, 'queued');
      delays.push(waiting.delayMs);
      const message: unknown = importFile.message.parse(waiting.body);
      await importFile.onExhausted({ message, deps: makeDeps(importFile.uses, runtime), run: cloud.run() });
    }
    assert.deepEqual(delays, [0, 600_000, 600_000, 600_000, 600_000]);
    assert.match((await jobOf(lost)).error ?? '', /after several attempts/);
    assert.equal(await kept(lost), 0);
  });

  it('an import reports the failure of its storage, and nothing else of the request', async (context) => {
    const busy = createServer((_, response) => response.writeHead(503).end());
    context.after(() => busy.close());
    for (const [url, last] of [
      [await listening(busy), 'The storage responded with status 503'],
      ['http://127.0.0.1:1', 'The storage does not respond'],
    ] as const) {
      const imports = { s3Endpoint: url, gcsEndpoint: url, azureEndpoint: url };
      const deps = makeDeps(importFile.uses, { ...runtime, config: { ...runtime.config, imports } });
      const job = await ask({ provider: 'aws_s3', uri: 's3://theirs/there', credentials: accessKeys });
      await assert.rejects(cloud.drain(importFile, deps), SourceFailed);
      const waiting = await jobOf(job);
      assert.deepEqual([waiting.status, waiting.error], ['queued', `${last}; the copy is tried again`]);
      await cloud.purge('imports');
      const message = { organization_id: caller.organizationId, index_id: index, job_id: job, failures: 4 };
      await importFile.onExhausted({ message, deps, run: cloud.run() });
      const { status, error } = await jobOf(job);
      const expected = `The object could not be copied after several attempts. ${last}`;
      assert.deepEqual([status, error], ['failed', expected]);
    }
  });

  it('an import no longer reports a failure of its storage when the object has arrived', async () => {
    gcs.put('public', 'late', randomBytes(64));
    const job = await ask({ provider: 'gcs', uri: 'gs://public/late' });
    const address = { organizationId: caller.organizationId, indexId: index, jobId: job };
    const { files } = makeDeps({ files: filesWrite }, runtime);
    await files.noteFault(address, 'The storage responded with status 503');
    assert.equal((await jobOf(job)).error, 'The storage responded with status 503');
    await work();
    await files.noteFault(address, 'A run beside it was told so later');
    assert.equal((await jobOf(job)).error, null);
  });

  it('the sweep plans an import whose notification of the copy was lost', async () => {
    const bytes = randomBytes(77);
    gcs.put('public', 'unannounced', bytes);
    const job = await ask({ provider: 'gcs', uri: 'gs://public/unannounced' });
    await work();
    const { objectKey, sizeBytes } = await jobOf(job);
    assert.equal(sizeBytes, bytes.length);
    cloud.take('plan');
    cloud.advance(3600);
    await cloud.tick(sweepFiles);
    assert.ok(JSON.stringify(cloud.take('plan')).includes(encodeURIComponent(objectKey)));
  });

  it('an import continues in another run when the time is over, and restarts if the object was replaced', async () => {
    const [first, second] = [randomBytes(17 * mebibyte), randomBytes(18 * mebibyte)];
    gcs.put('public', 'turns', first);
    const job = await ask({ provider: 'gcs', uri: 'gs://public/turns' });
    const before = gcs.requests;
    let left = 2;
    const deps = makeDeps(importFile.uses, runtime);
    const message = { organization_id: caller.organizationId, index_id: index, job_id: job };
    const deliveries = [{ message, messageId: 'm', attempt: 1 }];
    // Time for one part, then none.
    const run = { ...cloud.run(), remainingMs: () => (left-- > 1 ? 300_000 : 1000) };
    await importFile.handle({ deliveries, deps, run });
    assert.ok(gcs.requests - before < 4, 'it stopped after a part');
    gcs.put('public', 'turns', second);
    await assert.rejects(work(), /replaced|No such object/);
    await work();
    await assertCopied(job, second);
  });

  it('an import is deleted with its job, and the sweep resends its lost message', async () => {
    const bytes = randomBytes(9);
    gcs.put('theirs', 'swept', bytes);
    const body = { provider: 'gcs', uri: 'gs://theirs/swept', credentials: gcs.account };
    const [lost, dropped] = [await ask(body), await ask(body)];
    await cloud.purge('imports');
    const files = openTable(runtime, 'files');
    await files.delete({ pk: `INDEX#${caller.organizationId}#${index}`, sk: dropped });
    cloud.advance(2 * 3600);
    await cloud.tick(sweepFiles);
    assert.equal(await kept(dropped), 0);
    await work();
    await assertCopied(lost, bytes);
    const late = await ask(body);
    cloud.advance(25 * 3600);
    await work();
    assert.match((await jobOf(late)).error ?? '', /credentials were kept/);
  });

  it('an import completes after a crash at any request', async (t) => {
    const step = Number(process.env['FAULT_STEP'] ?? 275);
    const seed = 20_261_121;
    const random = randomFrom(seed);
    const bytes = Buffer.alloc(9 * mebibyte, Math.floor(random() * 256));
    gcs.put('theirs', 'crash', bytes);
    const points = await everyPoint({ step, lostFrom: 5 }, async (fault) => {
      const job = await ask({ provider: 'gcs', uri: 'gs://theirs/crash', credentials: gcs.account });
      const reached = await cloud.dieAt(fault, work);
      await work();
      cloud.advance(2 * 3600);
      await cloud.tick(sweepFiles);
      await work();
      await assertCopied(job, bytes);
      return reached;
    });
    t.diagnostic(`${points} crash points`);
  });
});
