import { type Clock, systemClock } from '../../../shared/kernel/clock.ts';
import { baseTables } from './lance/base-table.ts';
import { connectDatabase, type TableLocation } from './lance/connect-database.ts';
import { tableFolder } from './lance/fold-table.ts';
import { openTables } from './lance/open-tables.ts';
import type { EngineReader, EngineWriter } from './port.ts';
import { directoryStore } from './segments/directory-store.ts';
import type { ObjectStore } from './segments/object-store.ts';
import { openReader as openSegmentReader } from './segments/open-reader.ts';
import { OpenVersions, type VersionCaches, versionCaches } from './segments/open-versions.ts';
import { openWriter as openSegmentWriter, type WriterOptions } from './segments/open-writer.ts';

/** Location of the indexes of one organization: their objects, and the tables of large ones. */
export interface EngineLocation extends TableLocation {
  /** Default: files in the directory `uri`. */
  readonly objects?: ObjectStore;
  /** Default: caches of its own. */
  readonly versions?: VersionCaches;
}

/** Folder of the tables, so that they are listed apart from the objects of small indexes. */
const tablesFolder = 'tables';

/** Bytes of segments that are kept by default. */
const defaultBytes = 256 * 1024 * 1024;

/** Versions of tables that are kept open. */
const openTableVersions = 256;

const openIndexes = ({
  uri,
  objects = directoryStore(uri),
  versions = versionCaches(defaultBytes),
  ...rest
}: EngineLocation) => {
  const connection = connectDatabase({ uri: `${uri}/${tablesFolder}`, ...rest });
  const tables = openTables(connection, openTableVersions);
  return { connection, tables, versions: new OpenVersions(objects, versions, baseTables(tables)) };
};

/** Opens the reader of the engine `lance`. Nothing is loaded or connected before the first call. */
export const openReader = (location: EngineLocation, clock: Clock = systemClock): EngineReader =>
  openSegmentReader(openIndexes(location).versions, clock);

/** Opens the writer of the engine `lance`. Nothing is loaded or connected before the first call. */
export const openWriter = (location: EngineLocation, options: WriterOptions = {}): EngineWriter => {
  const { connection, tables, versions } = openIndexes(location);
  const { clock = systemClock } = options;
  return openSegmentWriter(versions, tableFolder({ connection, tables, clock }), options);
};
