import {
  addressOfEvaluation,
  type EvaluationRecord,
  runsOf,
  partsOfRun,
  type RunHits,
  questionsKey,
  summarize,
} from '../../../../shared/evaluations/index.ts';
import type { GoldenQuestion } from '../../../../shared/golden-sets/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import type { Evaluating } from '../uses.ts';
import { findUnmatched, type Item } from './find-unmatched.ts';
import { type EvaluatedPart, partKey, pinned, placeOfPart } from './run-part.ts';

/** Reads the hits of each run from its parts. */
const readRuns = async ({ deps }: Evaluating, evaluation: EvaluationRecord): Promise<readonly RunHits[]> => {
  const perRun = partsOfRun(evaluation);
  const runs: RunHits[] = [];
  for (let run = 0; run < runsOf(evaluation); run += 1) {
    const { content, search } = placeOfPart(evaluation, run * perRun);
    const hits: RunHits['hits'][number][] = [];
    for (let part = run * perRun; part < (run + 1) * perRun; part += 1) {
      const bytes = await deps.content.get(evaluation.region, partKey(evaluation, part));
      if (bytes === null) throw new Error(`part ${part} of the evaluation is gone`);
      // Cast: `runPart` has written it.
      hits.push(...(JSON.parse(Buffer.from(bytes).toString('utf8')) as EvaluatedPart).hits);
    }
    runs.push({ content, search, hits });
  }
  return runs;
};

/** Returns the relevant items that no search on a content has found. */
const itemsNotFound = (
  questions: readonly GoldenQuestion[],
  runs: readonly RunHits[],
  content: number,
): readonly Item[] => {
  const own = runs.filter((run) => run.content === content);
  return questions.flatMap(({ relevant }, question) => {
    const found = new Set(own.flatMap(({ hits }) => (hits[question] ?? []).flatMap(({ matches }) => matches)));
    return relevant.flatMap((_, at) => (found.has(at) ? [] : [{ question, at }]));
  });
};

/** Computes and stores the results of an evaluation whose parts are stored. Returns null if another run has done it. */
export const finish = async (
  context: Evaluating,
  evaluation: EvaluationRecord,
  contents: readonly IndexRecord[],
  questions: readonly GoldenQuestion[],
): Promise<EvaluationRecord | null> => {
  const { deps, run } = context;
  const runs = await readRuns(context, evaluation);
  const unmatched: Map<number, Set<number>>[] = [];
  for (const [at, content] of contents.entries()) {
    const index = pinned(content, evaluation.versions[at]);
    const items = await findUnmatched(context, index, questions, itemsNotFound(questions, runs, at));
    const byQuestion = new Map<number, Set<number>>();
    for (const item of items) byQuestion.set(item.question, (byQuestion.get(item.question) ?? new Set()).add(item.at));
    unmatched.push(byQuestion);
  }
  const { results, byQuestion } = summarize(evaluation, { questions, runs, unmatched });
  const lines = byQuestion.map((question) => `${JSON.stringify(question)}\n`).join('');
  const key = questionsKey(addressOfEvaluation(evaluation));
  await deps.stored.put(evaluation.region, key, Buffer.from(lines), 'application/x-ndjson');
  return deps.evaluations.complete(evaluation, results, run.clock.now().toISOString());
};
