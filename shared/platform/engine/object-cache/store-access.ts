import { lazily } from '../../../kernel/made-once.ts';
import { s3Client } from '../../aws/s3-client.ts';

/** A request to the object store as it is sent. */
export interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An object store that may be used with credentials. */
export interface StoreAccess {
  readonly region: string;
  /** Signs a request whose path begins with the name of the bucket. */
  readonly sign: (request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  }) => Promise<SignedRequest>;
}

/** The object store of a region, with the credentials of this process. Bodies are not signed: TLS protects them. */
export const storeAccess = (region: string): StoreAccess => {
  const load = lazily(async () => {
    const [{ Sha256 }, { HttpRequest }, { SignatureV4 }] = await Promise.all([
      import('@smithy/core/checksum'),
      import('@smithy/core/protocols'),
      import('@smithy/signature-v4'),
    ]);
    const { config } = s3Client(region);
    const endpoint =
      (await config.endpoint?.()) ??
      new URL(process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`);
    const { credentials } = config;
    const signer = new SignatureV4({
      service: 's3',
      region,
      credentials,
      sha256: Sha256,
      uriEscapePath: false,
      applyChecksum: false,
    });
    const [protocol, hostname] = [endpoint.protocol, endpoint.hostname];
    const port = endpoint.port ? Number(endpoint.port) : undefined;
    return { signer, HttpRequest, protocol, hostname, port };
  });
  return {
    region,
    sign: async ({ method, url, headers }) => {
      const { signer, HttpRequest, protocol, hostname, port } = await load();
      const [path = '/', search = ''] = url.split('?', 2);
      const query = Object.fromEntries(new URLSearchParams(search));
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const named = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-'));
      const request = new HttpRequest({
        method,
        path,
        query,
        headers: { ...Object.fromEntries(named), host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      });
      const signed = await signer.sign(request);
      return { protocol, hostname, port, method, path: url, headers: { ...headers, ...signed.headers } };
    },
  };
};
