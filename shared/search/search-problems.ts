import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { type IndexRecord, requireFeature } from '../indexes/index.ts';
import { crossEncoder } from '../platform/rerank/names.ts';
import type { RerankModels } from '../platform/rerank/rerank-models.ts';
import { problemsOf, hasFeature, type Filter, filterKeys, hasPhrases } from '#engine';
import { filterProblems, hiddenKeyProblems, vectorProblems } from '../vectors/index.ts';
import type { SearchInput } from './execute-search.ts';
import { maxContextHits, withDefaults } from './resolve-ranking.ts';

interface ValidatedCall<Fields, Prefetched> {
  readonly body: Fields;
  readonly sent: unknown;
  readonly prefetched: Promise<Prefetched>;
}

/** A search whose index and rerankers are known. */
interface SearchToValidate extends ValidatedCall<SearchBody, { readonly index: IndexRecord }> {
  readonly deps: { readonly rerankModels: RerankModels };
}

type SearchBody = Partial<Omit<SearchInput, 'mode'>>;

/** Returns the problems of a filter on the engine of its index. Throws 409 for a condition that the engine lacks. */
const engineFilterProblems = (filter: Filter, index: IndexRecord): readonly ValidationProblem[] => {
  const lacking = problemsOf(index.engine).ofFilter(filter);
  if (lacking === null) return [];
  if (lacking.feature === 'large_filters') return [valueProblem(['body', 'filter'], lacking.message)];
  requireFeature(index, lacking.feature);
  throw lacking;
};

/** Returns the problems of several queries in place of one. */
const queriesProblems = (
  mode: SearchInput['mode'],
  { queries = [], text, vector, rerank }: SearchBody,
  index: IndexRecord,
): readonly ValidationProblem[] => [
  ...queries.flatMap((query, at) => [
    ...(query.vector === undefined ? [] : vectorProblems(['body', 'queries', at, 'vector'], query.vector, index)),
    ...(mode !== 'dense' && query.text === undefined
      ? [valueProblem(['body', 'queries', at], 'a search by words needs a text')]
      : []),
  ]),
  ...(queries.length > 0 && (text !== undefined || vector !== undefined)
    ? [valueProblem(['body', 'queries'], 'give `queries`, or `text` and `vector`')]
    : []),
  ...(queries.length > 0 && typeof rerank === 'object' && rerank !== null && rerank.query === undefined
    ? [valueProblem(['body', 'rerank', 'query'], 'with several queries, the reranker needs a question of its own')]
    : []),
];

/** Returns the problems of a lowest score: of a side that is not searched, or of fused scores. */
const minScoreProblems = (
  mode: SearchInput['mode'],
  minScore: SearchBody['min_score'],
  hasReranker: boolean,
): readonly ValidationProblem[] => {
  if (minScore === undefined) return [];
  const loc = ['body', 'min_score'];
  if (typeof minScore === 'number') {
    if (mode !== 'hybrid' || hasReranker) return [];
    const reason = 'fused scores depend on the other hits, so name the score: {"dense": 0.5}, "sparse" or "rerank"';
    return [valueProblem(loc, reason)];
  }
  const isAbsent = { dense: mode === 'sparse', sparse: mode === 'dense', rerank: !hasReranker };
  return (['dense', 'sparse', 'rerank'] as const).flatMap((name) =>
    minScore[name] !== undefined && isAbsent[name]
      ? [valueProblem([...loc, name], 'this search has no such score')]
      : [],
  );
};

/** Returns the problems of the stages of a search. */
const stageProblems = (
  search: SearchBody & Pick<SearchInput, 'mode'>,
  index: IndexRecord,
  models: RerankModels['all'],
): readonly ValidationProblem[] => {
  const { mode, rerank, min_score: minScore, boost, facets = [] } = search;
  // Cast: fields that are not valid are absent, and count as not requested.
  const effective = withDefaults(search as SearchInput, index);
  const hasReranker = effective.rerank !== undefined && effective.rerank !== null;
  const asked = rerank ?? undefined;
  const model = models.find(({ id }) => effective.rerank?.model === undefined || id === effective.rerank.model);
  return [
    ...queriesProblems(mode, search, index),
    ...(search.context !== undefined && search.context !== null && (search.top_k ?? 0) > maxContextHits
      ? [valueProblem(['body', 'context'], `the text around more than ${maxContextHits} results is not returned`)]
      : []),
    ...minScoreProblems(mode, minScore, hasReranker),
    ...(asked !== undefined && models.length === 0
      ? [valueProblem(['body', 'rerank'], 'this deployment has no reranker')]
      : []),
    ...(asked?.model !== undefined && !models.some(({ id }) => id === asked.model)
      ? [valueProblem(['body', 'rerank', 'model'], `this is no reranker of GET /v1/models, such as ${crossEncoder}`)]
      : []),
    ...(asked !== undefined && asked.query === undefined && search.queries === undefined && search.text === undefined
      ? [valueProblem(['body', 'rerank', 'query'], 'without `text`, the reranker needs a question of its own')]
      : []),
    ...(search.cursor !== undefined && hasReranker && model?.runs === 'remote'
      ? [
          valueProblem(
            ['body', 'cursor'],
            'each page would be sent to a remote reranker again: request one larger page',
          ),
        ]
      : []),
    ...(boost?.conditions ?? []).flatMap(({ filter }, at) =>
      hiddenKeyProblems(
        index,
        filterKeys(filter).map((key) => [key, ['body', 'boost', 'conditions', at, 'filter', key]]),
      ),
    ),
    ...hiddenKeyProblems(
      index,
      facets.map(({ key }, at) => [key, ['body', 'facets', at, 'key']]),
    ),
  ];
};

/** Validates a search against its index, after its schema. Throws 404 and 409. */
export const searchProblems =
  (mode: SearchInput['mode']) =>
  async ({ body, sent, prefetched, deps }: SearchToValidate): Promise<readonly ValidationProblem[]> => {
    const { index } = await prefetched;
    const { vector, text, filter, exact = false, queries = [] } = body;
    if (exact) requireFeature(index, 'exact_search');
    if (body.cursor !== undefined) requireFeature(index, 'search_cursors');
    if (
      mode !== 'dense' &&
      !hasFeature(index.engine, 'phrases') &&
      [text, ...queries.map((query) => query.text)].some((one) =>
        hasPhrases(one ?? '', { language: index.textLanguage, analyzer: index.analyzer }),
      )
    )
      requireFeature(index, 'phrases');
    return [
      ...(vector === undefined ? [] : vectorProblems(['body', 'vector'], vector, index)),
      ...filterProblems(sent, index),
      ...(filter === undefined ? [] : engineFilterProblems(filter, index)),
      ...stageProblems({ ...body, mode }, index, deps.rerankModels.all),
    ];
  };

/** Validates a recall measurement against its index. Throws 404 and 409. */
export const recallProblems = async ({
  body: { vectors = [] },
  sent,
  prefetched,
}: ValidatedCall<{ readonly vectors?: readonly Float32Array[] | undefined }, IndexRecord>): Promise<
  readonly ValidationProblem[]
> => {
  const index = await prefetched;
  requireFeature(index, 'recall');
  return [
    ...vectors.flatMap((vector, at) => vectorProblems(['body', 'vectors', at], vector, index)),
    ...filterProblems(sent, index),
  ];
};
