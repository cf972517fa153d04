import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient, STSServiceException } from '@aws-sdk/client-sts';
import { isTransientSdkError } from '../../kernel/sdk-error.ts';
import { requestTimeouts } from '../aws/request-timeouts.ts';
import { publicLookup } from '../delivery/public-fetch.ts';
import {
  asSource,
  base64ToHex,
  type Checksum,
  type ObjectFolder,
  type ObjectSource,
  type Refusal,
  type RefusalReason,
  SourceRefused,
} from './port.ts';

/** Access keys, or a role that the service assumes; null if the object is public. */
export type S3Access =
  | { readonly access_key_id: string; readonly secret_access_key: string; readonly session_token?: string | undefined }
  | { readonly role_arn: string }
  | null;

interface S3Place {
  readonly container: string;
  readonly key: string;
}

export interface S3Settings {
  /** Endpoint of S3, for tests and for compatible storages; null for AWS. */
  readonly endpoint: string | null;
  /** Endpoint of a caller, such as another storage of this protocol; connections are limited to public addresses. */
  readonly callerEndpoint?: string | undefined;
  /** Region of the caller's endpoint, for its signatures. */
  readonly callerRegion?: string | undefined;
  /** Whether a caller's endpoint may be on this machine. */
  readonly allowLocal?: boolean;
  /** Account of the service itself, whose roles are never assumed. */
  readonly accountId: string;
  /** Region of the service itself. */
  readonly region: string;
  /** External id in a role's trust policy, so that no other organization can use the role. */
  readonly externalId: string;
}

const roleSeconds = 3600;

type Keys = Exclude<S3Access, { readonly role_arn: string } | null>;

const inactiveRegion = 'The account of the role has not activated the region of this service';
const openRole = 'The role can be assumed with any external id: its trust policy must require that of the organization';
const refusedRole = 'The role could not be assumed: its trust policy must name this service and the external id';

/** Assumes a role. Throws `SourceRefused` if that is not allowed, and the error of STS if a retry may succeed. */
const requestRoleKeys = async (sts: STSClient, roleArn: string, externalId: string): Promise<Keys> => {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    RoleSessionName: 'import',
    ExternalId: externalId,
    DurationSeconds: roleSeconds,
  });
  try {
    const { Credentials } = await sts.send(command);
    return {
      access_key_id: Credentials?.AccessKeyId ?? '',
      secret_access_key: Credentials?.SecretAccessKey ?? '',
      session_token: Credentials?.SessionToken,
    };
  } catch (error) {
    if (!(error instanceof STSServiceException) || isTransientSdkError(error)) throw error;
    const reason = error.name === 'RegionDisabledException' ? inactiveRegion : refusedRole;
    throw new SourceRefused(reason, { cause: error });
  }
};

/**
 * Returns keys of a role that its owner grants to this organization. A role whose trust policy requires no external id
 * could be used by every organization that knows its name. So a random external id must be refused.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
const assumeRole = async (roleArn: string, { accountId, region, externalId }: S3Settings): Promise<Keys> => {
  // Roles of the service's account often trust the whole account, so their trust policy does not restrict who imports.
  if (roleArn.split(':')[4] === accountId) throw new SourceRefused(refusedRole);
  const sts = new STSClient({ region, requestHandler: requestTimeouts(5_000) });
  const keys = await requestRoleKeys(sts, roleArn, externalId);
  const taken = await requestRoleKeys(sts, roleArn, randomUUID()).catch((error: unknown) => {
    if (error instanceof SourceRefused) return null;
    throw error;
  });
  if (taken !== null) throw new SourceRefused(openRole);
  return keys;
};

/** Signer for public objects: the request stays unsigned. */
const unsigned = { sign: <Request>(request: Request): Promise<Request> => Promise.resolve(request) };

