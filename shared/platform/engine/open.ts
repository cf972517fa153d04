import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../kernel/capability.ts';
import { lazy } from '../../kernel/memoize.ts';
import { bucketName } from '../../kernel/names.ts';
import type { EngineCaches, EngineLocation } from './lance/connect-database.ts';
import { serveCache } from './object-cache/serve-cache.ts';
import { storeAccess } from './object-cache/store-access.ts';

/** The engine on the tables of one organization: no call can name the table of another. */
export type EngineFor<Engine> = (organizationId: string) => Engine;

/** Organizations whose tables one process keeps open. */
const mostOrganizations = 32;

/** Where an organization's tables lie: a prefix of its own in the region's bucket, or a directory that stands for it. */
const tablesUri = ({ config }: Runtime, organizationId: string): string => {
  const bucket = bucketName(config.deployment, 'vectors', config.accountId, config.region);
  return `${config.vectorsDirectory === null ? 's3:/' : config.vectorsDirectory}/${bucket}/${organizationId}`;
};

/** Keeps the engines of the organizations that were asked for last. */
export const perOrganization = <Engine extends object>(open: (organizationId: string) => Engine): EngineFor<Engine> => {
  const engines = new LRUCache<string, Engine>({ max: mostOrganizations, memoMethod: (id) => open(id) });
  return (organizationId) => engines.memo(organizationId);
};

/** Caches of a process, shared by the engines of all organizations. */
interface SharedCaches {
  readonly caches: EngineCaches;
  /** Options that lead the engine's requests through the cache of objects; null for tables on a disk. */
  readonly storageOptions: (() => Promise<Readonly<Record<string, string>>>) | null;
}

/** @param objectBytes Memory for files of tables that lie in an object store. */
export const shareCaches = ({ config }: Runtime, caches: EngineCaches, objectBytes: number): SharedCaches => ({
  caches,
  storageOptions:
    config.vectorsDirectory === null ? lazy(() => serveCache(storeAccess(config.region), objectBytes)) : null,
});

/** Where the engine finds the tables of an organization. */
export const locationOf = (
  runtime: Runtime,
  organizationId: string,
  { caches, storageOptions }: SharedCaches,
): EngineLocation => ({
  uri: tablesUri(runtime, organizationId),
  caches,
  ...(storageOptions === null ? {} : { storageOptions }),
});
