import {
  byScore,
  type Candidate,
  compareIds,
  fusedRanks,
  fuseHits,
  hitsBehind,
  rankHits,
  type RankedHit,
} from '../fuse-hits.ts';
import { facetSummary } from '../facets.ts';
import type { Filter } from '../filter.ts';
import { matcherOf } from '../match-filter.ts';
import type {
  EngineReader,
  FoundRow,
  Hit,
  IndexRef,
  ListPage,
  MetadataSummary,
  QueryVector,
  SearchQuery,
} from '../port.ts';
import { compileFilter } from './compile-filter.ts';
import { Unsupported } from '../unsupported.ts';
import { readJobRowIds } from './job-row-ids.ts';
import { noBranches, noVersions } from './missing-features.ts';
import { readJournal, readOneState } from './read-one-state.ts';
import {
  hiddenTokens,
  isVisible,
  type Journal,
  openVectorIndex,
  scanRows,
  type StoredVersion,
  type VectorIndex,
  type VectorLocation,
} from './vector-index.ts';

/** Characters of a query text. Source: Amazon S3 Vectors. */
const maxQueryCharacters = 1_024;

/** An index to read. */
interface Place {
  readonly index: VectorIndex;
  readonly ref: IndexRef;
}

type Found = Awaited<ReturnType<VectorIndex['query']>>[number];

/** Returns the score of a distance. The service is taken to return the euclidean distance, not its square. */
const scoreOf = (distance: number, { metric }: IndexRef): number =>
  metric === 'cosine' ? 1 - distance : -(distance * distance);

const toVector = async (vector: QueryVector): Promise<Float32Array> =>
  typeof vector === 'function' ? vector() : vector;

interface Side {
  readonly candidates: readonly Candidate[];
  readonly rows: readonly Found[];
}

const toSide = (rows: readonly Found[], score: (hit: Found) => number): Side => ({
  rows,
  candidates: rows.map((hit) => ({ id: hit.row.id, score: score(hit) })).toSorted(byScore),
});

const noSide: Side = { rows: [], candidates: [] };

const rank = (query: SearchQuery, dense: Side, sparse: Side, { metric }: IndexRef): readonly RankedHit[] => {
  if (query.mode === 'hybrid') {
    const { fusion, topK, depth } = query;
    if (depth === undefined) return fuseHits(dense.candidates, sparse.candidates, fusion, metric, topK);
    const part = (from: number, to?: number) => ({
      dense: dense.candidates.slice(from, to),
      sparse: sparse.candidates.slice(from, to),
    });
    const [first, others] = [part(0, depth), part(depth)];
    const fused = fuseHits(first.dense, first.sparse, fusion, metric, Number.POSITIVE_INFINITY);
    return fused.length >= topK ? fused : [...fused, ...hitsBehind(fused, others, fusion, depth)].slice(0, topK);
  }
  return rankHits(query.mode, (query.mode === 'dense' ? dense : sparse).candidates);
};

const search = async (
  index: VectorIndex,
  ref: IndexRef,
  query: SearchQuery,
  journal: Journal,
): Promise<readonly Hit[] | null> => {
  const filter = compileFilter(query.filter ?? {}, hiddenTokens(journal));
  const topK = query.mode === 'hybrid' ? Math.max(query.topK, query.depth ?? fusedRanks) : query.topK;
  const [dense, sparse] = await Promise.all([
    query.mode === 'sparse'
      ? noSide
      : toVector(query.vector)
          .then((vector) => index.query({ topK, filter, vector }))
          .then((rows) => toSide(rows, ({ distance }) => scoreOf(distance, ref))),
    query.mode === 'dense'
      ? noSide
      : index
          .query({ topK, filter, text: Array.from(query.text).slice(0, maxQueryCharacters).join('') })
          .then((rows) => toSide(rows, ({ bm25 }) => bm25)),
  ]);
  const ranked = rank(query, dense, sparse, ref);
  const rows = new Map([...dense.rows, ...sparse.rows].map(({ row }) => [row.id, row]));
  const isOther = ({ id, version }: StoredVersion): boolean => (rows.get(id)?.version ?? version) !== version;
  if (dense.rows.some(({ row }) => isOther(row))) return null;
  const vectors =
    query.includeVector === true
      ? await index.get(
          ranked.map(({ id }) => id),
          true,
        )
      : null;
  // A row was written between two requests.
  if (vectors !== null && ranked.some(({ id }) => vectors.get(id)?.version !== rows.get(id)?.version)) return null;
  return ranked.flatMap(({ id, ...hit }) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const { version: _, ...found } = row;
    const text = query.includeText === false ? null : found.text;
    const metadata = query.includeMetadata === false ? {} : found.metadata;
    return { ...hit, layer: 0, row: { ...found, text, metadata, vector: vectors?.get(id)?.vector ?? null } };
  });
};

