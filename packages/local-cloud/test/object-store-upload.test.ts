import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type ObjectStore, startObjectStore } from '../../../test/support/object-store.ts';

const run = promisify(execFile);
const credentials = { accessKeyId: 'local-key', secretAccessKey: 'local-secret' };
const corsRules = [
  {
    allowedOrigins: ['https://*.example.com'],
    allowedMethods: ['PUT'],
    allowedHeaders: ['*'],
    exposedHeaders: ['ETag'],
  },
  { allowedOrigins: ['*'], allowedMethods: ['GET'], maxAgeSeconds: 600 },
];
const text = 'the quick brown fox';
const sha256 = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64');

let now = new Date('2030-01-02T03:04:05Z');
const errors: unknown[] = [];

let directory: string;
let file: string;
let store: ObjectStore;
let client: S3Client;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'object-store-upload-'));
  file = join(directory, 'upload.txt');
  await writeFile(file, text);
  store = await startObjectStore({
    dataDir: join(directory, 'data'),
    credentials,
    buckets: [{ name: 'content', region: 'eu-west-1', corsRules }],
    onError: (error) => errors.push(error),
    clock: { now: () => now },
  });
  client = new S3Client({
    region: 'eu-west-1',
    endpoint: store.url,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    systemClockOffset: now.getTime() - Date.now(),
  });
});

after(async () => {
  client.destroy();
  await store.close();
  await rm(directory, { recursive: true });
});

interface Upload {
  readonly url: string;
  readonly headers: Record<string, string>;
}

const presign = async (key: string, checksum?: string, length?: number): Promise<Upload> => {
  const headers = {
    'content-type': 'text/plain',
    'if-none-match': '*',
    ...(checksum !== undefined && { 'x-amz-checksum-sha256': checksum }),
    ...(length !== undefined && { 'content-length': String(length) }),
  };
  const names = Object.keys(headers);
  const command = new PutObjectCommand({
    Bucket: 'content',
    Key: key,
    ContentType: 'text/plain',
    IfNoneMatch: '*',
    ...(checksum !== undefined && { ChecksumSHA256: checksum }),
    ...(length !== undefined && { ContentLength: length }),
  });
  const url = await getSignedUrl(client, command, {
    expiresIn: 900,
    signingDate: now,
    signableHeaders: new Set(['host', ...names]),
    unhoistableHeaders: new Set(names),
  });
  return { url, headers };
};

const curl = async ({ url, headers }: Upload, path = file, ...options: string[]) => {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const output = ['-sS', '-w', '\n%{http_code} %{content_type}', ...options];
  const { stdout } = await run('curl', [...output, '-T', path, ...headerArguments, url]);
  const end = stdout.lastIndexOf('\n');
  const [status, contentType] = stdout.slice(end + 1).split(' ');
  return { status: Number(status), contentType, body: stdout.slice(0, end) };
};

const codeOf = (body: string): string | undefined => /<Code>(\w+)<\/Code>/.exec(body)?.[1];
const blobCount = async (): Promise<number> => (await readdir(join(directory, 'data', 'blobs'))).length;

const assertRefused = (answer: Awaited<ReturnType<typeof curl>>, status: number, code: string, label: string): void => {
  assert.equal(answer.status, status, `${label}: ${answer.body}`);
  assert.equal(answer.contentType, 'application/xml', label);
  assert.equal(codeOf(answer.body), code, label);
  assert.match(answer.body, /<Message>[^<]+<\/Message>.*<RequestId>[0-9A-F]{16}<\/RequestId>/s, label);
  assert.doesNotMatch(answer.body, /X-Amz-Signature|local-secret/, label);
};

test('curl uploads once with exactly the signed headers', async () => {
  const upload = await presign('once', sha256(text));
  const first = await curl(upload);
  assert.deepEqual([first.status, first.body], [200, '']);
  const head = await client.send(new HeadObjectCommand({ Bucket: 'content', Key: 'once', ChecksumMode: 'ENABLED' }));
  assert.equal(head.ContentType, 'text/plain');
  assert.equal(head.ContentLength, text.length);
  assert.equal(head.ChecksumSHA256, sha256(text));
  assertRefused(await curl(upload), 412, 'PreconditionFailed', 'second upload');

  const unchecked = await presign('unchecked');
  assert.equal((await curl(unchecked)).status, 200);
});

