import {
  addressOfEvaluation,
  type EvaluatedHit,
  type EvaluationRecord,
  ndcgDepth,
  openMatcher,
  partQuestions,
  partsOfRun,
} from '../../../../shared/evaluations/index.ts';
import type { GoldenQuestion } from '../../../../shared/golden-sets/index.ts';
import { asOfVersion, type IndexRecord } from '../../../../shared/indexes/index.ts';
import { evaluatedKey } from '../../../../shared/kernel/content-keys.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { type EvaluatedSearch, executeSearch, type SearchInput } from '../../../../shared/search/index.ts';
import { bothFilters } from '#engine';
import type { Evaluating } from '../uses.ts';

/** Searches that run at once. They share a process with their index. */
const searchesAtOnce = 4;

/** Hits of the questions of a part, by their positions in it. */
export interface EvaluatedPart {
  readonly hits: readonly (readonly EvaluatedHit[])[];
}

/** Run and questions of a part by its number. */
export const placeOfPart = (evaluation: EvaluationRecord, part: number) => {
  const { searches } = evaluation;
  const perRun = partsOfRun(evaluation);
  const run = Math.floor(part / perRun);
  return {
    content: Math.floor(run / searches.length),
    search: run % searches.length,
    from: (part % perRun) * partQuestions,
  };
};

export const partKey = (evaluation: EvaluationRecord, part: number): string =>
  evaluatedKey(addressOfEvaluation(evaluation), `part-${String(part).padStart(5, '0')}.json`);

/** Returns a content at the version that the evaluation reads. */
export const pinned = (content: IndexRecord, version: number | null | undefined): IndexRecord =>
  version == null ? content : asOfVersion(content, version);

/** Returns the search of a question, as the search endpoints would have it. */
const toInput = (
  { filter, ...search }: EvaluatedSearch,
  { query, filter: own, relevant }: GoldenQuestion,
  depth: number,
): SearchInput => {
  const both = own == null ? filter : bothFilters(filter, own);
  const include = relevant.some(({ text }) => text !== undefined) ? ['text'] : [];
  return { ...search, text: query, top_k: depth, include, ...(both && { filter: both }) };
};

/** Embeds the questions of a part in one batch. The searches then use these vectors. */
const embedTogether = async (
  { deps }: Evaluating,
  content: IndexRecord,
  search: EvaluatedSearch,
  texts: readonly string[],
): Promise<number> => {
  if (search.mode === 'sparse' || !deps.reader.isLocal(content)) return 0;
  const { tokens } = await deps.reader.execute(content, { op: 'embed', texts: [...texts], use: 'query' });
  return tokens;
};

/** Searches with each question of a part, as the search endpoints do, and stores the hits. Returns the tokens. */
export const runPart = async (
  context: Evaluating,
  evaluation: EvaluationRecord,
  contents: readonly IndexRecord[],
  questions: readonly GoldenQuestion[],
): Promise<{ readonly tokens: number; readonly count: () => Promise<void> }> => {
  const { deps } = context;
  const { done: part, organizationId, k } = evaluation;
  const place = placeOfPart(evaluation, part);
  const [content, search] = [contents[place.content], evaluation.searches[place.search]];
  if (content === undefined || search === undefined) throw new Error('the evaluation has no such part');
  const index = pinned(content, evaluation.versions[place.content]);
  const asked = questions.slice(place.from, place.from + partQuestions);
  const texts = search.mode === 'sparse' ? [] : asked.map(({ query }) => query);
  const plan = await planOf(deps.organizations, organizationId);
  const settle = await deps.tokens.reserve({ organizationId, plan }, texts);
  const used = { tokens: 0, searches: 0, units: 0 };
  // Decays count from one time, so that a repeat finds the same.
  const stages = { models: deps.rerankModels.all, nowMs: Date.parse(evaluation.createdAt), page: null };
  try {
    used.tokens = await embedTogether(context, index, search, texts);
    const hits = await inParallel(asked, searchesAtOnce, async (question): Promise<readonly EvaluatedHit[]> => {
      const found = await executeSearch(deps.reader, index, toInput(search, question, Math.max(k, ndcgDepth)), stages);
      used.tokens += found.tokens;
      used.searches += found.ranking?.searches ?? 1;
      used.units += found.ranking?.rerank?.units ?? 0;
      const matchesOf = openMatcher(question);
      return found.hits.map(({ row, score }) => ({ id: row.id, score, matches: matchesOf(row) }));
    });
    const body: EvaluatedPart = { hits };
    const bytes = Buffer.from(JSON.stringify(body));
    await deps.stored.put(evaluation.region, partKey(evaluation, part), bytes, 'application/json');
  } finally {
    await settle(used.tokens);
  }
  const count = async (): Promise<void> => {
    await deps.usage.countSearch(organizationId, content.id, search.mode, used.tokens, used.searches, used.units);
  };
  return { tokens: used.tokens, count };
};
