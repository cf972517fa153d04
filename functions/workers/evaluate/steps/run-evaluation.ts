import {
  contentsOf,
  type EvaluationAddress,
  type EvaluationRecord,
  partsOfRun,
  runsOf,
} from '../../../../shared/evaluations/index.ts';
import { type GoldenQuestion, questionsOf } from '../../../../shared/golden-sets/index.ts';
import { type IndexRecord, isLive } from '../../../../shared/indexes/index.ts';
import { AppError, isExpected } from '../../../../shared/kernel/errors.ts';
import { hasFeature } from '#engine';
import type { Evaluating } from '../uses.ts';
import { finish } from './finish.ts';
import { runPart } from './run-part.ts';

/** Remaining milliseconds below which neither a part nor the end begins. */
const reserveMs = 240_000;

/** Wakes the rebuild that waits for an evaluation. */
const wake = async ({ deps }: Evaluating, { organizationId, indexId, region, comparedTo }: EvaluationRecord) => {
  if (comparedTo === null || !('rebuildId' in comparedTo)) return;
  await deps.rebuildQueue.send(region, { organizationId, indexId, rebuildId: comparedTo.rebuildId });
};

const fail = async (
  context: Evaluating,
  address: EvaluationAddress,
  found: EvaluationRecord,
  error: string,
): Promise<void> => {
  const { deps, run } = context;
  await deps.evaluations.fail(address, error, run.clock.now().toISOString());
  await wake(context, found);
};

/** Stores which versions are read, so that all searches read the same rows. */
const begin = (
  { deps, run }: Evaluating,
  found: EvaluationRecord,
  contents: readonly IndexRecord[],
): Promise<EvaluationRecord | null> => {
  const versions = contents.map(({ engine, layers }) =>
    hasFeature(engine, 'search_cursors') ? layers[0].version : null,
  );
  return deps.evaluations.begin(found, versions, run.clock.now().toISOString());
};

/** Runs the parts that are left and stores the results. A run without time left hands over to another one. */
const runParts = async (
  context: Evaluating,
  address: EvaluationAddress,
  begun: EvaluationRecord,
  contents: readonly IndexRecord[],
  questions: readonly GoldenQuestion[],
): Promise<void> => {
  const { deps, run } = context;
  const parts = runsOf(begun) * partsOfRun(begun);
  let current = begun;
  for (;;) {
    if (run.remainingMs() < reserveMs) return deps.queue.send(current.region, address);
    if (current.done >= parts) break;
    const { tokens, count } = await runPart(context, current, contents, questions);
    const advanced = await deps.evaluations.advance(current, tokens, run.clock.now().toISOString());
    if (advanced === null) return undefined;
    await count();
    current = advanced;
  }
  const completed = await finish(context, current, contents, questions);
  if (completed !== null) await wake(context, completed);
  return undefined;
};

/** Begins or continues an evaluation. */
export const runEvaluation = async (context: Evaluating, address: EvaluationAddress): Promise<void> => {
  const { deps } = context;
  const found = await deps.evaluations.find(address);
  if (found === null) return;
  // The run that ended it may have died before it woke the rebuild.
  if (found.completedAt !== null) return wake(context, found);
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  if (!isLive(index)) return fail(context, address, found, 'The index has been deleted');
  try {
    const { name, version } = found.goldenSet;
    const set = await deps.sets.find(index, name, version);
    const questions = set === null ? null : await questionsOf(deps.sets, index, set);
    if (questions === null) return await fail(context, address, found, 'The golden set has been deleted');
    const contents = await contentsOf(deps, index, found);
    const begun = found.status === 'queued' ? await begin(context, found, contents) : found;
    if (begun !== null) await runParts(context, address, begun, contents, questions);
  } catch (error) {
    if (!isExpected(error)) throw error;
    context.run.log.warn('evaluation.failed', {
      index_id: address.indexId,
      evaluation_id: address.evaluationId,
      error,
    });
    await fail(
      context,
      address,
      found,
      error instanceof AppError ? error.message : 'A search of it is not valid any more',
    );
  }
  return undefined;
};

/** Ends an evaluation whose attempts are exhausted. */
export const failEvaluation = async (context: Evaluating, address: EvaluationAddress): Promise<void> => {
  const found = await context.deps.evaluations.find(address);
  if (found !== null) await fail(context, address, found, 'The questions could not be searched after several attempts');
};
