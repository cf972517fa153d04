import type { Claim, Progress } from '../../../../shared/connectors/index.ts';
import { countUnseen, removeUnseen, type Source } from '../../../../shared/documents/index.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import {
  type ConnectorSource,
  endlessListing,
  SourceFault,
  type Step,
} from '../../../../shared/platform/connectors/port.ts';
import { applyChanges } from './apply-changes.ts';
import { saveCredentials, refreshCredentials } from './token-refresh.ts';
import type { SyncContext } from '../uses.ts';
import { hasTime } from './sync-context.ts';
import { type Applied, stillUnread, unreadOf } from './unread.ts';

/** How a run ends that nobody interrupts. */
export interface Outcome {
  readonly claim: Claim;
  readonly end: 'finished' | 'out_of_time' | 'changed';
  /** Whether something was done before time was short. */
  readonly further?: boolean;
}

interface Walk {
  readonly source: Source;
  readonly reader: ConnectorSource;
  readonly claim: Claim;
  readonly credentials: JsonObject;
}

/** One step by the source; null where it does not remember the place and everything has to be named anew. */
const nextStep = async (syncing: SyncContext, walk: Walk): Promise<Step | null> => {
  const { deps, run } = syncing;
  const { record } = walk.claim;
  try {
    return await walk.reader.step({
      scope: record.scope,
      credentials: walk.credentials,
      state: record.state,
      now: run.clock.now(),
      failures: record.failures,
      known: (prefix, after) => deps.documents.idsAfter(walk.source, prefix, after),
    });
  } catch (error) {
    if (error instanceof SourceFault && error.kind === 'state_lost' && record.state !== null) return null;
    throw error;
  }
};

/** What a sync that begins anew forgets. */
export const resetProgress: Progress = {
  state: null,
  removesUnseen: false,
  incomplete: false,
  stalePages: 0,
  unread: [],
};

/** Pages in a row of a listing without a new id, after which it is taken to have no end. */
const maxPagesWithoutNewId = 20;

const progressOf = (claim: Claim, step: Step, applied: Applied, now: Date) => {
  const { record } = claim;
  const unread = stillUnread(claim, applied, step.reached ?? []);
  const isFirst = record.state === null;
  return {
    state: step.state,
    generation: isFirst ? record.generation + 1 : record.generation,
    removesUnseen: step.done && step.removesUnseen,
    ...(step.done && !step.removesUnseen && step.walked === true ? { fullAt: now.toISOString() } : {}),
    failures: 0,
    stalePages: applied.isNew || step.done ? 0 : (isFirst ? 0 : record.stalePages) + 1,
    ...(applied.fetched ? { waits: 0 } : {}),
    unread,
    // Why the runs before came to nothing is over.
    ...(record.failures > 1 ? { error: unreadOf(unread) } : {}),
    incomplete: record.incomplete || applied.passing,
  } satisfies Progress;
};

/**
 * Returns the removal that the next sync has to confirm: more than half of the documents of a listing, which no sync before
 * has reported. Null if documents may be removed at once. A source in trouble may answer with a short list.
 */
const unconfirmedRemoval = async (syncing: SyncContext, { source, reader }: Walk, { record }: Claim) => {
  if (reader.isListing !== true || record.pendingRemoval !== null) return null;
  const { unseen, total } = await countUnseen(syncing.deps, source, record.generation);
  return unseen * 2 > total ? { unseen, total } : null;
};

/** Ends a reading of everything: what it has not seen is gone from the source. */
const removeUnseenDocuments = async (syncing: SyncContext, walk: Walk, claim: Claim): Promise<Outcome> => {
  const { source } = walk;
  const { deps, run } = syncing;
  const further = hasTime(syncing);
  const pendingRemoval = await unconfirmedRemoval(syncing, walk, claim);
  const ended = { removesUnseen: false, fullAt: run.clock.now().toISOString(), pendingRemoval };
  if (pendingRemoval !== null) {
    const saved = await deps.connectors.save(claim, ended);
    return saved === null ? { claim, end: 'changed' } : { claim: saved, end: 'finished' };
  }
  const all = await removeUnseen(deps, source, claim.record.generation, run.clock, () => hasTime(syncing));
  if (!all) return { claim, end: 'out_of_time', further };
  const saved = await deps.connectors.save(claim, ended);
  return saved === null ? { claim, end: 'changed' } : { claim: saved, end: 'finished' };
};

/** Takes one step and keeps what came of it: null to go on with the next. */
const runStep = async (syncing: SyncContext, walk: Walk): Promise<Outcome | { readonly goOn: Claim }> => {
  const { claim, source } = walk;
  const step = await nextStep(syncing, walk);
  if (step === null) {
    const restarted = await syncing.deps.connectors.save(claim, resetProgress);
    return restarted === null ? { claim, end: 'changed' } : { goOn: restarted };
  }
  if (step.newCredentials !== undefined) await saveCredentials(syncing, claim, step.newCredentials);
  const generation = claim.record.generation + (claim.record.state === null ? 1 : 0);
  const further = hasTime(syncing);
  const { isListing = false } = walk.reader;
  const listed = { changes: step.changes, isListing };
  const applied = await applyChanges(syncing, claim, source, generation, listed);
  if (applied === null) return { claim, end: 'out_of_time', further };
  const saved = await syncing.deps.connectors.save(claim, progressOf(claim, step, applied, syncing.run.clock.now()));
  if (saved === null) return { claim, end: 'changed' };
  if (isListing && saved.record.stalePages >= maxPagesWithoutNewId) throw endlessListing();
  if (!step.done) return { goOn: saved };
  return saved.record.removesUnseen ? removeUnseenDocuments(syncing, walk, saved) : { claim: saved, end: 'finished' };
};

/**
 * Takes steps until the source has no more, time is short, or a caller has changed the connection. What each step comes to
 * is kept with the place where the next one begins. Throws what keeps the connection from being read.
 */
export const runSteps = async (syncing: SyncContext, start: Walk): Promise<Outcome> => {
  let { claim, credentials } = start;
  let renewed = false;
  if (claim.record.removesUnseen) return removeUnseenDocuments(syncing, start, claim);
  while (hasTime(syncing)) {
    try {
      const result = await runStep(syncing, { source: start.source, reader: start.reader, claim, credentials });
      if ('end' in result) return result;
      claim = result.goOn;
    } catch (error) {
      if (!(error instanceof SourceFault) || error.kind !== 'token_expired' || renewed) throw error;
      const fresh = await refreshCredentials(syncing, claim, credentials);
      if (fresh === null) throw error;
      renewed = true;
      credentials = fresh;
    }
  }
  return { claim, end: 'out_of_time' };
};
