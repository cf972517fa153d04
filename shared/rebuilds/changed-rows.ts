import { chunkPrefix, type FilePart, partOfChunk } from '../files/index.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { type Content, contentOf, toIndexRef, withContent } from '../indexes/index.ts';
import { batchesOf } from '../kernel/batches.ts';
import type { Deps } from '../kernel/capability.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { embeddedText } from '../kernel/row-metadata.ts';
import {
  engines,
  type engineScan,
  type engineWrite,
  type FoundRow,
  type IndexRef,
  type Layer,
  problemsOf,
  type VersionedRow,
} from '#engine';
import { type CutParts, cutRowsAgain } from './cut-again.ts';
import type { RebuildRecord } from './record.ts';

const mebibyte = 1024 * 1024;

/** Bytes of a page of rows, the assumed bytes of a row besides its vector, and the rows that every engine returns. */
const [pageBytes, rowBytes, pageRows] = [8 * mebibyte, 4_096, 1_000];

/** Needs of copying rows. */
export interface Copying {
  readonly engines: Deps<{ engines: typeof engineWrite }>['engines'];
  readonly readers: Deps<{ readers: typeof engineScan }>['readers'];
  /** Returns the vectors of texts, as documents, by a model of the deployment. */
  readonly embed: (
    model: string,
    texts: readonly string[],
  ) => Promise<{ readonly vectors: readonly Float32Array[]; readonly tokens: number }>;
  readonly partOf: CutParts;
}

/** Rows of the content of an index that the other content does not have yet, and ids that it has no more. */
interface Page {
  /** Ids of both, in order of id if the engine lists by id. */
  readonly ids: readonly string[];
  readonly rows: readonly FoundRow[];
  readonly removed: readonly string[];
  /** Last id, from which a later run goes on; null if it compares again. */
  readonly after: string | null;
}

/** A row that was cut again. Null: the model of the other content embeds its text. */
export type CutRow = Omit<VersionedRow, 'vector'> & Pick<FoundRow, 'vector'>;

/** What brings the other content further: rows to copy, and rows that were cut again from their files. */
export interface ChangedRows extends Omit<Page, 'ids'> {
  readonly cut: readonly CutRow[];
  /** Parts of files whose rows are among those to copy, because they could not be cut again. */
  readonly kept: readonly { readonly jobId: string; readonly rows: number }[];
}

const pageLimit = ({ dimensions }: IndexRecord): number =>
  Math.max(1, Math.min(pageRows, Math.ceil(pageBytes / (dimensions * 4 + rowBytes))));

const listAll = async function* (
  { readers }: Copying,
  index: IndexRecord,
  ref: IndexRef,
  page: { readonly after: string | null; readonly includeVector: boolean; readonly limit?: number },
): AsyncGenerator<readonly FoundRow[]> {
  let { after } = page;
  do {
    const found = await readers(index.organizationId, ref.engine).list(ref, {
      ...page,
      after,
      limit: Math.min(pageLimit(index), page.limit ?? pageRows),
    });
    yield found.rows;
    after = found.next;
  } while (after !== null);
};

/** Yields all rows of a version in order of id, behind one. */
const everyRow = async function* (
  copying: Copying,
  index: IndexRecord,
  target: Layer,
  after: string | null,
): AsyncGenerator<Page> {
  const ref: IndexRef = { ...toIndexRef(index), manifest: '', layers: [target] };
  for await (const rows of listAll(copying, index, ref, { after, includeVector: true }))
    yield { ids: rows.map(({ id }) => id), rows, removed: [], after: rows.at(-1)?.id ?? null };
};

/** Yields the changes between two versions of a table in order of id, behind one. */
const changesBetween = async function* (
  { readers }: Copying,
  index: IndexRecord,
  { from, to, after }: { readonly from: Layer; readonly to: Layer; readonly after: string | null },
): AsyncGenerator<Page> {
  const reader = readers(index.organizationId, index.engine);
  // One version is read as a branch of the other.
  const ref: IndexRef = { ...toIndexRef(index), manifest: '', layers: [to, from] };
  const { differences } = await reader.diff(ref, { after, limit: Number.MAX_SAFE_INTEGER });
  for (const some of batchesOf(differences, pageLimit(index))) {
    const removed = some.flatMap(({ id, change }) => (change === 'deleted' ? [id] : []));
    const written = some.flatMap(({ id, change }) => (change === 'deleted' ? [] : [id]));
    const rows = await reader.fetch(ref, written, true);
    const found = new Set(rows.map(({ id }) => id));
    // Rows that have expired are read as absent.
    removed.push(...written.filter((id) => !found.has(id)));
    yield { ids: some.map(({ id }) => id), rows, removed, after: some.at(-1)?.id ?? null };
  }
};

