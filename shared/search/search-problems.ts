import type { ValidationProblem } from '../kernel/errors.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { Reader } from '../reader/index.ts';
import { filterProblems, vectorProblems } from '../vectors/index.ts';

interface ValidatedCall<Fields, Prefetched> {
  readonly body: Fields;
  readonly sent: unknown;
  readonly deps: { readonly reader: Reader };
  readonly prefetched: Promise<Prefetched>;
}

/** Validates a search against its index, after its schema. Throws 404 and 409. */
export const searchProblems = async ({
  body: { vector },
  sent,
  deps,
  prefetched,
}: ValidatedCall<{ readonly vector?: Float32Array | undefined }, { readonly index: IndexRecord }>): Promise<
  readonly ValidationProblem[]
> => {
  const { index } = await prefetched;
  return [
    ...(vector === undefined ? [] : vectorProblems(['body', 'vector'], vector, index)),
    ...(await filterProblems(sent, index, deps.reader)),
  ];
};

/** Validates a recall measurement against its index. Throws 404 and 409. */
export const recallProblems = async ({
  body: { vectors = [] },
  sent,
  deps,
  prefetched,
}: ValidatedCall<{ readonly vectors?: readonly Float32Array[] | undefined }, IndexRecord>): Promise<
  readonly ValidationProblem[]
> => {
  const index = await prefetched;
  return [
    ...vectors.flatMap((vector, at) => vectorProblems(['body', 'vectors', at], vector, index)),
    ...(await filterProblems(sent, index, deps.reader)),
  ];
};
