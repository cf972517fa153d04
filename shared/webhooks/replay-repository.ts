import { textOf } from '../db/read-item.ts';
import { absent, present } from '../db/condition.ts';
import { dueBy, epochSeconds } from '../db/due.ts';
import type { Item } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { EventRange, EventType } from '../events/index.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { daySeconds } from '../kernel/durations.ts';
import { sendMessages } from '../platform/aws/queue.ts';
import type { ReplayRef } from './delivery-schemas.ts';

/** Replay of a time range with its progress. */
export interface Replay {
  readonly id: string;
  readonly organizationId: string;
  readonly range: EventRange;
  /** Null: all endpoints. */
  readonly endpointId: string | null;
  readonly createdAt: Date;
  /** Id of the last event that was sent again; null before the first. */
  readonly cursor: string | null;
}

export interface Replays {
  /** Stores a replay and enqueues its first step. Idempotent. */
  add(replay: Replay): Promise<void>;
  get(ref: ReplayRef): Promise<Replay | null>;
  /** Moves the cursor and enqueues the next step, unless another run has moved it. */
  advance(replay: Replay, cursor: string): Promise<void>;
  /** Ends a replay, unless another run has moved the cursor. */
  finish(replay: Replay): Promise<void>;
  /** Returns replays without progress for a minute, fairly among organizations. */
  overdue(until: Date, limit: number): Promise<readonly ReplayRef[]>;
  /** Enqueues the next steps of replays. Safe to repeat. */
  enqueue(replays: readonly ReplayRef[]): Promise<void>;
}

const graceMs = 60_000;
const retentionSeconds = 7 * daySeconds;

const keyOf = ({ organization_id, replay_id }: ReplayRef) => ({ pk: `ORG#${organization_id}#REPLAYS`, sk: replay_id });

const refOf = ({ organizationId, id }: Replay): ReplayRef => ({ organization_id: organizationId, replay_id: id });

const toReplay = (item: Item): Replay => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  range: {
    from: new Date(item['from'] as string),
    to: new Date(item['to'] as string),
    types: (item['event_types'] as EventType[] | undefined) ?? null,
  },
  endpointId: textOf(item, 'endpoint_id'),
  createdAt: new Date(item['created_at'] as string),
  cursor: textOf(item, 'cursor'),
});

const toItem = (replay: Replay, dueAt: Date): Item => ({
  ...keyOf(refOf(replay)),
  organization_id: replay.organizationId,
  from: replay.range.from.toISOString(),
  to: replay.range.to.toISOString(),
  ...(replay.range.types === null ? {} : { event_types: replay.range.types }),
  ...(replay.endpointId === null ? {} : { endpoint_id: replay.endpointId }),
  created_at: replay.createdAt.toISOString(),
  ...dueBy('replay', replay.organizationId, dueAt),
  expires_at_epoch: epochSeconds(replay.createdAt) + retentionSeconds,
});

const sameCursor = ({ cursor }: Replay) =>
  ({ ...present, cursor: cursor === null ? { exists: false } : { eq: cursor } }) as const;

export const openReplays = (runtime: Runtime): Replays => {
  const table = openTable(runtime, 'webhooks');
  const dueAt = (): Date => laterBy(runtime.clock.now(), graceMs);
  const enqueue = (replays: readonly ReplayRef[]) => sendMessages(runtime, 'relay', runtime.config.homeRegion, replays);
  return {
    add: async (replay) => {
      await table.put(toItem(replay, dueAt()), absent);
      await enqueue([refOf(replay)]);
    },
    get: async (ref) => {
      const item = await table.get(keyOf(ref));
      return item === null ? null : toReplay(item);
    },
    advance: async (replay, cursor) => {
      const moved = await table.update(keyOf(refOf(replay)), {
        set: { cursor, ...dueBy('replay', replay.organizationId, dueAt()) },
        condition: sameCursor(replay),
      });
      if (moved !== null) await enqueue([refOf(replay)]);
    },
    finish: async (replay) => {
      await table.delete(keyOf(refOf(replay)), sameCursor(replay));
    },
    overdue: async (until, limit) => {
      const keys = await table.due('replay', until.toISOString(), limit);
      return keys.map(({ pk, sk }) => ({ organization_id: pk.split('#')[1] ?? '', replay_id: sk }));
    },
    enqueue,
  };
};
