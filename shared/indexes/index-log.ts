import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError, ValidationFailure, valueProblem } from '../kernel/errors.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { changeKey } from '../kernel/content-keys.ts';
import { newId } from '../kernel/ids.ts';
import { openContentWriter } from '../platform/aws/objects.ts';
import { deleteDeadChanges, sendMessage } from '../platform/aws/queue.ts';
import { boundMetadata, boundsProblem, boundsProblemOfPatch, type Filter, filterOf } from '#engine';
import { isObject } from '../kernel/json.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import { prefixProblem, requireFilterable } from './filterable.ts';
import type { IndexRecord } from './record.ts';
import { packRows } from './packed-rows.ts';
import { type RowWrite, toWireWrite, WirePatch, WireWrite } from './wire.ts';

/** Key in the content bucket of a part of a change (rows, ids, patches) that is too large for a message. */
const Pointer = z.object({ key: z.string() });

/**
 * Filter, or the key of one in the content bucket, because an object is the filter itself. The request
 * has validated it.
 */
const SentFilter = z.union([z.custom<Filter>(isObject), z.string()]);

/** Filter of the rows that a caller may see. Others count as absent. */
const Within = z.custom<Filter>(isObject).optional();

/** Changes that a caller has requested, who waits for the receipt. */
const DirectChange = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('upsert'),
    rows: z.union([z.array(WireWrite), Pointer]),
    /** Model tokens that embedding the rows took. */
    tokens: z.number().int(),
    within: Within,
  }),
  /** Merges `patches` into the named rows, or `metadata` into all rows that match `filter`. */
  z.object({
    op: z.literal('patch'),
    patches: z.union([z.array(WirePatch), Pointer]).optional(),
    filter: SentFilter.optional(),
    metadata: ParsedObject.optional(),
    within: Within,
  }),
  /** Deletes the named rows, or all rows that match `filter`. */
  z.object({
    op: z.literal('delete'),
    ids: z.union([z.array(z.string()), Pointer]).optional(),
    filter: SentFilter.optional(),
    within: Within,
  }),
  /** Removes the named rows for good, those of a job, or those that match `filter`. */
  z.object({
    op: z.literal('erase'),
    erasure_id: z.string(),
    ids: z.union([z.array(z.string()), Pointer]).optional(),
    job_id: z.string().optional(),
    filter: SentFilter.optional(),
  }),
  /** `counted`: a caller requested the removal, so its rows count as deleted. */
  z.object({ op: z.literal('remove_job'), job_id: z.string(), counted: z.boolean() }),
  /** Makes a former version the content again. */
  z.object({ op: z.literal('restore'), version: z.number().int() }),
  /** Sent in the group of the parent. The branch is promoted as it is when the message is applied. */
  z.object({
    op: z.literal('promote'),
    branch_id: z.string(),
    parent_changes: z.enum(['keep', 'discard']),
    /** Whether rows are embedded again if the branch has another model. */
    embed: z.boolean().optional(),
    /** Version of the last change of the branch, if only that content is promoted. */
    branch_version: z.number().int().optional(),
  }),
]);
export type DirectChange = z.infer<typeof DirectChange>;

/** Change of an index that is applied, in the order of its log. */
const AppliedChange = z.discriminatedUnion('op', [
  ...DirectChange.options,
  z.object({ op: z.literal('create') }),
  z.object({
    op: z.literal('write_task'),
    job_id: z.string(),
    task_id: z.string(),
    ordinal: z.number().int(),
    rows: Pointer,
    /** Job whose rows are replaced by those of this one, in one commit with its last task. */
    replaces: z.string().nullable(),
  }),
  /** Sent in the group of the parent, so that the branch is based on all earlier writes. */
  z.object({ op: z.literal('branch'), branch_id: z.string() }),
  /** Makes the other content of a rebuild that of the index, if it has all changes before the message. */
  z.object({ op: z.literal('switch'), rebuild_id: z.string() }),
  /** Removes rows that have expired by a time, in milliseconds since 1970. */
  z.object({ op: z.literal('expire'), until: z.number() }),
  /** Closes a deleted index after all earlier changes. A worker then deletes what belongs to it. */
  z.object({ op: z.literal('close') }),
]);

export const LogChange = z.discriminatedUnion('op', [
  ...AppliedChange.options,
  /** Looks up a poison message that has left the log without a decision. Nothing is applied. `is_last`: it is refused. */
  z.object({ op: z.literal('reconcile'), change: AppliedChange, is_last: z.boolean() }),
]);
export type LogChange = z.infer<typeof LogChange>;

/** Rows to write, which are sent as an `upsert`. */
interface RowsWrite {
  readonly op: 'write_rows';
  readonly rows: readonly RowWrite[];
  /** Model tokens that embedding the rows took. */
  readonly tokens: number;
  /** Filter of the rows that the caller may see. */
  readonly within?: Filter;
}

/** Requested change, with all its data. */
export type RequestedChange = LogChange | RowsWrite;

export const LogMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  receipt_id: z.string(),
  change: LogChange,
  /** True if an earlier run of the request may have sent the message, longer ago than the deduplication of the queue lasts. */
  is_repeat: z.boolean().optional(),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** Message with a change that this version does not know. */
export const UnreadableMessage = LogMessage.omit({ change: true });

/** Message with one kind of change. */
export type MessageOf<Op extends LogChange['op']> = LogMessage & {
  readonly change: Extract<LogChange, { readonly op: Op }>;
};

/** Maximum inline bytes of a message. The queue takes 1 MiB, and a batch of ten must fit the payload of a function. */
const inlineBytes = 200 * 1024;

