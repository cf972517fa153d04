import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import type { ValidationProblem } from '../kernel/errors.ts';
import type { Creation } from '../http/creation.ts';
import type { Principal } from '../http/principal.ts';
import {
  applyChange,
  type AskedChange,
  decodeVector,
  type IndexRecord,
  indexesRead,
  logSend,
  requireModel,
  type RowWrite,
} from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { type Reader, type ReaderAnswers, readerInvoke } from '../reader/index.ts';
import type { UpsertBody } from './schemas.ts';
import { repeatedIds } from './repeated-ids.ts';
import { tooManyItems } from './too-many-items.ts';
import { vectorProblems } from './vector-input.ts';

/** What an upsert may touch. */
export const upsertUses = {
  indexes: indexesRead,
  log: logSend,
  reader: readerInvoke,
  models: embeddingModelsKnown,
};

interface UpsertCall {
  readonly deps: Deps<typeof upsertUses>;
  /** The index. */
  readonly ahead: Promise<IndexRecord>;
  readonly creation: Creation;
}

type Item = z.output<typeof UpsertBody>[number];

interface Judged {
  readonly body: readonly Partial<Item>[];
  /** The index. */
  readonly ahead: Promise<IndexRecord>;
  readonly caller: Pick<Principal, 'plan'>;
}

/** What is wrong with the items of an upsert besides their schema. Throws 404 and 409. */
export const upsertProblems = async ({ body, ahead, caller }: Judged): Promise<readonly ValidationProblem[]> => {
  const index = await ahead;
  return [
    ...tooManyItems(body, caller.plan),
    ...body.flatMap(({ vector }, at) =>
      vector === undefined ? [] : vectorProblems(['body', at, 'vector'], vector, index),
    ),
    ...repeatedIds(body),
  ];
};

/** Numbers of vectors that one answer of the reader has room for: 4 MiB in base64. */
const mostNumbers = 786_432;

/** Vectors of the items that came with text alone, in order. */
const embedMissing = async (
  reader: Reader,
  index: IndexRecord,
  items: readonly Item[],
): Promise<ReaderAnswers['embed']> => {
  const texts = items.flatMap(({ vector, text }) => (vector === undefined ? [text ?? ''] : []));
  const together = Math.floor(mostNumbers / index.dimensions);
  const vectors: string[] = [];
  let tokens = 0;
  for (let from = 0; from < texts.length; from += together) {
    const embedded = await reader.ask(index, { op: 'embed', texts: texts.slice(from, from + together) });
    vectors.push(...embedded.vectors);
    tokens += embedded.tokens;
  }
  return { vectors, tokens };
};

const toRows = (items: readonly Item[], embedded: readonly string[]): RowWrite[] => {
  const next = embedded[Symbol.iterator]();
  return items.map(({ id, vector, text, metadata, if_version }) => ({
    id,
    vector: vector ?? decodeVector(next.next().value ?? ''),
    text: text ?? null,
    metadata: metadata ?? {},
    jobId: null,
    filename: null,
    pageStart: null,
    pageEnd: null,
    ...(if_version === undefined ? {} : { ifVersion: if_version }),
  }));
};

/**
 * Writes items and waits until they can be searched; returns how many, and the version that they have now. Where an item
 * has another version than it should, nothing is written. Throws 402, 404, 409 and 503.
 */
export const upsertVectors = async (
  { deps, ahead, creation }: UpsertCall,
  items: readonly Item[],
): Promise<{ readonly upserted: number; readonly version: string }> => {
  const startedMs = performance.now();
  const index = await ahead;
  if (items.some(({ vector }) => vector === undefined)) requireModel(deps.models, index);
  const change = async (): Promise<AskedChange> => {
    const { vectors, tokens } = await embedMissing(deps.reader, index, items);
    return { op: 'write_rows', rows: toRows(items, vectors), tokens };
  };
  const { written, version } = await applyChange({ deps, creation }, index, change, startedMs);
  return { upserted: written, version };
};
