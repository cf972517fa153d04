import type * as z from 'zod';
import { batchesOf } from '../kernel/batches.ts';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { expiryAt, expiryProblems } from '../http/expiry.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import {
  applyChange,
  prefixProblem,
  type RequestedChange,
  changeIndexUses,
  type IndexRecord,
  requireCaughtUp,
  requireNotFull,
  requireModel,
  type RowWrite,
} from '../indexes/index.ts';
import { problemsOf, withExpiry } from '#engine';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { type Reader, type ReaderResponses, readerInvoke } from '../reader/index.ts';
import { embeddingTokens, requireVectorQuota, usageRead } from '../usage/index.ts';
import type { UpsertBody } from './schemas.ts';
import { repeatedIds } from './repeated-ids.ts';
import { tooManyItems } from './too-many-items.ts';
import { vectorProblems } from './vector-input.ts';

/** Capabilities that an upsert needs. */
export const upsertUses = {
  ...changeIndexUses,
  reader: readerInvoke,
  models: embeddingModelsKnown,
  tokens: embeddingTokens,
  usage: usageRead,
};

interface UpsertCall {
  readonly deps: Deps<typeof upsertUses>;
  /** The index. */
  readonly prefetched: Promise<IndexRecord>;
  readonly idempotency: IdempotencyContext;
  readonly caller: Principal;
}

type Item = z.output<typeof UpsertBody>[number];

interface ValidatedCall {
  readonly body: readonly Partial<Item>[];
  /** The index. */
  readonly prefetched: Promise<IndexRecord>;
  readonly caller: Pick<Principal, 'plan' | 'bounds'>;
  readonly clock: Clock;
}

const noOrigin = { jobId: null, filename: null, pageStart: null, pageEnd: null };

const engineProblems = (
  { text = null, metadata = {} }: Partial<Item>,
  at: number,
  index: IndexRecord,
): readonly ValidationProblem[] => {
  const problem = problemsOf(index.engine).ofRow({ text, metadata: metadata ?? {}, ...noOrigin }, index);
  return problem === null ? [] : [valueProblem(['body', at], problem)];
};

/** Validates the items of an upsert, after their schema. Throws 404 and 409. */
export const upsertProblems = async ({
  body,
  prefetched,
  caller,
  clock,
}: ValidatedCall): Promise<readonly ValidationProblem[]> => {
  const { bounds } = caller;
  // Before any look-up: a refusal says nothing of the index.
  const foreign =
    bounds === null
      ? []
      : body.flatMap(({ id }, at) => {
          const problem = id === undefined ? null : prefixProblem(id, bounds);
          return problem === null ? [] : [valueProblem(['body', at, 'id'], problem)];
        });
  if (foreign.length > 0) return foreign;
  const index = await prefetched;
  return [
    ...tooManyItems(body, caller.plan),
    ...body.flatMap(({ vector }, at) =>
      vector === undefined ? [] : vectorProblems(['body', at, 'vector'], vector, index),
    ),
    ...repeatedIds(body),
    ...body.flatMap((item, at) => expiryProblems(item, ['body', at], clock.now())),
    ...body.flatMap((item, at) => engineProblems(item, at, index)),
  ];
};

/** Maximum numbers of vectors in one response of the reader: 4 MiB in base64. */
const maxNumbers = 786_432;

const embed = async (
  reader: Reader,
  index: IndexRecord,
  texts: readonly string[],
): Promise<ReaderResponses['embed']> => {
  const together = Math.floor(maxNumbers / index.dimensions);
  const vectors: Float32Array[] = [];
  let tokens = 0;
  for (let from = 0; from < texts.length; from += together) {
    const embedded = await reader.execute(index, { op: 'embed', texts: texts.slice(from, from + together) });
    vectors.push(...embedded.vectors);
    tokens += embedded.tokens;
  }
  return { vectors, tokens };
};

/** Maximum ids of one request to the reader, so that texts and metadata of any size fit the response. */
const idsAtOnce = 20;
const fetchesAtOnce = 4;

/** Returns the number of items whose id is new to the index. */
const countNew = async (reader: Reader, index: IndexRecord, items: readonly Item[]): Promise<number> => {
  const found = await inParallel(batchesOf(items, idsAtOnce), fetchesAtOnce, (part) =>
    reader.execute(index, { op: 'fetch', ids: part.map(({ id }) => id), filter: null, include_vector: false }),
  );
  return items.length - found.reduce((sum, { rows }) => sum + rows.length, 0);
};

/**
 * Embeds the items without a vector. Returns their vectors in order. Before a model is called, it checks the remaining vector
 * quota and reserves the tokens. Throws 402.
 */
const embedMissing = async (
  { deps, caller }: Pick<UpsertCall, 'deps' | 'caller'>,
  index: IndexRecord,
  items: readonly Item[],
): Promise<ReaderResponses['embed']> => {
  const texts = items.flatMap(({ vector, text }) => (vector === undefined ? [text ?? ''] : []));
  if (texts.length === 0) return { vectors: [], tokens: 0 };
  requireModel(deps.models, index);
  await requireVectorQuota(deps.usage, caller, items.length, () => countNew(deps.reader, index, items));
  const settle = await deps.tokens.reserve(caller, texts);
  let used = 0;
  try {
    const embedded = await embed(deps.reader, index, texts);
    used = embedded.tokens;
    return embedded;
  } finally {
    await settle(used);
  }
};

const toRows = (
  items: readonly Item[],
  embedded: readonly Float32Array[],
  { embeddingModel, ttlSeconds }: IndexRecord,
  now: Date,
): RowWrite[] => {
  const next = embedded[Symbol.iterator]();
  return items.map(({ id, vector, text, metadata, if_version, ...expiry }) => ({
    id,
    vector: vector ?? next.next().value ?? new Float32Array(),
    text: text ?? null,
    metadata: withExpiry(metadata ?? {}, expiryAt(expiry, now, ttlSeconds)),
    jobId: null,
    filename: null,
    pageStart: null,
    pageEnd: null,
    ...(vector === undefined ? { model: embeddingModel } : {}),
    ...(if_version === undefined ? {} : { ifVersion: if_version }),
  }));
};

/**
 * Writes items and waits until they can be searched. Returns their number and their new version. If the version of an item
 * differs from `if_version`, nothing is written. Throws 402, 404, 409, 429 and 503.
 */
export const upsertVectors = async (
  { deps, prefetched, idempotency, caller }: UpsertCall,
  items: readonly Item[],
): Promise<{ readonly upserted: number; readonly version: string }> => {
  const startedMs = performance.now();
  const index = await prefetched;
  // An earlier run of this request may have filled the index.
  if (!idempotency.isRepeat) {
    requireNotFull(deps.indexes, index);
    requireCaughtUp(index);
  }
  const change = async (): Promise<RequestedChange> => {
    const { vectors, tokens } = await embedMissing({ deps, caller }, index, items);
    return { op: 'write_rows', rows: toRows(items, vectors, index, idempotency.at), tokens };
  };
  const { written, version } = await applyChange({ deps, caller, idempotency }, index, change, startedMs);
  return { upserted: written, version };
};
