import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CredentialScope } from '../endpoint/credential-scope.ts';

/** Parts of a request that Signature Version 4 covers. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array | string;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: Uint8Array | string): string => hash('sha256', data);

/** Encodes the path once more, as all services but S3 do. */
const canonicalPath = (path: string): string => encodeURIComponent(path).replaceAll('%2F', '/');

const canonicalQuery = (query: string): string => query.split('&').toSorted().join('&');

const canonicalRequest = ({ method, url, headers, body }: SignedRequest, signedHeaders: string): string => {
  const [path = '/', query = ''] = url.split('?', 2);
  const lines = signedHeaders.split(';').map((name) => {
    const value = [headers[name] ?? ''].flat().join(',');
    return `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`;
  });
  return [method, canonicalPath(path), canonicalQuery(query), lines.join(''), signedHeaders, sha256(body)].join('\n');
};

const maxKnownKeys = 1_000;
const signingKeys = new Map<string, Buffer>();

/** Returns the signing key of one day, region and service. Cached, because deriving it is slower than using it. */
const signingKey = (secretAccessKey: string, date: string, region: string, service: string): Buffer => {
  const id = [secretAccessKey, date, region, service].join('/');
  const known = signingKeys.get(id);
  if (known !== undefined) return known;
  const derived = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  if (signingKeys.size >= maxKnownKeys) signingKeys.clear();
  const key = Buffer.from(derived);
  signingKeys.set(id, key);
  return key;
};

/**
 * Returns the Signature Version 4 of a request to any service but S3, in hexadecimal.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @param signedHeaders names in lower case, sorted and separated by `;`.
 */
export const signatureOf = (
  request: SignedRequest,
  secretAccessKey: string,
  { region, service }: Pick<CredentialScope, 'region' | 'service'>,
  signedHeaders: string,
): string => {
  const time = request.headers['x-amz-date']?.toString() ?? '';
  const date = time.slice(0, 8);
  const text = [
    'AWS4-HMAC-SHA256',
    time,
    `${date}/${region}/${service}/aws4_request`,
    sha256(canonicalRequest(request, signedHeaders)),
  ].join('\n');
  return hmac(signingKey(secretAccessKey, date, region, service), text).toString('hex');
};

const authorizationForm = /^AWS4-HMAC-SHA256 .*SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})$/;

/** Whether the `Authorization` header of a request is its signature with this secret. */
export const hasValidSignature = (request: SignedRequest, secretAccessKey: string, scope: CredentialScope): boolean => {
  const [, signedHeaders = '', signature] = authorizationForm.exec(request.headers.authorization ?? '') ?? [];
  if (signature === undefined || !signedHeaders.split(';').includes('host')) return false;
  const expected = signatureOf(request, secretAccessKey, scope, signedHeaders);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
};