test('an upload that differs from the signed one is refused and leaves no file', async () => {
  const blobs = await blobCount();
  const upload = await presign('refused', sha256(text));
  const other = join(directory, 'other.txt');
  await writeFile(other, `${text.slice(0, -1)}y`);
  const without = (name: string): Upload => ({
    ...upload,
    headers: Object.fromEntries(Object.entries(upload.headers).filter(([header]) => header !== name)),
  });
  const plus = (name: string, value: string): Upload => ({ ...upload, headers: { ...upload.headers, [name]: value } });
  const at = (from: RegExp, to: string): Upload => {
    assert.match(upload.url, from);
    return { ...upload, url: upload.url.replace(from, to) };
  };
  const cases: [string, Upload, number, string][] = [
    ['changed content type', plus('content-type', 'text/html'), 403, 'SignatureDoesNotMatch'],
    ['changed checksum', plus('x-amz-checksum-sha256', sha256('other')), 403, 'SignatureDoesNotMatch'],
    ['changed condition', plus('if-none-match', '"x"'), 403, 'SignatureDoesNotMatch'],
    ['no content type', without('content-type'), 403, 'SignatureDoesNotMatch'],
    ['no checksum', without('x-amz-checksum-sha256'), 403, 'SignatureDoesNotMatch'],
    ['no condition', without('if-none-match'), 403, 'SignatureDoesNotMatch'],
    ['unsigned metadata', plus('x-amz-meta-a', 'b'), 403, 'AccessDenied'],
    ['unsigned payload hash', plus('x-amz-content-sha256', 'UNSIGNED-PAYLOAD'), 403, 'AccessDenied'],
    ['authorization besides', plus('authorization', 'AWS4-HMAC-SHA256 x'), 400, 'InvalidArgument'],
    ['other key', at(/content\/refused/, 'content/stolen'), 403, 'SignatureDoesNotMatch'],
    ['longer life', at(/X-Amz-Expires=900/, 'X-Amz-Expires=9000'), 403, 'SignatureDoesNotMatch'],
    ['endless life', at(/X-Amz-Expires=900/, 'X-Amz-Expires=999999'), 400, 'AuthorizationQueryParametersError'],
    ['no life', at(/&X-Amz-Expires=900/, ''), 400, 'AuthorizationQueryParametersError'],
    ['later date', at(/X-Amz-Date=20300102T030405Z/, 'X-Amz-Date=20300102T030406Z'), 403, 'SignatureDoesNotMatch'],
    ['other region', at(/eu-west-1/, 'eu-west-2'), 403, 'SignatureDoesNotMatch'],
    ['other key pair', at(/local-key/, 'other-key'), 403, 'InvalidAccessKeyId'],
    ['fewer signed headers', at(/content-type%3B/, ''), 403, 'SignatureDoesNotMatch'],
    ['added parameter', at(/$/, '&acl='), 403, 'SignatureDoesNotMatch'],
    ['doubled parameter', at(/$/, '&X-Amz-Expires=900'), 400, 'AuthorizationQueryParametersError'],
    ['odd parameter', at(/$/, '&__proto__=x'), 403, 'SignatureDoesNotMatch'],
    ['no signature', at(/&X-Amz-Signature=[0-9a-f]+/, ''), 400, 'AuthorizationQueryParametersError'],
    ['no query', at(/\?.*$/, ''), 403, 'AccessDenied'],
  ];
  for (const [label, changed, status, code] of cases) assertRefused(await curl(changed), status, code, label);
  assertRefused(await curl(upload, other), 400, 'BadDigest', 'one byte of the body changed');

  const signed = now;
  now = new Date(signed.getTime() + 901_000);
  const expired = await curl(upload);
  assertRefused(expired, 403, 'AccessDenied', 'expired');
  assert.match(expired.body, /<Message>Request has expired<\/Message>/);
  now = new Date(signed.getTime() - 901_000);
  assertRefused(await curl(upload), 403, 'AccessDenied', 'not valid yet');
  now = signed;

  assert.equal(await blobCount(), blobs);
  assert.equal((await curl(upload)).status, 200, 'the address is still good');
});

test('an address with a signed length accepts only a body of that length', async () => {
  const { 'content-length': length, ...headers } = (await presign('sized', undefined, text.length)).headers;
  assert.equal(length, String(text.length));
  const upload = { ...(await presign('sized', undefined, text.length)), headers };
  const longer = join(directory, 'longer.txt');
  await writeFile(longer, `${text}!`);
  const blobs = await blobCount();
  assertRefused(await curl(upload, longer), 403, 'SignatureDoesNotMatch', 'a longer body');
  const chunked = { ...upload, headers: { ...headers, 'transfer-encoding': 'chunked' } };
  assertRefused(await curl(chunked), 403, 'SignatureDoesNotMatch', 'a body of unknown length');
  assert.equal(await blobCount(), blobs);
  assert.equal((await curl(upload)).status, 200);
});

