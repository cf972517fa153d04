import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from '../report/table.ts';
import { indexCollection, openEmbedder } from './index-collection.ts';
import { judge, type Judged, judgeDense, weights } from './judge.ts';
import { mean } from './ndcg.ts';
import type { Collection } from './read-collection.ts';
import type { VectorStore } from '../../shared/platform/models/cache.ts';

const figure = (value: number): string => value.toFixed(4);

/** Scores of one collection with one model. */
interface Compared {
  readonly judged: Judged;
  /** nDCG@10 of dense search by questions in another language, and of its questions in that language; null: not parallel. */
  readonly across: { readonly from: number; readonly into: number } | null;
}

/** XQuAD has the same paragraphs and questions in each language, in one order. */
const isParallel = (left: Collection, right: Collection): boolean =>
  left !== right &&
  left.name.split('.')[0] === right.name.split('.')[0] &&
  left.questions.size === right.questions.size;

/** Judges a collection with a model, and across languages against a parallel English collection. */
const compare = async (
  collection: Collection,
  english: Collection | undefined,
  model: string,
  store: VectorStore,
): Promise<Compared> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-quality-'));
  try {
    const embedder = openEmbedder(store, model);
    const ask = await indexCollection(join(directory, 'own'), collection, embedder);
    const judged = await judge(collection, ask, { peers: [], withSecondStages: false, model: embedder.model });
    if (english === undefined || !isParallel(collection, english)) return { judged, across: null };
    const other = await indexCollection(join(directory, 'english'), english, embedder);
    const from = await judgeDense({ ...collection, questions: english.questions }, ask);
    return { judged, across: { from, into: await judgeDense({ ...english, questions: collection.questions }, other) } };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/**
 * Judges each collection with each model, and prints the mean nDCG@10.
 * @param models Names of embedded models, or folders.
 * @param withGrid Whether hybrid search is also printed by weights of its dense side.
 */
export const compareModels = async (
  collections: readonly Collection[],
  models: readonly string[],
  store: VectorStore,
  withGrid: boolean,
): Promise<void> => {
  const english = collections.find(({ name }) => name.endsWith('.en'));
  const rows: string[][] = [];
  const all = new Map<string, Compared[]>();
  for (const collection of collections)
    for (const model of models) {
      const compared = await compare(collection, english, model, store);
      const { judged, across } = compared;
      all.set(model, [...(all.get(model) ?? []), compared]);
      const { sparse, dense, hybrid } = judged.scores;
      const crossed = across === null ? ['–', '–'] : [figure(across.from), figure(across.into)];
      const byWeight = weights.map((_, at) => figure(judged.grid.at(at - weights.length)?.score ?? 0));
      const plain = [sparse.ndcg, dense.ndcg, hybrid.ndcg].map(figure);
      rows.push([judged.name, model, ...plain, ...crossed, ...(withGrid ? byWeight : [])]);
      console.error(rows.at(-1)?.join(' '));
    }
  for (const [model, compared] of all) {
    const means = (['sparse', 'dense', 'hybrid'] as const).map((side) =>
      figure(mean(compared.map(({ judged }) => judged.scores[side].ndcg))),
    );
    const crossed = compared.flatMap(({ across }) => across ?? []);
    const ways = (['from', 'into'] as const).map((way) =>
      crossed.length === 0 ? '–' : figure(mean(crossed.map((one) => one[way]))),
    );
    const byWeight = weights.map((_, at) =>
      figure(mean(compared.map(({ judged }) => judged.grid.at(at - weights.length)?.score ?? 0))),
    );
    rows.push(['Mean', model, ...means, ...ways, ...(withGrid ? byWeight : [])]);
  }
  const across = ['English questions', 'questions to English'];
  console.log(
    markdownTable(
      ['Collection', 'Model', 'sparse', 'dense', 'hybrid', ...across, ...(withGrid ? weights.map(String) : [])],
      rows,
    ),
  );
};
