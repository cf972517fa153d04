import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { changeKey } from '../kernel/content-keys.ts';
import { newId } from '../kernel/ids.ts';
import { openContentWriter } from '../platform/aws/objects.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { Filter } from '../platform/engine/filter.ts';
import { isObject } from '../kernel/json.ts';
import type { IndexRecord } from './record.ts';
import { packRows } from './packed-rows.ts';
import { type RowWrite, toWireWrite, WirePatch, WireWrite } from './wire.ts';

/** Rows or ids of a change that are too large for a message wait in the content bucket under this key. */
const Pointer = z.object({ key: z.string() });

/** Changes of rows that somebody asked for; whoever asked waits for the receipt. */
const DirectChange = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('upsert'),
    rows: z.union([z.array(WireWrite), Pointer]),
    /** Model tokens that embedding the rows took. */
    tokens: z.number().int(),
  }),
  z.object({ op: z.literal('patch'), patches: z.union([z.array(WirePatch), Pointer]) }),
  z.object({ op: z.literal('delete'), ids: z.union([z.array(z.string()), Pointer]) }),
  /**
   * A string is the key of a filter in the content bucket, because an object would be a filter itself. The writer checks
   * a filter before it applies it: refused here, one of an earlier version would hold up the log of its index.
   */
  z.object({ op: z.literal('delete_where'), filter: z.union([z.custom<Filter>(isObject), z.string()]) }),
  /** `counted`: somebody asked for it, so its rows count as deleted. */
  z.object({ op: z.literal('remove_job'), job_id: z.string(), counted: z.boolean() }),
  /** Sent in the group of the parent: the branch takes its place as it is when the message is applied. */
  z.object({ op: z.literal('promote'), branch_id: z.string(), parent_changes: z.enum(['keep', 'discard']) }),
]);
export type DirectChange = z.infer<typeof DirectChange>;

/** Sent in the group of the parent, so that the branch stands on all that was written before it. */
const BranchChange = z.object({ op: z.literal('branch'), branch_id: z.string() });

/** One change of an index, in the order of its log. */
export const LogChange = z.discriminatedUnion('op', [
  ...DirectChange.options,
  z.object({ op: z.literal('create') }),
  z.object({
    op: z.literal('write_task'),
    job_id: z.string(),
    task_id: z.string(),
    ordinal: z.number().int(),
    rows: Pointer,
    /** The job whose rows give way to those of this one, all at once with its last task. */
    replaces: z.string().nullable(),
    /** When the end of its job had failed again and again. */
    since: z.iso.datetime().optional(),
    /** Its rows are known to stand in the place of the others, so that the job is only to be ended. */
    taken: z.boolean().optional(),
  }),
  BranchChange,
  /** Copies what lies behind a branch into its own table, portion by portion, and then lets go of it. */
  z.object({
    op: z.literal('fold'),
    after: z.string().nullable(),
    ancestors: z.array(z.object({ table: z.string(), version: z.number() })),
  }),
  /** Ends a change that failed again and again, `since` when: counts and acknowledges it if it was committed all the same. */
  z.object({ op: z.literal('settle'), change: z.union([DirectChange, BranchChange]), since: z.iso.datetime() }),
  /** Puts the pages of a crawl that has ended into the books. */
  z.object({ op: z.literal('count_crawl'), crawl_id: z.string() }),
  /** Counts what a model read for a task that had ended by the time it answered. */
  z.object({
    op: z.literal('count_tokens'),
    job_id: z.string(),
    ordinal: z.number().int(),
    group: z.string(),
    tokens: z.number().int(),
    /** When it had failed again and again. */
    since: z.iso.datetime().optional(),
  }),
  z.object({ op: z.literal('drop') }),
  /**
   * `ended`: the build of the vector index that has ended, well or not, and the rows that it was built over. `quiet`: nobody
   * writes any more, so that it pays to build an index anew that has grown.
   */
  z.object({
    op: z.literal('maintain'),
    ended: z.object({ build_id: z.string(), ok: z.boolean(), rows: z.number().int().optional() }).optional(),
    quiet: z.boolean().optional(),
  }),
]);
export type LogChange = z.infer<typeof LogChange>;

