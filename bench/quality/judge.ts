import { fuseHits, type Fusion } from '#engine';
import { embeddedModel } from '../../shared/platform/models/model-names.ts';
import { chooseFusion, HybridSearch } from '../../shared/search/index.ts';
import { percentile } from '../measure/searches.ts';
import type { Ask } from './index-collection.ts';
import { mean, ndcg } from './ndcg.ts';
import type { Collection } from './read-collection.ts';
import { referenceBm25 } from './reference-bm25.ts';
import type { TextPeer } from './text-peers.ts';

const depth = 10;
/** Candidates of each side of a hybrid search. */
const candidates = 100;

export interface Judged {
  readonly name: string;
  readonly documents: number;
  readonly questions: number;
  /** nDCG@10 of each way to search. */
  readonly scores: Readonly<Record<'reference' | 'sparse' | 'dense' | 'hybrid', number>>;
  readonly grid: readonly { readonly fusion: Fusion; readonly score: number }[];
  /** Results of the same questions for peers and for the sparse search. */
  readonly peers: readonly PeerJudged[];
}

export interface PeerJudged {
  readonly title: string;
  readonly score: number;
  /** Median time of a question, in the process of the search. */
  readonly ms: number;
}

/** Returns the judged questions, with the documents that answer them. */
export const judgedQuestions = ({ questions, relevant }: Collection) =>
  [...questions].flatMap(([id, question]) => {
    const wanted = relevant.get(id);
    return wanted === undefined || wanted.size === 0 ? [] : [{ question, wanted }];
  });

/** Runs all questions on one search, each twice, and times the second run. */
const judgePeer = async (collection: Collection, { title, ask }: TextPeer): Promise<PeerJudged> => {
  const scores: number[] = [];
  const times: number[] = [];
  for (const { question, wanted } of judgedQuestions(collection)) {
    scores.push(ndcg(await ask(question, depth), wanted, depth));
    const startedMs = performance.now();
    await ask(question, depth);
    times.push(performance.now() - startedMs);
  }
  return { title, score: mean(scores), ms: percentile(times, 0.5) };
};

const weights = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
const grid: readonly Fusion[] = [
  ...[5, 10, 20, 60].flatMap((k) => weights.map((denseWeight) => ({ method: 'rrf' as const, k, denseWeight }))),
  ...weights.map((denseWeight) => ({ method: 'weighted' as const, k: 60, denseWeight })),
];

/** Runs every question of a collection on every kind of search, and on every peer. */
export const judge = async (collection: Collection, ask: Ask, peers: readonly TextPeer[]): Promise<Judged> => {
  const reference = await referenceBm25(collection.documents);
  const scores = { reference: [] as number[], sparse: [] as number[], dense: [] as number[], hybrid: [] as number[] };
  const gridScores = grid.map(() => [] as number[]);
  for (const { question, wanted } of judgedQuestions(collection)) {
    // Quotes would make phrases, which the reference does not support.
    const text = question.replaceAll('"', ' ');
    const fusion = chooseFusion(HybridSearch.parse({ text }).fusion, { embeddingModel: embeddedModel }, text);
    const sparse = await ask({ mode: 'sparse', text, top_k: candidates });
    const dense = await ask({ mode: 'dense', text, top_k: candidates });
    const hybrid = await ask({ mode: 'hybrid', text, top_k: depth, fusion });
    const score = (ids: readonly string[]): number => ndcg(ids, wanted, depth);
    const ranked = (answer: typeof sparse) => answer.hits.map((hit) => ({ id: hit.row.id, score: hit.score }));
    const idsOf = (answer: typeof sparse): readonly string[] => answer.hits.map(({ row }) => row.id);
    scores.reference.push(score(await reference(text, depth)));
    scores.sparse.push(score(idsOf(sparse)));
    scores.dense.push(score(idsOf(dense)));
    scores.hybrid.push(score(idsOf(hybrid)));
    for (const [at, way] of grid.entries()) {
      const fused = fuseHits(ranked(dense), ranked(sparse), way, 'cosine', depth);
      gridScores[at]?.push(score(fused.map((hit) => hit.id)));
    }
  }
  const own: TextPeer = {
    title: 'sparse',
    ask: async (question, limit) =>
      (await ask({ mode: 'sparse', text: question.replaceAll('"', ' '), top_k: limit })).hits.map(({ row }) => row.id),
  };
  const judgedPeers: PeerJudged[] = [];
  for (const peer of [own, ...peers]) judgedPeers.push(await judgePeer(collection, peer));
  return {
    name: collection.name,
    documents: collection.documents.size,
    questions: scores.reference.length,
    scores: {
      reference: mean(scores.reference),
      sparse: mean(scores.sparse),
      dense: mean(scores.dense),
      hybrid: mean(scores.hybrid),
    },
    grid: grid.map((fusion, at) => ({ fusion, score: mean(gridScores[at] ?? []) })),
    peers: judgedPeers,
  };
};
