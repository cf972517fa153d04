import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../../shared/kernel/capability.ts';
import { lazy } from '../../../shared/kernel/memoize.ts';
import { bucketName, vectorBucketName } from '../../../shared/kernel/names.ts';
import { defaultEngine, type EngineName } from './engines.ts';
import type { EngineCaches } from './lance/connect-database.ts';
import { serveCache } from './object-cache/serve-cache.ts';
import { storeAccess } from './object-cache/store-access.ts';
import type { EngineLocation } from './open-location.ts';
import type { VectorLocation } from './s3-vectors/vector-index.ts';
import { bucketStore } from './segments/bucket-store.ts';
import { type VersionCaches, versionCaches } from './segments/open-versions.ts';

/** Engine on the tables of one organization. No call can name a table of another organization. Default: `lance`. */
export type EngineFor<Engine> = (organizationId: string, engine?: EngineName) => Engine;

/** Organizations whose tables one process keeps open. */
const maxOrganizations = 32;

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
  readonly versions: VersionCaches;
  /** Options that route the engine's requests through the cache of table files. Null for tables on a disk. */
  readonly storageOptions: (() => Promise<Readonly<Record<string, string>>>) | null;
}

/** Memory of a process for indexes, in bytes. */
interface CacheSizes {
  readonly segments: number;
  /** Table files that are in an object store. */
  readonly tableFiles: number;
}

export const shareCaches = ({ config }: Runtime, caches: EngineCaches, sizes: CacheSizes): SharedCaches => ({
  caches,
  versions: versionCaches(sizes.segments),
  storageOptions:
    config.vectorsDirectory === null ? lazy(() => serveCache(storeAccess(config.region), sizes.tableFiles)) : null,
});

/** Returns the location of an organization's indexes: a prefix of its own in the region's bucket, or a local directory. */
export const locationOf = (
  { config }: Runtime,
  organizationId: string,
  { caches, versions, storageOptions }: SharedCaches,
): EngineLocation => {
  const { vectorsDirectory, region } = config;
  const bucket = bucketName(config.deployment, 'vectors', config.accountId, region);
  const shared = { caches, versions };
  if (vectorsDirectory !== null) return { ...shared, uri: `${vectorsDirectory}/${bucket}/${organizationId}` };
  return {
    ...shared,
    uri: `s3://${bucket}/${organizationId}`,
    objects: bucketStore(region, bucket, `${organizationId}/`),
    ...(storageOptions === null ? {} : { storageOptions }),
  };
};
