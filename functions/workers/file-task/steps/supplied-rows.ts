import { boundRegions, packPassage } from '../../../../shared/kernel/passage.ts';
import { maxMetadataBytes, rowMetadataBytes } from '../../../../shared/kernel/row-metadata.ts';
import type { RowWrite } from '../../../../shared/indexes/index.ts';
import { expiryOfJob } from '../../../../shared/files/index.ts';
import { type Row, withExpiry } from '#engine';
import { type StoredRow, UnreadableFile } from '#documents';
import { otherModelMessage } from '../../../../shared/platform/models/port.ts';
import { vectorProblems } from '../../../../shared/vectors/index.ts';
import { embedRows, requireStorable } from './submit-rows.ts';
import type { TaskContext } from '../uses.ts';
import type { Claim } from './claim-task.ts';

/** Merges the metadata of a row into that of its job. */
const metadataOf = ({ job }: Claim, { metadata }: StoredRow): Row['metadata'] => ({ ...job.metadata, ...metadata });

const requireFit = (claim: Claim, row: StoredRow): void => {
  const { line, vector, model } = row;
  if (vector !== null && model !== undefined && model !== claim.index.embeddingModel)
    throw new UnreadableFile(`Line ${line}: ${otherModelMessage(model, claim.index.embeddingModel)}`);
  const [problem] = vector === null ? [] : vectorProblems([], vector, claim.index);
  if (problem !== undefined) throw new UnreadableFile(`Line ${line}: ${problem.msg}`);
  if (rowMetadataBytes(metadataOf(claim, row)) > maxMetadataBytes)
    throw new UnreadableFile(`Line ${line}: metadata with that of the job may have at most 40 KiB as JSON`);
  const { id: jobId, filename } = claim.job;
  const content = { text: row.text, metadata: metadataOf(claim, row), jobId, filename, pageStart: null, pageEnd: null };
  requireStorable(claim, content, `Line ${line}`);
};

/** Returns the place of a row on the pages of its source. The text of the source, with positions in it, is not there. */
const passageOf = ({ text, source }: StoredRow): Pick<Row, 'passage'> => {
  const regions = boundRegions(source?.regions ?? [], Buffer.byteLength(text ?? ''));
  return regions.length === 0 ? {} : { passage: packPassage({ start: 0, end: 0, regions }) };
};

/** Converts rows that a file supplies with their own ids and metadata. Rows without a vector are embedded. */
export const toSuppliedRows = async (
  context: TaskContext,
  claim: Claim,
  stated: readonly StoredRow[],
): Promise<readonly RowWrite[]> => {
  for (const row of stated) requireFit(claim, row);
  const texts = stated
    .filter(({ vector }) => vector === null)
    .map((row) => ({ text: row.text, metadata: metadataOf(claim, row) }));
  const vectors = texts.length === 0 ? [] : await embedRows(context, claim, texts);
  const embedded = vectors[Symbol.iterator]();
  return stated.map((row): RowWrite => {
    const { id, vector, text, source } = row;
    const own = vector ?? embedded.next().value;
    if (own === undefined) throw new Error('the model gave fewer vectors than there are texts');
    return {
      id,
      vector: own,
      text,
      metadata: withExpiry(metadataOf(claim, row), row.expiresAt ?? expiryOfJob(claim.job)),
      jobId: claim.job.id,
      filename: source?.filename ?? claim.job.filename,
      pageStart: source?.pageStart ?? null,
      pageEnd: source?.pageEnd ?? null,
      ...(vector === null ? { model: claim.index.embeddingModel } : {}),
      ...passageOf(row),
    };
  });
};