/** Rows that somebody asks to write; they travel as an `upsert`. */
interface RowsWrite {
  readonly op: 'write_rows';
  readonly rows: readonly RowWrite[];
  /** Model tokens that embedding the rows took. */
  readonly tokens: number;
}

/** A change as it is asked for, with all that it writes. */
export type AskedChange = LogChange | RowsWrite;

export const LogMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  receipt_id: z.string(),
  change: LogChange,
  /** An earlier run of the request may have sent the same, so long ago that the queue does not know it any more. */
  is_repeat: z.boolean().optional(),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** A message that carries one kind of change. */
export type MessageOf<Op extends LogChange['op']> = LogMessage & {
  readonly change: Extract<LogChange, { readonly op: Op }>;
};

/** Bytes of a message that still travel inline; the queue takes 1 MiB, and a batch of ten must fit a function's payload. */
const inlineBytes = 200 * 1024;

/** Appends changes to the logs of indexes. */
export interface IndexLog {
  /**
   * Resolves to the receipt id once the change is in the log: durable, but not yet applied. A repeat under one receipt id
   * is dropped for some minutes, unless it says `again` which repeat it is; one that may come later says `isRepeat`.
   */
  append(
    index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'>,
    change: AskedChange,
    receiptId?: string,
    more?: { readonly again?: string; readonly isRepeat?: boolean },
  ): Promise<string>;
}

/** The change as it travels: what is too large for a message is kept, and a pointer goes in its place. */
const shorten = async (
  change: AskedChange,
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
      const { rows, tokens } = change;
      const packed = packRows(rows);
      // As text in the message the numbers take a third more.
      if (packed.length * (4 / 3) <= inlineBytes) return { op: 'upsert', rows: rows.map(toWireWrite), tokens };
      await keep(packed, 'application/octet-stream');
      return { op: 'upsert', rows: { key }, tokens };
    }
    case 'patch':
      return (await large(change.patches)) ? { ...change, patches: { key } } : change;
    case 'delete':
      return (await large(change.ids)) ? { ...change, ids: { key } } : change;
    case 'delete_where':
      return (await large(change.filter)) ? { ...change, filter: key } : change;
    default:
      return change;
  }
};

/** Sends a message to the log of its index as it is, behind all that waits there. */
const sendToLog = (runtime: Runtime, region: string, message: LogMessage, deduplicationId: string): Promise<void> =>
  sendMessage(runtime, 'log', region, message, { groupId: message.index_id, deduplicationId });

const openLog = (runtime: Runtime): IndexLog => {
  const content = openContentWriter(runtime);
  return {
    append: async (
      { organizationId, id, region },
      change,
      receiptId = newId('rcp', runtime.clock.now()),
      { again, isRepeat = false } = {},
    ) => {
      const key = changeKey({ organizationId, indexId: id }, receiptId);
      const sent = await shorten(change, key, (body, contentType) => content.put(region, key, body, contentType));
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

/** Sends messages of the logs of this region once more. */
export interface LogResend {
  /** @param again Which repeat this is: the same one is dropped for some minutes. */
  resend(message: LogMessage, again: string): Promise<void>;
}

export const logResend = capability<LogResend>(['log.send'], (runtime) => ({
  resend: (message, again) => sendToLog(runtime, runtime.config.region, message, `${message.receipt_id}-${again}`),
}));

/** Takes messages that the writer could neither apply nor reconcile. */
export interface ReconcileQueue {
  /** @param message Of the log, validated or not. */
  send(message: unknown, delaySeconds: number): Promise<void>;
}

export const reconcileSend = capability<ReconcileQueue>(['reconcile.send'], (runtime) => ({
  send: (message, delaySeconds) => sendMessage(runtime, 'reconcile', runtime.config.region, message, { delaySeconds }),
}));

export const logSend = capability<IndexLog>(['log.send', 'batches.put'], openLog);
