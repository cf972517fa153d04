import { request } from 'undici';
import { readBounded } from '../../kernel/read-bounded.ts';
import { receiverAgent } from '../delivery/public-fetch.ts';
import { asSource, type ObjectSource, type Refusal, SourceFailed, SourceRefused } from './port.ts';

/** Query of a URL, which may contain a signature. */
export interface UrlAccess {
  readonly query: string;
}

const timeoutMs = 60_000;

/** Error: a server responded with another status than requested. */
class UnexpectedStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

const refusalOf = (error: unknown): Refusal => ({
  status: error instanceof UnexpectedStatus ? error.status : undefined,
});

/** Returns the size in a `Content-Range`: `bytes 0-0/SIZE`, or `bytes ∗/SIZE` of an empty object. */
const sizeIn = (contentRange: string): number => {
  const size = /^bytes [^/]+\/(\d+)$/.exec(contentRange)?.[1];
  if (size === undefined) throw new SourceRefused('The server does not state the size of the object');
  return Number(size);
};

const [partial, complete, unsatisfiable] = [206, 200, 416];

/**
 * Opens the object of a URL, such as a presigned one of any S3. The server must support byte ranges. Redirects are not
 * followed. Source: RFC 9110, 14.
 */
export const openUrlSource = (
  url: string,
  { query }: UrlAccess,
  options: { readonly allowLocal: boolean },
): ObjectSource => {
  const dispatcher = receiverAgent(options);
  const get = (range: string, etag: string) =>
    request(url + query, {
      dispatcher,
      headers: { range, 'accept-encoding': 'identity', ...(etag === '' ? {} : { 'if-match': etag }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
  return {
    // A presigned URL allows one method, so there is no HEAD.
    head: () =>
      asSource(refusalOf, false, async () => {
        const { statusCode, headers, body } = await get('bytes=0-0', '');
        await body.dump();
        if (statusCode === complete) throw new SourceRefused('The server of the URL does not support byte ranges');
        if (statusCode !== partial && statusCode !== unsatisfiable) throw new UnexpectedStatus(statusCode);
        const etag = String(headers['etag'] ?? '');
        return {
          sizeBytes: sizeIn(String(headers['content-range'] ?? '')),
          // A weak one never matches.
          etag: etag.startsWith('W/') ? '' : etag,
          checksum: null,
          encoding: String(headers['content-encoding'] ?? ''),
        };
      }),
    range: (start, end, etag) =>
      asSource(refusalOf, true, async () => {
        const { statusCode, body } = await get(`bytes=${start}-${end - 1}`, etag);
        if (statusCode !== partial) {
          await body.dump();
          throw new UnexpectedStatus(statusCode);
        }
        return readBounded(body, end - start, () => new SourceFailed('The server returned more bytes than requested'));
      }),
  };
};
