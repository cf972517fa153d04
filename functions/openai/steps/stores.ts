import { idPattern } from '../../../shared/kernel/ids.ts';
import { paginate } from '../../../shared/http/pagination.ts';
import { IndexResponse, isLive, toIndexResponse } from '../../../shared/indexes/index.ts';
import type * as z from 'zod';
import {
  bodyOf,
  listOf,
  type OpenaiContext,
  type OpenaiResult,
  pageOf,
  readPage,
  requireFile,
  secondsOf,
} from './context.ts';
import { invalidParam, unsupported } from './error-format.ts';
import { Search, StoreCreate, StoreUpdate } from './schemas.ts';
import { attach, attributesOf, fileIdOf, statusOf } from './store-files.ts';
import { toFilter } from './to-filter.ts';

/** Jobs whose states are counted. Beyond that the counts of files that are not completed are lower bounds. */
const maxCounted = 1000;

const toStore = async (context: OpenaiContext, index: z.output<typeof IndexResponse>) => {
  const { operations, session, files } = context;
  const path = { index_id: index.id };
  const [{ body: stats }, { body: jobs }, metadata] = await Promise.all([
    operations.getIndexStats(session, { path }),
    operations.listFiles(session, { path, query: { limit: String(maxCounted) } }),
    files.metadataOf(session.caller.organizationId, index.id),
  ]);
  const count = (status: string): number => jobs.filter((job) => statusOf(job) === status).length;
  const counts = {
    in_progress: count('in_progress'),
    completed: Math.max(stats.documents, count('completed')),
    failed: count('failed'),
    cancelled: count('cancelled'),
  };
  return {
    id: index.id,
    object: 'vector_store',
    created_at: secondsOf(index.created_at),
    name: index.name,
    usage_bytes: stats.dense_bytes + stats.sparse_bytes,
    file_counts: { ...counts, total: Object.values(counts).reduce((sum, each) => sum + each, 0) },
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    last_active_at: secondsOf(stats.last_written_at ?? index.created_at),
    metadata,
    expires_after: null,
    expires_at: null,
  };
};

export const createStore = async (context: OpenaiContext): Promise<OpenaiResult> => {
  const body = bodyOf(context, StoreCreate);
  const { operations, session, files } = context;
  // A missing file is reported before the store exists.
  const fileIds = body.file_ids ?? [];
  for (const fileId of fileIds) await requireFile(context, fileId);
  const { body: index } = await operations.createIndex(session, { body: { name: body.name ?? 'vector store' } });
  if (body.metadata != null) await files.setMetadata(session.caller.organizationId, index.id, body.metadata);
  for (const fileId of fileIds)
    await attach(context, index.id, { file_id: fileId, chunking_strategy: body.chunking_strategy });
  return toStore(context, index);
};

/** Returns the indexes that a caller may use, by id. The indexes of a restricted credential are few. */
const listIndexes = async (
  { lists, session: { caller } }: OpenaiContext,
  position: { readonly limit: number; readonly after: string | null; readonly newestFirst: boolean },
) => {
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

export const listStores = async (context: OpenaiContext): Promise<OpenaiResult> => {
  const page = pageOf(context);
  for (const param of ['after', 'before'] as const) {
    const id = page[param];
    if (id !== null && !idPattern('idx').test(id)) throw invalidParam(param, 'This is not the id of a store');
  }
  const { items, hasMore } = await readPage(page, (position) => listIndexes(context, position));
  return listOf(
    await Promise.all(items.map((index) => toStore(context, IndexResponse.parse(toIndexResponse(index))))),
    hasMore,
  );
};

export const getStore = async (context: OpenaiContext, indexId: string): Promise<OpenaiResult> =>
  toStore(context, (await context.operations.getIndex(context.session, { path: { index_id: indexId } })).body);

export const updateStore = async (context: OpenaiContext, indexId: string): Promise<OpenaiResult> => {
  const { name, metadata } = bodyOf(context, StoreUpdate);
  const { operations, session, files } = context;
  const { body: before } = await operations.getIndex(session, { path: { index_id: indexId } });
  // The update also checks that the caller may write, so it precedes the metadata.
  const { body: index } = await operations.updateIndex(session, {
    path: { index_id: indexId },
    body: { name: name ?? before.name },
  });
  if (metadata !== undefined) await files.setMetadata(session.caller.organizationId, index.id, metadata ?? {});
  return toStore(context, index);
};

export const deleteStore = async (context: OpenaiContext, indexId: string): Promise<OpenaiResult> => {
  const { operations, session, files } = context;
  await operations.deleteIndex(session, { path: { index_id: indexId } });
  await files.removeMetadata(session.caller.organizationId, indexId);
  return { id: indexId, object: 'vector_store.deleted', deleted: true };
};

/** Results of a search that gives no number. Source: OpenAI API reference, `max_num_results`. */
const defaultResults = 10;

export const searchStore = async (context: OpenaiContext, indexId: string): Promise<OpenaiResult> => {
  const { query, filters, max_num_results: limit, ranking_options: ranking } = bodyOf(context, Search);
  if ((ranking?.score_threshold ?? 0) > 0)
    throw unsupported('ranking_options.score_threshold', 'Scores of hybrid searches have no common scale');
  const [text = ''] = [query].flat();
  const filter = filters == null ? {} : { filter: toFilter(filters) };
  const { body } = await context.operations.search(context.session, {
    path: { index_id: indexId },
    body: { text, top_k: limit ?? defaultResults, include: ['text', 'metadata'], ...filter },
  });
  const data = body.results.map(({ id, score, text: found, metadata = {}, file }) => ({
    file_id: fileIdOf({ id: file?.job_id ?? id, metadata }),
    filename: file?.filename ?? id,
    score,
    attributes: attributesOf(metadata),
    content: [{ type: 'text', text: found ?? '' }],
  }));
  return { object: 'vector_store.search_results.page', search_query: [text], data, has_more: false, next_page: null };
};
