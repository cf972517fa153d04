import { type Claim, type Progress, refreshCredentials, saveCredentials } from '../../../../shared/connectors/index.ts';
import { countUnseen, removeUnseen, type Source } from '../../../../shared/documents/index.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import {
  type ConnectorSource,
  endlessListing,
  SourceFault,
  type Step,
} from '../../../../shared/platform/connectors/port.ts';
import { applyChanges } from './apply-changes.ts';
import type { SyncContext } from '../uses.ts';
import { hasTime, pauseAfter } from './sync-context.ts';
import { type Applied, stillUnread, unreadMessage } from './unread.ts';

/** Result of a run that ended without an error. */
export interface Outcome {
  readonly claim: Claim;
  readonly end: 'finished' | 'out_of_time' | 'changed';
  /** Whether something was done before time ran out. */
  readonly hasProgress?: boolean;
}

interface Walk {
  readonly source: Source;
  readonly reader: ConnectorSource;
  readonly claim: Claim;
  readonly credentials: JsonObject;
}

/** Runs the next step of the source. Null if the source has lost its state and everything must be listed again. */
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

/** Progress of a sync that restarts. */
export const resetProgress: Progress = {
  state: null,
  removesUnseen: false,
  incomplete: false,
  stalePages: 0,
  unread: [],
};

/** Consecutive pages of a listing without a new id, after which the listing is considered endless. */
const maxPagesWithoutNewId = 20;

/** Maximum of restarts of a sync. The first begins at once, the others after growing pauses, about five hours in all. */
const maxRestarts = 12;

/** Lists everything again for a source that has lost its position. Throws if it does so again and again. */
const restart = async (syncing: SyncContext, claim: Claim): Promise<Outcome | { readonly nextClaim: Claim }> => {
  const { sync } = claim.record;
  const restarts = (sync?.restarts ?? 0) + 1;
  if (restarts > maxRestarts)
    throw new SourceFault(
      'refused',
      `The source lost its position ${maxRestarts} times. Resume the connector to try again`,
    );
  const restarted = await syncing.deps.connectors.save(claim, {
    ...resetProgress,
    ...(sync !== null && { sync: { ...sync, restarts } }),
  });
  if (restarted === null) return { claim, end: 'changed' };
  if (restarts === 1) return { nextClaim: restarted };
  throw new SourceFault('busy', 'The source has lost its position again', {
    retryAfterSeconds: pauseAfter(restarts - 2),
  });
};

/** Adds the items of a step, which the state that is saved with them has passed. */
const counted = ({ record: { sync } }: Claim, { changes }: Step): Pick<Progress, 'sync'> => {
  if (sync === null) return {};
  const items = changes.flatMap((change) => (change.kind === 'upsert' ? [change.item] : []));
  const bytes = items.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, sync.bytes);
  return { sync: { ...sync, items: sync.items + items.length, bytes } };
};

const progressOf = async (syncing: SyncContext, claim: Claim, step: Step, applied: Applied) => {
  const { record } = claim;
  const now = syncing.run.clock.now();
  const unread = stillUnread(claim, applied, step.reached ?? []);
  await syncing.deps.connectors.reports.putUnread(claim.address, applied.unread);
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
    // The error of earlier runs no longer applies.
    ...(record.failures > 1 ? { error: await unreadMessage(syncing, claim, unread) } : {}),
    ...counted(claim, step),
    incomplete: record.incomplete || applied.isTransient,
  } satisfies Progress;
};

/**
 * Returns a removal that the next sync must confirm: more than half of a listing's documents, not reported before.
 * Null if documents may be removed at once. A source with problems may return a short list.
 */
const unconfirmedRemoval = async (syncing: SyncContext, { source, reader }: Walk, { record }: Claim) => {
  if (reader.isListing !== true || record.pendingRemoval !== null) return null;
  const { unseen, total } = await countUnseen(syncing.deps, source, record.generation);
  return unseen * 2 > total ? { unseen, total } : null;
};

/** Ends a full read: removes documents that it has not seen. */
const removeUnseenDocuments = async (syncing: SyncContext, walk: Walk, claim: Claim): Promise<Outcome> => {
  const { source } = walk;
  const { deps, run } = syncing;
  const hasProgress = hasTime(syncing);
  const pendingRemoval = await unconfirmedRemoval(syncing, walk, claim);
  const ended = { removesUnseen: false, fullAt: run.clock.now().toISOString(), pendingRemoval };
  if (pendingRemoval !== null) {
    const saved = await deps.connectors.save(claim, ended);
    return saved === null ? { claim, end: 'changed' } : { claim: saved, end: 'finished' };
  }
  const all = await removeUnseen(deps, source, claim.record.generation, run.clock, () => hasTime(syncing));
  if (!all) return { claim, end: 'out_of_time', hasProgress };
  const saved = await deps.connectors.save(claim, ended);
  return saved === null ? { claim, end: 'changed' } : { claim: saved, end: 'finished' };
};

/** Runs one step and saves its result. Returns `nextClaim` if another step follows. */
const runStep = async (syncing: SyncContext, walk: Walk): Promise<Outcome | { readonly nextClaim: Claim }> => {
  const { claim, source } = walk;
  const step = await nextStep(syncing, walk);
  if (step === null) return restart(syncing, claim);
  if (step.newCredentials !== undefined) await saveCredentials(syncing, claim, step.newCredentials);
  const generation = claim.record.generation + (claim.record.state === null ? 1 : 0);
  const hasProgress = hasTime(syncing);
  const isListing = step.isListing ?? walk.reader.isListing ?? false;
  const listed = { changes: step.changes, isListing };
  const applied = await applyChanges(syncing, claim, source, generation, listed);
  if (applied === null) return { claim, end: 'out_of_time', hasProgress };
  const saved = await syncing.deps.connectors.save(claim, await progressOf(syncing, claim, step, applied));
  if (saved === null) return { claim, end: 'changed' };
  if (isListing && saved.record.stalePages >= maxPagesWithoutNewId) throw endlessListing();
  if (!step.done) return { nextClaim: saved };
  return saved.record.removesUnseen ? removeUnseenDocuments(syncing, walk, saved) : { claim: saved, end: 'finished' };
};

/**
 * Runs steps until the source has no more, time runs out, or a caller has changed the connection.
 * Each step's result is saved together with the position of the next step. Throws errors that prevent the sync.
 */
export const runSteps = async (syncing: SyncContext, start: Walk): Promise<Outcome> => {
  let { claim, credentials } = start;
  let renewed = false;
  if (claim.record.removesUnseen) return removeUnseenDocuments(syncing, start, claim);
  while (hasTime(syncing)) {
    try {
      const result = await runStep(syncing, { source: start.source, reader: start.reader, claim, credentials });
      if ('end' in result) return result;
      claim = result.nextClaim;
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
