import type { IndexRecord } from '../indexes/index.ts';
import { type Content, contentOf, toIndexRef, withContent } from '../indexes/index.ts';
import { batchesOf } from '../kernel/batches.ts';
import type { Deps } from '../kernel/capability.ts';
import { embeddedText } from '../kernel/row-metadata.ts';
import {
  engines,
  type engineScan,
  type engineWrite,
  type FoundRow,
  type IndexRef,
  type Layer,
  problemsOf,
  toVersioned,
  type VersionedRow,
} from '#engine';
import { hasTakenOver, type RebuildFigures, type RebuildRecord } from './record.ts';

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
}

/** Rows of the content of an index that the other content does not have yet, and ids that it has no more. */
export interface ChangedRows {
  readonly rows: readonly FoundRow[];
  readonly removed: readonly string[];
  /** Last id, from which a later run goes on; null if it compares again. */
  readonly after: string | null;
}

/** A row of the index cannot be in the successor, and the rebuild may not leave it out. */
export class ForeignVector extends Error {
  constructor(id: string) {
    super(
      `The row "${id}" has a vector from elsewhere and no text, so the new model cannot embed it. Nothing was changed; with "foreign_vectors": "skip" such rows stay out`,
    );
    this.name = 'ForeignVector';
  }
}

const pageLimit = ({ dimensions }: IndexRecord): number =>
  Math.max(1, Math.min(pageRows, Math.ceil(pageBytes / (dimensions * 4 + rowBytes))));

const listAll = async function* (
  { readers }: Copying,
  index: IndexRecord,
  ref: IndexRef,
  page: { readonly after: string | null; readonly includeVector: boolean },
): AsyncGenerator<readonly FoundRow[]> {
  let { after } = page;
  do {
    const found = await readers(index.organizationId, ref.engine).list(ref, {
      ...page,
      after,
      limit: pageLimit(index),
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
): AsyncGenerator<ChangedRows> {
  const ref: IndexRef = { ...toIndexRef(index), manifest: '', layers: [target] };
  for await (const rows of listAll(copying, index, ref, { after, includeVector: true }))
    yield { rows, removed: [], after: rows.at(-1)?.id ?? null };
};

/** Yields the changes between two versions of a table in order of id, behind one. */
const changesBetween = async function* (
  { readers }: Copying,
  index: IndexRecord,
  { from, to, after }: { readonly from: Layer; readonly to: Layer; readonly after: string | null },
): AsyncGenerator<ChangedRows> {
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
    yield { rows, removed, after: some.at(-1)?.id ?? null };
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
const comparedRows = async function* (
  copying: Copying,
  index: IndexRecord,
  other: Content,
): AsyncGenerator<ChangedRows> {
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
    if (ids.length > 0) yield { rows: await reader.fetch(ref, ids, true), removed: [], after: null };
  }
  const removed = [...former.keys()].filter((id) => !kept.has(id));
  for (const some of batchesOf(removed, pageRows)) yield { rows: [], removed: some, after: null };
};

/** Yields what brings the other content of a rebuild to the target version of the content of the index. */
export const changedRows = (
  copying: Copying,
  index: IndexRecord,
  { other, followed, target }: Pick<RebuildRecord, 'other' | 'followed' | 'target'>,
): AsyncGenerator<ChangedRows> => {
  if (other === null || target === null) throw new Error('the rebuild has no content or no target');
  if (!engines[index.engine].listsById) return comparedRows(copying, index, other);
  return followed === null
    ? everyRow(copying, index, target, target.after)
    : changesBetween(copying, index, { from: followed, to: target, after: target.after });
};

/** Returns rows as the other content stores them, and the ids of those that it cannot have. */
const translate = async (
  copying: Copying,
  index: IndexRecord,
  rebuild: RebuildRecord,
  other: Content,
  found: readonly FoundRow[],
) => {
  const leftOut: string[] = [];
  const kept: VersionedRow[] = [];
  for (const row of found) {
    const obstacle = obstacleTo(index, index, other, row);
    // After the takeover, a vector that cannot be embedded again is kept as it is, so that undoing loses no row.
    if (obstacle === null || (obstacle === 'foreign' && hasTakenOver(rebuild))) kept.push(toVersioned(row));
    else if (obstacle === 'foreign' && rebuild.foreignVectors === 'refuse') throw new ForeignVector(row.id);
    else leftOut.push(row.id);
  }
  if (index.embeddingModel === other.embeddingModel) return { rows: kept, leftOut, tokens: 0 };
  const withText = kept.filter(({ text }) => text !== null);
  const { vectors, tokens } = await copying.embed(other.embeddingModel, withText.map(embeddedText));
  const embedded = new Map(withText.map(({ id }, at) => [id, vectors[at]]));
  return { rows: kept.map((row) => ({ ...row, vector: embedded.get(row.id) ?? row.vector })), leftOut, tokens };
};

/** Writes changed rows to the other content. Repeatable: rows keep their versions. */
export const writeChanged = async (
  copying: Copying,
  index: IndexRecord,
  rebuild: RebuildRecord,
  other: Content,
  changed: ChangedRows,
): Promise<{ readonly other: Content; readonly figures: RebuildFigures }> => {
  const { rows, leftOut, tokens } = await translate(copying, index, rebuild, other, changed.rows);
  const removed = [...changed.removed, ...leftOut];
  const { figures } = rebuild;
  const written = {
    ...figures,
    rows: figures.rows + rows.length,
    lost: figures.lost + (hasTakenOver(rebuild) ? leftOut.length : 0),
    tokens: figures.tokens + tokens,
  };
  if (rows.length + removed.length === 0) return { other, figures: written };
  const ref = toIndexRef(withContent(index, other));
  const engine = copying.engines(index.organizationId, other.engine);
  const { state, results } = await engine.commit(ref, [{ kind: 'copy', rows, removed }]);
  const unsupported = results[0]?.unsupported;
  if (unsupported !== undefined) throw new Error(unsupported);
  return { other: { ...other, state }, figures: written };
};
