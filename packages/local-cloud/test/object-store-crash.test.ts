import assert from 'node:assert/strict';
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectCreated } from '../src/object-store/contracts.ts';
import { type SingleKeyStore, startObjectStore } from '../../../test/support/object-store.ts';

const Bucket = 'content';
const credentials = { accessKeyId: 'local-key', secretAccessKey: 'local-secret' };
const optionsFor = (dataDir: string): SingleKeyStore => ({
  dataDir,
  credentials,
  buckets: [{ name: Bucket, region: 'eu-west-1' }],
});
const connect = (endpoint: string): S3Client =>
  new S3Client({ region: 'eu-west-1', endpoint, credentials, forcePathStyle: true, maxAttempts: 1 });
const blobs = (dataDir: string): Promise<string[]> => readdir(join(dataDir, 'blobs'));

/** This file as a program: a store whose event receiver never answers, and that reports its memory on request. */
const serve = async (dataDir: string): Promise<void> => {
  const { url } = await startObjectStore({ ...optionsFor(dataDir), onObjectCreated: () => new Promise(() => {}) });
  process.on('message', () => process.send?.(process.resourceUsage().maxRSS * 1024));
  process.on('disconnect', () => process.exit());
  process.send?.(url);
};

const startChild = async (context: TestContext): Promise<{ child: ChildProcess; url: string; dataDir: string }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'object-store-crash-'));
  const child = fork(fileURLToPath(import.meta.url), ['serve', dataDir]);
  context.after(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child);
    await rm(dataDir, { recursive: true });
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url, dataDir };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

const registerTests = (): void => {
  test('after kill -9 every acknowledged object is there, its event is delivered and no other file is left', async (context) => {
    const { child, url, dataDir } = await startChild(context);
    await assert.rejects(startObjectStore(optionsFor(dataDir)), /is in use by another process/);
    const client = connect(url);
    const answered: string[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; ; count += 1) {
        const Key = `${writer}/${count}`;
        await client.send(new PutObjectCommand({ Bucket, Key, Body: Key.repeat(5000) }));
        // Every second object is replaced, so that files go as well as come.
        if (count % 2 === 1) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key.repeat(5000) }));
        answered.push(Key);
        if (answered.length === 60) child.kill('SIGKILL');
      }
    };
    const exited = once(child, 'exit');
    const halfUrl = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'half' }));
    const half = httpRequest(halfUrl, { method: 'PUT', headers: { 'content-length': 1_000_000 } }).on(
      'error',
      () => {},
    );
    await new Promise((resolve) => {
      half.write('half', resolve);
    });
    while ((await blobs(dataDir)).length === 0) await new Promise(setImmediate);
    await Promise.allSettled([1, 2, 3, 4].map(write));
    await exited;
    client.destroy();

    const events: ObjectCreated[] = [];
    const store = await startObjectStore({
      ...optionsFor(dataDir),
      onObjectCreated: async (event) => void events.push(event),
    });
    const next = connect(store.url);
    const objects = new Set<string>();
    for (const key of new Set([...answered, ...events.map((event) => event.key)])) {
      const { Body } = await next.send(new GetObjectCommand({ Bucket, Key: key }));
      assert.ok((await Body?.transformToString()) === key.repeat(5000), key);
      objects.add(key);
    }
    while (events.length < new Set(answered).size) await new Promise(setImmediate);
    await assert.rejects(next.send(new GetObjectCommand({ Bucket, Key: 'half' })), { name: 'NoSuchKey' });
    const announced = new Set(events.map(({ key }) => key));
    for (const key of answered) assert.ok(announced.has(key), key);
    assert.equal(new Set(events.map(({ versionSequencer }) => versionSequencer)).size, events.length);
    assert.equal((await blobs(dataDir)).length, announced.size);
    next.destroy();
    await store.close();

    const again: ObjectCreated[] = [];
    const third = await startObjectStore({
      ...optionsFor(dataDir),
      onObjectCreated: async (event) => void again.push(event),
    });
    await third.close();
    assert.deepEqual(again, [], 'a delivered event is not delivered again');
  });

  test('an upload and download of 300 MB take no more memory than of 3 MB', async (context) => {
    const { child, url, dataDir } = await startChild(context);
    const client = connect(url);
    const memory = async (): Promise<number> => {
      child.send('memory');
      return Number((await once(child, 'message'))[0]);
    };
    const transfer = async (megabytes: number): Promise<void> => {
      const file = join(dataDir, `upload-${megabytes}`);
      await writeFile(file, 'start');
      await truncate(file, megabytes * 1_000_000);
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash);
      const checksum = hash.digest('base64');
      const command = new PutObjectCommand({ Bucket, Key: file, ChecksumSHA256: checksum });
      const header = 'x-amz-checksum-sha256';
      const address = await getSignedUrl(client, command, { unhoistableHeaders: new Set([header]) });
      await promisify(execFile)('curl', ['-sSf', '-T', file, '-H', `${header}: ${checksum}`, address]);
      const back = createHash('sha256');
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: file }));
      // In Node the body of an answer is a Readable.
      await pipeline(Body as NodeJS.ReadableStream, back);
      assert.equal(back.digest('base64'), checksum);
    };
    for (let round = 0; round < 10; round += 1) await transfer(3);
    const small = await memory();
    await transfer(300);
    const grown = (await memory()) - small;
    context.diagnostic(`${Math.round(small / 1e6)} MB, then ${Math.round(grown / 1e6)} MB more`);
    assert.ok(grown < 60_000_000, `${grown} bytes`);
    client.destroy();
  });
};

const [, , role, dataDir] = process.argv;
if (role === 'serve' && dataDir !== undefined) await serve(dataDir);
else registerTests();
