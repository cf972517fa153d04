import { randomUUID } from 'node:crypto';
import { maxDelaySeconds } from '../../../../shared/platform/aws/queue.ts';
import {
  type Claim,
  type ConnectionAddress,
  connectorProviders,
  type EndedSync,
  intervalOf,
  type Progress,
  type RunningSync,
  syncMessageOf,
  validCredentials,
} from '../../../../shared/connectors/index.ts';
import { removeAll } from '../../../../shared/documents/index.ts';
import { isLive } from '../../../../shared/indexes/index.ts';
import { dayMs, minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { newId } from '../../../../shared/kernel/ids.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { SourceFault } from '../../../../shared/platform/connectors/port.ts';
import { maxWaits } from './apply-changes.ts';
import type { SyncContext } from '../uses.ts';
import { hasTime, inSeconds, ownerOf, pauseAfter, sourceOf } from './sync-context.ts';
import { resetProgress, runSteps } from './run-steps.ts';
import { unreadMessage } from './unread.ts';

/** Duration of a lease, in seconds. It is longer than a run may take, so that no two runs work on one connection. */
const leaseSeconds = 330;
/** Interval of full reads for sources that report changes, since they may miss some. */
const fullEveryMs = dayMs;
/** Delay of the first full read that retries failed items; it doubles each time. */
const firstRetryMs = 25 * minuteMs;
/** Number of waits of a sync for items that the last one did not get. */
const laterWaits = 2;
/** Consecutive failed runs after which the connector stops with an error, about six hours. */
const maxFailures = 12;

/**
 * Releases a connection that a caller has changed. If it was deleted with its index, its document records are removed.
 */
const abandon = async ({ deps }: SyncContext, claim: Claim): Promise<void> => {
  if (await deps.connectors.abandon(claim)) return deps.syncs.send(claim.address);
  const { organizationId, indexId } = claim.address;
  await deps.connectors.reports.clear(claim.address);
  const index = await deps.indexes.get(organizationId, indexId);
  if (!isLive(index)) await deps.documents.clear(ownerOf(claim));
};

/** Records the end of a sync, from what the documents say of it, so that a repeat records the same. */
const recordEnd = async (
  { deps }: SyncContext,
  claim: Claim,
  sync: RunningSync,
  end: Pick<EndedSync, 'status' | 'error'>,
): Promise<number> => {
  const { total, added, updated } = await deps.documents.countChanges(ownerOf(claim), sync.id);
  const removed = Math.max(0, sync.documentsBefore + added - total);
  const unread = claim.record.unread.length;
  await deps.connectors.reports.record(claim.address, {
    ...end,
    sync,
    added,
    updated,
    removed,
    documents: total,
    unread,
  });
  return total;
};

/** Releases the connection and stores its number of documents. `end`: how its sync ended; null if it goes on. */
const release = async (
  syncing: SyncContext,
  claim: Claim,
  progress: Progress,
  next: Date | null,
  end: Pick<EndedSync, 'status' | 'error'> | null = null,
): Promise<boolean> => {
  const { connectors, documents } = syncing.deps;
  const { sync } = claim.record;
  const ended = end !== null && sync !== null;
  const count = ended ? await recordEnd(syncing, claim, sync, end) : await documents.count(ownerOf(claim));
  const released = await connectors.release(
    claim,
    { ...progress, documents: count, ...(ended ? { sync: null } : {}) },
    next,
  );
  if (!released) await abandon(syncing, claim);
  return released;
};

/** Releases the connection and schedules the next run, sooner if a caller has changed the connection. */
const continueLater = async (
  syncing: SyncContext,
  claim: Claim,
  progress: Progress,
  seconds: number,
): Promise<void> => {
  const released = await release(syncing, claim, progress, inSeconds(syncing, seconds));
  if (released && seconds <= maxDelaySeconds) await syncing.deps.syncs.send(claim.address, seconds);
};

const stop = async (syncing: SyncContext, claim: Claim, error: string, progress: Progress = {}): Promise<void> => {
  await release(syncing, claim, { ...progress, status: 'error', error }, null, { status: 'failed', error });
};

/** Reports a removal that waits for confirmation by the next sync. */
const pendingRemovalOf = ({ record: { pendingRemoval } }: Claim): string | null =>
  pendingRemoval === null
    ? null
    : `The list is without ${pendingRemoval.unseen} of ${pendingRemoval.total} indexed documents. They are removed if the next sync finds the same`;

const finish = async (syncing: SyncContext, claim: Claim): Promise<void> => {
  const { reports } = syncing.deps.connectors;
  const { unread } = claim.record;
  const lastSyncedAt = syncing.run.clock.now().toISOString();
  const message = await unreadMessage(syncing, claim, unread);
  const problems = [pendingRemovalOf(claim), message].filter((problem) => problem !== null);
  const error = problems.length === 0 ? null : problems.join('. ');
  const progress = { status: 'active', lastSyncedAt, error, failures: 0 } as const;
  await reports.keepUnread(claim.address, unread);
  const next = inSeconds(syncing, intervalOf(claim.record) * 60);
  await release(syncing, claim, progress, next, { status: 'completed', error });
};

/**
 * Schedules a retry after the delay that the source requests, or with growing delays. After too many failures the
 * connector stops.
 */
const retryLater = async (syncing: SyncContext, claim: Claim, fault: SourceFault): Promise<void> => {
  const { failures } = claim.record;
  if (fault.retryAfterSeconds === null && failures >= maxFailures) {
    await stop(syncing, claim, `${fault.message}; failed ${failures} times. Resume the connector to try again`);
    return;
  }
  const seconds = Math.max(1, fault.retryAfterSeconds ?? pauseAfter(failures));
  const about = syncMessageOf(claim.address);
  syncing.run.log.warn('sync.retry.scheduled', { ...about, failures, seconds, error: fault });
  // A source that says when to retry has not failed.
  const isFailure = fault.retryAfterSeconds === null;
  const progress = isFailure ? { error: `${fault.message}; it is tried again` } : { failures: failures - 1 };
  await continueLater(syncing, claim, progress, seconds);
};

const stopAfterFailures = (syncing: SyncContext, claim: Claim): Promise<void> =>
  stop(syncing, claim, `The source could not be read; failed ${maxFailures} times. Resume the connector to try again`);

/** Throws an unexpected error, until the maximum of failed runs is reached; then the connector stops with an error. */
const giveUp = async (syncing: SyncContext, claim: Claim, error: unknown): Promise<void> => {
  const { failures } = claim.record;
  // The lease then expires, and the next claim counts one more failure.
  if (failures < maxFailures) throw error;
  syncing.run.log.error('sync.retries.exhausted', { ...syncMessageOf(claim.address), failures, error });
  await stopAfterFailures(syncing, claim);
};

/** Handles a failed run: retries it or stops the connector. Throws unexpected errors. */
const handleFailure = async (syncing: SyncContext, claim: Claim, error: unknown): Promise<void> => {
  if (error instanceof SourceFault) {
    if (error.kind === 'busy' || error.kind === 'state_lost') await retryLater(syncing, claim, error);
    else await stop(syncing, claim, error.message, error.forgetsPlace ? { state: null, removesUnseen: false } : {});
    return;
  }
  if (!(error instanceof AppError)) return giveUp(syncing, claim, error);
  const isFull = error.code === 'plan_limit_reached' || error.code === 'index_full';
  const refused = isFull || (error.code === 'conflict' && error.cause !== undefined);
  if (refused) await stop(syncing, claim, `${error.message}. Resume the connector once the plan has capacity`);
  // The index is being deleted, together with its connections.
  else if (error.code === 'not_found') await stop(syncing, claim, error.message);
  else await retryLater(syncing, claim, new SourceFault('busy', error.message, { cause: error }));
};

/** Removes the documents and then the record of a deleted connection. */
const deleteConnection = async (syncing: SyncContext, claim: Claim): Promise<void> => {
  const { deps, run } = syncing;
  if (await removeAll(deps, ownerOf(claim), run.clock, () => hasTime(syncing))) await deps.connectors.purge(claim);
  else await continueLater(syncing, claim, {}, 0);
};

/** Returns a sync that begins now. One that a caller has interrupted is recorded first. */
const newSync = async (syncing: SyncContext, claim: Claim, isFull: boolean): Promise<RunningSync> => {
  const { record } = claim;
  const startedAt = syncing.run.clock.now();
  const documentsBefore =
    record.sync === null
      ? record.documents
      : await recordEnd(syncing, claim, record.sync, { status: 'interrupted', error: null });
  return {
    id: newId('sync', startedAt),
    trigger: record.status === 'active' ? 'schedule' : 'request',
    isFull,
    startedAt: startedAt.toISOString(),
    revision: record.revision,
    documentsBefore,
    items: 0,
    bytes: 0,
  };
};

/** Starts a sync, or continues one. Null if a caller has changed the connection. */
const begin = async (syncing: SyncContext, claim: Claim): Promise<Claim | null> => {
  const { record } = claim;
  const { fullAt, incomplete, retries, state, requested } = record;
  if (record.status !== 'active' && !requested) {
    if (record.sync?.revision === record.revision) return claim;
    return syncing.deps.connectors.save(claim, { sync: await newSync(syncing, claim, state === null) });
  }
  const ageMs = fullAt === null ? Number.POSITIVE_INFINITY : syncing.run.clock.now().getTime() - Date.parse(fullAt);
  const isRetry = incomplete && ageMs >= firstRetryMs * 2 ** Math.min(retries, 6);
  const isAnew = ageMs >= fullEveryMs || isRetry || state === null;
  return syncing.deps.connectors.save(claim, {
    // Failed items are reported until they are requested again.
    ...(isAnew ? resetProgress : {}),
    status: 'syncing',
    requested: false,
    sync: await newSync(syncing, claim, isAnew),
    // Items that the last sync did not get may be unavailable again, so the sync waits less for them.
    waits: incomplete ? maxWaits - laterWaits : 0,
    retries: incomplete ? retries + (isRetry ? 1 : 0) : 0,
  });
};

const read = async (syncing: SyncContext, claim: Claim): Promise<void> => {
  const { deps } = syncing;
  const plan = await planOf(deps.organizations, claim.address.organizationId);
  const { provider, failures } = claim.record;
  // The last run crashed before it could report the error.
  if (failures > maxFailures) return stopAfterFailures(syncing, claim);
  const reader = deps.sources.of(provider, claim.address.organizationId);
  if (!plans[plan].features.connectors) return stop(syncing, claim, 'The plan no longer includes connectors');
  if (reader === null) return stop(syncing, claim, `This deployment does not read ${connectorProviders[provider]}`);
  const source = sourceOf(claim, plan);
  let current = claim;
  try {
    const credentials = await validCredentials(syncing, claim);
    const outcome = await runSteps(syncing, { source, reader, claim, credentials });
    current = outcome.claim;
    if (outcome.end === 'finished') await finish(syncing, current);
    else {
      // A run that timed out may have made progress without completing a step.
      const failures = Math.max(0, current.record.failures - (outcome.hasProgress === true ? 1 : 0));
      await continueLater(syncing, current, { failures }, 0);
    }
  } catch (error) {
    await handleFailure(syncing, current, error);
  }
};

/** Syncs a connection if it is due and no other run has its lease. May crash at any line and be repeated. */
export const runSync = async (syncing: SyncContext, address: ConnectionAddress): Promise<void> => {
  const claim = await syncing.deps.connectors.claim(address, randomUUID(), leaseSeconds);
  if (claim === null) return;
  if (claim.record.deleted) {
    await deleteConnection(syncing, claim);
    return;
  }
  const begun = await begin(syncing, claim);
  if (begun !== null) await read(syncing, begun);
  else await abandon(syncing, claim);
};
