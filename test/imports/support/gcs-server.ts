import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { importSPKI, jwtVerify } from 'jose';
import { listening } from '../../support/emulated-cloud.ts';

interface StoredObject {
  readonly bytes: Buffer;
  readonly generation: string;
  /** Checksums that the server states. */
  readonly md5: string;
  /** Content-Encoding of the bytes; empty for none. */
  readonly encoding: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/**
 * The JSON API of Google Cloud Storage as far as reading goes: metadata, media in ranges and of one generation, bearer
 * tokens signed by a service account. Source: Cloud Storage JSON API, Objects.
 */
export class GcsServer {
  readonly account = {
    type: 'service_account',
    client_email: 'reader@project.iam.gserviceaccount.com',
    private_key: privateKey,
  };
  /** Responds with this status until it is null, for the given number of times. */
  fault: { readonly status: number; times: number } | null = null;
  requests = 0;
  endpoint = '';
  private readonly objects = new Map<string, StoredObject>();
  private generation = 1_700_000_000_000_000;
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch(() => response.destroy());
  });

  async start(): Promise<void> {
    this.endpoint = await listening(this.server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  put(
    bucket: string,
    name: string,
    bytes: Buffer,
    md5 = createHash('md5').update(bytes).digest('base64'),
    encoding = '',
  ): void {
    this.generation += 1;
    this.objects.set(`${bucket}/${name}`, { bytes, md5, encoding, generation: String(this.generation) });
  }

  remove(bucket: string, name: string): void {
    this.objects.delete(`${bucket}/${name}`);
  }

  /** Objects: list, with pages and folders. */
  private list(bucket: string, query: URLSearchParams): unknown {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
    const after = Buffer.from(query.get('pageToken') ?? '', 'base64').toString();
    const names = [...this.objects.keys()]
      .filter((key) => key.startsWith(`${bucket}/${prefix}`))
      .map((key) => key.slice(bucket.length + 1))
      .toSorted();
    const folderOf = (name: string): string | null => {
      const end = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
      return end < 0 ? null : name.slice(0, end + 1);
    };
    // A page has items and folders together, in order of name.
    const all = [...new Set(names.map((name) => folderOf(name) ?? name))].filter((name) => name > after);
    const limit = Number(query.get('maxResults') ?? 1000);
    const page = all.slice(0, limit);
    const items = page.flatMap((name) => {
      const found = this.objects.get(`${bucket}/${name}`);
      if (found === undefined || folderOf(name) !== null) return [];
      return [{ name, bucket, generation: found.generation, size: String(found.bytes.length) }];
    });
    const token = Buffer.from(page.at(-1) ?? '').toString('base64');
    return {
      kind: 'storage#objects',
      items,
      prefixes: page.filter((name) => folderOf(name) !== null),
      ...(all.length > limit ? { nextPageToken: token } : {}),
    };
  }

  private async mayRead(request: IncomingMessage, bucket: string): Promise<boolean> {
    if (bucket === 'public') return true;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return false;
    try {
      const { payload } = await jwtVerify(token, await importSPKI(publicKey, 'RS256'));
      return payload.iss === this.account.client_email && String(payload['scope']).includes('devstorage.read_only');
    } catch {
      return false;
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const refuse = (code: number, message: string): void => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code, message, errors: [{ reason: 'test', message }] } }));
    };
    if (this.fault !== null && this.fault.times > 0) {
      this.fault.times -= 1;
      refuse(this.fault.status, 'as told');
      return;
    }
    const listed = /^\/storage\/v1\/b\/([^/]+)\/o$/.exec(url.pathname)?.[1];
    if (listed !== undefined) {
      if (!(await this.mayRead(request, listed))) return refuse(403, 'no access');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(this.list(listed, url.searchParams)));
      return;
    }
    const [, bucket = '', name = ''] =
      /^\/(?:storage|download\/storage)\/v1\/b\/([^/]+)\/o\/([^/]+)$/.exec(url.pathname) ?? [];
    if (!(await this.mayRead(request, bucket))) return refuse(request.headers.authorization ? 403 : 401, 'no access');
    const object = this.objects.get(`${bucket}/${decodeURIComponent(name)}`);
    const generation = url.searchParams.get('generation');
    if (object === undefined || (generation !== null && generation !== object.generation))
      return refuse(404, 'No such object');
    if (url.searchParams.get('alt') !== 'media') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const { md5: md5Hash, bytes, encoding } = object;
      const contentEncoding = encoding === '' ? {} : { contentEncoding: encoding };
      const told = {
        name,
        bucket,
        generation: object.generation,
        size: String(bytes.length),
        md5Hash,
        ...contentEncoding,
      };
      response.end(JSON.stringify(told));
      return;
    }
    // A client that does not accept gzip gets the whole decoded object, even if it requested a range.
    if (object.encoding === 'gzip' && !String(request.headers['accept-encoding']).includes('gzip')) {
      response.writeHead(200).end(gunzipSync(object.bytes));
      return;
    }
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const part = object.bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${object.bytes.length}`;
    response.writeHead(206, {
      'content-length': part.length,
      'content-range': range,
      'x-goog-hash': `md5=${object.md5}`,
      ...(object.encoding === '' ? {} : { 'content-encoding': object.encoding }),
    });
    response.end(part);
  }
}
