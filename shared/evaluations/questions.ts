import * as z from 'zod';
import { integerText } from '../http/schema-helpers.ts';
import type { Metrics } from './metrics.ts';
import { EvaluatedContent, Numbers } from './schemas.ts';
import type { QuestionResult } from './summarize.ts';

const maxPage = 100;

export const QuestionsOfEvaluation = z.strictObject({
  search: z.string().min(1).max(64).optional().describe('Name of the search. Default: the first one.'),
  sort: z
    .enum(['losses', 'gains', 'set'])
    .default('losses')
    .describe('`losses`, `gains`: by the change of nDCG, the largest first, and only those. `set`: as in the set.'),
  limit: integerText(1, maxPage).default(20).meta({ description: 'Maximum number of questions.' }),
  offset: integerText(0, 1_000_000).default(0).meta({ description: 'Questions before the first returned one.' }),
});

const Run = z
  .object({
    search: z.string().describe('Name of the search.'),
    content: EvaluatedContent.describe('`compared`: what the index is compared to.'),
    metrics: Numbers.nullable().describe('Metrics of the question; null if nothing relevant is left of it.'),
    hits: z
      .array(
        z
          .object({
            id: z.string().describe('Id of the row.'),
            score: z.number().describe('Score of the hit.'),
            grade: z.int().nullable().describe('Grade of the item that it matches; null: none.'),
          })
          .meta({ id: 'EvaluatedHit', description: 'A hit of a question.' }),
      )
      .describe('The first ten hits.'),
  })
  .meta({ id: 'EvaluatedQuestionRun', description: 'What a search has found for a question.' });

export const EvaluatedQuestion = z
  .object({
    query: z.string().describe('The question.'),
    left_out: z.array(z.int()).describe('Positions of its relevant items that are left out.'),
    change: z.number().nullable().describe('Change of nDCG; null without a difference.'),
    results: z.array(Run).describe('The searches.'),
  })
  .meta({
    id: 'EvaluatedQuestion',
    description: 'Results of one question.',
    examples: [
      {
        query: 'How hot should water for tea be?',
        left_out: [],
        change: null,
        results: [
          {
            search: 'both',
            content: 'index',
            metrics: { ndcg_at_10: 1, recall_at_k: 1, mrr: 1, hit_at_1: 1 },
            hits: [{ id: 'tea', score: 0.0856, grade: 2 }],
          },
        ],
      },
    ],
  });

const gainOf = (metrics: Metrics | null | undefined): number | null => metrics?.ndcg_at_10 ?? null;

/** Returns the change of a question: from the index to what it is compared to, or from the first search to a further one. */
const changeOf = ({ results }: QuestionResult, search: string | undefined): number | null => {
  const [first] = results;
  const name = search ?? first?.search;
  const runs = results.filter((run) => run.search === name);
  const compared = runs.find(({ content }) => content === 'compared');
  const [before, after] = compared === undefined ? [first, runs[0]] : [runs[0], compared];
  if (before === after) return null;
  const [from, to] = [gainOf(before?.metrics), gainOf(after?.metrics)];
  return from === null || to === null ? null : to - from;
};

/** Returns a page of the questions of an evaluation. */
export const pageOfQuestions = (
  questions: readonly QuestionResult[],
  { search, sort, limit, offset }: z.output<typeof QuestionsOfEvaluation>,
): readonly z.input<typeof EvaluatedQuestion>[] => {
  const changed = questions.map((question) => ({ ...question, change: changeOf(question, search) }));
  const sign = sort === 'losses' ? -1 : 1;
  const sorted =
    sort === 'set'
      ? changed
      : changed
          .filter(({ change }) => change !== null && sign * change > 0)
          .toSorted((one, other) => sign * ((other.change ?? 0) - (one.change ?? 0)));
  return sorted.slice(offset, offset + limit).map(({ left_out: leftOut, results, ...question }) => ({
    ...question,
    left_out: [...leftOut],
    results: results.map((run) => ({ ...run, hits: [...run.hits] })),
  }));
};
