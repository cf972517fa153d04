import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import * as s3 from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { closeServer, listen } from '../src/data/listen.ts';
import { openObjects } from '../src/endpoint/open-objects.ts';
import type { ObjectCreated } from '../src/object-store/contracts.ts';
import { openDatabase } from '../src/object-store/database.ts';
import { openEventOutbox } from '../src/object-store/event-outbox.ts';
import {
  type ObjectStore,
  type SingleKeyStore,
  singleKeyAccess,
  startObjectStore,
} from '../../../test/support/object-store.ts';
import { eventually } from '../../../test/support/eventually.ts';

const credentials = { accessKeyId: 'local-key', secretAccessKey: 'local-secret' };
const Bucket = 'content';
const events: ObjectCreated[] = [];
const errors: unknown[] = [];
const fiveMebibytes = 5 * 1024 ** 2;

let directory: string;
let options: SingleKeyStore;
let store: ObjectStore;
let client: s3.S3Client;

const connect = (config: s3.S3ClientConfig = {}): s3.S3Client =>
  new s3.S3Client({
    region: 'eu-west-1',
    endpoint: store.url,
    credentials,
    forcePathStyle: true,
    maxAttempts: 1,
    ...config,
  });

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'object-store-'));
  options = {
    dataDir: join(directory, 'data'),
    credentials,
    buckets: [
      { name: Bucket, region: 'eu-west-1' },
      { name: 'listed', region: 'eu-west-1' },
      { name: 'far', region: 'us-east-1' },
      {
        name: 'aging',
        region: 'eu-west-1',
        lifecycleRules: [
          { prefix: 'tmp/', expirationDays: 2 },
          { prefix: 'tagged/', tags: [{ name: 'upload', value: 'pending' }], expirationDays: 2 },
        ],
      },
    ],
    onObjectCreated: async (event) => {
      events.push(event);
      if (event.key === 'event' && events.filter(({ key }) => key === 'event').length === 1) throw new Error('not now');
    },
    onError: (error) => errors.push(error),
  };
  store = await startObjectStore(options);
  client = connect();
});

after(async () => {
  client.destroy();
  await store.close();
  await rm(directory, { recursive: true });
});