const fetch = ({ index, ref }: Place, ids: readonly string[], includeVector: boolean): Promise<readonly FoundRow[]> =>
  readOneState({ index, ref }, async (journal) => {
    const found = await index.get(ids, includeVector);
    return ids.flatMap((id) => found.get(id) ?? []).filter(isVisible(journal));
  });

const chunkIds = async ({ index }: Place, jobIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map(
    await Promise.all(
      jobIds.map(async (jobId) => {
        const { ids } = await readJobRowIds(index, jobId);
        return [jobId, ids.filter((id) => id.startsWith(`${jobId}:`)).toSorted(compareIds)] as const;
      }),
    ),
  );

const list = (
  { index, ref }: Place,
  { after, limit, filter = {}, includeVector = false }: Parameters<EngineReader['list']>[1],
): Promise<ListPage> => {
  const matches = matcherOf(filter, ref);
  return readOneState({ index, ref }, async (journal) => {
    const isShown = isVisible(journal);
    const page = await index.list({ after, limit, includeVector });
    return { rows: page.rows.filter((row) => isShown(row) && matches(row.metadata)), next: page.next };
  });
};

/** Reads all visible rows that match into what `begin` returns, which is called again if the read starts again. */
const scanVisible = <Scan extends { readonly add: (row: FoundRow) => void }>(
  { index, ref }: Place,
  filter: Filter | undefined,
  begin: () => Scan,
): Promise<Scan> => {
  const matches = matcherOf(filter ?? {}, ref);
  return readOneState({ index, ref }, async (journal) => {
    const isShown = isVisible(journal);
    const scan = begin();
    await scanRows(index, (page) => {
      for (const row of page) if (isShown(row) && matches(row.metadata)) scan.add(row);
    });
    return scan;
  });
};

const summarize = async <Result>(
  place: Place,
  filter: Filter | undefined,
  begin: () => MetadataSummary<Result>,
): Promise<Result> => {
  const { summary } = await scanVisible(place, filter, () => {
    const begun = begin();
    return { add: ({ metadata, id }: FoundRow) => begun.add(metadata, id), summary: begun };
  });
  return summary.result();
};

const countMatching = async (place: Place, filter: Filter): Promise<number> => {
  const { count } = await scanVisible(place, filter, () => {
    let rows = 0;
    return { add: () => void (rows += 1), count: () => rows };
  });
  return count();
};

/** Reader of the engine on Amazon S3 Vectors. Lists are in the order of the service, and `after` is its token. */
export const openReader = (location: VectorLocation): EngineReader => {
  const open = (ref: IndexRef): Place => ({ index: openVectorIndex(location, ref.layers[0].table), ref });
  return {
    search: async (ref, query) => {
      if (query.exact === true) throw new Unsupported('exact_search', 'The engine s3_vectors has no exact search');
      const place = open(ref);
      return readOneState(place, (journal) => search(place.index, ref, query, journal));
    },
    chunkIds: (ref, jobIds) => chunkIds(open(ref), jobIds),
    fetch: (ref, ids, includeVector) => fetch(open(ref), ids, includeVector),
    list: (ref, page) => list(open(ref), page),
    diff: noBranches,
    versions: noVersions,
    rowsAt: noVersions,
    sample: async () => {
      throw new Unsupported('recall', 'The engine s3_vectors has no exact search, so its recall is not measured');
    },
    summarize: (ref, filter, begin) => summarize(open(ref), filter, begin),
    facets: (ref, filter, facets) => summarize(open(ref), filter, facetSummary(ref, facets)),
    count: async (ref, filter) => {
      const place = open(ref);
      return filter === undefined ? (await readJournal(place)).rows : countMatching(place, filter);
    },
    viewOf: async (ref) => (await readJournal(open(ref))).view,
  };
};