/** Returns why a content cannot have a row of another; null if it can. */
export const obstacleTo = (
  index: IndexRecord,
  from: Pick<Content, 'embeddingModel'>,
  to: Pick<Content, 'engine' | 'embeddingModel'>,
  row: Omit<FoundRow, 'vector'>,
): 'foreign' | 'unsupported' | null => {
  if (problemsOf(to.engine).ofRow(row, index) !== null) return 'unsupported';
  return from.embeddingModel !== to.embeddingModel && row.text === null ? 'foreign' : null;
};

/**
 * Yields the rows in which two contents differ, of an engine that has no versions: all rows of both are compared. What the
 * content of the index could not take over is no difference.
 */
const comparedRows = async function* (copying: Copying, index: IndexRecord, other: Content): AsyncGenerator<Page> {
  const ref = toIndexRef(index);
  const otherRef = toIndexRef(withContent(index, other));
  const former = new Map<string, string>();
  const kept = new Set<string>();
  for await (const rows of listAll(copying, index, otherRef, { after: null, includeVector: false }))
    for (const row of rows) {
      former.set(row.id, row.version ?? '');
      if (obstacleTo(index, other, contentOf(index), row) !== null) kept.add(row.id);
    }
  const reader = copying.readers(index.organizationId, index.engine);
  for await (const page of listAll(copying, index, ref, { after: null, includeVector: false })) {
    const ids = page.flatMap(({ id, version }) => (former.get(id) === version ? [] : [id]));
    for (const { id } of page) former.delete(id);
    if (ids.length > 0) yield { ids, rows: await reader.fetch(ref, ids, true), removed: [], after: null };
  }
  const removed = [...former.keys()].filter((id) => !kept.has(id));
  for (const some of batchesOf(removed, pageRows)) yield { ids: some, rows: [], removed: some, after: null };
};

/** Changed rows that follow each other: of a part of a file, or others. */
interface Change {
  readonly part: FilePart | null;
  readonly ids: readonly string[];
}

/** Returns the changes of a page in order of id, without a part that the page before has begun. */
const changesIn = ({ ids }: Page, last: string | null): readonly Change[] => {
  const changes: { part: FilePart | null; prefix: string; ids: string[] }[] = [];
  for (const id of ids) {
    const part = partOfChunk(id);
    const prefix = part === null ? '' : chunkPrefix(part);
    if (part !== null && last?.startsWith(prefix) === true) continue;
    const open = changes.at(-1);
    if (open?.prefix === prefix) open.ids.push(id);
    else changes.push({ part, prefix, ids: [id] });
  }
  return changes;
};

/** Parts of files that are read at once and taken from a page at once, and rows of them that are listed at once. */
const [partsAtOnce, partsTogether, partRows] = [8, 32, 256];

const latest = (rows: readonly FoundRow[]): string =>
  rows.reduce((version, row) => ((row.version ?? '') > version ? (row.version ?? '') : version), '');

/** Two contents that cut files by other bounds. */
interface Cutting {
  readonly copying: Copying;
  readonly index: IndexRecord;
  readonly other: Content;
  /** The content of the index at the target version, and the other one. */
  readonly ref: IndexRef;
  readonly otherRef: IndexRef;
  /** Whether this is the first pass, before which the successor has no rows. */
  readonly isFirst: boolean;
}

/** What some changes become. */
type Changed = Omit<ChangedRows, 'after'>;

/** Lists the rows of a part of a file. */
const rowsOfPart = async ({ copying, index }: Cutting, ref: IndexRef, part: FilePart): Promise<readonly FoundRow[]> => {
  const found: FoundRow[] = [];
  const prefix = chunkPrefix(part);
  for await (const rows of listAll(copying, index, ref, { after: prefix, includeVector: true, limit: partRows })) {
    const own = rows.filter(({ id }) => id.startsWith(prefix));
    found.push(...own);
    if (own.length < rows.length) break;
  }
  return found;
};

