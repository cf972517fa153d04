import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StrataClient } from '#client';
import { searchModes } from './ask-questions.ts';

const pollMs = 200;

/** Golden set about the handbook. */
export const goldenSetFile = join(import.meta.dirname, 'handbook-questions.jsonl');

/** Stores the golden set of the handbook and prints what each kind of search finds of it. @throws Error if that fails. */
export const evaluateHandbook = async (
  client: StrataClient,
  index: string,
  write: (line: string) => void,
): Promise<void> => {
  const lines = (await readFile(goldenSetFile, 'utf8')).trim().split('\n');
  // Cast: the file has the form of the API.
  const body = lines.map((line) => JSON.parse(line) as { readonly query: string; readonly relevant: [] });
  const [path, name] = [{ index_id: index }, 'handbook'];
  await client.put('/v1/indexes/{index_id}/golden-sets/{golden_set}', {
    params: { path: { ...path, golden_set: name } },
    body,
  });
  const { id } = await client.post('/v1/indexes/{index_id}/evaluations', {
    params: { path },
    body: { golden_set: name, searches: searchModes.map((mode) => ({ name: mode, mode })) },
  });
  for (;;) {
    const {
      results,
      error,
      completed_at: at,
    } = await client.get('/v1/indexes/{index_id}/evaluations/{evaluation_id}', {
      params: { path: { ...path, evaluation_id: id } },
    });
    if (error !== null) throw new Error(`the evaluation failed: ${error}`);
    if (results !== null && at !== null) {
      write(`\nThe golden set ${name}, ${results.questions} questions:`);
      for (const { search, metrics } of results.searches) {
        const { ndcg_at_10: ndcg, hit_at_1: first } = metrics;
        const interval = `${ndcg.low.toFixed(2)} to ${ndcg.high.toFixed(2)}`;
        write(
          `  ${search.padEnd(8)}nDCG@10 ${ndcg.mean.toFixed(2)} (95 %: ${interval}), first hit ${first.mean.toFixed(2)}`,
        );
      }
      return;
    }
    await pause(pollMs);
  }
};
