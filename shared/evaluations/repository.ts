import { absent, present } from '../db/condition.ts';
import type { Attributes, Key, Table } from '../db/contracts.ts';
import { dueAttributes, epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { removeGoldenSets } from '../golden-sets/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { removeQueryLog } from '../query-log/index.ts';
import {
  addressOfEvaluation,
  type EvaluationAddress,
  evaluationKey,
  evaluationPartition,
  type EvaluationRecord,
  type EvaluationResults,
  expiryOf,
  type NewEvaluation,
  newEvaluationItem,
  openStatuses,
  overdueEvaluation,
  toEvaluationRecord,
} from './record.ts';

export interface EvaluationReader {
  find(address: EvaluationAddress): Promise<EvaluationRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly evaluations: readonly EvaluationRecord[]; readonly next: string | null }>;
}

export interface EvaluationWriter extends EvaluationReader {
  /** Counts the evaluations of an organization that have not ended. */
  countRunning(organizationId: string): Promise<number>;
  /** Stores a new evaluation, or begins an ended one again. Does nothing if it has not ended. */
  add(created: NewEvaluation): Promise<void>;
  /** Deletes an evaluation that has not begun. */
  withdraw(address: EvaluationAddress): Promise<void>;
  /** Stores which versions are read. Returns null if another run has stored a step. */
  begin(current: EvaluationRecord, versions: readonly (number | null)[], at: string): Promise<EvaluationRecord | null>;
  /** Counts a stored part. Returns null if another run has stored a step. */
  advance(current: EvaluationRecord, tokens: number, at: string): Promise<EvaluationRecord | null>;
  /** Stores the results. Returns null if another run has stored a step. */
  complete(current: EvaluationRecord, results: EvaluationResults, at: string): Promise<EvaluationRecord | null>;
  /** Ends an evaluation that has not ended. */
  fail(address: EvaluationAddress, error: string, at: string): Promise<void>;
  /** Keys of evaluations without a step in time. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next check. Returns null if the evaluation is gone or has ended. */
  postpone(address: EvaluationAddress, at: string): Promise<EvaluationRecord | null>;
  /** Deletes the records of an index: its evaluations, its golden sets and its log of questions. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
}

const readerOf = (table: Table): EvaluationReader => ({
  find: async (address) => {
    const item = await table.get(evaluationKey(address));
    return item === null ? null : toEvaluationRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(evaluationPartition(organizationId), {
      prefix: `${indexId}#`,
      newestFirst: true,
      limit,
      after: after === null ? null : `${indexId}#${after}`,
    });
    return { evaluations: page.items.map(toEvaluationRecord), next: page.next?.split('#')[1] ?? null };
  },
});

const stepsOf = (table: Table): Pick<EvaluationWriter, 'begin' | 'advance' | 'complete' | 'fail'> => {
  const step = async (current: EvaluationRecord, set: Attributes, remove: readonly string[] = []) => {
    const item = await table.update(evaluationKey(addressOfEvaluation(current)), {
      set: { ...set, revision: current.revision + 1 },
      remove,
      condition: { ...present, status: { in: openStatuses }, revision: { eq: current.revision } },
    });
    return item === null ? null : toEvaluationRecord(item);
  };
  const ended = (status: 'completed' | 'failed', at: string) => ({ status, completed_at: at });
  return {
    begin: (current, versions, at) =>
      step(current, {
        status: 'running',
        started_at: at,
        versions: JSON.stringify(versions),
        ...overdueEvaluation(current.organizationId, at),
      }),
    advance: (current, tokens, at) =>
      step(current, {
        done: current.done + 1,
        tokens: current.tokens + tokens,
        ...overdueEvaluation(current.organizationId, at),
      }),
    complete: (current, results, at) =>
      step(current, { ...ended('completed', at), results: JSON.stringify(results) }, dueAttributes),
    fail: async (address, error, at) => {
      await table.update(evaluationKey(address), {
        set: { ...ended('failed', at), error },
        remove: dueAttributes,
        condition: { ...present, status: { in: openStatuses } },
      });
    },
  };
};

const openEvaluationWriter = (runtime: Runtime): EvaluationWriter => {
  const table = openTable(runtime, 'evaluations');
  return {
    ...readerOf(table),
    ...stepsOf(table),
    countRunning: (organizationId) =>
      table.count(evaluationPartition(organizationId), { where: { status: { in: openStatuses } } }),
    add: async (created) => {
      const item = { ...newEvaluationItem(created), expires_at_epoch: epochSecondsAfter(expiryOf(created)) };
      if (!(await table.put(item, absent))) await table.put(item, { status: { in: ['completed', 'failed'] } });
    },
    withdraw: async (address) => {
      await table.delete(evaluationKey(address), { status: { eq: 'queued' } });
    },
    overdue: (until, limit) => table.due('evaluations', until.toISOString(), limit),
    postpone: async (address, at) => {
      const item = await table.update(evaluationKey(address), {
        set: overdueEvaluation(address.organizationId, at),
        condition: { ...present, status: { in: openStatuses } },
      });
      return item === null ? null : toEvaluationRecord(item);
    },
    removeAll: async (organizationId, indexId) => {
      for await (const { pk, sk } of table.all(evaluationPartition(organizationId), { prefix: `${indexId}#` }))
        await table.delete({ pk, sk });
      await removeGoldenSets(table, organizationId, indexId);
      await removeQueryLog(table, organizationId, indexId);
    },
  };
};

export const evaluationsRead = capability<EvaluationReader>(['evaluations.read'], (runtime) =>
  readerOf(openTable(runtime, 'evaluations')),
);
export const evaluationsWrite = capability<EvaluationWriter>(['evaluations.write'], openEvaluationWriter);
