import { maxSparseTextCharacters } from '../../../../shared/events/index.ts';
import { batchKey, expiryOfJob, isOpenTask, rowOfChunk, type StoredText } from '../../../../shared/files/index.ts';
import { packRows, prefixProblem, type RowWrite } from '../../../../shared/indexes/index.ts';
import { embeddingKey } from '../../../../shared/kernel/content-keys.ts';
import { embeddedText } from '../../../../shared/kernel/row-metadata.ts';
import { headOf, lengthOf } from '../../../../shared/kernel/text.ts';
import { timed } from '../../../../shared/pipeline/steps.ts';
import { boundMetadata, boundsProblem, problemsOf, type Row, withExpiry } from '#engine';
import { type PlacedChunk, UnreadableFile } from '#documents';
import { createCachedEmbedder } from '../../../../shared/platform/models/cache.ts';
import type { Embedding } from '../../../../shared/platform/models/port.ts';
import { reserveTokens } from './reserve-quota.ts';
import { recordTokens } from './record-tokens.ts';
import type { TaskContext } from '../uses.ts';
import { type Claim, phaseOf, TaskEnded } from './claim-task.ts';

/** Returns the vectors of rows, from the cache or the model. Each is embedded with its headings. */
export const embedRows = (
  context: TaskContext,
  claim: Claim,
  rows: readonly Pick<Row, 'text' | 'metadata'>[],
): Promise<Embedding['vectors']> =>
  timed(phaseOf(context, claim), 'embedding.generate', async () => {
    const { content, embedders, stored } = context.deps;
    const { region, organizationId, embeddingModel, dimensions } = claim.index;
    const store = {
      get: (key: string) => content.get(region, embeddingKey(key)),
      put: (key: string, body: Uint8Array) => stored.put(region, embeddingKey(key), body, 'application/octet-stream'),
    };
    const scope = {
      tenant: organizationId,
      payer: claim.task.id,
      onPaid: (group: string, tokens: number) => recordTokens(context, claim, group, tokens),
      onMissing: (texts: readonly string[]) => reserveTokens(context, claim, texts),
    };
    const { vectors, tokens } = await createCachedEmbedder(embedders(embeddingModel), store, scope).embed(
      rows.map(embeddedText),
      dimensions,
    );
    return { result: vectors, attributes: { vectors: vectors.length, tokens } };
  });

/** Throws `UnreadableFile` if the engine of the index cannot store a row. */
export const requireStorable = ({ index }: Claim, row: Omit<Row, 'id' | 'vector'>, name: string): void => {
  const problem = problemsOf(index.engine).ofRow(row, index);
  if (problem !== null) throw new UnreadableFile(`${name}: ${problem}`);
};

/** Converts the chunks of a task to embedded rows, with ids derived from their position in the job. */
export const toRows = async (
  context: TaskContext,
  claim: Claim,
  chunks: readonly PlacedChunk[],
): Promise<readonly RowWrite[]> => {
  const { job, task } = claim;
  const part = { jobId: job.id, ordinal: task.ordinal };
  const rows = chunks.map((chunk, at) => {
    const row = rowOfChunk(part, at + 1, chunk, job);
    const metadata = withExpiry(row.metadata, expiryOfJob(job));
    return { ...row, metadata, model: claim.index.embeddingModel };
  });
  for (const [at, row] of rows.entries()) requireStorable(claim, row, `Chunk ${at + 1} of part ${task.ordinal}`);
  const vectors = await embedRows(context, claim, rows);
  return rows.map((row, at) => {
    const vector = vectors[at];
    if (vector === undefined) throw new Error('the model gave fewer vectors than there are chunks');
    return { ...row, vector };
  });
};

/** Returns rows as the bounds of the job allow them. Throws `UnreadableFile` for a row that may not be written. */
const withinBounds = ({ job }: Claim, rows: readonly RowWrite[]): readonly RowWrite[] => {
  const { id: jobId, bounds } = job;
  if (bounds === null) return rows;
  return rows.map((row) => {
    const metadata = boundMetadata(row.metadata, bounds);
    // Ids of chunks belong to the job.
    const ofPrefix = row.id.startsWith(`${jobId}:`) ? null : prefixProblem(row.id, bounds);
    const problem = ofPrefix ?? boundsProblem(metadata, bounds);
    if (problem !== null) throw new UnreadableFile(`Row "${row.id}": ${problem}`);
    return { ...row, metadata };
  });
};

/**
 * Saves the result with the task and the rows in the bucket, and requests their commit in the log. Throws `TaskEnded`
 * if they are no longer needed.
 */
export const submitRows = async (
  { deps }: TaskContext,
  claim: Claim,
  made: { readonly rows: readonly RowWrite[]; readonly text: StoredText; readonly warning: string },
): Promise<void> => {
  const { address, job, task, index, trace } = claim;
  const { text: stored, warning } = made;
  const rows = withinBounds(claim, made.rows);
  const now = await deps.files.taskAt(address);
  if (now === null || !isOpenTask(now)) throw new TaskEnded();
  const key = batchKey(job, task.ordinal);
  await deps.stored.put(index.region, key, packRows(rows), 'application/octet-stream');
  const text = rows
    .map((row) => row.text ?? '')
    .filter((some) => some !== '')
    .join('\n');
  const sparseText = headOf(text, maxSparseTextCharacters);
  const work = { trace, sparseText, sparseLength: lengthOf(text), text: stored, warning };
  const isSaved = await deps.files.saveWork(address, work);
  if (!isSaved) throw new TaskEnded();
  const change = {
    op: 'write_task',
    job_id: job.id,
    task_id: task.id,
    ordinal: task.ordinal,
    rows: { key },
    replaces: job.replacesJobId,
  } as const;
  await deps.log.append(index, change, `${task.id}-${task.attemptCount}`);
};
