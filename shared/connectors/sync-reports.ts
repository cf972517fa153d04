import * as z from 'zod';
import type { Item, Table } from '../db/contracts.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { flagOf, numberOf, textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { type ConnectionAddress, connectionKey, type RunningSync, toSyncRecord, type Unread } from './record.ts';

/*
 * What syncs have done and could not read, beside the record of a connection: a partition of ended syncs by id, and one of
 * unread items by digest. The record says which items are unread, so an item that it does not name is no longer listed.
 */

const Trigger = z
  .enum(['schedule', 'request'])
  .meta({ id: 'ConnectorSyncTrigger', description: 'What started a sync: its time, or a request.' });

const SyncOutcome = z.enum(['completed', 'failed', 'interrupted']).meta({
  id: 'ConnectorSyncStatus',
  description: '`interrupted`: a request changed the connector, and another sync followed.',
});

/** Ended sync in responses. */
export const ConnectorSyncResponse = z
  .object({
    id: z.string().describe('Id of the sync.'),
    status: SyncOutcome.describe('How it ended.'),
    trigger: Trigger.describe('What started it.'),
    full: z.boolean().describe('Whether it read everything in scope, and not only changes.'),
    items: z.number().int().min(0).describe('Items of the source that it compared.'),
    bytes: z.number().int().min(0).describe('Bytes of these items, as far as the source states sizes.'),
    documents_added: z.number().int().min(0).describe('Documents that it added to the index.'),
    documents_updated: z.number().int().min(0).describe('Documents that it processed again.'),
    documents_removed: z.number().int().min(0).describe('Documents that it removed.'),
    documents: z.number().int().min(0).describe('Documents of the connector at its end.'),
    unread_items: z.number().int().min(0).describe('Items that could not be read at its end.'),
    error: z.string().nullable().describe('Why it failed, or a summary of what it could not read; null: nothing.'),
    started_at: z.iso.datetime().describe('When it began.'),
    ended_at: z.iso.datetime().describe('When it ended.'),
  })
  .meta({
    id: 'ConnectorSync',
    description: 'An ended sync of a connector.',
    examples: [
      {
        id: exampleId('sync'),
        status: 'completed',
        trigger: 'schedule',
        full: false,
        items: 3,
        bytes: 48_213,
        documents_added: 1,
        documents_updated: 2,
        documents_removed: 0,
        documents: 412,
        unread_items: 0,
        error: null,
        started_at: exampleTime,
        ended_at: exampleTime,
      },
    ],
  });

/** Unread item in responses. */
export const UnreadItemResponse = z
  .object({
    id: z.string().describe('Id of the entry.'),
    document_id: z
      .string()
      .nullable()
      .describe('Id of the document, as in the metadata of chunks; null for a place such as a channel or folder.'),
    name: z.string().nullable().describe('Name at the source; null if it has none.'),
    reason: z.string().describe('Why it could not be read, for people.'),
    retried: z
      .boolean()
      .describe('Whether it is read again soon. Others are read again when they change, or within a day.'),
    noted_at: z.iso.datetime().describe('When it last could not be read.'),
  })
  .meta({
    id: 'UnreadItem',
    description: 'An item or place that a connector could not read.',
    examples: [
      {
        id: 'q1w2e3r4t5y6',
        document_id: '1q2w3e4r5t6y',
        name: 'Plan.xlsx',
        reason: 'it has more than 134217728 bytes',
        retried: false,
        noted_at: exampleTime,
      },
    ],
  });

/** An ended sync, as it is stored. */
export interface EndedSync {
  readonly sync: RunningSync;
  readonly status: z.output<typeof SyncOutcome>;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly documents: number;
  readonly unread: number;
  readonly error: string | null;
}

interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface ConnectorReportReader {
  /** Returns ended syncs, newest first. They are kept for 30 days. */
  syncs(
    address: ConnectionAddress,
    page: PageRequest,
  ): Promise<{ readonly syncs: readonly z.input<typeof ConnectorSyncResponse>[]; readonly next: string | null }>;
  /** Returns all items that are unread now, at most 1,000, by id; none if there is no connection. */
  unread(address: ConnectionAddress): Promise<readonly z.input<typeof UnreadItemResponse>[]>;
}

