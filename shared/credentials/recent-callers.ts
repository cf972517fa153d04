import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';

/** How long credentials that were good are expected to be good again. */
const expectedMs = 60_000;
const mostRemembered = 1_000;

/** Whose credentials were good a moment ago, in this process alone. It tells what to read early, never what is allowed. */
export interface RecentCallers {
  /** The organization that a caller had; null for one who was refused then, undefined for an unknown one. */
  readonly organizationOf: (caller: string) => string | null | undefined;
  readonly remember: (caller: string, organizationId: string | null) => void;
  readonly forget: (caller: string) => void;
}

/** Knows nobody yet. */
export const recentCallers = (clock: Clock): RecentCallers => {
  const perf = { now: () => clock.now().getTime() };
  const callers = new LRUCache<string, { readonly organizationId: string | null }>({
    max: mostRemembered,
    ttl: expectedMs,
    ttlResolution: 0,
    perf,
  });
  return {
    organizationOf: (caller) => callers.get(caller)?.organizationId,
    remember: (caller, organizationId) => {
      callers.set(caller, { organizationId });
    },
    forget: (caller) => {
      callers.delete(caller);
    },
  };
};