test('Content-MD5 and the CRC checksums are verified as well', async () => {
  const crcs: [string, string][] = [
    // Of the bytes "123456789": the published check values of each algorithm.
    ['x-amz-checksum-crc32', Buffer.from('cbf43926', 'hex').toString('base64')],
    ['x-amz-checksum-crc32c', Buffer.from('e3069283', 'hex').toString('base64')],
    ['x-amz-checksum-crc64nvme', Buffer.from('ae8b14860a799888', 'hex').toString('base64')],
    ['x-amz-checksum-sha1', createHash('sha1').update('123456789').digest('base64')],
    ['content-md5', createHash('md5').update('123456789').digest('base64')],
  ];
  const digits = join(directory, 'digits');
  await writeFile(digits, '123456789');
  for (const [header, value] of crcs) {
    const command = new PutObjectCommand({ Bucket: 'content', Key: header });
    command.middlewareStack.add(
      (next) => (args) => {
        // The build step works on the HTTP request that is about to be signed.
        const { headers } = args.request as { headers: Record<string, string> };
        headers[header] = value;
        return next(args);
      },
      { step: 'build' },
    );
    const url = await getSignedUrl(client, command, { signingDate: now, unhoistableHeaders: new Set([header]) });
    const upload = { url, headers: { [header]: value } };
    assertRefused(await curl(upload), 400, 'BadDigest', header);
    assert.equal((await curl(upload, digits)).status, 200, header);
  }
});

test('a refused large upload gets its error body, with and without Expect: 100-continue', async () => {
  const large = join(directory, 'large');
  await writeFile(large, '');
  await truncate(large, 64 * 1024 ** 2);
  const upload = await presign('large');
  const changed = { ...upload, headers: { ...upload.headers, 'content-type': 'text/html' } };
  assertRefused(await curl(changed, large), 403, 'SignatureDoesNotMatch', 'Expect: 100-continue');
  assertRefused(await curl(changed, large, '-H', 'Expect:'), 403, 'SignatureDoesNotMatch', 'no Expect');
  assertRefused(await curl(upload, '-'), 411, 'MissingContentLength', 'unknown length');
  const claimed = await curl(upload, file, '-H', 'Content-Length: 6442450944', '-H', 'Expect: 100-continue');
  assertRefused(claimed, 400, 'EntityTooLarge', '6 GiB');
  assert.equal((await curl(upload, large)).status, 200);
});

test('an upload that breaks off leaves neither object nor file', async () => {
  const blobs = await blobCount();
  const { url, headers } = await presign('broken');
  const message = httpRequest(url, { method: 'PUT', headers: { ...headers, 'content-length': 1000 } });
  message.on('error', () => {});
  await new Promise((resolve) => {
    message.write('half', resolve);
  });
  while ((await blobCount()) === blobs) await new Promise(setImmediate);
  message.destroy();
  while ((await blobCount()) > blobs) await new Promise(setImmediate);
  await assert.rejects(client.send(new HeadObjectCommand({ Bucket: 'content', Key: 'broken' })), { name: 'NotFound' });
  assert.deepEqual(errors, [], 'a client that leaves is no failure of the store');
});

test('browsers of allowed origins may upload', async () => {
  const { url, headers } = await presign('browser');
  const preflight = (origin: string, method: string, asked: string) =>
    fetch(`${store.url}/content/browser`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': asked },
    });
  const allowed = await preflight('https://app.example.com', 'PUT', 'content-type, x-amz-checksum-sha256');
  assert.equal(allowed.status, 200);
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example.com');
  assert.equal(allowed.headers.get('access-control-allow-methods'), 'PUT');
  assert.equal(allowed.headers.get('access-control-allow-headers'), 'content-type, x-amz-checksum-sha256');
  const read = await preflight('https://anywhere.test', 'GET', '');
  assert.equal(read.headers.get('access-control-allow-origin'), '*');
  assert.equal(read.headers.get('access-control-max-age'), '600');
  for (const refused of [
    await preflight('https://example.org', 'PUT', ''),
    await preflight('https://app.example.com', 'DELETE', ''),
    await preflight('https://anywhere.test', 'GET', 'x-secret'),
  ]) {
    assert.equal(refused.status, 403);
    assert.equal(codeOf(await refused.text()), 'AccessForbidden');
  }
  const origin = 'https://app.example.com';
  const refused = await fetch(`${url}0`, { method: 'PUT', body: text, headers: { ...headers, origin } });
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('access-control-allow-origin'), origin, 'a page can read why');
  const stored = await fetch(url, { method: 'PUT', body: text, headers: { ...headers, origin } });
  assert.equal(stored.status, 200);
  assert.equal(stored.headers.get('access-control-expose-headers'), 'ETag');
});
