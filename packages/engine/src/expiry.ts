import type { Clock } from '../../../shared/kernel/clock.ts';
import { expiryKey } from '../../../shared/kernel/row-metadata.ts';
import type { JsonObject } from '../../../shared/kernel/json.ts';
import type { Filter } from './filter.ts';
import type {
  Change,
  Difference,
  EngineReader,
  EngineWriter,
  FoundRow,
  Hit,
  IndexRef,
  MetadataSummary,
  Row,
  SearchQuery,
} from './port.ts';
import { bothFilters } from './row-bounds.ts';

/** Returns metadata with the time at which its row expires, in milliseconds since 1970. Absent: never. */
export const withExpiry = (metadata: JsonObject, at: number | undefined): JsonObject =>
  at === undefined ? metadata : { ...metadata, [expiryKey]: at };

/** Returns the time at which the row of metadata expires, in milliseconds since 1970. Infinity: never. */
export const expiryOf = ({ [expiryKey]: at }: JsonObject): number => (typeof at === 'number' ? at : Infinity);

/** Filter of all rows that expire. */
export const expiringRows: Filter = { [expiryKey]: { $exists: true } };

/** Returns the filter of rows that have expired. */
export const expiredBy = (ms: number): Filter => ({ [expiryKey]: { $lte: ms } });

/** Returns the filter of rows that have not expired. */
export const liveBy = (ms: number): Filter => ({
  $or: [{ [expiryKey]: { $exists: false } }, { [expiryKey]: { $gt: ms } }],
});

/** Returns metadata as callers see it. */
const toMetadata = (metadata: JsonObject): JsonObject => {
  const { [expiryKey]: expiry, ...rest } = metadata;
  return expiry === undefined ? metadata : rest;
};

/** Returns a row with its expiry beside its metadata. */
const toFound = (row: FoundRow): FoundRow => {
  const expiresAt = expiryOf(row.metadata);
  if (expiresAt === Infinity) return row;
  return { ...row, metadata: toMetadata(row.metadata), expiresAt };
};

/** Returns a row with its expiry in its metadata. */
const toStored = <Some extends Row>({
  expiresAt,
  ...row
}: Some): Omit<Some, 'expiresAt'> & { metadata: JsonObject } => ({
  ...row,
  metadata: withExpiry(row.metadata, expiresAt),
});

/** Returns the time by which rows of an index count as expired. Null: none has. */
const expiredIn = ({ expiresFrom }: IndexRef, clock: Clock): number | null => {
  const now = clock.now().getTime();
  return expiresFrom !== undefined && expiresFrom <= now ? now : null;
};

const isLive =
  (now: number) =>
  (row: Pick<FoundRow, 'expiresAt'>): boolean =>
    (row.expiresAt ?? Infinity) > now;

/** Candidates of each side that a hybrid search fuses by default. */
const defaultDepth = 100;

/**
 * Searches an index in which rows have expired. Few are left at a time, so a search without them is only run if there is one
 * among the hits, which is faster than testing each row.
 */
const searchLive = async (
  reader: EngineReader,
  ref: IndexRef,
  query: SearchQuery,
  now: number,
): Promise<readonly Hit[]> => {
  const { includeMetadata = true, depth } = query;
  // All fused candidates are tested, since an expired one changes the ranks of others.
  const all = query.mode === 'hybrid' ? { depth: depth ?? Math.max(defaultDepth, query.topK) } : {};
  const hits = await reader.search(ref, { ...query, ...all, includeMetadata: true });
  if (hits.some(({ row }) => expiryOf(row.metadata) <= now))
    return reader.search(ref, { ...query, filter: bothFilters(query.filter, liveBy(now)) });
  const wanted = depth === undefined ? hits.slice(0, query.topK) : hits;
  return includeMetadata ? wanted : wanted.map((hit) => ({ ...hit, row: { ...hit.row, metadata: {} } }));
};

/** Compares a branch with its parent. A changed row that has expired is deleted, and an added one is no difference. */
const diffLive = async (
  reader: EngineReader,
  ref: IndexRef,
  page: Parameters<EngineReader['diff']>[1],
  now: number | null,
): ReturnType<EngineReader['diff']> => {
  const found = await reader.diff(ref, page);
  if (now === null) return found;
  const written = found.differences.flatMap(({ id, change }) => (change === 'deleted' ? [] : [id]));
  const rows = await reader.fetch(ref, written, false);
  const expired = new Set(rows.flatMap(({ id, metadata }) => (expiryOf(metadata) > now ? [] : [id])));
  const differences = found.differences.flatMap((one): readonly Difference[] => {
    if (!expired.has(one.id)) return [one];
    return one.change === 'added' ? [] : [{ id: one.id, change: 'deleted' }];
  });
  return { ...found, differences };
};

const withoutExpiry = <Result>({ add, result }: MetadataSummary<Result>): MetadataSummary<Result> => ({
  add: (metadata, id) => add(toMetadata(metadata), id),
  result,
});

/**
 * Returns a reader by which expired rows are absent from every read, as of now, also of a former version. The expiry of
 * other rows is beside their metadata.
 */
export const expiringReader = (reader: EngineReader, clock: Clock): EngineReader => {
  const narrowed = (ref: IndexRef, filter: Filter | undefined): Filter | undefined => {
    const now = expiredIn(ref, clock);
    return now === null ? filter : bothFilters(filter, liveBy(now));
  };
  const visible = (ref: IndexRef, rows: readonly FoundRow[]): readonly FoundRow[] => {
    const now = expiredIn(ref, clock);
    const found = rows.map(toFound);
    return now === null ? found : found.filter(isLive(now));
  };
  return {
    ...reader,
    search: async (ref, query) => {
      const now = expiredIn(ref, clock);
      const hits = await (now === null ? reader.search(ref, query) : searchLive(reader, ref, query, now));
      return hits.map((hit) => ({ ...hit, row: toFound(hit.row) }));
    },
    fetch: async (ref, ids, includeVector) => visible(ref, await reader.fetch(ref, ids, includeVector)),
    list: async (ref, { filter, ...page }) => {
      const within = narrowed(ref, filter);
      const { rows, next } = await reader.list(ref, within === undefined ? page : { ...page, filter: within });
      return { rows: rows.map(toFound), next };
    },
    sample: async (ref, count, seed) => visible(ref, await reader.sample(ref, count, seed)),
    diff: async (ref, page) => diffLive(reader, ref, page, expiredIn(ref, clock)),
    count: (ref, filter) => reader.count(ref, narrowed(ref, filter)),
    summarize: (ref, filter, begin) => reader.summarize(ref, narrowed(ref, filter), () => withoutExpiry(begin())),
    facets: (ref, filter, facets) => reader.facets(ref, narrowed(ref, filter), facets),
  };
};

const toStoredChange = (change: Change): Change =>
  change.kind === 'upsert' || change.kind === 'replaceJob'
    ? { ...change, rows: change.rows.map(toStored) }
    : change.kind === 'copy'
      ? { ...change, rows: change.rows.map(toStored) }
      : change;

/** Returns a writer to whose changes expired rows are absent: to conditions, patches and counts of what was deleted. */
export const expiringWriter = (writer: EngineWriter, clock: Clock): EngineWriter => ({
  ...writer,
  commit: (ref, changes, ...more) => {
    const now = expiredIn(ref, clock);
    return writer.commit(now === null ? ref : { ...ref, liveAt: now }, changes.map(toStoredChange), ...more);
  },
});
