import { publicUrlProblem } from '../delivery/public-address.ts';

/** Sources that files are imported from: object storages, URLs, and exports of the deployment. */
export const importProviders = ['aws_s3', 'gcs', 'azure_blob', 'url', 'export'] as const;

export type ImportProvider = (typeof importProviders)[number];

/** Location of an object in one of them. */
export interface ObjectPlace {
  /** Storage account; only Azure has one. */
  readonly account: string | null;
  /** Bucket or container. */
  readonly container: string;
  /** Key of the object, not encoded. */
  readonly key: string;
}

/** Location of an object, or the problem of its address, worded for the caller. */
export type ReadUri = { readonly place: ObjectPlace } | { readonly problem: string };

const maxKeyBytes = 1024;

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/u;

const oneObject =
  'the address must name one object: a connector reads a prefix of a bucket, and an import has neither prefixes nor patterns';

/** Returns the problem of a key or prefix; null if there is none. HTTP clients resolve `..`, possibly into another bucket. */
export const keyProblem = (key: string): string | null => {
  if (control.test(key) || !key.isWellFormed()) return 'the name of the object must not contain control characters';
  if (Buffer.byteLength(key, 'utf8') > maxKeyBytes)
    return `the name of the object must not be longer than ${maxKeyBytes} bytes`;
  return key.split(/[/\\]/).some((part) => part === '.' || part === '..')
    ? 'the name of the object must not point to another folder'
    : null;
};

/** Whether an address names one object, or a prefix of objects. */
type Kind = 'object' | 'prefix';

const toPlace = (kind: Kind, account: string | null, container: string, key: string): ReadUri => {
  if (kind === 'object' && /(^|\/)\**$/.test(key)) return { problem: oneObject };
  const problem = keyProblem(key);
  return problem === null ? { place: { account, container, key } } : { problem };
};

const looksLikeIp = (bucket: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(bucket);

interface BucketNames {
  readonly form: RegExp;
  /** Rule for a name, worded for the caller. */
  readonly rule: string;
}

const bucketRule = (max: number, letters: string): string =>
  `the name of the bucket must have from 3 to ${max} ${letters}, digits, hyphens, underscores and single dots, begin and end with a letter or digit, and be no IP address`;

/** Buckets created in us-east-1 before 2018 may have longer names, capitals and underscores. */
const s3Buckets: BucketNames = {
  form: /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/,
  rule: bucketRule(255, 'letters'),
};

const gcsBuckets: BucketNames = {
  form: /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/,
  rule: bucketRule(222, 'small letters'),
};

const bucketReader =
  (scheme: string, { form, rule }: BucketNames) =>
  (uri: string, kind: Kind): ReadUri => {
    const [, bucket = '', key = ''] = new RegExp(`^${scheme}://([^/]*)(?:/([\\s\\S]*))?$`).exec(uri) ?? [];
    if (bucket === '') return { problem: `the address must have the form ${scheme}://BUCKET/KEY` };
    if (!form.test(bucket) || bucket.includes('..') || looksLikeIp(bucket)) return { problem: rule };
    return toPlace(kind, null, bucket, key);
  };

const decoded = (path: string): string | null => {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
};

const azureForm =
  /^https:\/\/([a-z0-9]{3,24})\.blob\.core\.windows\.net\/(\$root|\$web|[a-z0-9](?:-?[a-z0-9]){2,62})(?:\/([^?#\s]*))?$/;

const readAzure = (uri: string, kind: Kind): ReadUri => {
  if (/[?#]/.test(uri)) return { problem: 'the address must not contain a query; give a SAS token as a credential' };
  const [, account, container, path = ''] = azureForm.exec(uri) ?? [];
  const key = decoded(path);
  if (account === undefined || container === undefined || container.length > 63 || key === null)
    return { problem: 'the address must have the form https://ACCOUNT.blob.core.windows.net/CONTAINER/BLOB' };
  return toPlace(kind, account, container, key);
};

/**
 * The container is the origin and the key the path as it is, without the query. The function that connects checks the
 * resolved address, and allows plain HTTP to its own machine only where the deployment does.
 */
const readUrl = (uri: string): ReadUri => {
  const problem = publicUrlProblem(uri, ['https:'], true);
  if (problem !== null) return { problem };
  const { origin, pathname } = new URL(uri);
  return { place: { account: null, container: origin, key: pathname } };
};

const exportForm = /^(idx_[0-9a-z]{26})\/(exp_[0-9a-z]{26})$/;

const readExport = (uri: string): ReadUri => {
  const [, container, key] = exportForm.exec(uri) ?? [];
  if (container === undefined || key === undefined)
    return { problem: 'the address must have the form INDEX_ID/EXPORT_ID' };
  return { place: { account: null, container, key } };
};

const readers: Readonly<Record<ImportProvider, (uri: string, kind: Kind) => ReadUri>> = {
  aws_s3: bucketReader('s3', s3Buckets),
  gcs: bucketReader('gs', gcsBuckets),
  azure_blob: readAzure,
  url: readUrl,
  export: readExport,
};

/**
 * Parses the address of an object as its provider writes it. Keys of S3 and Google Cloud Storage are plain, those of
 * Azure percent-encoded. Source: the providers' rules for the names of buckets, containers and objects.
 */
export const readObjectUri = (provider: ImportProvider, uri: string): ReadUri => readers[provider](uri, 'object');

/** Providers of buckets. */
export type BucketProvider = 'aws_s3' | 'gcs' | 'azure_blob';

/** Parses the address of a prefix, which may be empty. A folder ends with a slash. */
export const readPrefixUri = (provider: BucketProvider, uri: string): ReadUri => readers[provider](uri, 'prefix');
