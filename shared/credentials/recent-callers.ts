import type { Clock } from '../kernel/clock.ts';

/** How long credentials that were good are expected to be good again. */
const expectedMs = 60_000;
const mostRemembered = 1_000;

/** Whose credentials were good a moment ago, in this process alone. It tells what to read early, never what is allowed. */
export interface RecentCallers {
  /** The organization that a caller had; null for an unknown one. */
  readonly organizationOf: (caller: string) => string | null;
  readonly remember: (caller: string, organizationId: string) => void;
  readonly forget: (caller: string) => void;
}

interface Remembered {
  readonly organizationId: string;
  readonly untilMs: number;
}

/** Knows nobody yet. */
export const recentCallers = (clock: Clock): RecentCallers => {
  const callers = new Map<string, Remembered>();
  return {
    organizationOf: (caller) => {
      const known = callers.get(caller);
      return known !== undefined && known.untilMs > clock.now().getTime() ? known.organizationId : null;
    },
    remember: (caller, organizationId) => {
      const [oldest] = callers.keys();
      if (callers.size >= mostRemembered && oldest !== undefined) callers.delete(oldest);
      callers.set(caller, { organizationId, untilMs: clock.now().getTime() + expectedMs });
    },
    forget: (caller) => callers.delete(caller),
  };
};
