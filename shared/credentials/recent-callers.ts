import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';

/** How long credentials that were valid are expected to be valid again. */
const expectedMs = 60_000;
const maxCallers = 1_000;

/** Identity, rows and limits of a caller, as far as a prefetch and the rate limiter need them. */
export interface ExpectedCaller {
  readonly organizationId: string;
  readonly subjectId: string;
  readonly bounds: RowBounds | null;
  readonly limits: CredentialLimits | null;
}

/** Callers of this process in the last minute. They decide what to prefetch, never what is allowed. */
export interface RecentCallers {
  /** Returns what is expected of a caller; null if the caller was refused, undefined if the caller is not known. */
  readonly expected: (caller: string) => ExpectedCaller | null | undefined;
  readonly remember: (caller: string, expected: ExpectedCaller | null) => void;
  readonly forget: (caller: string) => void;
}

/** Opens an empty cache of recent callers. */
export const recentCallers = (clock: Clock): RecentCallers => {
  const perf = { now: () => clock.now().getTime() };
  const callers = new LRUCache<string, { readonly expected: ExpectedCaller | null }>({
    max: maxCallers,
    ttl: expectedMs,
    ttlResolution: 0,
    perf,
  });
  return {
    expected: (caller) => callers.get(caller)?.expected,
    remember: (caller, expected) => {
      callers.set(caller, { expected });
    },
    forget: (caller) => {
      callers.delete(caller);
    },
  };
};
