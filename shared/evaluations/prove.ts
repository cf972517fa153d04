import { setTimeout as pause } from 'node:timers/promises';
import type { IndexRecord } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { hourMs, minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { derivedId } from '../kernel/ids.ts';
import type { EvaluatedSearch } from '../search/index.ts';
import { contentsOf } from './contents.ts';
import { createEvaluationUses, requireGoldenSet, requireSearches, startEvaluation } from './create.ts';
import type { MetricName } from './metrics.ts';
import {
  addressOfEvaluation,
  type ComparedTo,
  type EvaluationRecord,
  type NewEvaluation,
  openStatuses,
} from './record.ts';
import { type Proof, type Requirement, toResults } from './schemas.ts';
import { judge, type Verdict } from './statistics.ts';

/** Capabilities that a proof needs. */
export const proofUses = createEvaluationUses;

type ProofDeps = Pick<Deps<typeof proofUses>, 'indexes' | 'rebuilds' | 'sets' | 'evaluations' | 'queue'> &
  Parameters<typeof requireSearches>[0];

/** Content that is to prove itself, against the index that it would replace. */
export interface Candidate {
  readonly index: IndexRecord;
  readonly comparedTo: ComparedTo;
  /** Names the content: another one is evaluated again. */
  readonly content: readonly string[];
  /** Time of the content, from which the id of its evaluation is derived. */
  readonly since: string;
  readonly createdBy: string;
}

interface Requested {
  readonly goldenSet: string;
  readonly requirement: Requirement;
}

/** Age from which the results of a content no longer count, since the index may have changed. */
const maxAgeMs = hourMs;

/** Time after a failure before the same content is evaluated again. */
const failurePauseMs = minuteMs;

/** Hits among which recall is measured. */
const recallDepth = 10;

/** Search that is compared if none is named. */
const usualSearch: EvaluatedSearch = { name: 'default', mode: 'hybrid', exact: false };

const isOpen = ({ status }: EvaluationRecord): boolean => openStatuses.some((open) => open === status);

const endedAgo = ({ completedAt }: EvaluationRecord, clock: Clock): number =>
  clock.now().getTime() - Date.parse(completedAt ?? '');

/** Whether an evaluation counts: it runs, has results that are not too old, or has just failed. */
const isCurrent = (found: EvaluationRecord, clock: Clock): boolean =>
  isOpen(found) || endedAgo(found, clock) < (found.status === 'completed' ? maxAgeMs : failurePauseMs);

/** Returns the evaluation of a content by a golden set, and starts it if there is none that counts. Throws 404, 409 and 422. */
export const evaluateCandidate = async (
  deps: ProofDeps,
  clock: Clock,
  { index, comparedTo, content, since, createdBy }: Candidate,
  { goldenSet: name, requirement }: Requested,
): Promise<EvaluationRecord> => {
  const { organizationId, id: indexId, region } = index;
  const goldenSet = await requireGoldenSet(deps.sets, index, name);
  const search = requirement.search ?? usualSearch;
  const names = [organizationId, indexId, ...content, name, String(goldenSet.version), JSON.stringify(search)];
  const id = derivedId('eval', new Date(since), ...names);
  const found = await deps.evaluations.find({ organizationId, indexId, evaluationId: id });
  if (found !== null && isCurrent(found, clock)) return found;
  for (const one of await contentsOf(deps, index, { comparedTo }))
    await requireSearches(deps, one, [search], () => ['body', 'require', 'search']);
  const created: NewEvaluation = {
    id,
    organizationId,
    indexId,
    region,
    goldenSet: { name, version: goldenSet.version },
    questions: goldenSet.questions,
    searches: [search],
    comparedTo,
    k: recallDepth,
    createdAt: clock.now().toISOString(),
    createdBy,
  };
  return startEvaluation(deps, created);
};

/** Returns what a completed evaluation says about a requirement. */
export const proofOf = (
  found: EvaluationRecord,
  { metric, max_loss: maxLoss }: { readonly metric: MetricName; readonly max_loss: number },
): { readonly verdict: Verdict; readonly proof: Proof; readonly reason: string } => {
  const compared = found.results?.searches.find(({ content }) => content === 'compared');
  if (found.results === null || compared?.difference == null || compared.detectableLoss === null)
    throw new Error('the evaluation compares nothing');
  const { [metric]: difference } = compared.difference;
  const { [metric]: detectable } = compared.detectableLoss;
  const { questions } = found.results;
  const verdict = judge(difference, detectable, maxLoss);
  const proof = {
    evaluation_id: found.id,
    golden_set: found.goldenSet.name,
    golden_set_version: found.goldenSet.version,
    metric,
    questions,
    difference: { ...difference },
    max_loss: maxLoss,
    detectable_loss: detectable,
    results: toResults(found.results),
  };
  const figure = (value: number): string => value.toFixed(4);
  const reason =
    verdict === 'lost'
      ? `It loses ${figure(-difference.mean)} of ${metric} over ${questions} questions (95 %: ${figure(-difference.high)} to ${figure(-difference.low)}), and ${maxLoss} is allowed`
      : `With ${questions} questions, a loss below ${figure(detectable)} of ${metric} may stay unseen, and ${maxLoss} is allowed. Add questions, or allow more`;
  return { verdict, proof, reason };
};

/** Milliseconds for which a request waits for an evaluation, and between two looks at it. */
const [waitMs, lookMs] = [12_000, 250];

const retryAfterSeconds = 5;

const awaitEnd = async (deps: Pick<ProofDeps, 'evaluations'>, begun: EvaluationRecord): Promise<EvaluationRecord> => {
  const untilMs = performance.now() + waitMs;
  let found = begun;
  while (isOpen(found) && performance.now() < untilMs) {
    await pause(lookMs);
    found = (await deps.evaluations.find(addressOfEvaluation(found))) ?? found;
  }
  return found;
};

/**
 * Requires that a content proves itself, and returns the proof. Throws 404 and 422, and 409: `evaluation_running` until the
 * evaluation has ended, `evaluation_failed` for a loss, and `golden_set_too_small`.
 */
export const requireProof = async (
  deps: ProofDeps,
  clock: Clock,
  candidate: Candidate,
  requested: Requested,
): Promise<Proof> => {
  const found = await awaitEnd(deps, await evaluateCandidate(deps, clock, candidate, requested));
  const fields = { evaluation_id: found.id };
  if (isOpen(found))
    throw new AppError('evaluation_running', 'The evaluation is running. Send the request again when it has ended', {
      fields,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  if (found.status === 'failed')
    throw new AppError('conflict', `The evaluation has failed: ${found.error ?? ''}`, { fields });
  const { verdict, proof, reason } = proofOf(found, requested.requirement);
  if (verdict === 'passed') return proof;
  const code = verdict === 'lost' ? 'evaluation_failed' : 'golden_set_too_small';
  throw new AppError(code, reason, { fields: { ...fields, evaluation: proof } });
};
