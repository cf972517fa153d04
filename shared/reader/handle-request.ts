import type { Deps } from '../kernel/capability.ts';
import type { Embedder } from '../platform/models/port.ts';
import type { embedderUse } from '../platform/models/capability.ts';
import type { rerankersUse } from '../platform/rerank/capability.ts';
import {
  bothFilters,
  type engineRead,
  describeMetadata,
  distinctValues,
  firstInOrder,
  InvalidCursor,
  type RowOrder,
  defaultEngine,
  engines,
  hasFeature,
  type Filter,
  matcherOf,
  type EngineReader,
  type IndexRef,
} from '#engine';
import { fitPage, maxRowsWithVectors } from './fit-page.ts';
import { measureRecall } from './measure-recall.ts';
import { search } from './search.ts';
import { type readTime, withinTime } from './read-time.ts';
import type {
  ChunksOperation,
  FetchOperation,
  ListOperation,
  Operation,
  ReaderResponses,
  ReaderRequest,
} from './contracts.ts';

type ReaderDeps = Deps<{
  engines: typeof engineRead;
  embedders: typeof embedderUse;
  rerankers: typeof rerankersUse;
  readMs: typeof readTime;
}>;

const fetchRows = async (
  engine: EngineReader,
  ref: IndexRef,
  { ids, filter, include_vector: includeVector }: Omit<FetchOperation, 'op'>,
): Promise<ReaderResponses['fetch']> => {
  const rows = await engine.fetch(ref, ids, includeVector);
  const matches = matcherOf(filter ?? {}, ref);
  return { rows: rows.filter(({ metadata }) => matches(metadata)) };
};

/**
 * Lists rows in the order of a metadata key. The version is pinned, so the last row of the page before is there, and matches
 * the filter.
 */
const listInOrder = async (
  engine: EngineReader,
  ref: IndexRef,
  { after, filter, include_vector: includeVector }: ListOperation,
  order: RowOrder,
  limit: number,
): Promise<ReaderResponses['list']> => {
  const before =
    after === null ? [] : (await fetchRows(engine, ref, { ids: [after], filter, include_vector: false })).rows;
  const [last = null] = before;
  if (after !== null && last === null) throw new InvalidCursor(`there is no row ${after}`);
  const begin = firstInOrder(ref, order, { limit, after: last });
  const { ids, hasMore } = await engine.summarize(ref, filter ?? undefined, begin);
  return fitPage(await engine.fetch(ref, ids, includeVector), hasMore ? (ids.at(-1) ?? null) : null);
};

const list = async (
  engine: EngineReader,
  ref: IndexRef,
  operation: ListOperation,
): Promise<ReaderResponses['list']> => {
  const { after, limit, filter, include_vector: includeVector, order } = operation;
  const max = includeVector ? maxRowsWithVectors(ref) : limit;
  if (order !== null) return listInOrder(engine, ref, operation, order, Math.min(limit, max));
  const { rows, next } = await engine.list(ref, {
    after,
    limit: Math.min(limit, max),
    includeVector,
    ...(filter === null ? {} : { filter }),
  });
  // A page cannot be cut if its end is no id.
  return engines[ref.engine ?? defaultEngine].listsById ? fitPage(rows, next) : { rows, next };
};

type VersionsOperation = Extract<Operation, { readonly op: 'versions' }>;

const listVersions = async (
  engine: EngineReader,
  ref: IndexRef,
  { keep_days: keepDays, until, before, limit, counts_rows: countsRows }: VersionsOperation,
): Promise<ReaderResponses['versions']> => {
  const found = await engine.versions(ref, keepDays);
  const end = until === null ? Infinity : Date.parse(until);
  const shown = found
    .filter(({ version, writtenAt }) => version < (before ?? Infinity) && writtenAt.getTime() <= end)
    .toReversed();
  const page = shown.slice(0, limit);
  const numbers = page.map(({ version }) => version);
  const rows = countsRows ? await engine.rowsAt(ref, numbers) : numbers.map(() => null);
  return {
    versions: page.map(({ version, writtenAt }, at) => ({
      version,
      written_at: writtenAt.toISOString(),
      rows: rows[at] ?? null,
    })),
    next: shown.length > limit ? (page.at(-1)?.version ?? null) : null,
  };
};