/** Bucket names that can be part of a host name. Buckets created before 2018 may have other names. */
const hostName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Agents that connect to a caller's endpoint only if all its addresses are public. Literal addresses were validated. */
const guardedAgents = (allowLocal: boolean) => {
  const [httpsAgent, httpAgent] = [
    new HttpsAgent({ keepAlive: true, lookup: publicLookup({ allowLocal, protocol: 'https:' }) }),
    new HttpAgent({ keepAlive: true, lookup: publicLookup({ allowLocal, protocol: 'http:' }) }),
  ];
  return { httpsAgent, httpAgent };
};

const clientOf = (region: string, keys: Keys | null, settings: S3Settings, bucket: string): S3Client => {
  const { callerEndpoint, callerRegion, allowLocal = false } = settings;
  const endpoint = callerEndpoint ?? settings.endpoint;
  return new S3Client({
    region: callerRegion ?? region,
    // Explicit, since the endpoint in the environment is that of the service's own buckets.
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    requestHandler: {
      ...requestTimeouts(60_000),
      ...(callerEndpoint === undefined ? {} : guardedAgents(allowLocal)),
    },
    forcePathStyle: endpoint !== null || !hostName.test(bucket),
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(keys === null
      ? { signer: unsigned, credentials: { accessKeyId: '', secretAccessKey: '' } }
      : {
          credentials: {
            accessKeyId: keys.access_key_id,
            secretAccessKey: keys.secret_access_key,
            ...(keys.session_token === undefined ? {} : { sessionToken: keys.session_token }),
          },
        }),
  });
};

const conflict = 409;

const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof S3ServiceException)) return undefined;
  // An archived object is refused with the same status as one without permission.
  return error.name === 'InvalidObjectState' ? conflict : error.$metadata.httpStatusCode;
};

/** Source: Amazon S3 API reference, list of error codes. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  InvalidAccessKeyId: 'unknown_key',
  SignatureDoesNotMatch: 'wrong_secret',
  InvalidToken: 'wrong_secret',
  ExpiredToken: 'expired',
  NoSuchBucket: 'no_container',
  NoSuchKey: 'no_object',
};

const refusalOf =
  (access: S3Access) =>
  (error: unknown): Refusal => {
    const status = statusOf(error);
    if (access === null || !(error instanceof S3ServiceException)) return { status };
    return { status, reason: error.name === 'AccessDenied' ? 'no_permission' : reasons[error.name] };
  };

/** Region in the response of S3 when the bucket is in another region. */
const regionIn = (error: unknown): string | undefined => {
  const response = (error as { readonly $response?: { readonly headers?: Readonly<Record<string, string>> } })
    .$response;
  return statusOf(error) === 301 || statusOf(error) === 400 ? response?.headers?.['x-amz-bucket-region'] : undefined;
};

const md5Tag = /^"?([0-9a-f]{32})"?$/;

interface ObjectHeaders {
  readonly ETag?: string | undefined;
  readonly ServerSideEncryption?: string | undefined;
  readonly ChecksumType?: string | undefined;
  readonly ChecksumSHA256?: string | undefined;
  readonly ChecksumSHA1?: string | undefined;
  readonly ChecksumCRC32?: string | undefined;
  readonly ChecksumCRC32C?: string | undefined;
  readonly ChecksumCRC64NVME?: string | undefined;
}

/** Checksum of the whole object. For a multipart object S3 may have only a checksum of part checksums. */
const checksumOf = (headers: ObjectHeaders): Checksum | null => {
  const ofWhole = headers.ChecksumType !== 'COMPOSITE';
  const stated = [
    ['sha256', headers.ChecksumSHA256],
    ['crc64nvme', headers.ChecksumCRC64NVME],
    ['crc32c', headers.ChecksumCRC32C],
    ['crc32', headers.ChecksumCRC32],
    ['sha1', headers.ChecksumSHA1],
  ] as const;
  for (const [algorithm, value] of stated)
    if (ofWhole && value !== undefined && !value.includes('-')) return { algorithm, hex: base64ToHex(value) };
  const tag = md5Tag.exec(headers.ETag ?? '')?.[1];
  // With a KMS key the ETag is not the MD5 of the content.
  return tag === undefined || headers.ServerSideEncryption?.startsWith('aws:kms') === true
    ? null
    : { algorithm: 'md5', hex: tag };
};

