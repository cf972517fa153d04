import { Readable } from 'node:stream';
import { decodeBody } from '../../../kernel/decode-body.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { readBounded } from '../../../kernel/read-bounded.ts';
import { isSelected } from '../../../kernel/wildcard.ts';
import type { FolderAddress } from '../../object-sources/capability.ts';
import { openChecksum } from '../../object-sources/checksum.ts';
import { type BucketProvider, keyProblem, readPrefixUri } from '../../object-sources/object-uri.ts';
import {
  type ListedObject,
  type ObjectFolder,
  type ObjectSource,
  type RefusalReason,
  SourceChanged,
  SourceRefused,
} from '../../object-sources/port.ts';
import {
  type Choice,
  type Choices,
  choicesNamed,
  type ChoicesInput,
  type ConnectorSource,
  failed,
  type SourceChange,
  SourceFault,
  type SourceScope,
  unknownParent,
} from '../port.ts';
import { fileNameOf } from '../read-text.ts';

/** Objects of a page of the listing, and so of a step. */
const pageObjects = 250;
/** Maximum objects of one listing. A longer one would take the function for hours at every sync. */
const maxObjects = 1_000_000;
const maxBytes = 128 * 1024 * 1024;
const rangeBytes = 16 * 1024 * 1024;

/** Position in the listing. */
interface Place {
  /** Position of the prefix in the scope. */
  readonly prefix: number;
  readonly after: string | null;
  /** Objects that were listed before. */
  readonly objects: number;
}

/** Settings from the creation of the connection. */
interface Description {
  readonly credentials: unknown;
  readonly endpoint?: string | null;
  readonly region?: string | null;
}

/** Opens a prefix of a bucket for the organization of a connection. */
export type OpenFolder = (address: FolderAddress) => ObjectFolder;

/** Opens the prefix of an address. Both were validated when they were stored. */
const openPrefix = (
  open: OpenFolder,
  provider: BucketProvider,
  uri: string,
  credentials: JsonObject,
): { readonly folder: ObjectFolder; readonly prefix: string; readonly base: string } => {
  const read = readPrefixUri(provider, uri);
  if ('problem' in read) throw new SourceFault('refused', `${uri}: ${read.problem}`);
  const { place } = read;
  const { credentials: access, endpoint = null, region = null } = credentials as unknown as Description;
  const address = { provider, place, access, endpoint, region } as FolderAddress;
  const base =
    provider === 'azure_blob'
      ? `https://${place.account ?? ''}.blob.core.windows.net/${place.container}/`
      : `${provider === 'gcs' ? 'gs' : 's3'}://${place.container}/`;
  return { folder: open(address), prefix: place.key, base };
};

/** Refusals that concern the credentials or the bucket, and so every object. */
const ofAll: ReadonlySet<RefusalReason | undefined> = new Set<RefusalReason>([
  'unknown_key',
  'wrong_secret',
  'expired',
  'firewall',
  'no_container',
]);

const busy = (error: unknown): SourceFault => {
  const message = error instanceof Error ? error.message : 'The storage does not respond';
  return new SourceFault('busy', message, { cause: error });
};

/** Runs a request for the listing; a refusal stops the connector. */
const asListing = async <Result>(request: Promise<Result>): Promise<Result> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof SourceRefused) throw new SourceFault('refused', error.message, { cause: error });
    throw busy(error);
  }
};

const tooLarge = (): SourceFault => new SourceFault('unreadable', `it has more than ${maxBytes} bytes`);

/** Reads one content of an object in ranges, and compares it with the checksum of its storage. */
const rangesOf = async function* (source: ObjectSource, head: Awaited<ReturnType<ObjectSource['head']>>) {
  const { sizeBytes, etag, checksum } = head;
  const running = checksum === null ? null : await openChecksum(checksum.algorithm, null);
  for (let start = 0; start < sizeBytes; start += rangeBytes) {
    const bytes = await source.range(start, Math.min(sizeBytes, start + rangeBytes), etag);
    running?.update(bytes);
    yield bytes;
  }
  if (checksum !== null && running?.digest() !== checksum.hex)
    throw new SourceChanged('The bytes of the object do not match the checksum that its storage states');
};

/** Reads an object, decoded if its storage states an encoding. Null if it no longer exists. */
const contentOf = async (source: ObjectSource): Promise<Uint8Array | null> => {
  try {
    const head = await source.head();
    if (head.sizeBytes > maxBytes) throw tooLarge();
    const decoded = decodeBody(Readable.from(rangesOf(source, head)), head.encoding);
    const bytes = decoded === null ? rangesOf(source, head) : (decoded as AsyncIterable<Uint8Array>);
    return await readBounded(bytes, maxBytes, tooLarge);
  } catch (error) {
    if (error instanceof SourceFault) throw error;
    if (error instanceof SourceRefused) {
      if (error.reason === 'no_object') return null;
      throw new SourceFault(ofAll.has(error.reason) ? 'refused' : 'unreadable', error.message, { cause: error });
    }
    throw busy(error);
  }
};

