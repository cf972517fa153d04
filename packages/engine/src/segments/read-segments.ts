import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import type { Filter } from '../filter.ts';
import { compareIds } from '../fuse-hits.ts';
import type { FoundRow, IndexRef, ListPage, MetadataSummary } from '../port.ts';
import { hashed } from '../sample-order.ts';
import { outOf } from './match-rows.ts';
import type { BaseTable } from './base-table.ts';
import type { Segment } from './open-segment.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';

/** Position of a row. */
export interface RowPlace {
  readonly segment: Segment;
  readonly row: number;
}

/** A place with the id of its row. */
interface NamedPlace extends RowPlace {
  readonly id: string;
}

/** Rows whose metadata are in memory at once. */
const rowsAtOnce = 1_000;

/**
 * Reads rows, in the order of their places.
 * @param dimensions Numbers of a vector. Null: rows are read without vectors.
 */
export const readRows = async (
  places: readonly RowPlace[],
  dimensions: number | null,
): Promise<readonly FoundRow[]> => {
  const rows = new Map<RowPlace, FoundRow>();
  const groups = [...Map.groupBy(places, ({ segment }) => segment)].map(async ([segment, wanted]) => {
    const [keys, records, vectors] = await Promise.all([
      segment.get('keys'),
      segment.records(wanted.map(({ row }) => row)),
      dimensions === null ? null : segment.get('vectors'),
    ]);
    for (const [at, place] of wanted.entries()) {
      const [{ row }, record] = [place, records[at]];
      if (record === undefined) continue;
      rows.set(place, {
        id: keys.ids[row] ?? '',
        ...record,
        jobId: keys.jobs[row] ?? null,
        vector: vectors === null || dimensions === null ? null : vectors.vectorAt(row, dimensions),
        version: keys.versions[row] ?? '',
      });
    }
  });
  await Promise.all(groups);
  return places.flatMap((place) => rows.get(place) ?? []);
};

