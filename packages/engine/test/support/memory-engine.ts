import { commitTo } from '../../src/changes/commit-changes.ts';
import type { IndexContent, VersionedRow, Versions } from '../../src/changes/index-content.ts';
import { byScore, type Candidate, fuseHits, rankHits } from '../../src/fuse-hits.ts';
import { facetSummary } from '../../src/facets.ts';
import type { Filter } from '../../src/filter.ts';
import { matcherOf } from '../../src/match-filter.ts';
import type {
  ChangeResult,
  EngineReader,
  EngineWriter,
  Hit,
  IndexRef,
  SearchQuery,
  TableState,
} from '../../src/port.ts';
import { Unsupported } from '../../src/unsupported.ts';

/** An index in memory. */
interface Stored {
  readonly rows: Map<string, VersionedRow>;
  journal: ReadonlyMap<string, ChangeResult>;
  version: number;
}

const rememberedChanges = 32;

const stateOf = ({ rows, version }: Stored, { dimensions }: IndexRef): TableState => ({
  version,
  commitVersion: version,
  rows: rows.size,
  denseBytes: rows.size * dimensions * 4,
  sparseBytes: [...rows.values()].reduce((bytes, { text }) => bytes + Buffer.byteLength(text ?? ''), 0),
  unindexedRows: 0,
  maintenance: 'none',
  manifest: '',
});

const versionsOf = (rows: readonly VersionedRow[]): Versions => new Map(rows.map(({ id, version }) => [id, version]));

const noVersions = async (): Promise<never> => {
  throw new Unsupported('versions', 'The engine in memory keeps no versions');
};

const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine in memory has no branches');
};

const contentOf = (stored: Stored, ref: IndexRef): IndexContent => ({
  ref,
  isAtomic: true,
  journal: stored.journal,
  rows: async () => stored.rows.size,
  state: async () => stateOf(stored, ref),
  isNewest: async () => true,
  problemOf: () => null,
  lookUp: async (ids) => versionsOf(ids.flatMap((id) => stored.rows.get(id) ?? [])),
  matching: async (matcher) => {
    const matches = 'filter' in matcher ? matcherOf(matcher.filter, ref) : null;
    const isOf = (row: VersionedRow): boolean =>
      matches === null ? 'jobId' in matcher && row.jobId === matcher.jobId : matches(row.metadata);
    return versionsOf([...stored.rows.values()].filter(isOf));
  },
  read: async function* (ids) {
    yield ids.flatMap((id) => stored.rows.get(id) ?? []);
  },
  openBranch: noBranches,
  write: async ({ rows, removed, journal }) => {
    if (removed === 'all') stored.rows.clear();
    else for (const id of removed) stored.rows.delete(id);
    for (const row of rows) stored.rows.set(row.id, row);
    stored.journal = new Map([...stored.journal, ...journal].slice(-rememberedChanges));
    stored.version += 1;
    return true;
  },
});

const scoreOf = (row: VersionedRow, vector: Float32Array, { metric }: IndexRef): number => {
  const sum = (of: (a: number, b: number) => number): number =>
    row.vector.reduce((total, a, at) => total + of(a, vector[at] ?? 0), 0);
  if (metric === 'euclidean') return 0 - sum((a, b) => (a - b) ** 2);
  return sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b));
};

const wordsOf = (text: string | null): readonly string[] => (text ?? '').toLowerCase().split(/\W+/);

const search = async (rows: readonly VersionedRow[], ref: IndexRef, query: SearchQuery): Promise<readonly Hit[]> => {
  const rank = (score: (row: VersionedRow) => number): Candidate[] =>
    rows.map((row) => ({ id: row.id, score: score(row) })).toSorted(byScore);
  const denseSide = async (): Promise<readonly Candidate[]> => {
    if (query.mode === 'sparse') return [];
    const vector = typeof query.vector === 'function' ? await query.vector() : query.vector;
    return rank((row) => scoreOf(row, vector, ref));
  };
  const words = query.mode === 'dense' ? [] : wordsOf(query.text);
  const sparse = rank(({ text }) => wordsOf(text).filter((word) => words.includes(word)).length);
  const found = sparse.filter(({ score }) => score > 0);
  const dense = await denseSide();
  const ranked =
    query.mode === 'hybrid'
      ? fuseHits(dense, found, query.fusion, ref.metric, query.topK)
      : rankHits(query.mode, (query.mode === 'dense' ? dense : found).slice(0, query.topK));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, ...hit }) => {
    const row = byId.get(id);
    return row === undefined
      ? []
      : { ...hit, row: { ...row, vector: query.includeVector ? row.vector : null }, layer: 0 };
  });
};

/** Smallest engine that keeps the contract: maps in memory, every search compares all rows. */
export const openMemoryEngine = (): { readonly writer: EngineWriter; readonly reader: EngineReader } => {
  const indexes = new Map<string, Stored>();
  const open = ({ layers: [{ table }] }: IndexRef): Stored => {
    const stored = indexes.get(table) ?? { rows: new Map(), journal: new Map(), version: 1 };
    indexes.set(table, stored);
    return stored;
  };
  const rowsOf = (ref: IndexRef, filter: Filter = {}): readonly VersionedRow[] => {
    const matches = matcherOf(filter, ref);
    return [...open(ref).rows.values()].filter(({ metadata }) => matches(metadata));
  };
  return {
    writer: {
      create: async (ref) => (ref.layers.length > 1 ? noBranches() : stateOf(open(ref), ref)),
      commit: commitTo(async (ref) => contentOf(open(ref), ref)),
      restore: noVersions,
      maintain: async (ref) => stateOf(open(ref), ref),
      collect: async () => {},
      leftovers: async () => ({ version: 0, live: [], older: [] }),
      drop: async (table) => void indexes.delete(table),
    },
    reader: {
      search: async (ref, query) => search(rowsOf(ref, query.filter), ref, query),
      chunkIds: async (ref, jobIds) =>
        new Map(
          jobIds.map((jobId) => [
            jobId,
            [...open(ref).rows.keys()].filter((id) => id.startsWith(`${jobId}:`)).toSorted(),
          ]),
        ),
      fetch: async (ref, ids) => ids.flatMap((id) => open(ref).rows.get(id) ?? []),
      list: async (ref, { after, limit, filter }) => {
        const later = rowsOf(ref, filter)
          .filter(({ id }) => after === null || id > after)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1));
        const rows = later.slice(0, limit);
        return { rows, next: later.length > limit ? (rows.at(-1)?.id ?? null) : null };
      },
      diff: noBranches,
      versions: noVersions,
      rowsAt: noVersions,
      sample: async (ref, count) => rowsOf(ref).slice(0, count),
      count: async (ref, filter) => rowsOf(ref, filter).length,
      viewOf: async () => 0,
      facets: async (ref, filter, facets) => {
        const { add, result } = facetSummary(ref, facets)();
        for (const { metadata, id } of rowsOf(ref, filter)) add(metadata, id);
        return result();
      },
      summarize: async (ref, filter, begin) => {
        const { add, result } = begin();
        for (const { metadata, id } of rowsOf(ref, filter)) add(metadata, id);
        return result();
      },
    },
  };
};
