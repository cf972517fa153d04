import {
  type Content,
  type IndexRecord,
  isLive,
  otherTableOf,
  readVersionsOf,
  tableOfRebuild,
  toIndexRef,
  withContent,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { evaluateCandidate, proofOf, Requirement, TooManyEvaluations } from '../../../../shared/evaluations/index.ts';
import { countRebuild } from '../../../../shared/ledger/index.ts';
import {
  ForeignVector,
  hasTakenOver,
  type RebuildAddress,
  type RebuildRecord,
} from '../../../../shared/rebuilds/index.ts';
import { DamagedIndex, damagedMessage } from '#engine';
import type { Rebuilding } from '../uses.ts';
import { follow, purge } from './follow.ts';

/** Lease of a run, longer than any run. */
const leaseMs = 12 * minuteMs;

/** Whether another run is to follow at once. */
type Next = 'again' | 'done';

const emptyState: Content['state'] = {
  version: 0,
  commitVersion: 0,
  rows: 0,
  denseBytes: 0,
  sparseBytes: 0,
  unindexedRows: 0,
  maintenance: 'none',
  manifest: '',
};

/** Creates the successor. */
const begin = async (
  { deps }: Rebuilding,
  index: IndexRecord,
  current: RebuildRecord,
  leaseId: string,
): Promise<Next> => {
  const { id, to } = current;
  const empty: Content = { ...to, table: tableOfRebuild(index.id, id), state: emptyState };
  const { layers, ...ref } = toIndexRef(withContent(index, empty));
  const state = await deps.engines(index.organizationId, to.engine).create({ ...ref, layers: [layers[0]] });
  await deps.rebuilds.save(current, leaseId, { status: 'running', other: { ...empty, state } });
  return 'again';
};

/** Asks the log to switch. The message has the same effect however often it is sent. */
const requestSwitch = async ({ deps }: Rebuilding, index: IndexRecord, current: RebuildRecord): Promise<Next> => {
  const change = { op: 'switch', rebuild_id: current.id } as const;
  await deps.log.append(index, change, `${current.id}-${current.switches}`);
  return 'done';
};

/** A successor that did not prove itself. */
class NotProved extends Error {}

/**
 * Requires that the successor proves itself before it takes over. Until its evaluation ends, which wakes the rebuild, it
 * follows the changes of the index.
 */
const proveSuccessor = async (
  { deps, run }: Rebuilding,
  index: IndexRecord,
  current: RebuildRecord,
  leaseId: string,
): Promise<Next> => {
  const { id, proof, createdAt, createdBy } = current;
  if (proof === null) return 'again';
  const requirement = Requirement.parse(proof.requirement);
  const candidate = { index, comparedTo: { rebuildId: id }, content: [id], since: createdAt, createdBy };
  const requested = { goldenSet: proof.goldenSet, requirement };
  const evaluation = await evaluateCandidate(deps.proofs, run.clock, candidate, requested).catch((error: unknown) => {
    if (error instanceof TooManyEvaluations) return null;
    throw error;
  });
  // The sweep continues the rebuild.
  if (evaluation === null) return 'done';
  const isNew = current.evaluationId !== evaluation.id;
  const saved = isNew ? await deps.rebuilds.save(current, leaseId, { evaluationId: evaluation.id }) : current;
  if (saved === null) return 'again';
  if (evaluation.completedAt === null) return 'done';
  if (evaluation.status === 'failed') throw new NotProved(`The evaluation has failed: ${evaluation.error ?? ''}`);
  const { verdict, reason } = proofOf(evaluation, requirement);
  if (verdict !== 'passed') throw new NotProved(reason);
  await deps.rebuilds.save(saved, leaseId, { isProved: true });
  return 'again';
};

/** Brings the other content up to date, and then asks the log to switch. */
const followAndSwitch = async (
  context: Rebuilding,
  index: IndexRecord,
  current: RebuildRecord,
  leaseId: string,
): Promise<Next> => {
  const followed = await follow(context, { organizationId: index.organizationId, indexId: index.id }, current, leaseId);
  if (followed === 'interrupted') return 'again';
  if (!hasTakenOver(current) && current.proof !== null && !current.isProved)
    return proveSuccessor(context, index, followed.current, leaseId);
  const status = hasTakenOver(current) ? 'switching_back' : 'switching';
  const step = { status, switches: followed.current.switches + 1 } as const;
  const saved = await context.deps.rebuilds.save(followed.current, leaseId, step);
  return saved === null ? 'again' : requestSwitch(context, index, saved);
};

/** Drops the content that does not serve, unless branches read it, and ends the rebuild. */
const finish = async ({ deps, run }: Rebuilding, index: IndexRecord | null, current: RebuildRecord): Promise<Next> => {
  const { organizationId, id, to } = current;
  const { engine, table } = current.other ?? { engine: to.engine, table: tableOfRebuild(current.indexId, id) };
  const isOwn = (dependent: string): boolean => dependent.startsWith(`${id}@`);
  const others = index === null ? [] : [...index.dependents].filter((dependent) => !isOwn(dependent));
  const isRead = index !== null && readVersionsOf({ id: index.id, dependents: new Set(others) }, table).length > 0;
  const at = run.clock.now().toISOString();
  if (!isRead) await deps.engines(organizationId, engine).drop(table);
  await countRebuild(deps, current, at);
  await deps.rebuilds.end(current, isRead ? null : otherTableOf({ engine, table }), at);
  return 'done';
};

/** While the takeover can be undone, keeps the former content up to date. */
const keepFormer = async (
  context: Rebuilding,
  index: IndexRecord,
  current: RebuildRecord,
  leaseId: string,
): Promise<Next> => {
  const { deps, run } = context;
  const at = run.clock.now().toISOString();
  await countRebuild(deps, current, at);
  if (current.rollbackUntil === null || current.rollbackUntil <= at) return finish(context, index, current);
  const followed = await follow(context, { organizationId: index.organizationId, indexId: index.id }, current, leaseId);
  if (followed === 'interrupted') return 'again';
  await purge(context, index, followed.current, leaseId);
  return 'done';
};

const step = (context: Rebuilding, index: IndexRecord, current: RebuildRecord, leaseId: string): Promise<Next> => {
  switch (current.status) {
    case 'queued':
      return begin(context, index, current, leaseId);
    case 'running':
    case 'rolling_back':
      return followAndSwitch(context, index, current, leaseId);
    case 'switching':
    case 'switching_back':
      return requestSwitch(context, index, current);
    case 'completed':
      return keepFormer(context, index, current, leaseId);
    case 'rolled_back':
    case 'cancelled':
    case 'failed':
      return finish(context, index, current);
  }
};

/** Ends a rebuild that has not taken over. */
const fail = async (context: Rebuilding, current: RebuildRecord, error: string): Promise<Next> => {
  const { deps, run } = context;
  const failed = await deps.rebuilds.fail(current, error, run.clock.now().toISOString());
  return failed === null ? 'done' : 'again';
};

/** Codes of errors that no further attempt avoids: a golden set, for example, is gone. */
const finalCodes: ReadonlySet<string> = new Set([
  'plan_limit_reached',
  'index_full',
  'not_found',
  'not_supported_by_engine',
]);

/** Returns the reason for which a rebuild fails for good; null if another attempt may succeed. */
const reasonOf = (error: unknown): string | null => {
  if (error instanceof NotProved || error instanceof ForeignVector) return error.message;
  if (error instanceof DamagedIndex) return damagedMessage;
  const isFinal = error instanceof AppError && finalCodes.has(error.code);
  return isFinal ? error.message : null;
};

/** Continues a rebuild by its status: creates, fills, switches, follows or ends. A run without its lease does nothing. */
export const runRebuild = async (context: Rebuilding, address: RebuildAddress, leaseId: string): Promise<void> => {
  const { deps, run } = context;
  const now = run.clock.now();
  const until = laterBy(now, leaseMs).toISOString();
  const current = await deps.rebuilds.lease(address, { id: leaseId, until }, now.toISOString());
  if (current === null) return;
  await deps.rebuilds.recordEvent(address);
  let next: Next = 'done';
  try {
    const index = await deps.indexes.get(address.organizationId, address.indexId);
    if (current.endedAt !== null) return;
    next = isLive(index) ? await step(context, index, current, leaseId) : await finish(context, index, current);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null || hasTakenOver(current)) throw error;
    run.log.warn('rebuild.failed', { index_id: address.indexId, rebuild_id: address.rebuildId, error });
    next = await fail(context, current, reason);
  } finally {
    await deps.rebuilds.release(address, leaseId);
  }
  if (next === 'again') await deps.queue.send(current.region, address);
};

/** Ends a rebuild whose attempts are exhausted. After the takeover, the sweep goes on. */
export const failRebuild = async (context: Rebuilding, address: RebuildAddress): Promise<void> => {
  const { deps } = context;
  const current = await deps.rebuilds.find(address);
  if (current === null || hasTakenOver(current)) return;
  const next = await fail(context, current, 'The successor could not be filled after several attempts');
  if (next === 'again') await deps.queue.send(current.region, address);
};
