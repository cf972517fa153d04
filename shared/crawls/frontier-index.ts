import type { FrontierEntry, Outcome } from './frontier-record.ts';

const kept: ReadonlySet<Outcome | null> = new Set<Outcome>(['stored', 'unchanged']);

/** Indexes the entries of a frontier by state, content hash and canonical page. */
export const indexFrontier = (known: readonly FrontierEntry[]) => {
  const entries = new Map<string, FrontierEntry>();
  const waiting = new Map<string, FrontierEntry>();
  const holders = new Map<string, FrontierEntry>();
  const unanswered = new Set<string>();
  const failing = new Set<string>();
  const unreadable = new Set<string>();
  const successors = new Set<string>();
  const givenWay = new Map<string, FrontierEntry>();
  const passedOver = new Map<string, FrontierEntry>();
  const naming = new Map<string, Map<string, FrontierEntry>>();
  const noteNaming = (entry: FrontierEntry): void => {
    if (entry.original === null) return;
    const pages = naming.get(entry.original) ?? new Map<string, FrontierEntry>();
    naming.set(entry.original, pages.set(entry.hash, entry));
  };
  const note = (entry: FrontierEntry): FrontierEntry => {
    if (entry.outcome === 'passed_over') {
      passedOver.set(entry.hash, entry);
      return entry;
    }
    passedOver.delete(entry.hash);
    entries.set(entry.hash, entry);
    noteNaming(entry);
    if (entry.outcome === null) waiting.set(entry.hash, entry);
    else waiting.delete(entry.hash);
    if (entry.foundAs === 'successor') successors.add(entry.hash);
    if (entry.outcome === 'duplicate' && entry.gaveWayTo !== null) givenWay.set(entry.hash, entry);
    else givenWay.delete(entry.hash);
    if (entry.outcome === 'failed') (entry.reason === 'http_status' ? failing : unanswered).add(entry.hash);
    if (entry.outcome === 'unreadable') unreadable.add(entry.hash);
    if (entry.textHash !== null && kept.has(entry.outcome)) holders.set(entry.textHash, entry);
    return entry;
  };
  for (const entry of known) note(entry);
  return { entries, waiting, holders, unanswered, failing, unreadable, successors, givenWay, naming, passedOver, note };
};

export type FrontierIndex = ReturnType<typeof indexFrontier>;

/** Returns the last target of an address's redirects; null for a loop. */
export const finalTarget = (entries: FrontierIndex['entries'], from: FrontierEntry): FrontierEntry | null => {
  const passed = new Set<string>();
  let at: FrontierEntry | undefined = from;
  while (at?.gaveWayTo != null) {
    if (passed.has(at.hash)) return null;
    passed.add(at.hash);
    at = entries.get(at.gaveWayTo);
  }
  return at ?? null;
};