const put = (Key: string, Body: string | Buffer | Readable, more: Partial<s3.PutObjectCommandInput> = {}) =>
  client.send(new s3.PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = async (Key: string, more: Partial<s3.GetObjectCommandInput> = {}) => {
  const answer = await client.send(new s3.GetObjectCommand({ Bucket, Key, ...more }));
  return { ...answer, text: (await answer.Body?.transformToString()) ?? '' };
};
const fails = (sent: Promise<unknown>, name: string, status: number): Promise<void> =>
  assert.rejects(sent, (error: unknown) => {
    assert.ok(error instanceof s3.S3ServiceException, String(error));
    assert.deepEqual([error.name, error.$metadata.httpStatusCode], [name, status]);
    return true;
  });
const blobs = (): Promise<string[]> => readdir(join(directory, 'data', 'blobs'));

test('an object is returned as it was put, for every way in which clients send it', async () => {
  const kept = {
    ContentType: 'text/csv',
    CacheControl: 'no-store',
    ContentEncoding: 'gzip',
    Metadata: { origin: 'a b' },
  };
  const plain = await put('plain', 'hello', kept);
  const streamed = await put('streamed', Readable.from(['hel', 'lo']), { ...kept, ContentLength: 5 });
  assert.equal(plain.ETag, '"5d41402abc4b2a76b9719d911017c592"');
  assert.equal(streamed.ETag, plain.ETag);
  for (const key of ['plain', 'streamed']) {
    const { text, ContentType, CacheControl, ContentEncoding, Metadata } = await get(key);
    assert.equal(text, 'hello');
    assert.deepEqual({ ContentType, CacheControl, ContentEncoding, Metadata }, kept);
  }
  await put('empty', '');
  assert.equal((await get('empty')).ContentLength, 0);
  for (const ChecksumAlgorithm of ['CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const) {
    await put('checked', Readable.from(['hel', 'lo']), { ChecksumAlgorithm, ContentLength: 5 });
    const { text, ...answer } = await get('checked', { ChecksumMode: 'ENABLED' });
    assert.deepEqual([text, typeof answer[`Checksum${ChecksumAlgorithm}`]], ['hello', 'string']);
  }
});

test('keys are names, never paths', async () => {
  const keys = ['../../escape', '..', './a//b/', '%2e%2e/x', 'C:\\x', "ü '(x)!*é😀 +&<a>;=", '\u0000', 'constructor'];
  for (const key of keys) {
    await put(key, key);
    assert.equal((await get(key)).text, key);
  }
  assert.deepEqual(await readdir(directory), ['data']);
  for (const blob of await blobs()) assert.match(blob, /^[0-9a-f-]{36}$/);
  const listed = await client.send(new s3.ListObjectsV2Command({ Bucket, EncodingType: 'url' }));
  const decoded = new Set(listed.Contents?.map(({ Key = '' }) => decodeURIComponent(Key)));
  for (const key of keys) assert.ok(decoded.has(key), JSON.stringify(key));
  await fails(put('k'.repeat(1025), ''), 'KeyTooLongError', 400);
});

test('a read honours its range and preconditions', async () => {
  const { ETag = '' } = await put('ranged', '0123456789');
  const ranges = {
    'bytes=2-4': '234',
    'bytes=7-': '789',
    'bytes=-3': '789',
    'bytes=0-99': '0123456789',
    'bytes=-99': '0123456789',
  };
  for (const [Range, expected] of Object.entries(ranges)) {
    const { text, ContentRange, $metadata } = await get('ranged', { Range });
    const first = '0123456789'.indexOf(expected);
    assert.equal(text, expected);
    assert.equal(ContentRange, `bytes ${first}-${first + expected.length - 1}/10`);
    assert.equal($metadata.httpStatusCode, 206);
  }
  for (const Range of ['bytes=4-2', 'bytes=1-2,4-5', 'lines=1-2']) {
    assert.equal((await get('ranged', { Range })).text, '0123456789');
  }
  for (const Range of ['bytes=10-', 'bytes=-0']) await fails(get('ranged', { Range }), 'InvalidRange', 416);
  const head = (more: Partial<s3.HeadObjectCommandInput>) =>
    client.send(new s3.HeadObjectCommand({ Bucket, Key: 'ranged', ...more }));
  const { LastModified = new Date() } = await head({ IfMatch: ETag });
  await fails(get('ranged', { IfMatch: '"other"' }), 'PreconditionFailed', 412);
  for (const condition of [{ IfNoneMatch: ETag }, { IfModifiedSince: LastModified }]) {
    await assert.rejects(head(condition), ({ $metadata }: s3.S3ServiceException) => $metadata.httpStatusCode === 304);
  }
  await fails(get('ranged', { IfUnmodifiedSince: new Date(0) }), 'PreconditionFailed', 412);
  assert.equal((await get('ranged', { IfNoneMatch: '"other"', IfModifiedSince: new Date(0) })).text, '0123456789');
});

test('of concurrent conditional writes exactly one wins', async () => {
  const before = (await blobs()).length;
  const results = await Promise.allSettled(
    Array.from({ length: 16 }, (_, index) => put('contended', `writer ${index}`, { IfNoneMatch: '*' })),
  );
  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  assert.equal(winners.length, 1);
  assert.equal((await get('contended')).text, `writer ${winners[0]}`);
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason), /^PreconditionFailed/);
  while ((await blobs()).length > before + 1) await new Promise(setImmediate);
  const { ETag = '' } = await get('contended');
  await fails(put('contended', 'x', { IfMatch: '"other"' }), 'PreconditionFailed', 412);
  await fails(put('absent', 'x', { IfMatch: ETag }), 'NoSuchKey', 404);
  await put('contended', 'next', { IfMatch: ETag });
});

test('replacing or deleting an object does not break running reads of it', async () => {
  const body = Buffer.alloc(8 * 1024 ** 2, 'a');
  await put('read', body);
  const [slow, slower] = [await client.send(new s3.GetObjectCommand({ Bucket, Key: 'read' })), await get('read')];
  await put('read', 'b');
  await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'read' }));
  assert.equal(
    createHash('md5')
      .update((await slow.Body?.transformToByteArray()) ?? '')
      .digest('hex'),
    slower.ETag?.slice(1, -1),
  );
  await fails(get('read'), 'NoSuchKey', 404);
  await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'read' }));
});

