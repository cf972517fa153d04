import { type Content, type IndexRecord, toIndexRef, withContent } from '../indexes/index.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import { embeddedText } from '../kernel/row-metadata.ts';
import { type FoundRow, toVersioned, type VersionedRow } from '#engine';
import { type ChangedRows, type Copying, type CutRow, obstacleTo } from './changed-rows.ts';
import { hasTakenOver, type RebuildFigures, type RebuildRecord } from './record.ts';

/** A row of the index cannot be in the successor, and the rebuild may not leave it out. */
export class ForeignVector extends Error {
  constructor(id: string) {
    super(
      `The row "${id}" has a vector from elsewhere and no text, so the new model cannot embed it. Nothing was changed; with "foreign_vectors": "skip" such rows stay out`,
    );
    this.name = 'ForeignVector';
  }
}

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

/** Returns rows that were cut again with vectors of the model of the other content. */
const embedCut = async (copying: Copying, other: Content, cut: readonly CutRow[]) => {
  const missing = cut.filter(({ vector }) => vector === null);
  if (missing.length === 0) return { rows: cut.map(toVersioned), tokens: 0 };
  const { vectors, tokens } = await copying.embed(other.embeddingModel, missing.map(embeddedText));
  const embedded = new Map(missing.map(({ id }, at) => [id, vectors[at] ?? null]));
  return {
    rows: cut.map((row) => toVersioned({ ...row, vector: row.vector ?? embedded.get(row.id) ?? null })),
    tokens,
  };
};

/** Adds what a first pass has kept or left out. Later passes meet the same parts again. */
const withKept = (figures: RebuildFigures, { kept }: ChangedRows, leftOut: number): RebuildFigures => {
  let { keptFiles, keptRows, keptJob } = figures;
  for (const { jobId, rows } of kept) {
    keptRows += rows;
    if (jobId !== keptJob) keptFiles += 1;
    keptJob = jobId;
  }
  return { ...figures, leftOut: figures.leftOut + leftOut, keptFiles, keptRows, keptJob };
};

/** Writes changed rows to the other content. Repeatable: rows keep their versions. */
export const writeChanged = async (
  copying: Copying,
  index: IndexRecord,
  rebuild: RebuildRecord,
  other: Content,
  changed: ChangedRows,
): Promise<{ readonly other: Content; readonly figures: RebuildFigures }> => {
  const copied = await translate(copying, index, rebuild, other, changed.rows);
  const cut = await embedCut(copying, other, changed.cut);
  const rows = [...copied.rows, ...cut.rows];
  const removed = [...changed.removed, ...copied.leftOut];
  const leftOut = copied.leftOut.length;
  const { figures } = rebuild;
  const isFirst = rebuild.followed === null && !isSameChunking(index.chunking, other.chunking);
  const written = {
    ...(isFirst ? withKept(figures, changed, leftOut) : figures),
    rows: figures.rows + rows.length,
    lost: figures.lost + (hasTakenOver(rebuild) ? leftOut : 0),
    tokens: figures.tokens + copied.tokens + cut.tokens,
  };
  if (rows.length + removed.length === 0) return { other, figures: written };
  const ref = toIndexRef(withContent(index, other));
  const engine = copying.engines(index.organizationId, other.engine);
  const { state, results } = await engine.commit(ref, [{ kind: 'copy', rows, removed }]);
  const unsupported = results[0]?.unsupported;
  if (unsupported !== undefined) throw new Error(unsupported);
  return { other: { ...other, state }, figures: written };
};
