import type { GoldenQuestion } from '../golden-sets/index.ts';
import { type EvaluatedHit, measure, type MetricName, metricNames, type Metrics } from './metrics.ts';
import type { EvaluationResults, NewEvaluation, SearchResults } from './record.ts';
import { detectableLoss, type Estimate, estimates } from './statistics.ts';

/** Hits of one search on one content, by question. */
export interface RunHits {
  /** Position of the content: 0 is the index. */
  readonly content: number;
  /** Position of the search. */
  readonly search: number;
  readonly hits: readonly (readonly EvaluatedHit[])[];
}

/** Relevant items that match no row, by content: for each question the numbers of its items. */
export type Unmatched = readonly ReadonlyMap<number, ReadonlySet<number>>[];

interface Evaluated {
  readonly questions: readonly GoldenQuestion[];
  readonly runs: readonly RunHits[];
  readonly unmatched: Unmatched;
}

/** Results of a question, as its line in the download has them. */
export interface QuestionResult {
  readonly query: string;
  readonly left_out: readonly number[];
  readonly results: readonly {
    readonly search: string;
    readonly content: SearchResults['content'];
    readonly metrics: Metrics | null;
    readonly hits: readonly { readonly id: string; readonly score: number; readonly grade: number | null }[];
  }[];
}

/** Hits of a question that its line has. */
const shownHits = 10;

const contentNames = ['index', 'compared'] as const;

/** Difference within which metrics are equal, since sums of the same gains differ in the last digits. */
const equalWithin = 1e-9;

/** Returns the grades of the items of a question that every content has, and which are left out. */
const gradesOf = ({ relevant }: GoldenQuestion, question: number, unmatched: Unmatched) => {
  const leftOut = relevant.flatMap((_, at) => (unmatched.some((items) => items.get(question)?.has(at)) ? [at] : []));
  const kept = relevant.flatMap(({ grade }, at) => (leftOut.includes(at) ? [] : [[at, grade] as const]));
  return { grades: new Map(kept), leftOut };
};

/** Position of the run that another one is compared with; null: it is the first. */
const baselineOf = (runs: readonly RunHits[], { content, search }: RunHits): number | null => {
  const wanted = content === 0 ? { content: 0, search: 0 } : { content: 0, search };
  const at = runs.findIndex((run) => run.content === wanted.content && run.search === wanted.search);
  return content === 0 && search === 0 ? null : at;
};

const byMetric = <Value>(of: (metric: MetricName) => Value): Readonly<Record<MetricName, Value>> =>
  // Cast: every metric has an entry.
  Object.fromEntries(metricNames.map((metric) => [metric, of(metric)])) as Record<MetricName, Value>;

/** Metrics of the questions that count, and their differences to a baseline, by the position of a run. */
interface Values {
  of(run: number, metric: MetricName): readonly number[];
  differences(run: number, baseline: number, metric: MetricName): readonly number[];
}

const openValues = (measured: readonly (readonly (Metrics | null)[])[]): Values => {
  const of: Values['of'] = (run, metric) =>
    (measured[run] ?? []).flatMap((metrics) => (metrics === null ? [] : [metrics[metric]]));
  return {
    of,
    differences: (run, baseline, metric) => {
      const former = of(baseline, metric);
      return of(run, metric).map((value, at) => value - (former[at] ?? 0));
    },
  };
};

/** Returns the intervals of all runs, from one bootstrap. */
const openEstimates = (runs: readonly RunHits[], values: Values) => {
  const columns = runs.flatMap((run, at) => {
    const baseline = baselineOf(runs, run);
    return metricNames.flatMap((metric) => [
      { name: `${at} ${metric}`, list: values.of(at, metric) },
      ...(baseline === null
        ? []
        : [{ name: `${at} ${metric} difference`, list: values.differences(at, baseline, metric) }]),
    ]);
  });
  const intervals = estimates(columns.map(({ list }) => list));
  const byName = new Map(columns.map(({ name }, at) => [name, intervals[at]]));
  return (name: string): Estimate => byName.get(name) ?? { mean: 0, low: 0, high: 0 };
};

const nameOf = ({ search }: RunHits, searches: NewEvaluation['searches']) => searches[search]?.name ?? '';

const contentNameOf = ({ content }: RunHits) => contentNames[content] ?? 'index';

const toSearchResults = (
  runs: readonly RunHits[],
  searches: NewEvaluation['searches'],
  values: Values,
): readonly SearchResults[] => {
  const estimateOf = openEstimates(runs, values);
  return runs.map((run, at) => {
    const baseline = baselineOf(runs, run);
    const changes = baseline === null ? [] : values.differences(at, baseline, 'ndcg_at_10');
    return {
      search: nameOf(run, searches),
      content: contentNameOf(run),
      metrics: byMetric((metric) => estimateOf(`${at} ${metric}`)),
      difference: baseline === null ? null : byMetric((metric) => estimateOf(`${at} ${metric} difference`)),
      detectableLoss:
        baseline === null ? null : byMetric((metric) => detectableLoss(values.differences(at, baseline, metric))),
      gains: changes.filter((change) => change > equalWithin).length,
      losses: changes.filter((change) => change < -equalWithin).length,
    };
  });
};

/** Returns the results of an evaluation, and those of each question. */
export const summarize = (
  { searches, k }: Pick<NewEvaluation, 'searches' | 'k'>,
  { questions, runs, unmatched }: Evaluated,
): { readonly results: EvaluationResults; readonly byQuestion: readonly QuestionResult[] } => {
  const judged = questions.map((question, at) => gradesOf(question, at, unmatched));
  // A question without relevant items has no metrics in any run, so that lists of values are parallel.
  const measured = runs.map(({ hits }) => judged.map(({ grades }, at) => measure(hits[at] ?? [], grades, k)));
  const sizeOf = (content: number): number =>
    [...(unmatched[content]?.values() ?? [])].reduce((sum, items) => sum + items.size, 0);
  const kept = judged.filter(({ grades }) => [...grades.values()].some((grade) => grade > 0)).length;
  const results: EvaluationResults = {
    questions: kept,
    questionsLeftOut: questions.length - kept,
    relevantLeftOut: judged.reduce((sum, { leftOut }) => sum + leftOut.length, 0),
    unmatched: { index: sizeOf(0), compared: unmatched.length > 1 ? sizeOf(1) : null },
    searches: toSearchResults(runs, searches, openValues(measured)),
  };
  const byQuestion = questions.map(({ query }, question): QuestionResult => ({
    query,
    left_out: judged[question]?.leftOut ?? [],
    results: runs.map((run, at) => ({
      search: nameOf(run, searches),
      content: contentNameOf(run),
      metrics: measured[at]?.[question] ?? null,
      hits: (run.hits[question] ?? []).slice(0, shownHits).map(({ id, score, matches }) => {
        const grades = matches.flatMap((item) => judged[question]?.grades.get(item) ?? []);
        return { id, score, grade: grades.length === 0 ? null : Math.max(...grades) };
      }),
    })),
  }));
  return { results, byQuestion };
};
