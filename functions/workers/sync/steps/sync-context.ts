import { laterBy } from '../../../../shared/kernel/clock.ts';
import type { Claim } from '../../../../shared/connectors/index.ts';
import type { Owner, Source } from '../../../../shared/documents/index.ts';
import type { SyncContext } from '../uses.ts';

/** Milliseconds that a run reserves for saving its progress. */
const reserveMs = 15_000;

export const hasTime = ({ run }: SyncContext): boolean => run.remainingMs() > reserveMs;

/** Returns the owner of a connection's documents. */
export const ownerOf = ({ address: { organizationId, indexId, connectionId } }: Claim): Owner => ({
  organizationId,
  indexId,
  sourceId: connectionId,
});

/** Returns the document source of a connection. */
export const sourceOf = (claim: Claim, plan: Source['plan']): Source => ({
  ...ownerOf(claim),
  kind: 'connector',
  plan,
  retryFrom: claim.record.triesFrom,
  syncId: claim.record.sync?.id ?? null,
});

/** Returns the time in some seconds. */
export const inSeconds = ({ run }: SyncContext, seconds: number): Date => laterBy(run.clock.now(), seconds * 1000);

const firstPauseSeconds = 30;
const maxPauseSeconds = 3_600;

/** Returns the pause after a failure, in seconds. @param earlier Failures before it. */
export const pauseAfter = (earlier: number): number =>
  Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** Math.min(earlier, 12));
