import { laterBy } from '../../../../shared/kernel/clock.ts';
import type { Claim } from '../../../../shared/connectors/index.ts';
import type { Owner, Source } from '../../../../shared/documents/index.ts';
import type { SyncContext } from '../uses.ts';

/** Milliseconds that a run keeps in reserve, to save what it has come to. */
const reserveMs = 15_000;

export const hasTime = ({ run }: SyncContext): boolean => run.remainingMs() > reserveMs;

/** The connection as the owner of its documents. */
export const ownerOf = ({ address: { organizationId, indexId, connectionId } }: Claim): Owner => ({
  organizationId,
  indexId,
  sourceId: connectionId,
});

/** The connection as a source of documents. */
export const sourceOf = (claim: Claim, plan: Source['plan']): Source => ({
  ...ownerOf(claim),
  kind: 'connector',
  plan,
  retryFrom: claim.record.triesFrom,
});

/** A moment from now. */
export const inSeconds = ({ run }: SyncContext, seconds: number): Date => laterBy(run.clock.now(), seconds * 1000);
