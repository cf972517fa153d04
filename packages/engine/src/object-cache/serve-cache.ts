import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { type ByteRange, type FileBlocks, fileBlocks, type FilePart, maxAddedBytes } from './file-blocks.ts';
import { pendingUploads, type PendingUploads } from './pending-uploads.ts';
import { openRetries } from './retry.ts';
import { sendOnce, type Upstream } from './send-once.ts';
import type { StoreAccess } from './store-access.ts';

/**
 * Immutable files of a table: each has a unique name or is a version, which is written once. A dropped table is never
 * created again under its name.
 */
const immutable = /\/(?:data|_deletions|_indices|_transactions)\/[^?]+$|\/_versions\/\d+\.manifest$/;

/** A version names its files: none of them is used before the version is written. */
const version = /^(.*\/)_versions\//;

/** Headers of the engine's own signature and connection. */
const ownHeaders = new Set([
  'authorization',
  'connection',
  'host',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
]);

/** An error response of the object store, to be passed on. */
class Refused extends Error {
  readonly answer: Upstream;

  constructor(answer: Upstream) {
    super(`the object store answered ${answer.status}`);
    this.answer = answer;
  }
}

const rangeOf = (request: IncomingMessage): ByteRange | null | 'other' => {
  const { range } = request.headers;
  if (range === undefined) return null;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  return start === undefined || end === undefined ? 'other' : { start: Number(start), end: Number(end) };
};

const partOf = async ({ status, headers, body }: Upstream): Promise<FilePart> => {
  const bytes = await buffer(body);
  if (status !== 206) return { start: 0, size: bytes.length, bytes };
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return { start: Number(start), size: Number(size), bytes };
};

const sendPart = (response: ServerResponse, range: ByteRange | null, { start, size, bytes }: FilePart): void => {
  const headers = { 'content-length': bytes.length, 'accept-ranges': 'bytes' };
  if (range === null) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${start + bytes.length - 1}/${size}` });
  response.end(bytes);
};

const pass = (response: ServerResponse, { status, headers, body }: Upstream): void => {
  const { connection: _connection, 'keep-alive': _keepAlive, ...others } = headers;
  response.writeHead(status, others);
  body.on('error', () => response.destroy());
  body.pipe(response);
};

interface Serving {
  readonly store: StoreAccess;
  readonly blocks: FileBlocks;
  readonly uploads: PendingUploads;
  readonly retry: ReturnType<typeof openRetries>;
}

/** Headers of the engine that are passed on to S3. */
const passedHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || ownHeaders.has(name) ? [] : [[name, [value].flat().join(',')]],
    ),
  );

/** A request of the engine that may be sent to S3. */
interface Forwarded {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer | null;
  /** Whether it writes only if the file does not exist. */
  readonly isConditional: boolean;
  readonly send: (headers?: Readonly<Record<string, string>>) => Promise<Upstream>;
}

const readRequest = async ({ store, retry }: Serving, request: IncomingMessage): Promise<Forwarded> => {
  const { method = 'GET', url = '/' } = request;
  const headers = passedHeaders(request);
  const isConditional = headers['if-none-match'] !== undefined;
  const body = method === 'GET' || method === 'HEAD' ? null : await buffer(request);
  const send: Forwarded['send'] = async (others = {}) => {
    const signed = await store.sign({ method, path: url, headers: { ...headers, ...others } });
    // A conditional write that is sent twice may be refused because of its own first success.
    if (isConditional) return sendOnce(signed, body, true);
    return retry(`${method} ${url}`, (attempt) => sendOnce(signed, body, attempt > 0));
  };
  return { method, url, body, isConditional, send };
};

/** Reads a range of an immutable file, or all of it. */
const readFile = ({ blocks, uploads }: Serving, { url, send }: Forwarded, range: ByteRange | null): Promise<FilePart> =>
  blocks.read(url, range, async (part) => {
    await uploads.settled(url);
    const answer = await send(part === null ? {} : { range: `bytes=${part.start}-${part.end}` });
    if (answer.status >= 300) throw new Refused(answer);
    return partOf(answer);
  });

/** Writes or deletes an immutable file. */
const changeFile = async (
  { blocks, uploads }: Serving,
  forwarded: Forwarded,
  response: ServerResponse,
): Promise<void> => {
  const { method, url, body, isConditional, send } = forwarded;
  const [, table] = version.exec(url) ?? [];
  if (method === 'PUT' && table === undefined && !isConditional && body !== null && body.length <= maxAddedBytes) {
    blocks.add(url, body);
    uploads.start(url, async () => {
      const answer = await send();
      answer.drop();
      if (answer.status >= 300) throw new Refused(answer);
    });
    response.writeHead(200, { 'content-length': 0, etag: '"pending"' }).end();
    return;
  }
  if (method === 'PUT' && table !== undefined) await uploads.settledUnder(table);
  if (method === 'DELETE') {
    await uploads.settled(url);
    blocks.forget(url);
  }
  const answer = await send();
  if (method === 'PUT' && answer.status < 300 && body !== null) blocks.add(url, body);
  pass(response, answer);
};

const serve = async (serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const forwarded = await readRequest(serving, request);
  const { method, url } = forwarded;
  const range = rangeOf(request);
  if (!immutable.test(url) || range === 'other') return pass(response, await forwarded.send());
  if (method === 'GET') return sendPart(response, range, await readFile(serving, forwarded, range));
  const size = method === 'HEAD' ? serving.blocks.sizeOf(url) : null;
  if (size === null) return changeFile(serving, forwarded, response);
  response.writeHead(200, { 'content-length': size, 'accept-ranges': 'bytes' }).end();
};

/**
 * Serves the object store to this process's engine at a local address, with the blocks of immutable files in memory.
 * Answers only requests with a key that no other process knows.
 */
export const serveCache = async (store: StoreAccess, maxBytes: number): Promise<Readonly<Record<string, string>>> => {
  const serving: Serving = { store, blocks: fileBlocks(maxBytes), uploads: pendingUploads(), retry: openRetries() };
  const key = randomUUID();
  const server = createServer((request, response) => {
    if (request.headers.authorization?.includes(`Credential=${key}/`) !== true) {
      response.writeHead(403).end();
      return;
    }
    serve(serving, request, response).catch((error: unknown) => {
      if (error instanceof Refused) pass(response, error.answer);
      else if (response.headersSent) response.destroy();
      else response.writeHead(503).end(String(error));
    });
  });
  // Both ends are in one process, which may be frozen for hours, so their connections never become stale.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, timeout: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  // Files up to that size are written in one request, not in parts of 5 MB. The engine reads the variable when it is
  // loaded.
  env['LANCE_INITIAL_UPLOAD_SIZE'] = String(maxAddedBytes);
  const { port } = server.address() as AddressInfo;
  return {
    aws_region: store.region,
    aws_endpoint: `http://127.0.0.1:${port}`,
    aws_access_key_id: key,
    aws_secret_access_key: randomUUID(),
    allow_http: 'true',
    // The cache repeats requests itself, within a bounded time.
    client_max_retries: '0',
    lance_aimd_max_retries: '0',
  };
};
