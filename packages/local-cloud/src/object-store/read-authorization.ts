import { S3Error, type S3ErrorCode } from './s3-error.ts';

/** The parts of a Signature Version 4, well formed but unverified. */
export interface Authorization {
  readonly presigned: boolean;
  readonly accessKeyId: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  /** 64 hexadecimal digits. */
  readonly signature: string;
  /** As sent, such as `20300131T235959Z`. */
  readonly amzDate: string;
  readonly signedAt: Date;
  /** Lifetime of a presigned address; 0 for a signed header, which has none. */
  readonly expiresSeconds: number;
  readonly sessionToken: string | undefined;
}

const maxExpirySeconds = 7 * 24 * 3600;
const algorithm = 'AWS4-HMAC-SHA256';
const headerForm = /^AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([^,\s]+)$/;
const dateForm = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Reads the signature of a request from its header or, for a presigned address, its query. Throws an S3 error. */
export const readAuthorization = (headers: Readonly<Record<string, string>>, query: URLSearchParams): Authorization => {
  const header = headers['authorization'];
  const presigned = query.has('X-Amz-Signature') || query.has('X-Amz-Algorithm');
  if (header !== undefined && presigned) {
    throw new S3Error('InvalidArgument', { message: 'Only one auth mechanism allowed' });
  }
  if (presigned) return readQuery(query);
  if (header === undefined) throw new S3Error('AccessDenied');
  return readHeader(header, headers);
};

const readHeader = (header: string, headers: Readonly<Record<string, string>>): Authorization => {
  const [, credential, signedHeaders, signature] = headerForm.exec(header) ?? [];
  const amzDate = headers['x-amz-date'];
  if (amzDate === undefined) {
    throw new S3Error('AccessDenied', { message: 'AWS authentication requires a valid x-amz-date header' });
  }
  if (headers['x-amz-content-sha256'] === undefined) {
    throw new S3Error('InvalidRequest', { message: 'Missing required header for this request: x-amz-content-sha256' });
  }
  return assemble('AuthorizationHeaderMalformed', {
    presigned: false,
    credential,
    signedHeaders,
    signature,
    amzDate,
    expires: '0',
    sessionToken: headers['x-amz-security-token'],
  });
};

const readQuery = (query: URLSearchParams): Authorization => {
  const once = (name: string): string | undefined => {
    const values = query.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  };
  const payload = query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
  if (once('X-Amz-Algorithm') !== algorithm || payload !== 'UNSIGNED-PAYLOAD') {
    throw new S3Error('AuthorizationQueryParametersError');
  }
  return assemble('AuthorizationQueryParametersError', {
    presigned: true,
    credential: once('X-Amz-Credential'),
    signedHeaders: once('X-Amz-SignedHeaders'),
    signature: once('X-Amz-Signature'),
    amzDate: once('X-Amz-Date'),
    expires: once('X-Amz-Expires'),
    sessionToken: once('X-Amz-Security-Token'),
  });
};

interface RawAuthorization {
  readonly presigned: boolean;
  readonly credential: string | undefined;
  readonly signedHeaders: string | undefined;
  readonly signature: string | undefined;
  readonly amzDate: string | undefined;
  readonly expires: string | undefined;
  readonly sessionToken: string | undefined;
}

const assemble = (malformed: S3ErrorCode, raw: RawAuthorization): Authorization => {
  const { presigned, credential = '', signedHeaders = '', signature = '', amzDate = '', expires = '' } = raw;
  const [accessKeyId = '', day, region = '', service, terminator, ...rest] = credential.split('/');
  const signedAt = new Date(amzDate.replace(dateForm, '$1-$2-$3T$4:$5:$6Z'));
  const expiresSeconds = /^\d{1,7}$/.test(expires) ? Number(expires) : Number.NaN;
  const sound =
    service === 's3' &&
    terminator === 'aws4_request' &&
    rest.length === 0 &&
    dateForm.test(amzDate) &&
    !Number.isNaN(signedAt.getTime()) &&
    amzDate.startsWith(`${day}T`) &&
    expiresSeconds <= maxExpirySeconds &&
    (expiresSeconds > 0 || !presigned) &&
    /^[0-9a-f]{64}$/.test(signature) &&
    signedHeaders.split(';').includes('host');
  if (!sound) throw new S3Error(malformed);
  const { sessionToken } = raw;
  const signed = signedHeaders.split(';');
  return {
    presigned,
    accessKeyId,
    region,
    signedHeaders: signed,
    signature,
    amzDate,
    signedAt,
    expiresSeconds,
    sessionToken,
  };
};
