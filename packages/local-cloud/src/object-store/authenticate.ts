import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Authorization, readAuthorization } from './read-authorization.ts';
import type { StoreCredentials } from './contracts.ts';
import type { RequestTarget } from './request.ts';
import { S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

const maxSkewMs = 15 * 60_000;

/** Access key and region of a verified signature, and the headers of the request. */
export interface Authenticated {
  readonly authorization: Authorization;
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
}

/**
 * Verifies a Signature Version 4 in the Authorization header or in a presigned address: key, time, that `host` and
 * every `x-amz-…` header are signed, and the signature itself over what has arrived. Throws the S3 error of the first
 * failure.
 */
export const authenticate = async (
  store: Pick<Store, 'access' | 'clock'>,
  message: IncomingMessage,
  target: RequestTarget,
): Promise<Authenticated> => {
  const headers = flattenHeaders(message);
  const authorization = readAuthorization(headers, target.query);
  const credentials = store.access.find(authorization.accessKeyId);
  if (credentials === undefined) throw new S3Error('InvalidAccessKeyId');
  if (authorization.sessionToken !== credentials.sessionToken) throw new S3Error('InvalidToken');
  assertTimely(authorization, store.clock.now());
  assertSigned(authorization, headers);
  const expected = await sign(credentials, message.method ?? '', target, authorization, headers);
  if (!timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(authorization.signature, 'hex'))) {
    throw new S3Error('SignatureDoesNotMatch');
  }
  const parameters = authorization.presigned ? [...target.query].filter(([name]) => /^x-amz-/i.test(name)) : [];
  const hoisted = Object.fromEntries(parameters.map(([name, value]) => [name.toLowerCase(), value]));
  return {
    authorization,
    headers: { ...hoisted, ...headers },
    payloadHash: headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  };
};

const flattenHeaders = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')]));

const assertTimely = ({ presigned, signedAt, expiresSeconds, amzDate }: Authorization, now: Date): void => {
  const ageMs = now.getTime() - signedAt.getTime();
  const times = { ServerTime: now.toISOString() };
  if (!presigned) {
    if (Math.abs(ageMs) <= maxSkewMs) return;
    throw new S3Error('RequestTimeTooSkewed', {
      fields: { RequestTime: amzDate, ...times, MaxAllowedSkewMilliseconds: maxSkewMs },
    });
  }
  if (ageMs < -maxSkewMs) throw new S3Error('AccessDenied', { message: 'Request is not valid yet', fields: times });
  if (ageMs > expiresSeconds * 1000) {
    const expires = new Date(signedAt.getTime() + expiresSeconds * 1000).toISOString();
    throw new S3Error('AccessDenied', {
      message: 'Request has expired',
      fields: { 'X-Amz-Expires': expiresSeconds, Expires: expires, ...times },
    });
  }
};

const assertSigned = ({ signedHeaders }: Authorization, headers: Readonly<Record<string, string>>): void => {
  const unsigned = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw new S3Error('AccessDenied', {
      message: 'There were headers present in the request which were not signed',
      fields: { HeadersNotSigned: unsigned.join(', ') },
    });
  }
  if (signedHeaders.some((name) => headers[name] === undefined)) throw new S3Error('SignatureDoesNotMatch');
};

/** Returns the signature of a request with a secret, in hexadecimal. */
const sign = async (
  { accessKeyId, secretAccessKey }: StoreCredentials,
  method: string,
  target: RequestTarget,
  { presigned, region, signedAt, expiresSeconds, signedHeaders }: Authorization,
  headers: Readonly<Record<string, string>>,
): Promise<string> => {
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const values = Object.groupBy([...target.query], ([name]) => name);
  const query = Object.fromEntries(
    Object.entries(values).map(([name, pairs = []]) => [name, pairs.map(([, value]) => value)]),
  );
  const request = new HttpRequest({
    method,
    path: target.canonicalPath,
    query,
    headers: Object.fromEntries(signedHeaders.map((name) => [name, headers[name] ?? ''])),
    // Neither text nor bytes: the signer treats it as a payload that is not part of the signature.
    body: {},
  });
  const signable = new Set(signedHeaders);
  const common = { signingDate: signedAt, signableHeaders: signable };
  if (presigned) {
    const signed = await signer.presign(request, {
      ...common,
      expiresIn: expiresSeconds,
      unhoistableHeaders: signable,
    });
    return String(signed.query?.['X-Amz-Signature']);
  }
  const signed = await signer.sign(request, common);
  return String(signed.headers['authorization']).slice(-64);
};
