import { env } from 'node:process';
import type { S3Client } from '@aws-sdk/client-s3';
import { lazy } from '../../../../shared/kernel/memoize.ts';

/** A request to the object store as it is sent. */
export interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  readonly method: string;
  /** Path with the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An object store, with credentials for it. */
export interface StoreAccess {
  readonly region: string;
  /** Signs a request whose path begins with the name of the bucket. */
  readonly sign: (request: Pick<SignedRequest, 'method' | 'path' | 'headers'>) => Promise<SignedRequest>;
}

/** Returns the endpoint of S3: the given address, that of the environment, or that of the region. */
const endpointOf = async (
  { config }: S3Client,
  region: string,
): Promise<Pick<SignedRequest, 'protocol' | 'hostname' | 'port'>> => {
  const given = await config.endpoint?.();
  if (given !== undefined) return { protocol: given.protocol, hostname: given.hostname, port: given.port };
  const { AWS_ENDPOINT_URL: all, AWS_ENDPOINT_URL_S3: named = all } = env;
  const { url } = config.endpointProvider({ Region: region, ...(named === undefined ? {} : { Endpoint: named }) });
  return { protocol: url.protocol, hostname: url.hostname, port: url.port === '' ? undefined : Number(url.port) };
};

/**
 * Returns access to the object store of a region. Bodies are not part of a signature: TLS protects them.
 * @param given Client with address and credentials. Default: those of this process.
 */
export const storeAccess = (region: string, given?: S3Client): StoreAccess => {
  const load = lazy(async () => {
    const [{ Sha256 }, { HttpRequest }, { SignatureV4 }, { s3Client }] = await Promise.all([
      import('@smithy/core/checksum'),
      import('@smithy/core/protocols'),
      import('@smithy/signature-v4'),
      import('../../../../shared/platform/aws/s3-client.ts'),
    ]);
    const client = given ?? s3Client(region);
    const endpoint = await endpointOf(client, region);
    const { credentials } = client.config;
    const rules = { service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false, applyChecksum: false };
    return { signer: new SignatureV4(rules), HttpRequest, endpoint };
  });
  return {
    region,
    sign: async ({ method, path: url, headers }) => {
      const { signer, HttpRequest, endpoint } = await load();
      const { hostname, port } = endpoint;
      const [path = '/', search = ''] = url.split('?', 2);
      const named = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-'));
      const request = new HttpRequest({
        method,
        path,
        query: Object.fromEntries(new URLSearchParams(search)),
        headers: {
          ...Object.fromEntries(named),
          host: port === undefined ? hostname : `${hostname}:${port}`,
          'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        },
      });
      const signed = await signer.sign(request);
      return { ...endpoint, method, path: url, headers: { ...headers, ...signed.headers } };
    },
  };
};
