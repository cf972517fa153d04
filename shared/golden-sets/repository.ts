import { createHash } from 'node:crypto';
import { absent, present } from '../db/condition.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { goldenSetKey, goldenSetPrefix } from '../kernel/content-keys.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { type ContentWriter, openContentReader, openContentWriter } from '../platform/aws/objects.ts';
import { fromLines, type GoldenQuestion, maxItems, toLines } from './questions.ts';

/** Index of golden sets. The files of a set are in its region. */
export interface GoldenSetOwner {
  readonly organizationId: string;
  readonly id: string;
  readonly region: string;
}

/** A version of a golden set. */
export interface GoldenSet {
  readonly name: string;
  /** Number of the version, from 1. */
  readonly version: number;
  readonly questions: number;
  readonly relevant: number;
  readonly bytes: number;
  readonly digest: string;
  /** Time of the version. */
  readonly createdAt: string;
}

interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface GoldenSetReader {
  /** Returns a version of a set, the newest one if none is named. */
  find(owner: GoldenSetOwner, name: string, version?: number): Promise<GoldenSet | null>;
  /** Newest versions of the sets of an index, by name. */
  list(
    owner: GoldenSetOwner,
    page: PageRequest,
  ): Promise<{ readonly sets: readonly GoldenSet[]; readonly next: string | null }>;
  /** Kept versions of a set, newest first. */
  versions(owner: GoldenSetOwner, name: string): Promise<readonly GoldenSet[]>;
  /** Returns the questions of a version as JSON Lines. Null: it was deleted. */
  lines(owner: GoldenSetOwner, found: GoldenSet): Promise<string | null>;
}

export interface GoldenSetWriter extends GoldenSetReader {
  /**
   * Stores questions as the next version of a set, unless they are those of its newest one. Throws 409 if the index has the
   * maximum number of sets, and 503 if other requests change the set.
   */
  put(owner: GoldenSetOwner, name: string, questions: readonly GoldenQuestion[], at: string): Promise<GoldenSet>;
  /** Deletes a set with its versions. Returns false if there is none. */
  delete(owner: GoldenSetOwner, name: string): Promise<boolean>;
}

/** Bytes of a version, which one response can return. */
const maxBytes = 5 * 1024 * 1024;
/** Golden sets of an index. Concurrent requests may exceed it by their number. */
const maxSets = 100;
/** Versions of a set that are kept. */
const maxVersions = 20;
/** Maximum attempts to store a version while other requests store some. */
const maxTries = 5;

const partitionOf = (organizationId: string): string => `GOLDEN_SETS#${organizationId}`;

const setKey = ({ organizationId, id }: GoldenSetOwner, name: string): Key => ({
  pk: partitionOf(organizationId),
  sk: `${id}#${name}`,
});

const versionsPartition = (organizationId: string): string => `GOLDEN_SET_VERSIONS#${organizationId}`;

const versionKey = ({ organizationId, id }: GoldenSetOwner, name: string, version: number): Key => ({
  pk: versionsPartition(organizationId),
  sk: `${id}#${name}#${String(version).padStart(8, '0')}`,
});

const attributesOf = ({ version, questions, relevant, bytes, digest, createdAt }: GoldenSet) => ({
  version,
  questions,
  relevant,
  bytes,
  digest,
  created_at: createdAt,
});

const toGoldenSet = (item: Item): GoldenSet => ({
  name: item.sk.split('#')[1] ?? '',
  version: numberOf(item, 'version'),
  questions: numberOf(item, 'questions'),
  relevant: numberOf(item, 'relevant'),
  bytes: numberOf(item, 'bytes'),
  digest: textOf(item, 'digest') ?? '',
  createdAt: textOf(item, 'created_at') ?? '',
});

const contentAddress = ({ organizationId, id }: GoldenSetOwner) => ({ organizationId, indexId: id });

/** Key of the object of a version. Two requests that store the same number have different objects. */
const objectKey = (owner: GoldenSetOwner, { name, version, digest }: Pick<GoldenSet, 'name' | 'version' | 'digest'>) =>
  goldenSetKey(contentAddress(owner), name, `${version}-${digest.slice(0, 16)}`);

