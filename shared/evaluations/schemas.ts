import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { defaulted, integer, whenObject } from '../http/schema-helpers.ts';
import { promoteFields } from '../indexes/index.ts';
import { goldenSetPattern } from '../kernel/ids.ts';
import { changesContent, rebuildFields } from '../rebuilds/index.ts';
import { EvaluatedSearch } from '../search/index.ts';
import { metricNames } from './metrics.ts';
import { type EvaluationRecord, type EvaluationResults, expiryOf, type SearchResults } from './record.ts';

const maxEvaluatedSearches = 8;

const goldenSetName = () => z.string().regex(goldenSetPattern, 'this is no name of a golden set');

export const EvaluationCreate = z
  .strictObject({
    golden_set: goldenSetName().describe('Name of a golden set of the index.'),
    golden_set_version: integer().min(1).optional().describe('Version of it. Default: the newest one.'),
    searches: z
      .array(EvaluatedSearch)
      .min(1)
      .max(maxEvaluatedSearches)
      .refine((searches) => new Set(searches.map(({ name }) => name)).size === searches.length, {
        error: 'each search needs a name of its own',
      })
      .describe('Searches that are run for each question.'),
    compare_to: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Id of an index, such as a branch, or of a rebuild, in which the questions are searched too.'),
    k: defaulted(integer().min(1).max(100), 10).meta({ description: 'Hits among which recall is measured.' }),
  })
  .meta({
    id: 'EvaluationCreate',
    description: 'An evaluation of an index.',
    examples: [{ golden_set: 'questions', searches: [{ name: 'both', mode: 'hybrid' }] }],
  });

const MetricName = z.enum(metricNames).meta({
  id: 'MetricName',
  description:
    'A metric of a search. `ndcg_at_10`: graded, of the first ten hits. `recall_at_k`: share of what is relevant among the first `k`. `mrr`: reciprocal rank of the first relevant hit. `hit_at_1`: whether the first hit is relevant.',
});

const maxLoss = z
  .number()
  .positive()
  .max(1)
  .describe('Mean loss that is allowed. A larger one is refused if its 95 % interval excludes 0.');

const requirement = {
  metric: MetricName.default('ndcg_at_10').describe('Metric that is compared.'),
  max_loss: maxLoss,
  search: EvaluatedSearch.optional().describe(
    'Search that is compared. Default: a hybrid one by the defaults of the index.',
  ),
};

/** Requirement on a successor. */
export const Requirement = z
  .strictObject(requirement)
  .meta({ id: 'Requirement', description: 'What a content must prove.', examples: [{ max_loss: 0.01 }] });
export type Requirement = z.output<typeof Requirement>;

/** Requirement on a branch, by a golden set of its parent. */
const PromotionRequirement = z
  .strictObject({ golden_set: goldenSetName().describe('Name of a golden set of the parent.'), ...requirement })
  .meta({
    id: 'PromotionRequirement',
    description: 'What a branch must prove before it is promoted.',
    examples: [{ golden_set: 'questions', max_loss: 0.01 }],
  });

export const RebuildCreate = z
  .strictObject({
    ...rebuildFields,
    golden_set: goldenSetName().optional().describe('Name of a golden set by which the successor must prove itself.'),
    require: Requirement.optional().describe(
      'What the successor must prove by `golden_set` before it takes over. If it falls short, the rebuild fails and the index stays as it is.',
    ),
  })
  .refine(changesContent, { message: 'name at least one of embedding_model, text_language, engine and chunking' })
  .refine(({ golden_set: name, require }) => (name === undefined) === (require === undefined), {
    message: 'give golden_set and require together',
    when: whenObject,
  })
  .meta({
    id: 'RebuildCreate',
    description: 'What the content of an index changes to: at least one of model, language, engine and chunking.',
    examples: [{ embedding_model: 'embedded-multilingual-e5-small', text_language: 'auto' }],
  });

const Estimate = z
  .object({
    mean: z.number().describe('Mean over the questions.'),
    low: z.number().describe('Lower bound of its 95 % interval.'),
    high: z.number().describe('Upper bound of its 95 % interval.'),
  })
  .meta({ id: 'MetricEstimate', description: 'A mean with its 95 % interval, by a bootstrap over the questions.' });

const byMetric = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    ndcg_at_10: schema.describe('nDCG of the first ten hits.'),
    recall_at_k: schema.describe('Recall among the first `k` hits.'),
    mrr: schema.describe('Reciprocal rank of the first relevant hit.'),
    hit_at_1: schema.describe('Whether the first hit is relevant.'),
  });

