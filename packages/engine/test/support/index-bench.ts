import { test } from 'node:test';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { type EngineLocation, openReader, openWriter } from '../../src/open-location.ts';
import type { WriterOptions } from '../../src/segments/open-writer.ts';
import { defaultBounds, type MergeBounds } from '../../src/segments/write-version.ts';
import { type Analyzer, currentAnalyzer, type TextLanguage } from '../../src/text-language.ts';
import type {
  Change,
  CommitResult,
  DistanceMetric,
  EngineReader,
  EngineWriter,
  IndexRef,
  Layer,
  Restoration,
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
  /** Null: the version is not kept. */
  readonly restore: (restoration: Restoration) => Promise<CommitResult | null>;
  readonly upsert: (...rows: readonly Row[]) => Promise<CommitResult>;
  readonly maintain: (keepSeconds?: number, keepVersions?: readonly number[]) => Promise<TableState>;
}

/** Bounds with which an index has several segments after a few rows, and with which maintenance folds any. */
export const tinyBounds: MergeBounds = {
  smallBytes: 0,
  maxAbsorbedBytes: 4_096,
  maxLive: 2,
  mergeFactor: 4,
  foldBytes: 0,
  foldShare: 0,
  pausedShare: 0,
  waitFactor: 4,
};

/** Bounds with which maintenance folds all rows into a table. */
export const foldingBounds: MergeBounds = { ...defaultBounds, foldBytes: 0, foldShare: 0, pausedShare: 0 };

/** Default: files in a directory. */
type EngineOptions = WriterOptions & Pick<EngineLocation, 'objects' | 'storageOptions'>;

/** Both sides of the engine, with nothing open. */
export const openEngines = (
  uri: string,
  { bounds, clock, ...location }: EngineOptions = {},
): Pick<Bench, 'writer' | 'reader'> => {
  const options = { ...(bounds && { bounds }), ...(clock && { clock }) };
  return { writer: openWriter({ uri, ...location }, options), reader: openReader({ uri, ...location }) };
};

/** Places of the rows of an index. */
const places = { segments: 'segments', table: 'a table', both: 'a table and segments' } as const;
export type Form = keyof typeof places;

const forms = Object.keys(places) as readonly Form[];

/** Runs a test for each form in which an index can store its rows. */
export const testForms = (title: string, run: (form: Form) => Promise<void>): void => {
  for (const form of forms) test(`${title} (rows in ${places[form]})`, () => run(form));
};

/** Engines whose commits are folded: each at once, or those before the last one. */
export const openForm = (uri: string, form: Form): Pick<Bench, 'writer' | 'reader'> => {
  if (form === 'segments') return openEngines(uri);
  const { writer, reader } = openEngines(uri, { bounds: foldingBounds });
  const fold = (ref: IndexRef): Promise<TableState> => writer.maintain(ref, { keepSeconds: 3_600, keepVersions: [] });
  const commit: EngineWriter['commit'] = async (ref, ...change) => {
    if (form === 'both') await fold(ref);
    const { state, results } = await writer.commit(ref, ...change);
    return { state: form === 'table' ? await fold(ref) : state, results };
  };
  return { writer: { ...writer, commit }, reader };
};

interface BenchOptions {
  /** Default: those of the form. */
  readonly engines?: Pick<Bench, 'writer' | 'reader'>;
  /** Default: rows in segments. */
  readonly form?: Form;
  /** In place of a form: when segments are merged and folded. */
  readonly bounds?: MergeBounds;
  readonly dimensions: number;
  readonly metric?: DistanceMetric;
  readonly nonFilterableKeys?: readonly string[];
  readonly table?: string;
  readonly ancestors?: readonly Layer[];
  readonly textLanguage?: TextLanguage;
  /** Default: that of new indexes. */
  readonly analyzer?: Analyzer;
  /** Time from which rows may have expired, in milliseconds since 1970. Default: none does. */
  readonly expiresFrom?: number;
}

/** Creates an index, or opens what is there, in a directory. */
export const openBench = async (uri: string, options: BenchOptions): Promise<Bench> => {
  const { form = 'segments', bounds } = options;
  const byForm = () => (bounds === undefined ? openForm(uri, form) : openEngines(uri, { bounds }));
  const { writer, reader } = options.engines ?? byForm();
  const { dimensions, metric = 'cosine', nonFilterableKeys = [], table = 'main', ancestors = [] } = options;
  const at = (version: number): IndexRef => ({
    dimensions,
    metric,
    nonFilterableKeys,
    ...(options.textLanguage === undefined ? {} : { textLanguage: options.textLanguage }),
    analyzer: options.analyzer ?? currentAnalyzer,
    expiresFrom: options.expiresFrom,
    layers: [{ table, version }, ...ancestors],
  });
  let state = await writer.create(at(0));
  const ref = (): IndexRef => ({ ...at(state.version), manifest: state.manifest });
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
    restore: async (restoration) => {
      const restored = await writer.restore(at(state.version), restoration);
      state = restored?.state ?? state;
      return restored;
    },
    upsert: async (...rows) => {
      const half = form === 'both' ? rows.length >> 1 : 0;
      if (half > 0) await commit({ kind: 'upsert', rows: rows.slice(0, half) });
      return commit({ kind: 'upsert', rows: rows.slice(half) });
    },
    maintain: async (keepSeconds = 3_600, keepVersions = []) => {
      const retention = { keepSeconds, keepVersions };
      state = await writer.maintain(at(state.version), retention);
      await writer.collect(at(state.version), retention);
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