const readerOf = (runtime: Runtime, table: Table): GoldenSetReader => {
  const content = openContentReader(runtime);
  return {
    find: async (owner, name, version) => {
      const item = await table.get(version === undefined ? setKey(owner, name) : versionKey(owner, name, version));
      return item === null ? null : toGoldenSet(item);
    },
    list: async (owner, { limit, after }) => {
      const prefix = `${owner.id}#`;
      const page = await table.query(partitionOf(owner.organizationId), {
        prefix,
        limit,
        after: after === null ? null : prefix + after,
      });
      return { sets: page.items.map(toGoldenSet), next: page.next?.slice(prefix.length) ?? null };
    },
    versions: async (owner, name) => {
      const prefix = `${owner.id}#${name}#`;
      const items = table.all(versionsPartition(owner.organizationId), { prefix, newestFirst: true });
      return (await Array.fromAsync(items)).map(toGoldenSet);
    },
    lines: async (owner, found) => {
      const bytes = await content.get(owner.region, objectKey(owner, found));
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
  };
};

const openGoldenSetReader = (runtime: Runtime): GoldenSetReader => readerOf(runtime, openTable(runtime, 'evaluations'));

interface Stores {
  readonly table: Table;
  readonly reader: GoldenSetReader;
  readonly stored: ContentWriter;
}

/** Stores the next version of a set. Returns the newest one if it is the same; null if another request has stored one. */
const putOnce = async (
  { table, reader, stored }: Stores,
  owner: GoldenSetOwner,
  lines: Buffer,
  next: Omit<GoldenSet, 'version'>,
): Promise<GoldenSet | null> => {
  const { name } = next;
  const newest = await reader.find(owner, name);
  if (newest?.digest === next.digest) return newest;
  if (newest === null) {
    const sets = await table.count(partitionOf(owner.organizationId), { prefix: `${owner.id}#` });
    if (sets >= maxSets) throw new AppError('conflict', `The index has ${maxSets} golden sets. Delete one first`);
  }
  const version = { ...next, version: (newest?.version ?? 0) + 1 };
  await stored.put(owner.region, objectKey(owner, version), lines, 'application/x-ndjson');
  const condition = newest === null ? absent : { version: { eq: newest.version } };
  const failed = await table.transact([
    { put: { ...setKey(owner, name), ...attributesOf(version) }, condition },
    { put: { ...versionKey(owner, name, version.version), ...attributesOf(version) } },
  ]);
  return failed.length === 0 ? version : null;
};

const dropOldest = async ({ table, reader, stored }: Stores, owner: GoldenSetOwner, name: string): Promise<void> => {
  for (const old of (await reader.versions(owner, name)).slice(maxVersions)) {
    await stored.deleteAll(owner.region, objectKey(owner, old));
    await table.delete(versionKey(owner, name, old.version));
  }
};

const openGoldenSetWriter = (runtime: Runtime): GoldenSetWriter => {
  const table = openTable(runtime, 'evaluations');
  const stores = { table, reader: readerOf(runtime, table), stored: openContentWriter(runtime) };
  return {
    ...stores.reader,
    put: async (owner, name, questions, createdAt) => {
      const lines = Buffer.from(toLines(questions));
      const next = {
        name,
        questions: questions.length,
        relevant: questions.reduce((sum, { relevant }) => sum + relevant.length, 0),
        bytes: lines.length,
        digest: createHash('sha256').update(lines).digest('hex'),
        createdAt,
      };
      if (next.bytes > maxBytes || next.relevant > maxItems)
        throw new AppError('conflict', `A golden set has at most ${maxBytes} bytes and ${maxItems} relevant items`);
      for (let tries = 0; tries < maxTries; tries += 1) {
        const version = await putOnce(stores, owner, lines, next);
        if (version === null) continue;
        await dropOldest(stores, owner, name);
        return version;
      }
      throw unavailable(null, 'Other requests are changing the golden set. Try again');
    },
    delete: async (owner, name) => {
      const wasThere = await table.delete(setKey(owner, name), present);
      for (const { version } of await stores.reader.versions(owner, name))
        await table.delete(versionKey(owner, name, version));
      await stores.stored.deleteAll(owner.region, goldenSetPrefix(contentAddress(owner), name));
      return wasThere;
    },
  };
};

/** Reads the questions of a version. Null: it was deleted. */
export const questionsOf = async (
  sets: Pick<GoldenSetReader, 'lines'>,
  owner: GoldenSetOwner,
  found: GoldenSet,
): Promise<readonly GoldenQuestion[] | null> => {
  const lines = await sets.lines(owner, found);
  return lines === null ? null : fromLines(lines);
};

/** Deletes the records of the golden sets of an index. Its objects are deleted with those of its files. */
export const removeGoldenSets = async (table: Table, organizationId: string, indexId: string): Promise<void> => {
  for (const pk of [partitionOf(organizationId), versionsPartition(organizationId)])
    for await (const { sk } of table.all(pk, { prefix: `${indexId}#` })) await table.delete({ pk, sk });
};

export const goldenSetsRead = capability<GoldenSetReader>(['evaluations.read', 'golden.read'], openGoldenSetReader);
export const goldenSetsWrite = capability<GoldenSetWriter>(
  ['evaluations.write', 'golden.read', 'golden.put', 'golden.delete'],
  openGoldenSetWriter,
);
