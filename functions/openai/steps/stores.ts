import type * as z from 'zod';
import { paginate } from '../../../shared/http/pagination.ts';
import { type IndexRecord, isLive, requireIndex } from '../../../shared/indexes/index.ts';
import { withContexts } from '../../../shared/search/index.ts';
import { listOf, type OpenaiContext, pageOf, readPage, requireFile, secondsOf } from './context.ts';
import { unsupported } from './error-format.ts';
import type { Search, StoreCreate, StoreListQuery, StoreUpdate } from './schemas.ts';
import { attach, attributesOf, fileIdOf, statusOf } from './store-files.ts';
import { toFilter } from './to-filter.ts';

/** Jobs of a store whose states are counted. Beyond that the counts of files are lower bounds. */
const maxCounted = 10_000;
/** Jobs that are counted for each store of a list. */
const maxCountedInList = 1_000;

const toStore = async (
  { files, lists, session: { caller } }: OpenaiContext,
  index: IndexRecord,
  maxJobs = maxCounted,
) => {
  const { id, organizationId, createdAt, lastWrittenAt, state } = index;
  // Credentials that are bound to rows learn nothing of the rest of the store.
  const isWhole = caller.bounds === null;
  const [jobs, metadata] = await Promise.all([
    lists.jobs.statuses(organizationId, id, maxJobs),
    isWhole ? files.metadataOf(organizationId, id) : {},
  ]);
  const count = (name: string): number => jobs.filter((status) => statusOf({ status }) === name).length;
  const counts = {
    in_progress: count('in_progress'),
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
  };
  return {
    id,
    object: 'vector_store',
    created_at: secondsOf(createdAt),
    name: index.name,
    usage_bytes: isWhole ? state.denseBytes + state.sparseBytes : 0,
    file_counts: { ...counts, total: jobs.length },
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    last_active_at: secondsOf((isWhole ? lastWrittenAt : null) ?? createdAt),
    metadata,
    expires_after: null,
    expires_at: null,
  };
};

export const getStore = async (context: OpenaiContext, indexId: string) =>
  toStore(context, await requireIndex(context.lists.indexes, context.session.caller.organizationId, indexId));

export const createStore = async (context: OpenaiContext, body: z.output<typeof StoreCreate>) => {
  const { operations, session, files } = context;
  // A missing file is reported before the store exists.
  const fileIds = body.file_ids ?? [];
  for (const fileId of fileIds) await requireFile(context, fileId);
  const { body: index } = await operations.createIndex(session, {
    body: { name: body.name ?? 'vector store', embedding_model: 'default' },
  });
  if (body.metadata != null) await files.setMetadata(session.caller.organizationId, index.id, body.metadata);
  for (const fileId of fileIds)
    await attach(context, index.id, { file_id: fileId, chunking_strategy: body.chunking_strategy });
  return getStore(context, index.id);
};

/** Returns the indexes that a caller may use, by id. The indexes of a restricted credential are few. */
const listIndexes = async (
  { lists, session: { caller } }: OpenaiContext,
  position: { readonly limit: number; readonly after: string | null; readonly newestFirst: boolean },
) => {
  if (caller.indexIds === null && caller.bounds !== null) return { items: [], hasMore: false };
  if (caller.indexIds === null) {
    const { indexes, next } = await lists.indexes.list(caller.organizationId, position);
    return { items: indexes, hasMore: next !== null };
  }
  const ids = [...new Set(caller.indexIds)];
  const found = await Promise.all(ids.map((id) => lists.indexes.get(caller.organizationId, id)));
  const sign = position.newestFirst ? -1 : 1;
  const visible = found.filter((index) => isLive(index)).toSorted((a, b) => (a.id < b.id ? -sign : sign));
  const order = position.newestFirst ? 'descending' : 'ascending';
  const { items, next } = paginate(visible, ({ id }) => id, position, order);
  return { items, hasMore: next !== null };
};

export const listStores = async (context: OpenaiContext, query: z.output<typeof StoreListQuery>) => {
  const { items, hasMore } = await readPage(pageOf(query), (position) => listIndexes(context, position));
  return listOf(await Promise.all(items.map((index) => toStore(context, index, maxCountedInList))), hasMore);
};