test('lists return pages of keys in the order of their UTF-8 bytes, for any prefix and delimiter', async () => {
  const key = fc.array(fc.constantFrom('a', 'b', '/', '/', '\uffff', '😀', 'é', '\u{10ffff}'), {
    minLength: 1,
    maxLength: 6,
  });
  const keys = fc.sample(
    key.map((parts) => parts.join('')),
    { numRuns: 120, seed: 7 },
  );
  const sorted = [...new Set(keys)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const Key of sorted) await client.send(new s3.PutObjectCommand({ Bucket: 'listed', Key, Body: Key }));
  const prefixes = fc.constantFrom('', 'a', 'a/', '/', '😀', '\uffff', '\u{10ffff}', 'none');
  const query = fc.record({
    Prefix: prefixes,
    Delimiter: fc.constantFrom('', '/', '/a', 'é'),
    StartAfter: fc.constantFrom('', ...sorted),
    MaxKeys: fc.constantFrom(1, 3, 7, 1000),
  });
  const check = async (input: {
    Prefix: string;
    Delimiter: string;
    StartAfter: string;
    MaxKeys: number;
  }): Promise<void> => {
    const expected = new Set<string>();
    for (const candidate of sorted.slice(sorted.indexOf(input.StartAfter) + 1)) {
      if (!candidate.startsWith(input.Prefix)) continue;
      const cut = input.Delimiter === '' ? -1 : candidate.indexOf(input.Delimiter, input.Prefix.length);
      expected.add(cut < 0 ? `key ${candidate}` : `prefix ${candidate.slice(0, cut + input.Delimiter.length)}`);
    }
    const seen: string[] = [];
    for await (const page of s3.paginateListObjectsV2({ client }, { Bucket: 'listed', ...input })) {
      assert.ok((page.KeyCount ?? 0) <= input.MaxKeys);
      const entries = [
        ...(page.Contents ?? []).map(({ Key = '' }) => [Key, `key ${Key}`]),
        ...(page.CommonPrefixes ?? []).map(({ Prefix = '' }) => [Prefix, `prefix ${Prefix}`]),
      ] as [string, string][];
      seen.push(
        ...entries.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([, entry]) => entry),
      );
    }
    assert.deepEqual(seen, [...expected]);
  };
  await fc.assert(fc.asyncProperty(query, check), { numRuns: 40, seed: 7 });
  const Delete = { Objects: sorted.map((Key) => ({ Key })) };
  const deleted = await client.send(new s3.DeleteObjectsCommand({ Bucket: 'listed', Delete }));
  assert.equal(deleted.Deleted?.length, sorted.length);
  assert.equal((await client.send(new s3.ListObjectsV2Command({ Bucket: 'listed' }))).KeyCount, 0);
});

test('a multipart upload becomes one object', async () => {
  const Key = 'parts';
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/x' }));
  const bodies = ['a', 'b', 'c'].map((letter) => Buffer.alloc(letter === 'c' ? 100 : fiveMebibytes, letter));
  const upload = (PartNumber: number, Body: Buffer) =>
    client.send(new s3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  await upload(2, Buffer.from('replaced'));
  const sent = await Promise.all(bodies.map((body, index) => upload(index + 1, body)));
  const Parts = sent.map(({ ETag, ChecksumCRC32 }, index) => ({ PartNumber: index + 1, ETag, ChecksumCRC32 }));
  const listed = await client.send(new s3.ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 2 }));
  assert.deepEqual(
    [listed.IsTruncated, listed.NextPartNumberMarker, listed.Parts?.map(({ ETag }) => ETag)],
    [true, '2', Parts.slice(0, 2).map(({ ETag }) => ETag)],
  );
  const complete = (parts: s3.CompletedPart[], more: Partial<s3.CompleteMultipartUploadCommandInput> = {}) =>
    client.send(
      new s3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: parts }, ...more }),
    );
  await fails(complete(Parts.toReversed()), 'InvalidPartOrder', 400);
  await fails(complete(Parts.map((part) => ({ ...part, ETag: '"0"' }))), 'InvalidPart', 400);
  await fails(complete(Parts.map((part) => ({ ...part, ChecksumCRC32: 'AAAAAA==' }))), 'InvalidPart', 400);
  await put(Key, 'in the way');
  await fails(complete(Parts, { IfNoneMatch: '*' }), 'PreconditionFailed', 412);
  await client.send(new s3.DeleteObjectCommand({ Bucket, Key }));
  const first = await complete(Parts, { IfNoneMatch: '*' });
  assert.equal((await complete(Parts, { IfNoneMatch: '*' })).ETag, first.ETag, 'a repeat whose answer was lost');
  const { text, ContentType } = await get(Key);
  assert.equal(ContentType, 'text/x');
  assert.ok(text === Buffer.concat(bodies).toString());
  assert.equal((await get(Key, { Range: `bytes=${fiveMebibytes - 2}-${fiveMebibytes + 1}` })).text, 'aabb');
  await fails(upload(1, Buffer.from('late')), 'NoSuchUpload', 404);
  assert.deepEqual(
    events.filter(({ key }) => key === Key).map(({ eventName }) => eventName),
    ['ObjectCreated:Put', 'ObjectCreated:CompleteMultipartUpload'],
  );

  const count = (await blobs()).length;
  const aborted = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key }));
  const target = { Bucket, Key, UploadId: aborted.UploadId };
  await client.send(new s3.UploadPartCommand({ ...target, PartNumber: 1, Body: 'x' }));
  await client.send(new s3.AbortMultipartUploadCommand(target));
  await fails(client.send(new s3.ListPartsCommand(target)), 'NoSuchUpload', 404);
  while ((await blobs()).length > count) await new Promise(setImmediate);
});

