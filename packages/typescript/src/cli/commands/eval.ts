import { pause } from '../../pause.ts';
import type { components } from '../../schema.ts';
import { argument, type Call, type Command, exitCodes, textOption, UsageError } from '../command.ts';

const pollMs = 500;

type Report = components['schemas']['EvaluationReport'];
type Results = NonNullable<Report['results']>;
type Search = Results['searches'][number];
type Metric = components['schemas']['MetricName'];

const metrics = ['ndcg_at_10', 'recall_at_k', 'mrr', 'hit_at_1'] as const satisfies readonly Metric[];
const modes = ['dense', 'sparse', 'hybrid'] as const;

const isMode = (name: string): name is (typeof modes)[number] => modes.some((mode) => mode === name);
const isMetric = (name: string): name is Metric => metrics.some((metric) => metric === name);

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`;

const lineOf = ({ search, content, metrics: found, difference }: Search, metric: Metric): string => {
  const { mean, low, high } = found[metric];
  const own = `${search} ${content} ${metric} ${mean.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`;
  if (difference === null) return own;
  const change = difference[metric];
  return `${own}, ${signed(change.mean)} (${signed(change.low)} to ${signed(change.high)})`;
};

const describe = ({ questions, questions_left_out: leftOut, searches }: Results): string =>
  [
    `${questions} questions${leftOut === 0 ? '' : `, ${leftOut} left out`}`,
    ...searches.flatMap((search) => metrics.map((metric) => lineOf(search, metric))),
  ].join('\n');

/** Shows the progress of an evaluation until it has ended. */
const watch = async (
  call: Call,
  path: { readonly index_id: string; readonly evaluation_id: string },
): Promise<Report> => {
  for (;;) {
    const found = await call.client().get('/v1/indexes/{index_id}/evaluations/{evaluation_id}', { params: { path } });
    if (found.completed_at !== null) return found;
    call.note(`${found.searches_done} of ${found.searches_total} searches`, true);
    await pause(pollMs);
  }
};

/** Returns a number between 0 and 1 of an option. Throws UsageError for another value. */
const shareOption = (call: Call, name: string): number | undefined => {
  const text = textOption(call, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageError(`--${name} is "${text}". Give a number from 0 to 1.`);
  return value;
};

/** Whether what was compared loses more than allowed, and the interval of the loss excludes 0. */
const hasLost = ({ searches }: Results, metric: Metric, maxLoss: number): boolean =>
  searches.some(({ content, difference }) => {
    const change = content === 'compared' ? difference?.[metric] : undefined;
    return change !== undefined && -change.mean > maxLoss && change.high < 0;
  });

export const evaluate: Command = {
  usage: 'eval SET [--mode dense|sparse|hybrid] [--compare INDEX|REBUILD] [--metric NAME] [--max-loss N]',
  summary: 'measures what searches of the index of --index find by a golden set; exit code 1 if --compare loses',
  options: {
    mode: { type: 'string' },
    compare: { type: 'string' },
    metric: { type: 'string' },
    'max-loss': { type: 'string' },
  },
  run: async (call) => {
    const [mode, metric] = [textOption(call, 'mode') ?? 'hybrid', textOption(call, 'metric') ?? 'ndcg_at_10'];
    if (!isMode(mode)) throw new UsageError(`--mode is "${mode}". Give ${modes.join(', ')}.`);
    if (!isMetric(metric)) throw new UsageError(`--metric is "${metric}". Give ${metrics.join(', ')}.`);
    const maxLoss = shareOption(call, 'max-loss') ?? 0;
    const name = argument(call, 0, 'SET');
    const compared = textOption(call, 'compare');
    const index_id = await call.indexId();
    const compareTo = compared === undefined || compared.startsWith('reb_') ? compared : await call.indexIdOf(compared);
    const started = await call.client().post('/v1/indexes/{index_id}/evaluations', {
      params: { path: { index_id } },
      body: {
        golden_set: name,
        searches: [{ name: mode, mode }],
        ...(compareTo === undefined ? {} : { compare_to: compareTo }),
      },
    });
    const report = await watch(call, { index_id, evaluation_id: started.id });
    if (report.results === null) {
      call.print(report, report.error ?? 'The evaluation has failed.');
      return exitCodes.failed;
    }
    call.print(report, describe(report.results));
    return hasLost(report.results, metric, maxLoss) ? exitCodes.failed : 0;
  },
};
