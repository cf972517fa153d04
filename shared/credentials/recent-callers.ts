import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';

/** How long credentials that were valid are expected to be valid again. */
const expectedMs = 60_000;
const maxCallers = 1_000;

/** Callers of this process in the last minute. They decide what to prefetch, never what is allowed. */
export interface RecentCallers {
  /** Returns the organization of a caller; null if the caller was refused, undefined if the caller is not known. */
  readonly organizationOf: (caller: string) => string | null | undefined;
  readonly remember: (caller: string, organizationId: string | null) => void;
  readonly forget: (caller: string) => void;
}

/** Opens an empty cache of recent callers. */
export const recentCallers = (clock: Clock): RecentCallers => {
  const perf = { now: () => clock.now().getTime() };
  const callers = new LRUCache<string, { readonly organizationId: string | null }>({
    max: maxCallers,
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