test('a copied object stays when its source is deleted', async () => {
  await put('source ä', 'copied', { Metadata: { a: '1' }, ContentType: 'text/x' });
  const CopySource = `${Bucket}/${encodeURIComponent('source ä')}`;
  const copy = (more: Partial<s3.CopyObjectCommandInput>) =>
    client.send(new s3.CopyObjectCommand({ Bucket, Key: 'copy', CopySource, ...more }));
  const { CopyObjectResult } = await copy({});
  await fails(copy({ IfNoneMatch: '*' }), 'PreconditionFailed', 412);
  await fails(copy({ CopySourceIfMatch: '"other"' }), 'PreconditionFailed', 412);
  await fails(copy({ CopySource: `${Bucket}/nothing` }), 'NoSuchKey', 404);
  await fails(copy({ Key: 'source ä' }), 'InvalidRequest', 400);
  await copy({ Key: 'changed', MetadataDirective: 'REPLACE', Metadata: { b: '2' } });
  await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'source ä' }));
  const [kept, changed] = [await get('copy'), await get('changed')];
  assert.deepEqual([kept.text, kept.Metadata, kept.ETag], ['copied', { a: '1' }, CopyObjectResult?.ETag]);
  assert.deepEqual([changed.text, changed.Metadata], ['copied', { b: '2' }]);
  assert.ok(events.some(({ key, eventName }) => key === 'copy' && eventName === 'ObjectCreated:Copy'));
});