const changeOf = (folder: ObjectFolder, base: string, object: ListedObject): SourceChange => {
  const { key, sizeBytes, version } = object;
  const externalId = base + key;
  const problem = keyProblem(key);
  if (problem !== null) return failed(`${externalId}: ${problem}`, { externalId });
  const name = key.slice(key.lastIndexOf('/') + 1);
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  const directory = key.slice(0, key.length - name.length).replace(/\/$/, '');
  const item = {
    externalId,
    version: `${version} ${sizeBytes}`,
    filename: fileNameOf(name.slice(0, name.length - ending.length), ending),
    contentType: 'application/octet-stream',
    content: () => contentOf(folder.object(key)),
    sizeBytes,
    title: name,
    url: externalId.startsWith('https://') ? externalId : null,
    metadata: { folder: directory, key, uri: externalId },
  };
  return { kind: 'upsert', item };
};

/** Whether an object is a file: no marker of a folder, and not empty. */
const isFile = ({ key, sizeBytes }: ListedObject): boolean => sizeBytes > 0 && !key.endsWith('/');

/** Folders of a page of choices. */
const pageFolders = 100;

/**
 * Lists folders. At the top these are the prefixes in scope, since credentials need not be allowed to list buckets. The
 * address of any bucket or prefix can be a parent.
 */
const folderChoices = async (
  open: OpenFolder,
  provider: BucketProvider,
  { credentials, scope, parent, cursor, search }: ChoicesInput,
): Promise<Choices> => {
  const choiceOf = (name: string, id: string): Choice => ({
    name,
    scope: { field: 'object_prefixes', id },
    parent: id,
    isAccessible: true,
  });
  if (parent === null)
    return {
      choices: choicesNamed(
        scope.object_prefixes.map((uri) => choiceOf(uri, uri)),
        search,
      ),
      next: null,
    };
  if ('problem' in readPrefixUri(provider, parent)) throw unknownParent();
  const { folder, prefix, base } = openPrefix(open, provider, parent, credentials);
  const above = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const { folders, next } = await asListing(folder.folders(cursor, pageFolders));
  // Addresses of blobs are percent-encoded.
  const pathOf = (key: string): string =>
    provider === 'azure_blob' ? key.split('/').map(encodeURIComponent).join('/') : key;
  const found = folders.filter((key) => keyProblem(key) === null);
  return {
    choices: choicesNamed(
      found.map((key) => choiceOf(key.slice(above.length), base + pathOf(key))),
      search,
    ),
    next,
  };
};

const patternsOf = ({ include_patterns: include, exclude_patterns: exclude }: SourceScope) => ({ include, exclude });

export const isBucket = (provider: string): provider is BucketProvider =>
  provider === 'aws_s3' || provider === 'gcs' || provider === 'azure_blob';

/** Source of a bucket: each sync lists all prefixes in scope, page by page, and reads new and changed objects. */
export const bucketSource = (provider: BucketProvider, open: OpenFolder): ConnectorSource => ({
  choices: (input) => folderChoices(open, provider, input),
  step: async ({ scope, credentials, state }) => {
    const at = (state as unknown as Place | null) ?? { prefix: 0, after: null, objects: 0 };
    const uri = scope.object_prefixes[at.prefix];
    const last = { state: null, done: true, removesUnseen: true };
    if (uri === undefined) return { ...last, changes: [] };
    const { folder, prefix, base } = openPrefix(open, provider, uri, credentials);
    const { objects, next } = await asListing(folder.list(at.after, pageObjects));
    const listed = at.objects + objects.length;
    if (listed > maxObjects)
      throw new SourceFault('refused', `The prefixes have more than ${maxObjects} objects: choose longer ones`, {
        forgetsPlace: true,
      });
    const patterns = patternsOf(scope);
    const changes = objects
      .filter((object) => isFile(object) && isSelected(patterns, object.key.slice(prefix.length)))
      .map((object) => changeOf(folder, base, object));
    const place = next === null ? { prefix: at.prefix + 1, after: null } : { prefix: at.prefix, after: next };
    if (scope.object_prefixes[place.prefix] === undefined) return { ...last, changes };
    return { changes, state: { ...place, objects: listed }, done: false, removesUnseen: false };
  },
});
