import type { Connection, Session } from '@lancedb/lancedb';
import { lazy } from '../../../kernel/memoize.ts';
import type { FoundRows } from './found-rows.ts';
import type { ResidentTables } from './resident-tables.ts';

/** Memory for index data and file metadata, made at the first use; several connections of one process may share it. */
export type EngineCaches = () => Promise<Session>;

type StorageOptions = Readonly<Record<string, string>>;

/** Where the tables of a region live and how much memory their caches may take. */
export interface EngineLocation {
  /** `s3://bucket/prefix`, or a local directory. */
  readonly uri: string;
  /** Options of the object store, such as `aws_region` or `aws_endpoint`, or what finds them at the first use. */
  readonly storageOptions?: StorageOptions | (() => Promise<StorageOptions>);
  /** Default: caches of its own with the defaults of `engineCaches`. */
  readonly caches?: EngineCaches;
  /** Memory for the rows of tables that are searched often; several connections of one process may share it. Default: none. */
  readonly residents?: ResidentTables;
  /** Memory for rows that are found again and again, shared in the same way. Default: none. */
  readonly found?: FoundRows;
  /** Tables kept open, each version of an ancestor for itself; default 256. */
  readonly openTables?: number;
}

const mebibyte = 1024 * 1024;

/** Caches with these upper bounds, in bytes; default 256 MiB for indexes and 64 MiB for file metadata. */
export const engineCaches = (indexBytes = 256 * mebibyte, metadataBytes = 64 * mebibyte): EngineCaches =>
  lazy(async () => {
    // Loading the native library at import would slow every start, also of what never searches.
    const { Session } = await import('@lancedb/lancedb');
    return new Session(BigInt(indexBytes), BigInt(metadataBytes));
  });

/** A connection that is made at the first call; one that fails is made anew at the next. */
export const connectDatabase = ({
  uri,
  storageOptions,
  caches = engineCaches(),
}: EngineLocation): (() => Promise<Connection>) =>
  lazy(async () => {
    const { connect } = await import('@lancedb/lancedb');
    const found = typeof storageOptions === 'function' ? await storageOptions() : storageOptions;
    const options = found === undefined ? {} : { storageOptions: { ...found } };
    return connect(uri, { session: await caches(), ...options });
  });
