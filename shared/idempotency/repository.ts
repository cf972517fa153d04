import { absent, type Condition } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Idempotency, KeptAnswer, Repeatable } from '../http/admission.ts';
import { seededCreation } from '../http/creation.ts';
import { laterBy } from '../kernel/clock.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { isSealed, serviceSealer } from '../db/service-key.ts';
import { openEarlier } from './seal.ts';

const keptMs = dayMs;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The key itself is never stored: what is kept under it is sealed with it and the key of the deployment. */
const claimKey = ({ caller, endpointId, key }: Repeatable) => ({
  pk: `ORG#${caller.organizationId}`,
  sk: `${endpointId}#${sha256(JSON.stringify([caller.subjectId, key]))}`,
});

/** Seals and opens what a claim holds; opens also what a version before the key of the deployment has sealed. */
const sealerOf = async (runtime: Runtime, { key }: Repeatable, salt: Buffer, context: string) => {
  const sealer = await serviceSealer(runtime, 'idempotency', { secret: key, salt });
  return {
    seal: (plain: string): string => sealer.seal(plain, context),
    open: (stored: string): string =>
      isSealed(stored) ? sealer.open(stored, context) : openEarlier(stored, key, salt, context),
  };
};

const newClaim = async (runtime: Runtime, request: Repeatable, at: Date): Promise<Item> => {
  const salt = randomBytes(16);
  const sealer = await sealerOf(runtime, request, salt, claimKey(request).sk);
  return {
    ...claimKey(request),
    request_hash: sha256(request.request),
    claimed_at: at.toISOString(),
    salt: salt.toString('base64'),
    seed: sealer.seal(randomBytes(32).toString('base64')),
    expires_at_epoch: epochSecondsAfter(laterBy(at, keptMs)),
  };
};

interface Claim {
  readonly held: Item;
  /** Whether another run of the request made it. */
  readonly isRepeat: boolean;
}

/** That a claim is still there, and no other in its place. */
const standing = ({ salt }: Item): Condition => ({ salt: { eq: salt as string } });

/** Notes that another run of a request goes by its claim, so that the first does not give it up; null where it has. */
const join = async (table: Table, held: Item, request: Repeatable): Promise<Item | null> => {
  if (held['answer'] !== undefined || held['request_hash'] !== sha256(request.request)) return held;
  return table.update(claimKey(request), { set: { joined: true }, condition: standing(held) });
};

/** The claim under which a request runs: the first that was made within a day, by whoever made it. */
const claim = async (runtime: Runtime, table: Table, request: Repeatable, at: Date): Promise<Claim> => {
  const fresh = { held: await newClaim(runtime, request, at), isRepeat: false };
  if (await table.put(fresh.held, absent)) return fresh;
  const held = await table.get(claimKey(request));
  if (held === null) return claim(runtime, table, request, at);
  const claimedAt = held['claimed_at'] as string;
  if (laterBy(claimedAt, keptMs) > at) {
    const joined = await join(table, held, request);
    return joined === null ? claim(runtime, table, request, at) : { held: joined, isRepeat: true };
  }
  return (await table.put(fresh.held, { claimed_at: { eq: claimedAt } })) ? fresh : claim(runtime, table, request, at);
};

const openIdempotency = (runtime: Runtime): Idempotency => {
  const table = openTable(runtime, 'idempotency');
  return {
    begin: async (request) => {
      const { held, isRepeat } = await claim(runtime, table, request, runtime.clock.now());
      if (held['request_hash'] !== sha256(request.request)) {
        throw new AppError('idempotency_conflict', 'This Idempotency-Key was used with another request');
      }
      const sealer = await sealerOf(runtime, request, Buffer.from(held['salt'] as string, 'base64'), held.sk);
      const opened = (item: Item): KeptAnswer => JSON.parse(sealer.open(item['answer'] as string)) as KeptAnswer;
      if (held['answer'] !== undefined) return opened(held);
      return {
        creation: seededCreation(
          new Date(held['claimed_at'] as string),
          Buffer.from(sealer.open(held['seed'] as string), 'base64'),
          isRepeat,
        ),
        keep: async (answer) => {
          const kept = await table.update(claimKey(request), {
            setOnce: { answer: sealer.seal(JSON.stringify(answer)) },
            condition: { claimed_at: { eq: held['claimed_at'] as string } },
          });
          return kept === null ? answer : opened(kept);
        },
        release: async () => {
          if (!isRepeat) await table.delete(claimKey(request), { ...standing(held), joined: { exists: false } });
        },
      };
    },
  };
};

export const idempotencyUse = capability<Idempotency>(['idempotency.write', 'keys.use'], openIdempotency);
