import { join } from 'node:path';
import { fuseHits, type Fusion, type TextLanguage } from '#engine';
import { crossEncoder, tokenSimilarity } from '../../shared/platform/rerank/names.ts';
import { applyRerank } from '../../shared/ranking/index.ts';
import { scorersOf } from '../../shared/platform/rerank/scorers.ts';
import { embeddedText } from '../../shared/kernel/row-metadata.ts';
import { chooseFusion } from '../../shared/search/index.ts';
import { percentile } from '../measure/searches.ts';
import type { Ask } from './index-collection.ts';
import { mean, ndcg } from './ndcg.ts';
import type { Collection } from './read-collection.ts';
import { referenceBm25 } from './reference-bm25.ts';
import type { TextPeer } from './text-peers.ts';

const depth = 10;
/** Candidates of each side of a hybrid search. */
const candidates = 100;
/** Hits that a reranker scores, and questions that it is judged by at most. */
const [rerankedHits, maxReranked] = [20, 80];

/** Mean nDCG@10, and the share of questions whose first hit answers them. */
export interface Score {
  readonly ndcg: number;
  readonly first: number;
}

/** Hybrid search with a second stage, on a part of the questions. */
export interface SecondStage {
  readonly model: string;
  /** Null: without the second stage. */
  readonly blend: number | null;
  readonly score: Score;
}