/** Returns the places of ids in a version. Ids without a row are absent. */
export const placesOf = async (
  { live }: OpenVersion,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, NamedPlace>> => {
  const keys = await Promise.all(live.map(({ segment }) => segment.get('keys')));
  const found = new Map<string, NamedPlace>();
  for (const id of ids)
    for (const [at, { segment, isDead }] of live.entries()) {
      const row = keys[at]?.rowOf.get(id);
      if (row !== undefined && !isDead?.(row)) found.set(id, { id, segment, row });
    }
  return found;
};

/** Returns the live rows of a segment that match. */
const rowsIn = async (live: LiveSegment, filter: Filter | undefined): Promise<readonly NamedPlace[]> => {
  const { segment } = live;
  const [isOut, { ids }] = await Promise.all([outOf(live, filter), segment.get('keys')]);
  return ids.flatMap((id, row) => (isOut?.(row) ? [] : [{ id, segment, row }]));
};

/** Returns the places of all rows that match, in no order. */
export const matchingPlaces = async (
  { live }: OpenVersion,
  filter: Filter | undefined,
): Promise<readonly NamedPlace[]> => (await Promise.all(live.map((one) => rowsIn(one, filter)))).flat();

/** Returns the places of all rows in order of id. */
const placesById = memoizePerOwner(async (version: OpenVersion): Promise<readonly NamedPlace[]> => {
  const places = await matchingPlaces(version, undefined);
  return places.toSorted((one, other) => compareIds(one.id, other.id));
});

/** Returns rows in the order of `ids`. Ids without a row are left out. */
export const fetchRows = async (
  version: OpenVersion,
  table: BaseTable | null,
  ids: readonly string[],
  dimensions: number | null,
): Promise<readonly FoundRow[]> => {
  const wanted = [...new Set(ids)];
  const places = await placesOf(version, wanted);
  const [own, below] = await Promise.all([
    readRows([...places.values()], dimensions),
    table?.fetch(
      wanted.filter((id) => !places.has(id)),
      dimensions !== null,
    ) ?? [],
  ]);
  const rows = new Map([...own, ...below].map((row) => [row.id, row]));
  return wanted.flatMap((id) => rows.get(id) ?? []);
};

/** Returns the ids of the chunks of jobs, in order. */
export const chunkIdsOf = async (
  { live }: OpenVersion,
  table: BaseTable | null,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map(jobIds.map((jobId): [string, string[]] => [jobId, []]));
  for (const { segment, isDead } of live) {
    const { ids, jobs } = await segment.get('keys');
    for (const [row, id] of ids.entries()) {
      const jobId = jobs[row] ?? null;
      const ofJob = jobId === null ? undefined : found.get(jobId);
      if (ofJob !== undefined && id.startsWith(`${jobId}:`) && !isDead?.(row)) ofJob.push(id);
    }
  }
  if (table !== null) for (const [jobId, ids] of found) for (const id of await table.idsWith(`${jobId}:`)) ids.push(id);
  return new Map([...found].map(([jobId, ids]) => [jobId, ids.toSorted(compareIds)]));
};

/** Returns the position of the first item behind an id, among items in order of id. */
const behind = (items: readonly { readonly id: string }[], after: string | null): number => {
  if (after === null) return 0;
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareIds(items[middle]?.id ?? '', after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

export interface Page {
  readonly after: string | null;
  readonly limit: number;
}

export const pageOf = <Item extends { readonly id: string }>(items: readonly Item[], { after, limit }: Page) => {
  const from = behind(items, after);
  const shown = items.slice(from, from + limit);
  return { shown, next: from + limit < items.length ? (shown.at(-1)?.id ?? null) : null };
};

/** Returns one page of rows in order of id. */
export const listRows = async (
  version: OpenVersion,
  table: BaseTable | null,
  ref: IndexRef,
  page: Page & { readonly filter?: Filter; readonly includeVector?: boolean },
): Promise<ListPage> => {
  const all = await placesById(version);
  const matching = page.filter && new Set((await matchingPlaces(version, page.filter)).map(({ id }) => id));
  const places = matching === undefined ? all : all.filter(({ id }) => matching.has(id));
  const dimensions = page.includeVector === true ? ref.dimensions : null;
  if (table === null) {
    const { shown, next } = pageOf(places, page);
    return { rows: await readRows(shown, dimensions), next };
  }
  // One more shows whether another page follows.
  const limit = page.limit + 1;
  const own = pageOf(places, { after: page.after, limit }).shown;
  const merged = [...own.map(({ id }) => id), ...(await table.listIds({ ...page, limit }))].toSorted(compareIds);
  const shown = merged.slice(0, page.limit);
  const next = merged.length > page.limit ? (shown.at(-1) ?? null) : null;
  return { rows: await fetchRows(version, table, shown, dimensions), next };
};

/**
 * Returns `count` rows with their vectors, each equally likely: those of the segments whose ids have the lowest hashes, and
 * as many of the table below as its share of the rows.
 */
export const sampleRows = async (
  version: OpenVersion,
  table: BaseTable | null,
  { dimensions }: IndexRef,
  count: number,
  seed: number,
): Promise<readonly FoundRow[]> => {
  const places = await matchingPlaces(version, undefined);
  const share = places.length / Math.max(1, version.manifest.rows);
  const own = table === null ? count : Math.min(places.length, Math.round(count * share));
  const ordered = places
    .map((place) => ({ place, order: hashed(`${seed}:${place.id}`) }))
    .toSorted((one, other) => one.order - other.order);
  const [rows, below] = await Promise.all([
    readRows(
      ordered.slice(0, own).map(({ place }) => place),
      dimensions,
    ),
    own === count ? [] : (table?.sample(count - own, seed) ?? []),
  ]);
  return [...rows, ...below];
};

/** Adds the metadata of all rows that match to a summary. */
export const summarizeRows = async <Result>(
  version: OpenVersion,
  table: BaseTable | null,
  filter: Filter | undefined,
  { add, result }: MetadataSummary<Result>,
): Promise<Result> => {
  for (const places of batchesOf(await matchingPlaces(version, filter), rowsAtOnce)) {
    for (const { metadata, id } of await readRows(places, null)) add(metadata, id);
    // Other requests of the process go on between two batches.
    await nextTurn();
  }
  await table?.visit(filter, add);
  return result();
};
