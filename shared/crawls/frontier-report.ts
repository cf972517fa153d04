import type { FrontierIndex } from './frontier-index.ts';
import { type Ending, type FrontierEntry, isReported, type Outcome } from './frontier-record.ts';
import type { SkipCounts, SkipReason } from './skip-reason.ts';

/** Skip reason of each outcome without its own; null for stored pages and sitemaps. */
const reasonByOutcome: Readonly<Record<Outcome, SkipReason | null>> = {
  stored: null,
  unchanged: null,
  listed: null,
  unasked: null,
  duplicate: 'duplicate',
  redirected: 'redirected',
  gone: 'http_status',
  refused: 'http_status',
  disallowed: 'robots_txt',
  noindex: 'noindex',
  offsite: 'out_of_scope',
  excluded: 'excluded',
  passed_over: 'out_of_scope',
  not_public: 'not_public',
  unsupported: 'unsupported_type',
  too_large: 'too_large',
  empty: 'empty',
  unreadable: 'unreadable',
  failed: 'no_answer',
};

/** Maximum characters of a detail, such as an address that a site generated. */
const maxDetail = 500;

/** Returns the report fields of an address that has ended. */
export const reportOf = (
  { kind }: FrontierEntry,
  { outcome, reason, detail }: Ending,
): Pick<FrontierEntry, 'reason' | 'detail'> => ({
  reason: kind === 'page' ? (reason ?? reasonByOutcome[outcome]) : null,
  detail: detail?.slice(0, maxDetail) ?? null,
});

/**
 * Counts skipped addresses by reason.
 * @param unreadReason Reason of waiting addresses; null excludes them.
 */
export const countSkipped = ({ entries, passedOver }: FrontierIndex, unreadReason: SkipReason | null): SkipCounts => {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const entry of [...entries.values(), ...passedOver.values()]) {
    const reason = isReported(entry) ? (entry.reason ?? unreadReason) : null;
    if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
};

/** Whether an address redirects to another, directly or not. */
export const leadsTo = ({ entries }: FrontierIndex, from: string, to: string): boolean => {
  const passed = new Set<string>();
  for (let at = from; at !== to;) {
    const next = passed.has(at) ? null : (entries.get(at)?.gaveWayTo ?? null);
    if (next === null) return false;
    passed.add(at);
    at = next;
  }
  return true;
};

/** Returns the addresses whose redirects lead to an address. */
export const addressesBefore = ({ entries }: FrontierIndex, last: FrontierEntry): readonly FrontierEntry[] => {
  const reached = new Map([[last.hash, last]]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const entry of entries.values())
      if (entry.outcome === 'redirected' && reached.has(entry.gaveWayTo ?? '')) reached.set(entry.hash, entry);
  }
  reached.delete(last.hash);
  return [...reached.values()];
};
