import type { Connection, Session } from '@lancedb/lancedb';
import { lazy } from '../../../../shared/kernel/memoize.ts';

/**
 * Memory for index data and file metadata, allocated at the first use. Several connections of one process may share it.
 */
export type EngineCaches = () => Promise<Session>;

type StorageOptions = Readonly<Record<string, string>>;

/** Location of the tables of a region, with the caches of its connection. */
export interface TableLocation {
  /** `s3://bucket/prefix`, or a local directory. */
  readonly uri: string;
  /**
   * Options of the object store, such as `aws_region` or `aws_endpoint`, or a function that returns them at the first
   * use.
   */
  readonly storageOptions?: StorageOptions | (() => Promise<StorageOptions>);
  /** Default: separate caches with the defaults of `engineCaches`. */
  readonly caches?: EngineCaches;
}

const mebibyte = 1024 * 1024;

/** Creates caches with these limits in bytes. Default: 256 MiB for indexes and 64 MiB for file metadata. */
export const engineCaches = (indexBytes = 256 * mebibyte, metadataBytes = 64 * mebibyte): EngineCaches =>
  lazy(async () => {
    // Loading the native library at import would slow every start, also of functions that never search.
    const { Session } = await import('@lancedb/lancedb');
    return new Session(BigInt(indexBytes), BigInt(metadataBytes));
  });

/** Returns a connection that is opened at the first call. If that fails, the next call tries again. */
export const connectDatabase = ({
  uri,
  storageOptions,
  caches = engineCaches(),
}: TableLocation): (() => Promise<Connection>) =>
  lazy(async () => {
    const { connect } = await import('@lancedb/lancedb');
    const found = typeof storageOptions === 'function' ? await storageOptions() : storageOptions;
    const options = found === undefined ? {} : { storageOptions: { ...found } };
    return connect(uri, { session: await caches(), ...options });
  });
