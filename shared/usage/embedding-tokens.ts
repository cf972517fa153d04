import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import { monthOf } from './items.ts';
import { counterKey, counterName, type QuotaMonth } from './monthly-quota.ts';
import { planLimitReached } from './plan-limit.ts';

/** Maximum special tokens that a tokenizer adds to a text. */
const maxAddedTokens = 8;

/** Returns the maximum tokens of texts: no tokenizer makes more tokens than a text has bytes in UTF-8. */
export const maxTokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + maxAddedTokens, 0);

/** Monthly quota of embedding tokens, for requests that wait for the model. */
export interface EmbeddingTokens {
  /**
   * Reserves the tokens of texts before a model is called. Throws 402. The caller reports the tokens that the model has
   * counted, 0 if it was not called. The rest returns to the quota.
   */
  reserve(
    organization: { readonly organizationId: string; readonly plan: Plan },
    texts: readonly string[],
  ): Promise<(used: number) => Promise<void>>;
}

/**
 * Tokens that a process reserves in advance, so that most searches write nothing. A process that ends leaves at most this
 * many unused.
 */
const blockTokens = 1_000;
/** Maximum tokens that a process keeps for its next requests. It returns the rest to the quota. */
const maxKeptTokens = 2 * blockTokens;

/** Maximum organizations whose tokens a process keeps. */
const maxOrganizations = 10_000;

/** Maximum retries after a lost race. */
const maxRounds = 10;

const counter = counterName('tokens');

/** Reserves tokens if the remaining quota suffices. Returns null if it did, else the tokens that were reserved before. */
const take = async (table: Table, month: QuotaMonth, tokens: number, limit: number): Promise<number | null> => {
  let hasRoom: { readonly lte: number } | { readonly exists: false } = { lte: limit - tokens };
  for (let round = 0; round < maxRounds; round += 1) {
    const condition = { [counter]: hasRoom };
    if ((await table.update(counterKey(month), { add: { [counter]: tokens }, condition })) !== null) return null;
    const item = await table.get(counterKey(month));
    const current = numberOf(item, counter);
    if (current + tokens > limit) return current;
    hasRoom = item?.[counter] === undefined ? { exists: false } : { lte: limit - tokens };
  }
  throw new Error('embedding tokens could not be reserved: too many requests at a time');
};

const openEmbeddingTokens = (runtime: Runtime): EmbeddingTokens => {
  const table = openTable(runtime, 'usage');
  const kept = new LRUCache<string, { tokens: number }>({ max: maxOrganizations });
  const keptOf = ({ organizationId, month }: QuotaMonth): { tokens: number } => {
    const name = `${organizationId} ${month}`;
    const known = kept.get(name) ?? { tokens: 0 };
    kept.set(name, known);
    return known;
  };
  return {
    reserve: async ({ organizationId, plan }, texts) => {
      const month = { organizationId, month: monthOf(runtime.clock.now().toISOString()) };
      const limit = plans[plan].limits.embedding_tokens_per_month;
      const needed = maxTokensOf(texts);
      const own = keptOf(month);
      own.tokens -= needed;
      const missing = -own.tokens;
      if (missing > 0) {
        own.tokens += missing;
        const hasBlock = (await take(table, month, missing + blockTokens, limit)) === null;
        const current = hasBlock ? null : await take(table, month, missing, limit);
        if (current !== null) {
          own.tokens += needed - missing;
          throw planLimitReached('embedding_tokens_per_month', limit, current);
        }
        if (hasBlock) own.tokens += blockTokens;
      }
      return async (used) => {
        own.tokens += needed - used;
        if (own.tokens <= maxKeptTokens) return;
        const returned = own.tokens - blockTokens;
        own.tokens = blockTokens;
        try {
          await table.update(counterKey(month), { add: { [counter]: -returned } });
        } catch (error) {
          if (!isTransientSdkError(error)) throw error;
          runtime.log.warn('usage.tokens.return.failed', { organization_id: organizationId, tokens: returned, error });
        }
      };
    },
  };
};

export const embeddingTokens = capability<EmbeddingTokens>(['usage.read', 'usage.write'], openEmbeddingTokens);