export interface Judged {
  readonly name: string;
  readonly language: TextLanguage;
  readonly documents: number;
  readonly questions: number;
  readonly scores: Readonly<Record<'reference' | 'sparse' | 'dense' | 'hybrid', Score>>;
  readonly grid: readonly { readonly fusion: Fusion; readonly score: number }[];
  readonly secondStages: readonly SecondStage[];
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

export const weights = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const grid: readonly Fusion[] = [
  ...[10, 60].flatMap((k) => weights.map((denseWeight) => ({ method: 'rrf' as const, k, denseWeight }))),
  ...weights.map((denseWeight) => ({ method: 'weighted' as const, k: 60, denseWeight })),
];

const openScores = (wanted: (question: number) => ReadonlySet<string>) => {
  const [ndcgs, firsts]: [number[], number[]] = [[], []];
  return {
    add: (question: number, ids: readonly string[]): void => {
      const relevant = wanted(question);
      ndcgs.push(ndcg(ids, relevant, depth));
      firsts.push(relevant.has(ids[0] ?? '') ? 1 : 0);
    },
    result: (): Score => ({ ndcg: mean(ndcgs), first: mean(firsts) }),
  };
};

const idsOf = ({ hits }: Awaited<ReturnType<Ask>>): readonly string[] => hits.map(({ row }) => row.id);

/** Quotes would make phrases, which the reference does not support. */
const plainText = (question: string): string => question.replaceAll('"', ' ');

/** How a collection is judged. */
interface JudgeOptions {
  readonly peers: readonly TextPeer[];
  /** Whether rerankers are judged, which takes about a second for each question. */
  readonly withSecondStages: boolean;
  /** Name of the model of the index, which decides the fusion. */
  readonly model: string;
}

const fusionFor = (text: string, textLanguage: TextLanguage, embeddingModel: string): Fusion =>
  chooseFusion(null, { embeddingModel, textLanguage }, text);

const blends = [0.25, 0.5, 1];

const scorers = scorersOf(join(import.meta.dirname, '..', '..'));

/** Judges hybrid search with each embedded reranker. A reranker scores the hits once, for all blends. */
const judgeSecondStages = async (
  collection: Collection,
  ask: Ask,
  embeddingModel: string,
): Promise<readonly SecondStage[]> => {
  const all = judgedQuestions(collection);
  const step = Math.ceil(all.length / maxReranked);
  const questions = all.filter((_, at) => at % step === 0);
  const wanted = (question: number): ReadonlySet<string> => questions[question]?.wanted ?? new Set();
  const first = openScores(wanted);
  const ways = [crossEncoder, tokenSimilarity].flatMap((model) =>
    blends.map((blend) => ({ model, blend, scores: openScores(wanted) })),
  );
  for (const [at, { question }] of questions.entries()) {
    const text = plainText(question);
    const fusion = fusionFor(text, collection.language, embeddingModel);
    const search = { mode: 'hybrid' as const, text, top_k: rerankedHits, fusion };
    const plain = await ask(search);
    first.add(at, idsOf(plain));
    for (const model of [crossEncoder, tokenSimilarity]) {
      const texts = plain.hits.map(({ row }) => embeddedText(row));
      const { scores: ordered } = await scorers(model)(text, texts, () => false);
      for (const way of ways.filter((one) => one.model === model))
        way.scores.add(
          at,
          applyRerank(plain.hits, ordered, way).map(({ row }) => row.id),
        );
    }
  }
  return [
    { model: 'hybrid', blend: null, score: first.result() },
    ...ways.map(({ model, blend, scores }) => ({ model, blend, score: scores.result() })),
  ];
};

/** Returns the mean nDCG@10 of dense search. */
export const judgeDense = async (collection: Collection, ask: Ask): Promise<number> => {
  const scores: number[] = [];
  for (const { question, wanted } of judgedQuestions(collection)) {
    const found = await ask({ mode: 'dense', text: plainText(question), top_k: depth });
    scores.push(ndcg(idsOf(found), wanted, depth));
  }
  return mean(scores);
};

/** Runs every question of a collection on every kind of search, and on every peer. */
export const judge = async (
  collection: Collection,
  ask: Ask,
  { peers, withSecondStages, model }: JudgeOptions,
): Promise<Judged> => {
  const reference = await referenceBm25(collection);
  const questions = judgedQuestions(collection);
  const wanted = (question: number): ReadonlySet<string> => questions[question]?.wanted ?? new Set();
  const scores = {
    reference: openScores(wanted),
    sparse: openScores(wanted),
    dense: openScores(wanted),
    hybrid: openScores(wanted),
  };
  const gridScores = grid.map(() => openScores(wanted));
  for (const [at, { question }] of questions.entries()) {
    const text = plainText(question);
    const sparse = await ask({ mode: 'sparse', text, top_k: candidates });
    const dense = await ask({ mode: 'dense', text, top_k: candidates });
    const fusion = fusionFor(text, collection.language, model);
    const hybrid = await ask({ mode: 'hybrid', text, top_k: depth, fusion });
    const ranked = (answer: typeof sparse) => answer.hits.map((hit) => ({ id: hit.row.id, score: hit.score }));
    scores.reference.add(at, await reference(text, depth));
    scores.sparse.add(at, idsOf(sparse));
    scores.dense.add(at, idsOf(dense));
    scores.hybrid.add(at, idsOf(hybrid));
    for (const [way, one] of grid.entries()) {
      const fused = fuseHits(ranked(dense), ranked(sparse), one, 'cosine', depth);
      gridScores[way]?.add(
        at,
        fused.map((hit) => hit.id),
      );
    }
  }
  const own: TextPeer = {
    title: 'sparse',
    ask: async (question, limit) => idsOf(await ask({ mode: 'sparse', text: plainText(question), top_k: limit })),
  };
  const judgedPeers: PeerJudged[] = [];
  for (const peer of [own, ...peers]) judgedPeers.push(await judgePeer(collection, peer));
  return {
    name: collection.name,
    language: collection.language,
    documents: collection.documents.size,
    questions: questions.length,
    scores: {
      reference: scores.reference.result(),
      sparse: scores.sparse.result(),
      dense: scores.dense.result(),
      hybrid: scores.hybrid.result(),
    },
    grid: grid.map((fusion, at) => ({ fusion, score: gridScores[at]?.result().ndcg ?? 0 })),
    secondStages: withSecondStages ? await judgeSecondStages(collection, ask, model) : [],
    peers: judgedPeers,
  };
};