export const updateStore = async (
  context: OpenaiContext,
  indexId: string,
  { name, metadata }: z.output<typeof StoreUpdate>,
) => {
  const { operations, session, files, lists } = context;
  const { organizationId } = session.caller;
  const before = await requireIndex(lists.indexes, organizationId, indexId);
  const path = { index_id: indexId };
  if (name != null && name !== before.name) await operations.updateIndex(session, { path, body: { name } });
  if (metadata !== undefined) await files.setMetadata(organizationId, indexId, metadata ?? {});
  return getStore(context, indexId);
};

export const deleteStore = async (context: OpenaiContext, indexId: string) => {
  const { operations, session, files } = context;
  await operations.deleteIndex(session, { path: { index_id: indexId } });
  await files.removeMetadata(session.caller.organizationId, indexId);
  return { id: indexId, object: 'vector_store.deleted', deleted: true };
};

/** Results of a search that gives no number. Source: OpenAI API reference, `max_num_results`. */
const defaultResults = 10;

type RankingOptions = NonNullable<z.output<typeof Search>['ranking_options']>;

/** Returns the reranker that a ranker means: any name but `none` requests one, and no name leaves it to the index. */
const rerankOf = ({ ranker }: RankingOptions, query: string, rerankers: readonly string[]) => {
  if (ranker == null) return {};
  if (ranker === 'none' || rerankers.length === 0) return { rerank: null };
  return { rerank: { query, ...(rerankers.includes(ranker) ? { model: ranker } : {}) } };
};

/** Returns the fusion of the weights of a hybrid search. Source: OpenAI API reference, reciprocal ranks. */
const fusionOf = ({ hybrid_search: weights }: RankingOptions) =>
  weights == null
    ? {}
    : {
        fusion: {
          method: 'rrf' as const,
          dense_weight: weights.embedding_weight / (weights.embedding_weight + weights.text_weight),
        },
      };

/** Returns a score that means the same for every query: that of the reranker, or a cosine scaled to 0…1. */
const commonScore = ({
  rerank,
  dense,
}: {
  readonly rerank?: number | null | undefined;
  readonly dense: number | null;
}): number => rerank ?? (1 + (dense ?? -1)) / 2;

export const searchStore = async (context: OpenaiContext, indexId: string, sent: z.output<typeof Search>) => {
  const { query, filters, max_num_results: limit, ranking_options: ranking } = sent;
  const threshold = ranking?.score_threshold ?? 0;
  const { operations, session, lists } = context;
  const { metric, searchDefaults } = await requireIndex(lists.indexes, session.caller.organizationId, indexId);
  const texts = [query].flat();
  const question = texts.join(' ');
  const options = {
    ...rerankOf(ranking ?? {}, question, context.rerankers),
    ...fusionOf(ranking ?? {}),
  };
  const isReranked =
    ('rerank' in options && options.rerank !== null) ||
    (!('rerank' in options) && texts.length === 1 && searchDefaults?.rerank != null);
  if (threshold > 0 && !isReranked && metric !== 'cosine')
    throw unsupported('ranking_options.score_threshold', 'Without a ranker, only cosines have a common scale');
  const minScore = isReranked ? { rerank: threshold } : { dense: 2 * threshold - 1 };
  const { body } = await operations.search(session, {
    path: { index_id: indexId },
    body: {
      ...(texts.length === 1 ? { text: question } : { queries: texts.map((text) => ({ text })) }),
      top_k: limit ?? defaultResults,
      include: ['text', 'metadata', 'scores', 'citation'],
      ...(filters == null ? {} : { filter: toFilter(filters) }),
      ...options,
      ...(threshold > 0 ? { min_score: minScore } : {}),
    },
  });
  const hasCommonScores = threshold > 0 || body.rerank?.status === 'done';
  const data = withContexts(body).map(({ id, score, scores, text: found, metadata = {}, file, citation }) => ({
    file_id: fileIdOf({ id: file?.job_id ?? id, metadata }),
    filename: file?.filename ?? id,
    score: hasCommonScores && scores !== undefined ? commonScore(scores) : score,
    attributes: attributesOf(metadata),
    content: [{ type: 'text', text: found ?? '' }],
    // A field of this service, which clients of the protocol pass on: the place of the text in its file.
    citation: citation ?? null,
  }));
  return { object: 'vector_store.search_results.page', search_query: texts, data, has_more: false, next_page: null };
};
