import { isDeepStrictEqual } from 'node:util';
import { absent, present } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { boundsAttributes } from '../db/row-bounds.ts';
import { openTable } from '../db/table.ts';
import { paginate } from '../http/pagination.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import {
  addressOfExport,
  type ExportAddress,
  exportKey,
  exportPartition,
  type ExportRecord,
  type NewExport,
  openStatuses,
  overdueExport,
  toExportRecord,
} from './record.ts';

export interface ExportReader {
  /** Returns null for an export that does not exist or is being deleted. */
  get(address: ExportAddress): Promise<ExportRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly exports: readonly ExportRecord[]; readonly next: string | null }>;
}

export interface ExportCounts {
  readonly stored: number;
  /** Exports of the organization that have not ended. */
  readonly running: number;
  readonly ofIndex: number;
  readonly byCreator: number;
}

export interface ExportWriter extends ExportReader {
  /** Counts the exports that have files or will have them: of an organization, of one of its indexes and by one creator. */
  count(created: NewExport): Promise<ExportCounts>;
  /** Stores a new export; does nothing if it exists. */
  add(created: NewExport): Promise<void>;
  /** Hides an export whose files the worker is to delete. Returns null if there is none. */
  markDeleting(address: ExportAddress, at: string): Promise<ExportRecord | null>;
  /** Deletes an export that has no message and no files. */
  withdraw(address: ExportAddress): Promise<void>;
}

const readerOf = (table: Table): ExportReader => ({
  get: async (address) => {
    const item = await table.get(exportKey(address));
    return item === null || item['status'] === 'deleting' ? null : toExportRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(exportPartition(organizationId), {
      prefix: `${indexId}#`,
      newestFirst: true,
      limit,
      where: { status: { ne: 'deleting' } },
      after: after === null ? null : `${indexId}#${after}`,
    });
    return { exports: page.items.map(toExportRecord), next: page.next?.split('#')[1] ?? null };
  },
});

const openExportReader = (runtime: Runtime): ExportReader => readerOf(openTable(runtime, 'exports'));

const openExportWriter = (runtime: Runtime): ExportWriter => {
  const table = openTable(runtime, 'exports');
  return {
    ...readerOf(table),
    count: async ({ organizationId, indexId, createdBy }) => {
      const partition = exportPartition(organizationId);
      const [stored, running, ofIndex, byCreator] = await Promise.all([
        table.count(partition),
        table.count(partition, { where: { status: { in: openStatuses } } }),
        table.count(partition, { prefix: `${indexId}#` }),
        table.count(partition, { where: { created_by: { eq: createdBy } } }),
      ]);
      return { stored, running, ofIndex, byCreator };
    },
    add: async (created) => {
      const item = {
        ...exportKey(addressOfExport(created)),
        region: created.region,
        format: created.format,
        vectors: created.vectors,
        embedding_model: created.embeddingModel,
        ...(created.asOf === null ? {} : { as_of: { ...created.asOf } }),
        created_at: created.createdAt,
        created_by: created.createdBy,
        ...boundsAttributes(created.bounds),
        status: 'queued',
        revision: 0,
        ...overdueExport(created.organizationId, created.createdAt),
      };
      await table.put(item, absent);
    },
    markDeleting: async (address, at) => {
      const set = { status: 'deleting', ...overdueExport(address.organizationId, at) };
      const change = {
        set,
        remove: ['expires_at_epoch'],
        condition: { ...present, status: { ne: 'deleting' } },
      } as const;
      const item = await table.update(exportKey(address), change);
      return item === null ? null : toExportRecord(item);
    },
    withdraw: async (address) => {
      await table.delete(exportKey(address), { status: { eq: 'queued' } });
    },
  };
};

/** Returns exports as a caller sees them who is bound to rows: those of the same rows. */
const bindReader = (exports: ExportReader, bounds: RowBounds): ExportReader => {
  const isVisible = (found: ExportRecord): boolean => isDeepStrictEqual(found.bounds, bounds);
  return {
    get: async (address) => {
      const found = await exports.get(address);
      return found !== null && isVisible(found) ? found : null;
    },
    list: async (organizationId, indexId, page) => {
      const visible: ExportRecord[] = [];
      let after: string | null = null;
      do {
        const found = await exports.list(organizationId, indexId, { limit: page.limit, after });
        visible.push(...found.exports.filter(isVisible));
        after = found.next;
      } while (after !== null);
      const { items, next } = paginate(visible, ({ id }) => id, page, 'descending');
      return { exports: items, next };
    },
  };
};

const bindWriter = (exports: ExportWriter, bounds: RowBounds): ExportWriter => ({
  ...exports,
  ...bindReader(exports, bounds),
  add: (created) => exports.add({ ...created, bounds }),
});

export const exportsRead = capability<ExportReader>(['exports.read'], openExportReader, bindReader);
export const exportsWrite = capability<ExportWriter>(['exports.read', 'exports.write'], openExportWriter, bindWriter);
