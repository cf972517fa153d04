import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '#engine';
import { openService, type Service } from '../peers/service.ts';
import { markdownTable } from '../report/table.ts';
import { judgedQuestions } from './judge.ts';
import { mean, ndcg } from './ndcg.ts';
import type { Collection } from './read-collection.ts';

const depth = 10;
const batchRows = 200;
const engines: readonly EngineName[] = ['lance', 's3_vectors'];
const modes = ['sparse', 'dense', 'hybrid'] as const;

interface Found {
  readonly results: readonly { readonly id: string }[];
}

/** Writes a collection to an index of an engine. Returns the id of the index. */
const fill = async (service: Service, engine: EngineName, { documents }: Collection): Promise<string> => {
  const created = await service.call('POST', '/v1/indexes', { name: engine, engine });
  const { id: index } = created as { readonly id: string };
  const rows = [...documents].map(([id, text]) => ({ id, text }));
  for (let at = 0; at < rows.length; at += batchRows)
    await service.call('POST', `/v1/indexes/${index}/vectors`, rows.slice(at, at + batchRows));
  return index;
};

/** Returns the mean nDCG@10 of all judged questions in each mode, in the defaults of the API. */
const scoresOf = async (service: Service, index: string, collection: Collection): Promise<readonly number[]> => {
  const scores: number[] = [];
  for (const mode of modes) {
    const ofQuestions: number[] = [];
    for (const { question, wanted } of judgedQuestions(collection)) {
      const search = { text: question.replaceAll('"', ' '), top_k: depth };
      const found = (await service.call('POST', `/v1/indexes/${index}/search/${mode}`, search)) as Found;
      const ids = found.results.map(({ id }) => id);
      ofQuestions.push(ndcg(ids, wanted, depth));
    }
    scores.push(mean(ofQuestions));
  }
  return scores;
};

/** Runs all questions of each collection on both engines of a local service, and prints the mean nDCG@10. */
export const compareEngines = async (collections: readonly Collection[]): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-engines-'));
  const service = await openService(directory);
  try {
    const table: string[][] = [];
    for (const collection of collections)
      for (const engine of engines) {
        const index = await fill(service, engine, collection);
        const scores = await scoresOf(service, index, collection);
        table.push([collection.name, engine, ...scores.map((score) => score.toFixed(4))]);
        await service.call('DELETE', `/v1/indexes/${index}`);
      }
    console.log(markdownTable(['Collection', 'Engine', ...modes], table));
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};
