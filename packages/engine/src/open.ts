import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../../shared/kernel/capability.ts';
import { lazy } from '../../../shared/kernel/memoize.ts';
import { bucketName, vectorBucketName } from '../../../shared/kernel/names.ts';
import { defaultEngine, type EngineName } from './engines.ts';
import type { EngineCaches, EngineLocation } from './lance/connect-database.ts';
import { serveCache } from './object-cache/serve-cache.ts';
import { storeAccess } from './object-cache/store-access.ts';
import type { VectorLocation } from './s3-vectors/vector-index.ts';

/** Engine on the tables of one organization. No call can name a table of another organization. Default: `lance`. */
export type EngineFor<Engine> = (organizationId: string, engine?: EngineName) => Engine;

/** Organizations whose tables one process keeps open. */
const maxOrganizations = 32;

/**
 * Location of an organization's tables: a prefix of its own in the region's bucket, or a local directory in its place.
 */
const tablesUri = ({ config }: Runtime, organizationId: string): string => {
  const bucket = bucketName(config.deployment, 'vectors', config.accountId, config.region);
  return `${config.vectorsDirectory === null ? 's3:/' : config.vectorsDirectory}/${bucket}/${organizationId}`;
};

/** Returns where the indexes of an organization are on Amazon S3 Vectors. */
export const vectorLocationOf = ({ config }: Runtime, organizationId: string): VectorLocation => ({
  region: config.region,
  vectorBucketName: vectorBucketName(config.deployment, config.accountId, config.region),
  organizationId,
});

/** Returns one side of the engine that an index names, given how each engine opens it for an organization. */
export const dispatchEngine =
  <Engine>(openers: Readonly<Record<EngineName, (organizationId: string) => Engine>>): EngineFor<Engine> =>
  (organizationId, engine = defaultEngine) =>
    openers[engine](organizationId);

/** Keeps the engines of the organizations that were used most recently. */
export const perOrganization = <Engine extends object>(
  open: (organizationId: string) => Engine,
): ((organizationId: string) => Engine) => {
  const engines = new LRUCache<string, Engine>({ max: maxOrganizations, memoMethod: (id) => open(id) });
  return (organizationId) => engines.memo(organizationId);
};

/** Caches of a process, shared by the engines of all organizations. */
interface SharedCaches {
  readonly caches: EngineCaches;
  /** Options that route the engine's requests through the cache of table files. Null for tables on a disk. */
  readonly storageOptions: (() => Promise<Readonly<Record<string, string>>>) | null;
}

/** @param objectBytes Memory for table files that are in an object store. */
export const shareCaches = ({ config }: Runtime, caches: EngineCaches, objectBytes: number): SharedCaches => ({
  caches,
  storageOptions:
    config.vectorsDirectory === null ? lazy(() => serveCache(storeAccess(config.region), objectBytes)) : null,
});

/** Returns the location of an organization's tables for the engine. */
export const locationOf = (
  runtime: Runtime,
  organizationId: string,
  { caches, storageOptions }: SharedCaches,
): EngineLocation => ({
  uri: tablesUri(runtime, organizationId),
  caches,
  ...(storageOptions === null ? {} : { storageOptions }),
});
