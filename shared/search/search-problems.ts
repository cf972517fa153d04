import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { type IndexRecord, requireFeature } from '../indexes/index.ts';
import { problemsOf, hasFeature, type Filter, parseText } from '#engine';
import { filterProblems, vectorProblems } from '../vectors/index.ts';
import type { SearchInput } from './execute-search.ts';

interface ValidatedCall<Fields, Prefetched> {
  readonly body: Fields;
  readonly sent: unknown;
  readonly prefetched: Promise<Prefetched>;
}

type SearchBody = Partial<Pick<SearchInput, 'vector' | 'text' | 'filter' | 'exact'>>;

const hasPhrases = (text: string, index: IndexRecord): boolean => {
  const { required, excluded } = parseText(text, { language: index.textLanguage });
  return required.length + excluded.length > 0;
};

/** Returns the problems of a filter on the engine of its index. Throws 409 for a condition that the engine lacks. */
const engineFilterProblems = (filter: Filter, index: IndexRecord): readonly ValidationProblem[] => {
  const lacking = problemsOf(index.engine).ofFilter(filter);
  if (lacking === null) return [];
  if (lacking.feature === 'large_filters') return [valueProblem(['body', 'filter'], lacking.message)];
  requireFeature(index, lacking.feature);
  throw lacking;
};

/** Validates a search against its index, after its schema. Throws 404 and 409. */
export const searchProblems =
  (mode: SearchInput['mode']) =>
  async ({
    body: { vector, text, filter, exact = false },
    sent,
    prefetched,
  }: ValidatedCall<SearchBody, { readonly index: IndexRecord }>): Promise<readonly ValidationProblem[]> => {
    const { index } = await prefetched;
    if (exact) requireFeature(index, 'exact_search');
    if (mode !== 'dense' && !hasFeature(index.engine, 'phrases') && hasPhrases(text ?? '', index))
      requireFeature(index, 'phrases');
    return [
      ...(vector === undefined ? [] : vectorProblems(['body', 'vector'], vector, index)),
      ...filterProblems(sent, index),
      ...(filter === undefined ? [] : engineFilterProblems(filter, index)),
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
