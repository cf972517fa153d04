import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';
import type { Stored } from './contracts.ts';

/** How old may be what is remembered. */
export const lateMs = 10_000;
/** Indexes of all organizations together that are remembered. */
const mostIndexes = 50_000;

/** What indexes of organizations held a moment ago, in this process alone. */
export interface RecentlyStored {
  readonly of: (organizationId: string) => Stored | null;
  readonly remember: (organizationId: string, stored: Stored) => void;
}

/** Knows nothing yet. */
export const recentlyStored = (clock: Clock): RecentlyStored => {
  const sums = new LRUCache<string, Stored>({
    maxSize: mostIndexes,
    sizeCalculation: ({ vectorsIn }) => vectorsIn.size + 1,
    ttl: lateMs,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  return {
    of: (organizationId) => sums.get(organizationId) ?? null,
    remember: (organizationId, stored) => {
      sums.set(organizationId, stored);
    },
  };
};
