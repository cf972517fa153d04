import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { type BlobFiles, openBlobFiles } from './blob-files.ts';
import type { BucketConfig, ObjectAccess, ObjectStoreOptions } from './contracts.ts';
import { type Database, openDatabase } from './database.ts';
import { type EventOutbox, openEventOutbox } from './event-outbox.ts';

/** State of an open object store. */
export interface Store {
  readonly buckets: ReadonlyMap<string, BucketConfig>;
  readonly access: ObjectAccess;
  readonly clock: Clock;
  readonly database: Database;
  readonly blobs: BlobFiles;
  readonly outbox: EventOutbox;
  readonly onError: (error: unknown) => void;
  readonly onDownload: ObjectStoreOptions['onDownload'];
}

/** Opens the data directory, removes the remains of a crash, and resumes the delivery of pending events. */
export const openStore = async (options: ObjectStoreOptions): Promise<Store> => {
  const onError = options.onError ?? (() => {});
  mkdirSync(options.dataDir, { recursive: true });
  const database = openDatabase(join(options.dataDir, 'metadata.sqlite'));
  const blobs = openBlobFiles(join(options.dataDir, 'blobs'), onError);
  await blobs.sweep((blob) => isReferenced(database, blob));
  const outbox = openEventOutbox(database, options.onObjectCreated, onError);
  outbox.wake();
  return {
    buckets: new Map(options.buckets.map((bucket) => [bucket.name, bucket])),
    access: options.access,
    clock: options.clock ?? systemClock,
    database,
    blobs,
    outbox,
    onError,
    onDownload: options.onDownload,
  };
};

/**
 * Runs `work` as one durable transaction. `work` returns the blobs that its rows no longer refer to; those that no other
 * row refers to are removed after the commit. If it throws, the same happens to `fresh`, the blobs written for it.
 */
export const commit = ({ database, blobs }: Store, fresh: readonly string[], work: () => readonly string[]): void => {
  let released = fresh;
  try {
    released = database.transaction(work);
  } finally {
    blobs.remove(released.filter((blob) => !isReferenced(database, blob)));
  }
};

const isReferenced = ({ sql }: Database, blob: string): boolean =>
  sql.get`SELECT 1 FROM segments WHERE blob = ${blob} UNION ALL SELECT 1 FROM parts WHERE blob = ${blob}` !== undefined;