const listChunks = async (
  engine: EngineReader,
  ref: IndexRef,
  { job_id: jobId, around, after, limit, filter }: ChunksOperation,
): Promise<ReaderResponses['chunks']> => {
  const ids = (await engine.chunkIds(ref, [jobId])).get(jobId) ?? [];
  const at = around === null ? -1 : ids.indexOf(around);
  const isFound = around === null || at >= 0;
  const behind = around !== null || after === null ? -1 : ids.findIndex((id) => id > after);
  const from = around === null ? (after !== null && behind < 0 ? ids.length : behind) : at - Math.floor(limit / 2);
  const start = Math.max(0, from);
  const shown = isFound ? ids.slice(start, start + limit) : [];
  const { rows } = await fetchRows(engine, ref, { ids: shown, filter, include_vector: false });
  const hasMore = isFound && start + limit < ids.length;
  return { ...fitPage(rows, hasMore ? (shown.at(-1) ?? null) : null), total: ids.length, isFound };
};

const havingKey = (filter: Filter | null, key: string): Filter => {
  const exists: Filter = { [key]: { $exists: true } };
  return filter === null ? exists : { $and: [filter, exists] };
};

/**
 * Returns an operation limited to the rows that its caller may see. Every read of rows passes here, so an operation without a
 * filter is refused.
 */
const withinBounds = (operation: Operation, within: Filter | null): Operation => {
  if (within === null || operation.op === 'embed') return operation;
  if (operation.op === 'versions' && !operation.counts_rows) return operation;
  if (operation.op === 'recall' || !('filter' in operation))
    throw new TypeError(`${operation.op} reads the whole index, and its caller is bound to rows`);
  return { ...operation, filter: bothFilters(operation.filter, within) };
};

const read = async (
  deps: ReaderDeps,
  { organization_id: organizationId, model, ref, operation: requested, within }: ReaderRequest,
): Promise<ReaderResponses[keyof ReaderResponses]> => {
  const operation = withinBounds(requested, within);
  const engine = deps.engines(organizationId, ref.engine);
  const embedder = (): Embedder => deps.embedders(model);
  switch (operation.op) {
    case 'search':
      return search({ engine, embedder, rerankers: deps.rerankers }, ref, operation);
    case 'recall':
      return measureRecall(engine, ref, operation);
    case 'fetch':
      return fetchRows(engine, ref, operation);
    case 'list':
      return list(engine, ref, operation);
    case 'chunks':
      return listChunks(engine, ref, operation);
    case 'sample': {
      const { count } = operation;
      const rows = hasFeature(ref.engine ?? defaultEngine, 'recall')
        ? await engine.sample(ref, count, 0)
        : (await engine.list(ref, { after: null, limit: count })).rows;
      return { rows: rows.map((row) => ({ ...row, vector: null })) };
    }
    case 'diff':
      return engine.diff(ref, { after: operation.after, limit: operation.limit });
    case 'count':
      return { rows: await engine.count(ref, operation.filter ?? undefined) };
    case 'values': {
      const { key, filter, contains, limit, after } = operation;
      const begin = distinctValues(ref, { key, contains, limit, after });
      return engine.summarize(ref, havingKey(filter, key), begin);
    }
    case 'describe':
      return engine.summarize(ref, operation.filter ?? undefined, describeMetadata(ref, operation.keys));
    case 'versions':
      return listVersions(engine, ref, operation);
    case 'embed':
      return embedder().embed(operation.texts, ref.dimensions, operation.use ?? 'document');
  }
};

/** Answers one request on an index of this region. Throws `ReadTimedOut` if that takes too long. */
export const handleReaderRequest = (
  deps: ReaderDeps,
  request: ReaderRequest,
): Promise<ReaderResponses[keyof ReaderResponses]> =>
  withinTime(request.operation.op, deps.readMs, read(deps, request));