const Estimates = byMetric(Estimate).meta({ id: 'MetricEstimates', description: 'Each metric with its interval.' });
export const Numbers = byMetric(z.number()).meta({ id: 'MetricNumbers', description: 'A number of each metric.' });

export const EvaluatedContent = z
  .enum(['index', 'compared'])
  .meta({ id: 'EvaluatedContent', description: 'What a search was run on.' });

const SearchEvaluation = z
  .object({
    search: z.string().describe('Name of the search.'),
    content: EvaluatedContent.describe('`compared`: what the index is compared to.'),
    metrics: Estimates.describe('Metrics of the search.'),
    difference: Estimates.nullable().describe(
      'Paired difference to the same search on the index, or of further searches on the index to the first one; null for that one.',
    ),
    detectable_loss: Numbers.nullable().describe(
      'Smallest mean loss that the questions find with a probability of 80 %; null without a difference.',
    ),
    gains: z.int().describe('Questions with a higher nDCG than in the other.'),
    losses: z.int().describe('Questions with a lower one.'),
  })
  .meta({ id: 'SearchEvaluation', description: 'Results of one search.' });

const Results = z
  .object({
    questions: z.int().describe('Questions that were evaluated.'),
    questions_left_out: z.int().describe('Questions of which nothing relevant is left.'),
    relevant_left_out: z
      .int()
      .describe('Relevant items that match no row of a content, and thus are left out of both.'),
    unmatched: z
      .object({
        index: z.int().describe('Relevant items that match no row of the index.'),
        compared: z.int().nullable().describe('Those that match no row of what it is compared to; null without one.'),
      })
      .meta({ id: 'UnmatchedItems', description: 'Relevant items that match no row.' }),
    searches: z.array(SearchEvaluation).describe('Results of each search on each content.'),
  })
  .meta({ id: 'EvaluationResults', description: 'Results of an evaluation.' });

const Proof = z
  .object({
    evaluation_id: z.string().describe('Id of the evaluation.'),
    golden_set: z.string().describe('Name of the golden set.'),
    golden_set_version: z.int().describe('Its version.'),
    metric: MetricName.describe('Metric that was compared.'),
    questions: z.int().describe('Questions that were evaluated.'),
    difference: Estimate.describe('Mean paired difference to the index with its 95 % interval. A loss is negative.'),
    max_loss: z.number().describe('Mean loss that was allowed.'),
    detectable_loss: z.number().describe('Smallest mean loss that the questions find with a probability of 80 %.'),
    results: Results.describe('All figures of the evaluation.'),
  })
  .meta({ id: 'EvaluationProof', description: 'What a content has proved.' });
export type Proof = z.input<typeof Proof>;

export const IndexPromote = z
  .strictObject({
    ...promoteFields,
    require: PromotionRequirement.optional().describe(
      'What the branch must prove by a golden set of the parent. Without an evaluation of its present content from the last hour, one is started: 409 `evaluation_running` until it has ended.',
    ),
  })
  .meta({
    id: 'IndexPromote',
    description:
      'Treatment of vectors that the parent has written since the branch point, and what the branch must prove. `keep`: vectors that the branch did not change stay as they are. `discard`: the parent has exactly the content of the branch.',
    examples: [{ parent_changes: 'keep' }],
  });

export const PromoteResponse = z
  .object({
    index_id: z.string().describe('Id of the parent.'),
    vectors_written: z.number().int().describe('Vectors that were written into the parent.'),
    vectors_deleted: z.number().int().describe('Vectors that were deleted from the parent.'),
    evaluation: Proof.optional().describe('What the branch has proved, with `require`.'),
  })
  .meta({
    id: 'PromoteResponse',
    description: 'Changes that a promotion made to the parent.',
    examples: [{ index_id: exampleId('idx'), vectors_written: 12, vectors_deleted: 3 }],
  });

const estimate = { mean: 0.81, low: 0.78, high: 0.84 };