test('a signature is refused for a wrong clock, key, region or any changed byte', async () => {
  const send = async (
    config: s3.S3ClientConfig,
    tamper?: (headers: Record<string, string>) => void,
    bucket = Bucket,
  ) => {
    const other = connect(config);
    other.middlewareStack.add(
      (next) => (args) => {
        // The last step before the network sees the signed HTTP request.
        tamper?.((args.request as { headers: Record<string, string> }).headers);
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const Body = Buffer.from('hello');
    await other.send(new s3.PutObjectCommand({ Bucket: bucket, Key: 'signed', Body })).finally(() => other.destroy());
  };
  const wrong = { accessKeyId: 'local-key', secretAccessKey: 'guess' };
  await fails(send({ credentials: wrong }), 'SignatureDoesNotMatch', 403);
  await fails(send({ credentials: { ...wrong, accessKeyId: 'guess' } }), 'InvalidAccessKeyId', 403);
  await fails(send({ credentials: { ...credentials, sessionToken: 'x' } }), 'InvalidToken', 400);
  await fails(send({ systemClockOffset: 16 * 60_000 }), 'RequestTimeTooSkewed', 403);
  await send({ systemClockOffset: -14 * 60_000 });
  await fails(send({}, undefined, 'far'), 'AuthorizationHeaderMalformed', 400);
  await send({ region: 'us-east-1' }, undefined, 'far');
  await fails(send({}, undefined, 'nowhere'), 'NoSuchBucket', 404);
  const change = (name: string, value: string) => (headers: Record<string, string>) => {
    Object.assign(headers, { [name]: value });
  };
  await fails(send({}, change('content-type', 'text/x')), 'SignatureDoesNotMatch', 403);
  await fails(send({}, change('x-amz-meta-late', 'x')), 'AccessDenied', 403);
  await fails(send({}, change('x-amz-content-sha256', 'UNSIGNED-PAYLOAD')), 'SignatureDoesNotMatch', 403);
  await fails(send({}, change('authorization', 'Basic eDp5')), 'AuthorizationHeaderMalformed', 400);
  await fails(send({ signer: { sign: async (request) => request } }), 'AccessDenied', 403);
});

test('an unsupported S3 parameter is refused, not ignored', async () => {
  const target = { Bucket, Key: 'plain' };
  await put('plain', 'hello');
  await fails(client.send(new s3.PutObjectAclCommand({ ...target, ACL: 'private' })), 'NotImplemented', 501);
  await fails(client.send(new s3.GetObjectCommand({ ...target, VersionId: '1' })), 'NotImplemented', 501);
  await fails(put('plain', 'x', { ACL: 'private' }), 'NotImplemented', 501);
  const copy = { ...target, CopySource: `${Bucket}/plain`, ACL: 'private' } as const;
  await fails(client.send(new s3.CopyObjectCommand(copy)), 'NotImplemented', 501);
  await fails(client.send(new s3.ListObjectsCommand({ Bucket })), 'NotImplemented', 501);
  await fails(client.send(new s3.CreateBucketCommand({ Bucket: 'new' })), 'NoSuchBucket', 404);
  await fails(client.send(new s3.ListBucketsCommand({})), 'NotImplemented', 501);
  assert.equal((await get('plain')).text, 'hello');
});

test('buckets are reached by path and by host name, each with its own objects and region', async () => {
  const far = connect({ region: 'us-east-1' });
  assert.equal((await client.send(new s3.GetBucketLocationCommand({ Bucket }))).LocationConstraint, 'eu-west-1');
  assert.ok(!(await far.send(new s3.GetBucketLocationCommand({ Bucket: 'far' }))).LocationConstraint);
  assert.equal((await far.send(new s3.HeadBucketCommand({ Bucket: 'far' }))).BucketRegion, 'us-east-1');
  // Not every resolver knows that names under localhost are the machine itself.
  const httpAgent = new Agent({
    lookup: (_host, { all }, callback) => {
      if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    },
  });
  const hosted = connect({
    endpoint: store.url.replace('127.0.0.1', 'localhost'),
    forcePathStyle: false,
    requestHandler: { httpAgent },
  });
  await put('shared/name', 'by path');
  const { Body } = await hosted.send(new s3.GetObjectCommand({ Bucket, Key: 'shared/name' }));
  assert.equal(await Body?.transformToString(), 'by path');
  await fails(far.send(new s3.GetObjectCommand({ Bucket: 'far', Key: 'shared/name' })), 'NoSuchKey', 404);
  for (const each of [far, hosted]) each.destroy();
});

test('an object event is delivered again until its receiver confirms it', async () => {
  const { $metadata } = await put('event', 'hello');
  while (events.filter(({ key }) => key === 'event').length < 2) await new Promise(setImmediate);
  const [first, second] = events.filter(({ key }) => key === 'event');
  assert.deepEqual(first, second);
  assert.partialDeepStrictEqual(second, {
    bucket: Bucket,
    size: 5,
    eTag: '5d41402abc4b2a76b9719d911017c592',
    region: 'eu-west-1',
    requestId: $metadata.requestId,
    principalId: 'local-key',
  });
  assert.deepEqual(errors.map(String), ['Error: not now'], 'the only internal failure of all these tests');
});

test('tags that are too many, too long or doubled are refused, and so are those of an absent object', async () => {
  for (const Tagging of ['=x', 'a=1&a=2', `${'n'.repeat(129)}=1`, `n=${'v'.repeat(257)}`, 'a&b&c&d&e&f&g&h&i&j&k'])
    await fails(put('badly-tagged', 'x', { Tagging }), 'InvalidTag', 400);
  await fails(client.send(new s3.DeleteObjectTaggingCommand({ Bucket, Key: 'badly-tagged' })), 'NoSuchKey', 404);
});

test('objects that have expired by a lifecycle rule are removed at the next start', async () => {
  const aging = { Bucket: 'aging', Body: 'x' };
  for (const Key of ['tmp/old', 'other/old']) await client.send(new s3.PutObjectCommand({ ...aging, Key }));
  const tagged = [
    ['tagged/pending', 'upload=pending'],
    ['tagged/accepted', 'upload=pending'],
    ['tagged/done', 'upload=done&kind=text'],
    ['tagged/plain', undefined],
  ] as const;
  for (const [Key, Tagging] of tagged) await client.send(new s3.PutObjectCommand({ ...aging, Key, Tagging }));
  await client.send(new s3.DeleteObjectTaggingCommand({ Bucket: 'aging', Key: 'tagged/accepted' }));
  await store.close();
  const later = new Date(Date.now() + 2 * 86_400_000 + 1000);
  store = await startObjectStore({ ...options, clock: { now: () => later } });
  const next = connect({ systemClockOffset: later.getTime() - Date.now() });
  const { Contents } = await next.send(new s3.ListObjectsV2Command({ Bucket: 'aging' }));
  assert.deepEqual(
    Contents?.map(({ Key }) => Key),
    ['other/old', 'tagged/accepted', 'tagged/done', 'tagged/plain'],
  );
  next.destroy();
});

test('behind the shared endpoint expired objects are removed every hour, and after a failure in the next hour', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let clock = (): Date => new Date();
  const failures: unknown[] = [];
  const objects = await openObjects({
    ...options,
    access: singleKeyAccess(credentials),
    dataDir: join(directory, 'shared'),
    onError: (error) => failures.push(error),
    clock: { now: () => clock() },
  });
  const server = createServer((request, response) => void objects.serve(request, response, false));
  const near = connect({ endpoint: `http://127.0.0.1:${await listen(server, 0)}` });
  context.after(async () => {
    near.destroy();
    await closeServer(server);
    await objects.close();
  });
  await near.send(new s3.PutObjectCommand({ Bucket: 'aging', Key: 'tmp/old', Body: 'x' }));
  clock = () => assert.fail('the disk is full');
  context.mock.timers.tick(3_600_000);
  await eventually(() => failures.at(0));
  assert.match(String(failures), /the disk is full/);
  clock = () => new Date(Date.now() + 3 * 86_400_000);
  context.mock.timers.tick(3_600_000);
  assert.deepEqual(
    await eventually(
      () => readdir(join(directory, 'shared', 'blobs')),
      (left) => left.length === 0,
    ),
    [],
  );
  assert.equal(failures.length, 1);
});

test('a response that is destroyed as it begins ends its request, so the store can close', async () => {
  const objects = await openObjects({
    ...options,
    access: singleKeyAccess(credentials),
    dataDir: join(directory, 'destroyed'),
    onError: (error) => assert.fail(String(error)),
  });
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.writeHead = () => response.destroy();
    void objects.serve(request, response, false);
  });
  const caller = connect({ endpoint: `http://127.0.0.1:${await listen(server, 0)}` });
  const where = { Bucket: 'aging', Key: 'destroyed' };
  await caller.send(new s3.PutObjectCommand({ ...where, Body: 'content' }));
  await assert.rejects(caller.send(new s3.GetObjectCommand(where)));
  caller.destroy();
  await closeServer(server);
  await objects.close();
});

test('events that cannot be read fail no upload, and are delivered later', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const database = openDatabase(join(directory, 'outbox.sqlite'));
  const failures: unknown[] = [];
  const delivered: string[] = [];
  const deliver = async ({ key }: ObjectCreated): Promise<void> => void delivered.push(key);
  const outbox = openEventOutbox(database, deliver, (error) => failures.push(error));
  context.after(async () => {
    await outbox.close();
    database.close();
  });
  const event = { eventName: 'ObjectCreated:Put', eventTime: '', bucket: Bucket, region: 'eu-west-1' } as const;
  const source = { size: 1, eTag: '', requestId: '', principalId: '', sourceIpAddress: '' };
  outbox.add({ ...event, ...source, key: 'kept' });
  void database.sql.all`ALTER TABLE events RENAME TO away`;
  outbox.wake();
  outbox.wake();
  assert.match(String(failures[0]), /no such table/);
  void database.sql.all`ALTER TABLE away RENAME TO events`;
  context.mock.timers.tick(30_000);
  await eventually(() => delivered.at(0));
  assert.deepEqual([delivered, failures.length], [['kept'], 2]);
});
