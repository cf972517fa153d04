import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { ValidationFailure } from '../kernel/errors.ts';
import type { Principal } from '../http/principal.ts';
import {
  awaitReceipt,
  encodeVector,
  type IndexRecord,
  indexesRead,
  logSend,
  requireModel,
  requireWritableIndex,
  type WireRow,
} from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { type Reader, type ReaderAnswers, readerInvoke } from '../reader/index.ts';
import { requireRoomForVectors, usageRead } from '../usage/index.ts';
import type { UpsertBody } from './schemas.ts';
import { vectorProblems } from './vector-input.ts';

/** What an upsert may touch. */
export const upsertUses = {
  indexes: indexesRead,
  log: logSend,
  reader: readerInvoke,
  usage: usageRead,
  models: embeddingModelsKnown,
};

type Item = z.output<typeof UpsertBody>[number];

const problemsOf = (items: readonly Item[], index: IndexRecord) => {
  const seen = new Map<string, number>();
  return items.flatMap(({ id, vector }, at) => {
    const first = seen.get(id);
    seen.set(id, first ?? at);
    return [
      ...(vector === undefined ? [] : vectorProblems(['body', at, 'vector'], vector, index)),
      ...(first === undefined
        ? []
        : [
            {
              loc: ['body', at, 'id'],
              msg: `Value error, the id is the same as that of item ${first}`,
              type: 'value_error',
            },
          ]),
    ];
  });
};

/** Vectors of the items that came with text alone, in order. */
const embedMissing = async (
  reader: Reader,
  index: IndexRecord,
  items: readonly Item[],
): Promise<ReaderAnswers['embed']> => {
  const texts = items.flatMap(({ vector, text }) => (vector === undefined ? [text ?? ''] : []));
  return texts.length === 0 ? { vectors: [], tokens: 0 } : reader.ask(index, { op: 'embed', texts });
};

const toRows = (items: readonly Item[], embedded: readonly string[]): WireRow[] => {
  const next = embedded[Symbol.iterator]();
  return items.map(({ id, vector, text, metadata }) => ({
    id,
    vector: vector === undefined ? (next.next().value ?? '') : encodeVector(vector),
    text: text ?? null,
    metadata: metadata ?? {},
    job_id: null,
    filename: null,
    page_start: null,
    page_end: null,
  }));
};

/** Writes items and waits until they can be searched; returns how many. Throws 402, 404, 409, 422 and 503. */
export const upsertVectors = async (
  { deps, caller }: { readonly deps: Deps<typeof upsertUses>; readonly caller: Principal },
  indexId: string,
  items: readonly Item[],
): Promise<number> => {
  const index = await requireWritableIndex(deps.indexes, caller.organizationId, indexId);
  const problems = problemsOf(items, index);
  if (problems.length > 0) throw new ValidationFailure(problems);
  if (items.some(({ vector }) => vector === undefined)) requireModel(deps.models, index);
  await requireRoomForVectors(deps.usage, caller, items.length);
  const { vectors, tokens } = await embedMissing(deps.reader, index, items);
  const receiptId = await deps.log.append(index, { op: 'upsert', rows: toRows(items, vectors), tokens });
  return (await awaitReceipt(deps.indexes, index, receiptId)).written;
};