const example = {
  id: exampleId('eval'),
  index_id: exampleId('idx'),
  golden_set: 'questions',
  golden_set_version: 2,
  compare_to: null,
  k: 10,
  status: 'completed',
  searches_done: 120,
  searches_total: 120,
  embedding_tokens: 1_320,
  results: {
    questions: 120,
    questions_left_out: 0,
    relevant_left_out: 0,
    unmatched: { index: 0, compared: null },
    searches: [
      {
        search: 'both',
        content: 'index',
        metrics: { ndcg_at_10: estimate, recall_at_k: estimate, mrr: estimate, hit_at_1: estimate },
        difference: null,
        detectable_loss: null,
        gains: 0,
        losses: 0,
      },
    ],
  },
  error: null,
  created_at: exampleTime,
  started_at: exampleTime,
  completed_at: exampleTime,
  expires_at: exampleTime,
};

export const EvaluationResponse = z
  .object({
    id: z.string().describe('Id of the evaluation.'),
    index_id: z.string().describe('Id of the index.'),
    golden_set: z.string().describe('Name of the golden set.'),
    golden_set_version: z.int().describe('Its version.'),
    compare_to: z.string().nullable().describe('Index or rebuild to which the index is compared; null: none.'),
    k: z.int().describe('Hits among which recall is measured.'),
    status: z
      .enum(['queued', 'running', 'completed', 'failed'])
      .meta({ id: 'EvaluationStatus', description: 'Status of an evaluation.' }),
    searches_done: z.int().describe('Searches so far.'),
    searches_total: z.int().describe('Searches of the evaluation. They count in the usage.'),
    embedding_tokens: z.int().describe('Tokens of the questions that were embedded.'),
    results: Results.nullable().describe('The results; null before its completion.'),
    error: z.string().nullable().describe('Why it failed; null if it did not.'),
    created_at: z.iso.datetime().describe('Creation time.'),
    started_at: z.iso.datetime().nullable().describe('Time of the first search; null before.'),
    completed_at: z.iso.datetime().nullable().describe('Time of the end; null before.'),
    expires_at: z.iso.datetime().describe('Time at which the results are deleted.'),
  })
  .meta({ id: 'EvaluationResponse', description: 'An evaluation of an index.', examples: [example] });

export const EvaluationReport = EvaluationResponse.extend({
  questions_url: z
    .string()
    .nullable()
    .describe('URL of the results of each question as JSON Lines, valid for an hour; null before its completion.'),
}).meta({
  id: 'EvaluationReport',
  description: 'An evaluation of an index, with the URL of the results of each question.',
  examples: [{ ...example, questions_url: 'https://example.com/…' }],
});

const toSearchEvaluation = ({ detectableLoss, ...results }: SearchResults) => ({
  ...results,
  detectable_loss: detectableLoss,
});

export const toResults = ({ searches, ...counts }: EvaluationResults): z.input<typeof Results> => ({
  questions: counts.questions,
  questions_left_out: counts.questionsLeftOut,
  relevant_left_out: counts.relevantLeftOut,
  unmatched: counts.unmatched,
  searches: searches.map(toSearchEvaluation),
});

/** Questions of a part, whose results are stored together. */
export const partQuestions = 250;

/** Returns how many runs an evaluation has: each search on each content. */
export const runsOf = ({ searches, comparedTo }: Pick<EvaluationRecord, 'searches' | 'comparedTo'>): number =>
  searches.length * (comparedTo === null ? 1 : 2);

/** Returns how many parts each run has. */
export const partsOfRun = ({ questions }: Pick<EvaluationRecord, 'questions'>): number =>
  Math.ceil(questions / partQuestions);

const searchesDone = (found: EvaluationRecord): number => {
  const perRun = partsOfRun(found);
  const ofLast = Math.min((found.done % perRun) * partQuestions, found.questions);
  return Math.floor(found.done / perRun) * found.questions + ofLast;
};

export const toEvaluationResponse = (found: EvaluationRecord): z.input<typeof EvaluationResponse> => {
  const { comparedTo, goldenSet } = found;
  return {
    id: found.id,
    index_id: found.indexId,
    golden_set: goldenSet.name,
    golden_set_version: goldenSet.version,
    compare_to: comparedTo === null ? null : 'indexId' in comparedTo ? comparedTo.indexId : comparedTo.rebuildId,
    k: found.k,
    status: found.status,
    searches_done: searchesDone(found),
    searches_total: runsOf(found) * found.questions,
    embedding_tokens: found.tokens,
    results: found.results === null ? null : toResults(found.results),
    error: found.error,
    created_at: found.createdAt,
    started_at: found.startedAt,
    completed_at: found.completedAt,
    expires_at: expiryOf(found).toISOString(),
  };
};
