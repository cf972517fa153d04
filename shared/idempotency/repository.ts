import { createHash, randomBytes } from 'node:crypto';
import { absent, type Condition } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { serviceSealer } from '../db/service-key.ts';
import { openTable } from '../db/table.ts';
import {
  type IdempotencyStore,
  type IdempotentRequest,
  seededIdempotencyContext,
  type StoredResponse,
} from '../http/idempotency.ts';
import { laterBy } from '../kernel/clock.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';

const retentionMs = dayMs;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the table key of a request. It contains a hash of the `Idempotency-Key`, which is never stored itself. */
const claimKey = ({ caller, endpointId, key }: IdempotentRequest) => ({
  pk: `ORG#${caller.organizationId}`,
  sk: `${endpointId}#${sha256(JSON.stringify([caller.subjectId, key]))}`,
});

/** Encrypts and decrypts the content of a claim with the `Idempotency-Key` and the key of the deployment. */
const sealerOf = async (runtime: Runtime, { key }: IdempotentRequest, salt: Buffer, context: string) => {
  const sealer = await serviceSealer(runtime, 'idempotency', { secret: key, salt });
  return {
    seal: (plain: string): string => sealer.seal(plain, context),
    open: (stored: string): string => sealer.open(stored, context),
  };
};

const newClaim = async (runtime: Runtime, request: IdempotentRequest, at: Date): Promise<Item> => {
  const salt = randomBytes(16);
  const sealer = await sealerOf(runtime, request, salt, claimKey(request).sk);
  return {
    ...claimKey(request),
    request_hash: sha256(request.request),
    claimed_at: at.toISOString(),
    salt: salt.toString('base64'),
    seed: sealer.seal(randomBytes(32).toString('base64')),
    expires_at_epoch: epochSecondsAfter(laterBy(at, retentionMs)),
  };
};

interface Claim {
  readonly item: Item;
  /** Whether another run of the request stored the item. */
  readonly isRepeat: boolean;
}

/** Condition that a claim was not replaced. */
const sameClaim = ({ salt }: Item): Condition => ({ salt: { eq: salt as string } });

/** Marks that a second run uses a claim, so the first run does not release it. Null: the first run has released it. */
const join = async (table: Table, item: Item, request: IdempotentRequest): Promise<Item | null> => {
  if (item['answer'] !== undefined || item['request_hash'] !== sha256(request.request)) return item;
  return table.update(claimKey(request), { set: { joined: true }, condition: sameClaim(item) });
};

/** Returns the claim of a request: a new one, or the first one of the last 24 hours. */
const claim = async (runtime: Runtime, table: Table, request: IdempotentRequest, at: Date): Promise<Claim> => {
  const fresh = { item: await newClaim(runtime, request, at), isRepeat: false };
  if (await table.put(fresh.item, absent)) return fresh;
  const existing = await table.get(claimKey(request));
  if (existing === null) return claim(runtime, table, request, at);
  const claimedAt = existing['claimed_at'] as string;
  if (laterBy(claimedAt, retentionMs) > at) {
    const joined = await join(table, existing, request);
    return joined === null ? claim(runtime, table, request, at) : { item: joined, isRepeat: true };
  }
  return (await table.put(fresh.item, { claimed_at: { eq: claimedAt } })) ? fresh : claim(runtime, table, request, at);
};

const openIdempotency = (runtime: Runtime): IdempotencyStore => {
  const table = openTable(runtime, 'idempotency');
  return {
    begin: async (request) => {
      const { item, isRepeat } = await claim(runtime, table, request, runtime.clock.now());
      if (item['request_hash'] !== sha256(request.request)) {
        throw new AppError('idempotency_conflict', 'This Idempotency-Key was used with another request');
      }
      const sealer = await sealerOf(runtime, request, Buffer.from(item['salt'] as string, 'base64'), item.sk);
      const stored = (item: Item): StoredResponse =>
        JSON.parse(sealer.open(item['answer'] as string)) as StoredResponse;
      if (item['answer'] !== undefined) return stored(item);
      return {
        idempotency: seededIdempotencyContext(
          new Date(item['claimed_at'] as string),
          Buffer.from(sealer.open(item['seed'] as string), 'base64'),
          isRepeat,
        ),
        store: async (response) => {
          // The attribute `answer` contains the response.
          const updated = await table.update(claimKey(request), {
            setOnce: { answer: sealer.seal(JSON.stringify(response)) },
            condition: { claimed_at: { eq: item['claimed_at'] as string } },
          });
          return updated === null ? response : stored(updated);
        },
        release: async () => {
          if (!isRepeat) await table.delete(claimKey(request), { ...sameClaim(item), joined: { exists: false } });
        },
      };
    },
  };
};

export const idempotencyUse = capability<IdempotencyStore>(['idempotency.write', 'keys.use'], openIdempotency);
