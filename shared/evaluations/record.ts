import type { Item, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import { laterBy } from '../kernel/clock.ts';
import { evaluatedKey } from '../kernel/content-keys.ts';
import { dayMs, minuteMs } from '../kernel/durations.ts';
import type { EvaluatedSearch } from '../search/index.ts';
import type { MetricName } from './metrics.ts';
import type { Estimate } from './statistics.ts';

export type EvaluationStatus = 'queued' | 'running' | 'completed' | 'failed';

/** Statuses of an evaluation that has not ended. */
export const openStatuses = ['queued', 'running'] as const satisfies readonly EvaluationStatus[];

export interface EvaluationAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly evaluationId: string;
}

/** Content that an index is compared to. */
export type ComparedTo = { readonly indexId: string } | { readonly rebuildId: string };

/** Attributes of a new evaluation. */
export interface NewEvaluation {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly goldenSet: { readonly name: string; readonly version: number };
  /** Questions of the set. */
  readonly questions: number;
  readonly searches: readonly EvaluatedSearch[];
  readonly comparedTo: ComparedTo | null;
  readonly k: number;
  readonly createdAt: string;
  /** Id of the user, API key, OAuth client or grant that created it. */
  readonly createdBy: string;
}

/** Results of one search on one content. */
export interface SearchResults {
  readonly search: string;
  readonly content: 'index' | 'compared';
  readonly metrics: Readonly<Record<MetricName, Estimate>>;
  /** Difference to the same search on the index, or to the first search. Null: it is the first search on the index. */
  readonly difference: Readonly<Record<MetricName, Estimate>> | null;
  readonly detectableLoss: Readonly<Record<MetricName, number>> | null;
  /** Questions with a higher and a lower nDCG. */
  readonly gains: number;
  readonly losses: number;
}

/** Results of an evaluation. */
export interface EvaluationResults {
  /** Questions that were evaluated. */
  readonly questions: number;
  /** Questions without a relevant item that is left. */
  readonly questionsLeftOut: number;
  /** Relevant items that match no row of a content, and thus left both. */
  readonly relevantLeftOut: number;
  /** Those of each content. */
  readonly unmatched: { readonly index: number; readonly compared: number | null };
  readonly searches: readonly SearchResults[];
}

export interface EvaluationRecord extends NewEvaluation {
  readonly status: EvaluationStatus;
  /** Raised by each step, so that of two concurrent runs one stores it. */
  readonly revision: number;
  /** Parts that are stored. */
  readonly done: number;
  /** Versions that are read, of the index and of what it is compared to. Null: the engine has none. */
  readonly versions: readonly (number | null)[];
  readonly tokens: number;
  readonly results: EvaluationResults | null;
  readonly error: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

const partitionPrefix = 'EVALUATIONS';

export const evaluationPartition = (organizationId: string): string => `${partitionPrefix}#${organizationId}`;

export const evaluationKey = ({ organizationId, indexId, evaluationId }: EvaluationAddress): Key => ({
  pk: evaluationPartition(organizationId),
  sk: `${indexId}#${evaluationId}`,
});

export const evaluationAddressAt = ({ pk, sk }: Key): EvaluationAddress => {
  const [, organizationId = ''] = pk.split('#');
  const [indexId = '', evaluationId = ''] = sk.split('#');
  return { organizationId, indexId, evaluationId };
};

export const addressOfEvaluation = ({ organizationId, indexId, id }: NewEvaluation): EvaluationAddress => ({
  organizationId,
  indexId,
  evaluationId: id,
});

/** Key of the results of each question of an evaluation. */
export const questionsKey = (address: EvaluationAddress): string => evaluatedKey(address, 'questions.jsonl');

/** Results are kept for a month. Their files are deleted a day later. */
export const expiryOf = ({ createdAt }: Pick<NewEvaluation, 'createdAt'>): Date => laterBy(createdAt, 30 * dayMs);

/** Time without progress after which the message of an evaluation is sent again. It is longer than a run. */
const overdueMs = 15 * minuteMs;

export const overdueEvaluation = (organizationId: string, from: string) =>
  dueBy('evaluations', organizationId, laterBy(from, overdueMs));

/** Searches that are evaluated, as they are stored. */
type Plan = Pick<NewEvaluation, 'goldenSet' | 'questions' | 'searches' | 'comparedTo' | 'k'>;

export const newEvaluationItem = (created: NewEvaluation): Item => {
  const { goldenSet, questions, searches, comparedTo, k } = created;
  const plan: Plan = { goldenSet, questions, searches, comparedTo, k };
  return {
    ...evaluationKey(addressOfEvaluation(created)),
    region: created.region,
    plan: JSON.stringify(plan),
    created_at: created.createdAt,
    created_by: created.createdBy,
    status: 'queued',
    revision: 0,
    ...overdueEvaluation(created.organizationId, created.createdAt),
  };
};

export const toEvaluationRecord = (item: Item): EvaluationRecord => {
  const { organizationId, indexId, evaluationId } = evaluationAddressAt(item);
  // Casts: this module's repository has written the item.
  return {
    id: evaluationId,
    organizationId,
    indexId,
    region: item['region'] as string,
    ...(JSON.parse(item['plan'] as string) as Plan),
    createdAt: item['created_at'] as string,
    createdBy: item['created_by'] as string,
    status: item['status'] as EvaluationStatus,
    revision: numberOf(item, 'revision'),
    done: numberOf(item, 'done'),
    versions: JSON.parse(textOf(item, 'versions') ?? '[]') as (number | null)[],
    tokens: numberOf(item, 'tokens'),
    results: JSON.parse(textOf(item, 'results') ?? 'null') as EvaluationResults | null,
    error: textOf(item, 'error'),
    startedAt: textOf(item, 'started_at'),
    completedAt: textOf(item, 'completed_at'),
  };
};
