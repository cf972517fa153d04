import { byScore, type Candidate, fuseHits, rankHits, type RankedHit } from '../fuse-hits.ts';
import type { Filter } from '../filter.ts';
import { matcherOf } from '../match-filter.ts';
import type { EngineReader, FoundRow, Hit, IndexRef, ListPage, QueryVector, SearchQuery } from '../port.ts';
import { compileFilter } from './compile-filter.ts';
import { Unsupported } from './unsupported.ts';
import {
  hiddenTokens,
  isVisible,
  type Journal,
  noJournal,
  openVectorIndex,
  scanRows,
  type VectorIndex,
  type VectorLocation,
} from './vector-index.ts';

/** Hits of each side that a hybrid search fuses. */
const fusedHits = 100;
/** Characters of a query text. Source: Amazon S3 Vectors. */
const maxQueryCharacters = 1_024;

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

const rank = (query: SearchQuery, dense: Side, sparse: Side): readonly RankedHit[] => {
  if (query.mode === 'hybrid') return fuseHits(dense.candidates, sparse.candidates, query.fusion, query.topK);
  return rankHits(query.mode, (query.mode === 'dense' ? dense : sparse).candidates);
};

/** Reads after which a result is returned even if a replacement took effect during the last of them. */
const maxReads = 3;

/**
 * Returns what a read finds in one state of the journal. A replacement that takes effect during the read could hide both
 * the old and the new rows from it, so the read is repeated.
 */
const readOneState = async <Result>(
  readJournal: () => Promise<Journal | null>,
  read: (journal: Journal) => Promise<Result>,
): Promise<Result> => {
  for (let times = 1; ; times += 1) {
    const journal = (await readJournal()) ?? noJournal;
    const result = await read(journal);
    if (journal.replacement === null || times === maxReads) return result;
    if (((await readJournal()) ?? noJournal).version === journal.version) return result;
  }
};

const search = async (
  index: VectorIndex,
  ref: IndexRef,
  query: SearchQuery,
  journal: Journal,
): Promise<readonly Hit[]> => {
  const filter = compileFilter(query.filter ?? {}, hiddenTokens(journal));
  const topK = query.mode === 'hybrid' ? Math.max(query.topK, fusedHits) : query.topK;
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
  const ranked = rank(query, dense, sparse);
  const rows = new Map<string, FoundRow>([...dense.rows, ...sparse.rows].map(({ row }) => [row.id, row]));
  const vectors =
    query.includeVector === true
      ? await index.get(
          ranked.map(({ id }) => id),
          true,
        )
      : null;
  return ranked.flatMap(({ id, ...hit }) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const { version: _, ...found } = row;
    const text = query.includeText === false ? null : found.text;
    const metadata = query.includeMetadata === false ? {} : found.metadata;
    return { ...hit, layer: 0, row: { ...found, text, metadata, vector: vectors?.get(id)?.vector ?? null } };
  });
};

const fetch = (index: VectorIndex, ids: readonly string[], includeVector: boolean): Promise<readonly FoundRow[]> =>
  readOneState(index.readJournal, async (journal) => {
    const found = await index.get(ids, includeVector);
    return ids.flatMap((id) => found.get(id) ?? []).filter(isVisible(journal));
  });

const list = (
  index: VectorIndex,
  ref: IndexRef,
  { after, limit, filter = {}, includeVector = false }: Parameters<EngineReader['list']>[1],
): Promise<ListPage> => {
  const matches = matcherOf(filter, ref);
  return readOneState(index.readJournal, async (journal) => {
    const isShown = isVisible(journal);
    const page = await index.list({ after, limit, includeVector });
    return { rows: page.rows.filter((row) => isShown(row) && matches(row.metadata)), next: page.next };
  });
};

/** Reader of the engine on Amazon S3 Vectors. Lists are in the order of the service, and `after` is its token. */
export const openReader = (location: VectorLocation): EngineReader => {
  const open = (ref: IndexRef): VectorIndex => openVectorIndex(location, ref.layers[0].table);
  const visibleIn = async (index: VectorIndex) => isVisible((await index.readJournal()) ?? noJournal);
  /** Calls `visit` with every visible row that matches. */
  const scanVisible = async (
    ref: IndexRef,
    filter: Filter | undefined,
    visit: (row: FoundRow) => void,
  ): Promise<void> => {
    const index = open(ref);
    const isShown = await visibleIn(index);
    const matches = matcherOf(filter ?? {}, ref);
    await scanRows(index, (page) => {
      for (const row of page) if (isShown(row) && matches(row.metadata)) visit(row);
    });
  };
  const countMatching = async (ref: IndexRef, filter: Filter): Promise<number> => {
    let rows = 0;
    await scanVisible(ref, filter, () => (rows += 1));
    return rows;
  };
  return {
    search: async (ref, query) => {
      if (query.exact === true) throw new Unsupported('exact_search', 'The engine s3_vectors has no exact search');
      const index = open(ref);
      return readOneState(index.queryJournal, (journal) => search(index, ref, query, journal));
    },
    fetch: (ref, ids, includeVector) => fetch(open(ref), ids, includeVector),
    list: (ref, page) => list(open(ref), ref, page),
    diff: async () => {
      throw new Unsupported('branches', 'The engine s3_vectors has no branches');
    },
    sample: async () => {
      throw new Unsupported('recall', 'The engine s3_vectors has no exact search, so its recall is not measured');
    },
    summarize: async (ref, filter, begin) => {
      const { add, result } = begin();
      await scanVisible(ref, filter, ({ metadata }) => add(metadata));
      return result();
    },
    count: async (ref, filter) =>
      filter === undefined ? ((await open(ref).readJournal()) ?? noJournal).rows : countMatching(ref, filter),
  };
};
