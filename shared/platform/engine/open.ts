import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../kernel/capability.ts';
import { bucketName } from '../../kernel/names.ts';
import { engineCaches, type EngineCaches, type EngineLocation } from './lance/connect-database.ts';
import { openReader } from './lance/open-reader.ts';
import { openWriter } from './lance/open-writer.ts';
import type { EngineReader, EngineWriter } from './port.ts';

/** The engine on the tables of one organization: no call can name the table of another. */
export type EngineFor<Engine> = (organizationId: string) => Engine;

/** Memory of a reader for index data; 400,000 vectors of 1,536 dimensions take 316 MB. */
const readerIndexBytes = 1024 * 1024 * 1024;

/** Organizations whose tables one process keeps open. */
const mostOrganizations = 32;

/** Where an organization's tables lie: a prefix of its own in the region's bucket, or a directory that stands for it. */
const tablesUri = ({ config }: Runtime, organizationId: string): string => {
  const bucket = bucketName(config.deployment, 'vectors', config.accountId, config.region);
  return `${config.vectorsDirectory === null ? 's3:/' : config.vectorsDirectory}/${bucket}/${organizationId}`;
};

/** Keeps the engines of the organizations that were asked for last. */
const perOrganization = <Engine extends object>(open: (organizationId: string) => Engine): EngineFor<Engine> => {
  const engines = new LRUCache<string, Engine>({ max: mostOrganizations, memoMethod: (id) => open(id) });
  return (organizationId) => engines.memo(organizationId);
};

const locationOf = (runtime: Runtime, organizationId: string, caches: EngineCaches): EngineLocation => ({
  uri: tablesUri(runtime, organizationId),
  caches,
  ...(runtime.config.vectorsDirectory === null ? { storageOptions: { aws_region: runtime.config.region } } : {}),
});

export const openReaders = (runtime: Runtime): EngineFor<EngineReader> => {
  // One memory bound for the process, whatever the number of organizations: a third of what the reader's function has, so
  // that the vector indexes that are searched at the same time stay in memory.
  const caches = engineCaches(readerIndexBytes);
  return perOrganization((organizationId) => openReader(locationOf(runtime, organizationId, caches)));
};

export const openWriters = (runtime: Runtime): EngineFor<EngineWriter> => {
  const caches = engineCaches();
  return perOrganization((organizationId) => openWriter(locationOf(runtime, organizationId, caches), runtime.clock));
};