export interface ConnectorReports {
  /** Records an ended sync. Safe to repeat. */
  record(address: ConnectionAddress, ended: EndedSync): Promise<void>;
  /** Stores items that could not be read. */
  putUnread(address: ConnectionAddress, items: readonly Unread[]): Promise<void>;
  /** Returns the message of an unread item; null if it is unknown. */
  messageOf(address: ConnectionAddress, id: string): Promise<string | null>;
  /** Deletes the entries of items that are not among these any more. */
  keepUnread(address: ConnectionAddress, ids: readonly string[]): Promise<void>;
  clear(address: ConnectionAddress): Promise<void>;
}

const keptDays = 30;
const atOnce = 10;

const partitionOf = (kind: 'SYNCS' | 'UNREAD', { organizationId, indexId, connectionId }: ConnectionAddress): string =>
  `${kind}#${organizationId}#${indexId}#${connectionId}`;

/** Deletes everything about the syncs of a connection. */
export const clearSyncReports = async (table: Table, address: ConnectionAddress): Promise<void> => {
  for (const kind of ['SYNCS', 'UNREAD'] as const)
    for await (const { pk, sk } of table.all(partitionOf(kind, address), { only: [] })) await table.delete({ pk, sk });
};

const toSyncResponse = (item: Item): z.input<typeof ConnectorSyncResponse> => ({
  id: item.sk,
  status: item['status'] as z.output<typeof SyncOutcome>,
  trigger: item['trigger'] as z.output<typeof Trigger>,
  full: flagOf(item, 'full'),
  items: numberOf(item, 'items'),
  bytes: numberOf(item, 'bytes'),
  documents_added: numberOf(item, 'added'),
  documents_updated: numberOf(item, 'updated'),
  documents_removed: numberOf(item, 'removed'),
  documents: numberOf(item, 'documents'),
  unread_items: numberOf(item, 'unread'),
  error: textOf(item, 'error'),
  started_at: item['started_at'] as string,
  ended_at: item['ended_at'] as string,
});

const openReader = (runtime: Runtime): ConnectorReportReader => {
  const table = openTable(runtime, 'connectors');
  return {
    syncs: async (address, { limit, after }) => {
      const page = await table.query(partitionOf('SYNCS', address), { limit, after, newestFirst: true });
      return { syncs: page.items.map(toSyncResponse), next: page.next };
    },
    unread: async (address) => {
      const connection = await table.get(connectionKey(address));
      if (connection === null) return [];
      const unread = new Set(toSyncRecord(connection).unread);
      const items = await Array.fromAsync(table.all(partitionOf('UNREAD', address)));
      return items
        .filter(({ sk }) => unread.has(sk))
        .map((item) => ({
          id: item.sk,
          document_id: textOf(item, 'document_id'),
          name: textOf(item, 'name'),
          reason: item['message'] as string,
          retried: flagOf(item, 'transient'),
          noted_at: item['noted_at'] as string,
        }));
    },
  };
};

/** Opens the reports for the sync worker. */
export const openReports = (runtime: Runtime): ConnectorReports => {
  const table = openTable(runtime, 'connectors');
  return {
    record: async (address, { sync, status, added, updated, removed, documents, unread, error }) => {
      const now = runtime.clock.now();
      await table.put({
        pk: partitionOf('SYNCS', address),
        sk: sync.id,
        status,
        trigger: sync.trigger,
        full: sync.isFull,
        items: sync.items,
        bytes: sync.bytes,
        added,
        updated,
        removed,
        documents,
        unread,
        ...(error === null ? {} : { error }),
        started_at: sync.startedAt,
        ended_at: now.toISOString(),
        expires_at_epoch: epochSecondsAfter(laterBy(now, keptDays * dayMs)),
      });
    },
    putUnread: async (address, items) => {
      const notedAt = runtime.clock.now().toISOString();
      await inParallel(items, atOnce, async ({ id, documentId, name, message, isTransient }) => {
        await table.put({
          pk: partitionOf('UNREAD', address),
          sk: id,
          ...(documentId === null ? {} : { document_id: documentId }),
          ...(name === null ? {} : { name }),
          message,
          transient: isTransient,
          noted_at: notedAt,
        });
      });
    },
    messageOf: async (address, id) =>
      textOf(await table.get({ pk: partitionOf('UNREAD', address), sk: id }), 'message'),
    keepUnread: async (address, ids) => {
      const kept = new Set(ids);
      for await (const { pk, sk } of table.all(partitionOf('UNREAD', address), { only: [] }))
        if (!kept.has(sk)) await table.delete({ pk, sk });
    },
    clear: (address) => clearSyncReports(table, address),
  };
};

export const connectorReportsRead = capability<ConnectorReportReader>(['connectors.read'], openReader);
