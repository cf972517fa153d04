import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { rowCache } from '../../src/lance/row-cache.ts';
import { baseTables } from '../../src/lance/base-table.ts';
import { connectDatabase } from '../../src/lance/connect-database.ts';
import { tableFolder } from '../../src/lance/fold-table.ts';
import { openReader } from '../../src/lance/open-reader.ts';
import { openTables } from '../../src/lance/open-tables.ts';
import { openWriter } from '../../src/lance/open-writer.ts';
import { vectorCache } from '../../src/lance/vector-cache/vector-cache.ts';
import { unchangedSince } from '../../src/unchanged-since.ts';
import { directoryStore } from '../../src/segments/directory-store.ts';
import type { ObjectStore } from '../../src/segments/object-store.ts';
import { openReader as openSegmentsReader } from '../../src/segments/open-reader.ts';
import { OpenVersions } from '../../src/segments/open-versions.ts';
import { openWriter as openSegmentsWriter } from '../../src/segments/open-writer.ts';
import { defaultBounds, type MergeBounds } from '../../src/segments/write-version.ts';
import type { TextLanguage } from '../../src/text-language.ts';
import type {
  Change,
  CommitResult,
  DistanceMetric,
  EngineReader,
  EngineWriter,
  IndexRef,
  Layer,
  Row,
  TableState,
} from '../../src/port.ts';

/** A row with everything optional but its id and vector. */
export const makeRow = (
  id: string,
  vector: readonly number[],
  more: Partial<Omit<Row, 'id' | 'vector'>> = {},
): Row => ({
  id,
  vector: Float32Array.from(vector),
  text: null,
  metadata: {},
  jobId: null,
  filename: null,
  pageStart: null,
  pageEnd: null,
  ...more,
});

/** Rows `prefix0`, `prefix1`, … with texts and metadata made from their number. */
export const makeRows = (
  count: number,
  make: (number: number) => readonly [readonly number[], string, JsonObject],
  prefix = 'row',
): readonly Row[] =>
  Array.from({ length: count }, (_, number) => {
    const [vector, text, metadata] = make(number);
    return makeRow(`${prefix}${number}`, vector, { text, metadata });
  });

/** A repeatable sequence of numbers from -1 to 1. */
export const seededNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

/** One index with its two sides, which follows the committed version as the service does. */
export interface Bench {
  readonly uri: string;
  readonly writer: EngineWriter;
  readonly reader: EngineReader;
  readonly ref: () => IndexRef;
  readonly state: () => TableState;
  readonly commit: (...changes: readonly Change[]) => Promise<CommitResult>;
  /** With the keys of the changes. */
  readonly commitAs: (keys: readonly string[], ...changes: readonly Change[]) => Promise<CommitResult>;
  /** Copies rows of the ancestors; where to go on, null at the end. */
  readonly materialize: (after: string | null, maxRows: number) => Promise<string | null>;
  readonly upsert: (...rows: readonly Row[]) => Promise<CommitResult>;
  /** With a new vector index where maintenance asks for one. */
  readonly maintain: (keepSeconds?: number, keepVersions?: readonly number[]) => Promise<TableState>;
}

const residentBytes = 64 * 1024 * 1024;
const foundBytes = 1024 * 1024;

interface SegmentOptions {
  readonly bounds?: MergeBounds;
  readonly clock?: Clock;
  /** Directory of tables under the segments. Default: there are none. */
  readonly tables?: string;
}

/** Both sides of the engine on segments, with nothing open. */
export const openSegments = (
  store: ObjectStore,
  { bounds = defaultBounds, clock = systemClock, tables }: SegmentOptions = {},
): Pick<Bench, 'writer' | 'reader'> => {
  const connection = tables === undefined ? null : connectDatabase({ uri: tables });
  const opened = connection && openTables(connection, 64);
  const versions = (): OpenVersions => new OpenVersions(store, residentBytes, opened && baseTables(opened));
  const folder = connection && opened && tableFolder({ connection, tables: opened, clock });
  return {
    writer: openSegmentsWriter(versions(), { clock, bounds, folder }),
    reader: openSegmentsReader(versions()),
  };
};

/** Both sides of the engine, with nothing open, as the service has them. `STRATA_TEST_SEGMENTS`: on segments alone. */
export const openEngines = (uri: string): Pick<Bench, 'writer' | 'reader'> =>
  process.env['STRATA_TEST_SEGMENTS'] === undefined
    ? {
        writer: openWriter({ uri }),
        reader: openReader({ uri, vectorCache: vectorCache(residentBytes), rowCache: rowCache(foundBytes) }),
      }
    : openSegments(directoryStore(uri));

interface BenchOptions {
  /** Default: engines of its own. */
  readonly engines?: Pick<Bench, 'writer' | 'reader'>;
  readonly dimensions: number;
  readonly metric?: DistanceMetric;
  readonly nonFilterableKeys?: readonly string[];
  readonly table?: string;
  readonly ancestors?: readonly Layer[];
  readonly textLanguage?: TextLanguage;
}

/** Creates an index, or opens what is there, in a directory. */
export const openBench = async (uri: string, options: BenchOptions): Promise<Bench> => {
  const { writer, reader } = options.engines ?? openEngines(uri);
  const { dimensions, metric = 'cosine', nonFilterableKeys = [], table = 'main', ancestors = [] } = options;
  const at = (version: number): IndexRef => ({
    dimensions,
    metric,
    nonFilterableKeys,
    ...(options.textLanguage === undefined ? {} : { textLanguage: options.textLanguage }),
    layers: [{ table, version }, ...ancestors],
  });
  let state = await writer.create(at(0));
  let builtRows: number | null = null;
  let unchanged = { from: state.version, to: state.version };
  const ref = (): IndexRef => ({ ...at(state.version), unchanged, manifest: state.manifest });
  const write = async (changes: readonly Change[], keys?: readonly string[]): Promise<CommitResult> => {
    const result = await writer.commit(at(state.version), changes, keys);
    state = result.state;
    return result;
  };
  const commit: Bench['commit'] = (...changes) => write(changes);
  return {
    uri,
    writer,
    reader,
    ref,
    state: () => state,
    commit,
    commitAs: (keys, ...changes) => write(changes, keys),
    materialize: async (after, maxRows) => {
      const copied = await writer.materialize(at(state.version), after, maxRows);
      ({ state } = copied);
      return copied.next;
    },
    upsert: (...rows) => commit({ kind: 'upsert', rows }),
    maintain: async (keepSeconds = 3_600, keepVersions = []) => {
      const retention = { keepSeconds, keepVersions };
      const from = unchangedSince(ref());
      const maintained = await writer.maintain(at(state.version), retention, builtRows);
      ({ state } = maintained);
      if (['missing', 'worn'].includes(maintained.vectorIndex)) {
        builtRows = await writer.buildVectorIndex(at(state.version));
        ({ state } = await writer.maintain(at(state.version), retention, builtRows));
      }
      unchanged = { from, to: state.version };
      return state;
    },
  };
};

/** All visible rows by way of pages. */
export const listAll = async ({ reader, ref }: Bench, limit = 100): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await reader.list(ref(), { after, limit });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return ids;
    after = page.next;
  }
};