/** Log of each index: appends changes. */
export interface IndexLog {
  /**
   * Appends a change to the log of an index. Returns the receipt id once the change is durable; it is not applied yet. The
   * queue drops repeats of a receipt id for some minutes, except with another `again`. A repeat that may come later sets
   * `isRepeat`.
   */
  append(
    index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'> & Partial<Pick<IndexRecord, 'nonFilterableKeys'>>,
    change: RequestedChange,
    receiptId?: string,
    more?: { readonly again?: string; readonly isRepeat?: boolean },
  ): Promise<string>;
}

/** Returns the change for a message. Parts that are too large are stored, and replaced by a pointer. */
const offloadLargeParts = async (
  change: RequestedChange,
  key: string,
  keep: (body: Uint8Array, contentType: string) => Promise<unknown>,
): Promise<LogChange> => {
  const large = async (part: unknown): Promise<boolean> => {
    const body = new TextEncoder().encode(JSON.stringify(part));
    if (body.length <= inlineBytes) return false;
    await keep(body, 'application/json');
    return true;
  };
  switch (change.op) {
    case 'write_rows': {
      const { op: _, rows, ...more } = change;
      const packed = packRows(rows);
      // As text in the message, the numbers take a third more.
      if (packed.length * (4 / 3) <= inlineBytes) return { op: 'upsert', rows: rows.map(toWireWrite), ...more };
      await keep(packed, 'application/octet-stream');
      return { op: 'upsert', rows: { key }, ...more };
    }
    case 'patch':
    case 'erase':
    case 'delete': {
      if (change.filter !== undefined) return (await large(change.filter)) ? { ...change, filter: key } : change;
      if (change.op === 'patch') return (await large(change.patches)) ? { ...change, patches: { key } } : change;
      return (await large(change.ids)) ? { ...change, ids: { key } } : change;
    }
    default:
      return change;
  }
};

/** Sends a message to the log of its index, behind all waiting messages. */
const sendToLog = (runtime: Runtime, region: string, message: LogMessage, deduplicationId: string): Promise<void> =>
  sendMessage(runtime, 'log', region, message, { groupId: message.index_id, deduplicationId });

const openIndexLog = (runtime: Runtime): IndexLog => {
  const content = openContentWriter(runtime);
  return {
    append: async (
      { organizationId, id, region },
      change,
      receiptId = newId('rcp', runtime.clock.now()),
      { again, isRepeat = false } = {},
    ) => {
      const key = changeKey({ organizationId, indexId: id }, receiptId);
      const sent = await offloadLargeParts(change, key, (body, contentType) =>
        content.put(region, key, body, contentType),
      );
      const message: LogMessage = {
        organization_id: organizationId,
        index_id: id,
        receipt_id: receiptId,
        change: sent,
        ...(isRepeat ? { is_repeat: true } : {}),
      };
      await sendToLog(runtime, region, message, again === undefined ? receiptId : `${receiptId}-${again}`);
      return receiptId;
    },
  };
};

const problemIf = (loc: readonly (string | number)[], message: string | null) =>
  message === null ? [] : [valueProblem(loc, message)];

/** Returns the rows of a write with the values of the bounds. Throws 422 for a row that may not be written. */
const boundRows = (rows: readonly RowWrite[], bounds: RowBounds): readonly RowWrite[] => {
  const bound = rows.map((row) => ({ ...row, metadata: boundMetadata(row.metadata, bounds) }));
  const problems = bound.flatMap(({ id, metadata }, at) => [
    ...problemIf(['body', at, 'id'], prefixProblem(id, bounds)),
    ...problemIf(['body', at, 'metadata'], boundsProblem(metadata, bounds)),
  ]);
  if (problems.length > 0) throw new ValidationFailure(problems);
  return bound;
};

/** Throws 422 for metadata that may not be merged into rows. */
const requireBoundPatches = (
  patches: readonly { readonly metadata: WirePatch['metadata'] }[],
  bounds: RowBounds,
  locOf: (at: number) => readonly (string | number)[],
): void => {
  const problems = patches.flatMap(({ metadata }, at) => problemIf(locOf(at), boundsProblemOfPatch(metadata, bounds)));
  if (problems.length > 0) throw new ValidationFailure(problems);
};

/** Returns a change as a caller bound to rows may make it. Throws 403 for a change of the whole index, and 422. */
const boundChange = (change: RequestedChange, bounds: RowBounds): RequestedChange => {
  const within = filterOf(bounds);
  switch (change.op) {
    case 'write_rows':
      return { ...change, rows: boundRows(change.rows, bounds), within };
    case 'patch':
      if (change.metadata !== undefined)
        requireBoundPatches([{ metadata: change.metadata }], bounds, () => ['body', 'metadata']);
      if (Array.isArray(change.patches)) requireBoundPatches(change.patches, bounds, (at) => ['body', at, 'metadata']);
      return { ...change, within };
    case 'delete':
      return { ...change, within };
    // The job is one that the caller can see.
    case 'remove_job':
      return change;
    default:
      throw new AppError('forbidden', 'These credentials are bound to rows, and this concerns the whole index');
  }
};

/** Returns the log as it serves a caller who is bound to rows. */
const boundLog = (log: IndexLog, bounds: RowBounds): IndexLog => ({
  append: (index, change, ...more) => {
    requireFilterable(index, bounds);
    return log.append(index, boundChange(change, bounds), ...more);
  },
});

export const logSend = capability<IndexLog>(['log.send', 'batches.put'], openIndexLog, boundLog);

/** Messages that have left the logs of a region without success. */
export interface DeadChanges {
  /** Deletes those of some indexes. Returns their number. */
  forget(region: string, indexIds: ReadonlySet<string>): Promise<number>;
}

export const deadChangesUse = capability<DeadChanges>(['log.forget'], (runtime) => ({
  forget: (region, indexIds) => deleteDeadChanges(runtime, region, indexIds),
}));