/** Sends requests to a bucket in any region, with credentials that are requested once. */
const openBucket = (bucket: string, access: S3Access, settings: S3Settings) => {
  const keys = (async (): Promise<Keys | null> =>
    access !== null && 'role_arn' in access ? assumeRole(access.role_arn, settings) : access)();
  keys.catch(() => undefined);
  let client: S3Client | null = null;
  return async <Result>(request: (client: S3Client) => Promise<Result>): Promise<Result> => {
    client ??= clientOf(settings.region, await keys, settings, bucket);
    try {
      return await request(client);
    } catch (error) {
      const region = regionIn(error);
      if (region === undefined || settings.callerEndpoint !== undefined) throw error;
      client = clientOf(region, await keys, settings, bucket);
      return request(client);
    }
  };
};

type Send = ReturnType<typeof openBucket>;

const objectOf = ({ container, key }: S3Place, access: S3Access, send: Send): ObjectSource => {
  const target = { Bucket: container, Key: key };
  /**
   * Reads one byte after a refused HEAD, whose response has no body and so no error code. Throws the error of either
   * request.
   */
  const explain = async (error: unknown): Promise<never> => {
    if (![400, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    const { Body } = await send((s3) => s3.send(new GetObjectCommand({ ...target, Range: 'bytes=0-0' })));
    await Body?.transformToByteArray();
    throw error;
  };
  return {
    head: () =>
      asSource(refusalOf(access), false, async () => {
        const command = new HeadObjectCommand({ ...target, ChecksumMode: 'ENABLED' });
        const head = await send((s3) => s3.send(command)).catch(explain);
        const { ContentLength: sizeBytes = 0, ETag: etag = '', ContentEncoding: encoding = '' } = head;
        return { sizeBytes, etag, checksum: checksumOf(head), encoding };
      }),
    range: (start, end, etag) =>
      asSource(refusalOf(access), true, async () => {
        const command = new GetObjectCommand({ ...target, Range: `bytes=${start}-${end - 1}`, IfMatch: etag });
        const { Body } = await send((s3) => s3.send(command));
        return Body === undefined ? new Uint8Array() : Body.transformToByteArray();
      }),
  };
};

/** Opens an object of Amazon S3 in any region. Source: Amazon S3 API reference, HeadObject and GetObject. */
export const openS3Source = (place: S3Place, access: S3Access, settings: S3Settings): ObjectSource =>
  objectOf(place, access, openBucket(place.container, access, settings));

/** Decodes a key of a listing with `encoding-type=url`, which allows characters that XML does not. */
const decodedKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/**
 * Opens the objects of a bucket under a prefix. A page continues after the last key, which never expires as a
 * continuation token may. Source: Amazon S3 API reference, ListObjectsV2.
 */
export const openS3Folder = (place: S3Place, access: S3Access, settings: S3Settings): ObjectFolder => {
  const send = openBucket(place.container, access, settings);
  const list = (ask: {
    readonly MaxKeys: number;
    readonly StartAfter?: string | undefined;
    readonly Delimiter?: string;
    readonly ContinuationToken?: string | undefined;
  }) =>
    asSource(refusalOf(access), false, () =>
      send((s3) =>
        s3.send(new ListObjectsV2Command({ Bucket: place.container, Prefix: place.key, EncodingType: 'url', ...ask })),
      ),
    );
  return {
    list: async (after, limit) => {
      const page = await list({ MaxKeys: limit, StartAfter: after ?? undefined });
      const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '' }) => ({
        key: decodedKey(Key),
        sizeBytes: Size,
        version: ETag,
      }));
      return { objects, next: page.IsTruncated === true ? (objects.at(-1)?.key ?? null) : null };
    },
    folders: async (after, limit) => {
      const page = await list({ MaxKeys: limit, Delimiter: '/', ContinuationToken: after ?? undefined });
      const folders = (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => decodedKey(Prefix));
      return { folders, next: page.IsTruncated === true ? (page.NextContinuationToken ?? null) : null };
    },
    object: (key) => objectOf({ container: place.container, key }, access, send),
  };
};
