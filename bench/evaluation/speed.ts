import { setTimeout as delay } from 'node:timers/promises';
import { seededNormal, seededRandom } from '../data/random.ts';
import type { Organization } from '../files/service.ts';

type Api = Organization['api'];

const batchRows = 500;
const dimensions = 384;
const vocabulary = 20_000;

const pathOf = (index: string) => ({ path: { index_id: index } });

/** Share of the rows that are written last, which lie in segments above the table of the others. */
const recentShare = 0.05;

/** Returns a function that writes rows of drawn words and vectors, and the texts that it has written. */
const openFill = (api: Api, index: string) => {
  const [random, normal] = [seededRandom(3), seededNormal(5)];
  const texts: string[] = [];
  // Low numbers are frequent, as some words are: the most frequent ones are in a fifth of the rows.
  const word = (): string => `word${Math.floor(vocabulary * random() ** 2)}`;
  const [minWords, moreWords] = [20, 60];
  const fill = async (until: number): Promise<void> => {
    while (texts.length < until) {
      const body = Array.from({ length: Math.min(batchRows, until - texts.length) }, () => {
        const text = Array.from({ length: minWords + Math.floor(random() * moreWords) }, word).join(' ');
        const id = `row-${texts.length}`;
        texts.push(text);
        return { id, text, vector: Array.from({ length: dimensions }, () => normal()) };
      });
      await api.post('/v1/indexes/{index_id}/vectors', { params: pathOf(index), body });
    }
  };
  return { fill, texts };
};

/** Waits until all rows but some are indexed. */
const awaitIndexed = async (api: Api, index: string, rows: number, except: number): Promise<void> => {
  const untilMs = performance.now() + 600_000;
  for (;;) {
    const stats = await api.get('/v1/indexes/{index_id}/stats', { params: pathOf(index) });
    if (stats.vectors >= rows && stats.unindexed_vectors <= except) return;
    if (performance.now() > untilMs) throw new Error(`${stats.unindexed_vectors} rows are not indexed`);
    await delay(1_000);
  }
};

/** Fills an index, and waits until most of its rows are in a table. The last ones stay in segments, as after a few writes. */
const fillIndex = async (
  api: Api,
  rows: number,
): Promise<{ readonly index: string; readonly texts: readonly string[] }> => {
  const { id: index } = await api.post('/v1/indexes', {
    body: { name: 'evaluated', embedding_model: 'embedded-minilm-l6-v2', dimensions },
  });
  const { fill, texts } = openFill(api, index);
  const recent = Math.floor(rows * recentShare);
  await fill(rows - recent);
  await awaitIndexed(api, index, rows - recent, recent);
  await fill(rows);
  await awaitIndexed(api, index, rows, 2 * recent);
  return { index, texts };
};

/** Evaluates an index of some rows with some questions, and returns the seconds of the evaluation. */
export const timeEvaluation = async (
  { api }: Organization,
  { rows, questions }: { readonly rows: number; readonly questions: number },
): Promise<number> => {
  const { index, texts } = await fillIndex(api, rows);
  const random = seededRandom(9);
  const body = Array.from({ length: questions }, () => {
    const at = Math.floor(random() * rows);
    return { query: texts[at]?.split(' ').slice(0, 8).join(' ') ?? '', relevant: [{ id: `row-${at}` }] };
  });
  await api.put('/v1/indexes/{index_id}/golden-sets/{golden_set}', {
    params: { path: { index_id: index, golden_set: 'drawn' } },
    body,
  });
  const { id } = await api.post('/v1/indexes/{index_id}/evaluations', {
    params: pathOf(index),
    body: { golden_set: 'drawn', searches: [{ name: 'both', mode: 'hybrid' }] },
  });
  for (;;) {
    const found = await api.get('/v1/indexes/{index_id}/evaluations/{evaluation_id}', {
      params: { path: { index_id: index, evaluation_id: id } },
    });
    if (found.status === 'failed') throw new Error(`the evaluation failed: ${found.error}`);
    if (found.completed_at !== null) return (Date.parse(found.completed_at) - Date.parse(found.created_at)) / 1_000;
    await delay(200);
  }
};