/** Returns the rows of a changed part of a file, cut by the bounds of the other content if that is possible. */
const cutPart = async (cutting: Cutting, part: FilePart, known: readonly FoundRow[] | null): Promise<Changed> => {
  const { copying, index, other, ref, otherRef, isFirst } = cutting;
  const [rows, before, stored] = await Promise.all([
    known ?? rowsOfPart(cutting, ref, part),
    isFirst ? [] : rowsOfPart(cutting, otherRef, part),
    copying.partOf(part),
  ]);
  const made = rows.length === 0 ? [] : cutRowsAgain(part, stored, rows, other.chunking);
  const ids = new Set((made ?? rows).map(({ id }) => id));
  const removed = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  if (made === null) return { rows, cut: [], removed, kept: [{ jobId: part.jobId, rows: rows.length }] };
  const version = latest(rows);
  const isSameModel = index.embeddingModel === other.embeddingModel;
  // Texts that either content has embedded keep their vectors. Those of rows written by hand may be from elsewhere.
  const embedded = new Map(
    [...(isSameModel ? rows : []), ...before]
      .filter(({ passage }) => passage !== undefined)
      .map((row) => [embeddedText(row), row.vector]),
  );
  const cut = made.map((row) => ({ ...row, version, vector: embedded.get(embeddedText(row)) ?? null }));
  return { rows: [], cut, removed, kept: [] };
};

const joined = (one: Changed, other: Changed): Changed => ({
  rows: [...one.rows, ...other.rows],
  cut: [...one.cut, ...other.cut],
  removed: [...one.removed, ...other.removed],
  kept: [...one.kept, ...other.kept],
});

const nothing: Changed = { rows: [], cut: [], removed: [], kept: [] };

/** Yields changes with the chunks of files cut as the other content cuts them, a whole part of a file at a time. */
const cutAgain = async function* (
  cutting: Cutting,
  pages: AsyncGenerator<Page>,
  after: string | null,
): AsyncGenerator<ChangedRows> {
  let last = after;
  for await (const page of pages) {
    const found = new Map(page.rows.map((row) => [row.id, row]));
    const changes = changesIn(page, last);
    let open = nothing;
    for (const some of batchesOf(changes, partsTogether)) {
      const done = await inParallel(some, partsAtOnce, async (change): Promise<Changed> => {
        const { part, ids } = change;
        const rows = ids.flatMap((id) => found.get(id) ?? []);
        if (part === null) return { ...nothing, rows, removed: ids.filter((id) => !found.has(id)) };
        // A first pass lists all rows. Those of the last part may go on on the next page.
        return cutPart(cutting, part, cutting.isFirst && change !== changes.at(-1) ? rows : null);
      });
      for (const [at, next] of done.entries()) {
        open = joined(open, next);
        if (open.rows.length + open.cut.length + open.removed.length < pageLimit(cutting.index)) continue;
        yield { ...open, after: some[at]?.ids.at(-1) ?? null };
        open = nothing;
      }
    }
    last = page.after;
    yield { ...open, after: page.after };
  }
};

/** Yields what brings the other content of a rebuild to the target version of the content of the index. */
export const changedRows = async function* (
  copying: Copying,
  index: IndexRecord,
  { other, followed, target }: Pick<RebuildRecord, 'other' | 'followed' | 'target'>,
): AsyncGenerator<ChangedRows> {
  if (other === null || target === null) throw new Error('the rebuild has no content or no target');
  const pages = !engines[index.engine].listsById
    ? comparedRows(copying, index, other)
    : followed === null
      ? everyRow(copying, index, target, target.after)
      : changesBetween(copying, index, { from: followed, to: target, after: target.after });
  if (isSameChunking(index.chunking, other.chunking)) {
    for await (const page of pages) yield { ...page, cut: [], kept: [] };
    return;
  }
  const ref: IndexRef = { ...toIndexRef(index), manifest: '', layers: [target] };
  const otherRef = toIndexRef(withContent(index, other));
  const cutting = { copying, index, other, ref, otherRef, isFirst: followed === null };
  yield* cutAgain(cutting, pages, target.after);
};
