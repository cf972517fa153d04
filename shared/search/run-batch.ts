import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { AppError, invalid, statusByCode, ValidationFailure } from '../kernel/errors.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { BatchSearch, BatchSearchResponse } from './batch-schemas.ts';
import { runOn, type SearchCall, type searchUses } from './run-search.ts';
import { searchProblems } from './search-problems.ts';
import { batchConcurrency } from './search-weight.ts';

/** Bytes of all responses of a batch. */
const maxResponseBytes = 4 * 1024 * 1024;

type Item = z.input<typeof BatchSearchResponse>['responses'][number];

/** Returns the error of one search. Throws what is no error of a request. */
const toItem = (error: unknown): Item => {
  if (error instanceof ValidationFailure) {
    const detail = error.problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ');
    return { status: 422, error: { code: 'validation', detail } };
  }
  if (!(error instanceof AppError)) throw error;
  return { status: statusByCode[error.code], error: { code: error.code, detail: error.message } };
};

/** Runs searches on one version of an index. Throws 422 if their responses are too large together. */
export const runBatch = async (
  {
    prefetched,
    ...call
  }: SearchCall<ReturnType<typeof searchUses>, IndexRecord> & {
    readonly deps: Deps<ReturnType<typeof searchUses>>;
  },
  searches: z.output<typeof BatchSearch>['searches'],
): Promise<z.input<typeof BatchSearchResponse>> => {
  const index = await prefetched;
  const one = { index, counting: Promise.resolve(null), speculative: Promise.resolve(null) };
  let bytes = 0;
  const responses = await inParallel(
    searches.map((search, at) => ({ search, at })),
    batchConcurrency,
    async ({ search, at }): Promise<Item> => {
      let response: Item['response'];
      try {
        const body = { ...search };
        const problems = await searchProblems(search.mode)({
          body,
          sent: search,
          prefetched: Promise.resolve({ index }),
          deps: call.deps,
        });
        if (search.cursor !== undefined)
          throw invalid(['body', 'cursor'], 'a batch has one version: request a further page by itself');
        if (search.as_of !== undefined)
          throw invalid(['body', 'as_of'], 'a batch searches one version: search a former one by itself');
        if (search.rebuild !== undefined)
          throw invalid(['body', 'rebuild'], 'a batch searches one content: search a successor by itself');
        if (problems.length > 0) throw new ValidationFailure(problems);
        response = await runOn(call, one, search);
      } catch (error) {
        return toItem(error);
      }
      bytes += Buffer.byteLength(JSON.stringify(response));
      if (bytes > maxResponseBytes)
        throw invalid(['body', 'searches', at], 'with this search, the responses exceed 4 MB: request fewer results');
      return { status: 200, response };
    },
  );
  return { responses: [...responses] };
};
