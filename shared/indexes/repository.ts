import type { Runtime } from '../kernel/capability.ts';
import { type Attributes, type Item, openTable } from '../db/table.ts';
import type { Layer, TableState } from '../platform/engine/port.ts';
import { type IndexRecord, indexKey, toIndexRecord } from './record.ts';

/** How one log message ended. */
export interface Receipt {
  readonly written: number;
  readonly deleted: number;
  /** Set where the change could not be applied; shown to the caller. */
  readonly error: string | null;
}

export interface IndexPage {
  readonly indexes: readonly IndexRecord[];
  readonly next: string | null;
}

export interface IndexReader {
  /** The index, also while it is being deleted; null where the organization has none of this id. */
  get(organizationId: string, indexId: string): Promise<IndexRecord | null>;
  /** Newest first, without those that are being deleted. */
  list(organizationId: string, page: { readonly limit: number; readonly after: string | null }): Promise<IndexPage>;
  /** Number of indexes that count against the plan. */
  count(organizationId: string): Promise<number>;
  receipt(organizationId: string, indexId: string, receiptId: string): Promise<Receipt | null>;
}

export interface IndexWriter extends IndexReader {
  add(index: IndexRecord): Promise<void>;
  /** The item after the change; null where the index is gone or an earlier event still waits in one of the slots of `event`. */
  rename(organizationId: string, indexId: string, name: string, event: Attributes): Promise<Item | null>;
  /** `creating` → `ready`, with the event in the same change; null where it was not `creating`. */
  markReady(organizationId: string, indexId: string, state: TableState, event: Attributes): Promise<Item | null>;
  /** `creating` → `ready` for a branch, with the layers on which it stands. */
  markBranchReady(organizationId: string, indexId: string, ancestors: readonly Layer[], state: TableState): Promise<void>;
  /** Records a commit; false where the index is gone. */
  saveState(organizationId: string, indexId: string, state: TableState, at: string | null): Promise<boolean>;
  /** False where it is gone already. */
  markDeleting(organizationId: string, indexId: string): Promise<boolean>;
  /** Takes the record away once its table is gone. */
  remove(organizationId: string, indexId: string): Promise<void>;
  /** Notes or releases branches that read an index's table; the record after the change, null where it is gone. */
  changeDependents(organizationId: string, indexId: string, change: { readonly include?: string; readonly exclude?: string }): Promise<IndexRecord | null>;
  /** The first receipt of a message stands. */
  addReceipt(organizationId: string, indexId: string, receiptId: string, receipt: Receipt, expiresAt: Date): Promise<void>;
  item(organizationId: string, indexId: string): Promise<Item | null>;
}

const receiptKey = (organizationId: string, indexId: string, receiptId: string) => ({
  pk: `RECEIPTS#${organizationId}#${indexId}`,
  sk: receiptId,
});

const stateAttributes = (state: TableState) => ({
  version: state.version,
  rows: state.rows,
  dense_bytes: state.denseBytes,
  sparse_bytes: state.sparseBytes,
  unindexed_rows: state.unindexedRows,
  fragments: state.fragments,
});

const toItem = (index: IndexRecord): Item => ({
  ...indexKey(index.organizationId, index.id),
  organization_id: index.organizationId,
  name: index.name,
  dimensions: index.dimensions,
  distance_metric: index.metric,
  cloud_region: index.region,
  non_filterable_metadata_keys: index.nonFilterableKeys,
  embedding_model: index.embeddingModel,
  status: index.status,
  created_at: index.createdAt,
  ...(index.parentIndexId === null ? {} : { parent_index_id: index.parentIndexId }),
  branch_depth: index.branchDepth,
  ancestors: index.layers.slice(1).map(({ table, version }) => ({ table, version })),
  ...stateAttributes({ ...index.state, version: index.layers[0].version }),
});

const openReads = (runtime: Runtime): IndexReader => {
  const table = openTable(runtime, 'indexes');
  return {
    get: async (organizationId, indexId) => {
      const item = await table.get(indexKey(organizationId, indexId));
      return item === null ? null : toIndexRecord(item);
    },
    list: async (organizationId, { limit, after }) => {
      const page = await table.query(`ORG#${organizationId}`, {
        prefix: 'idx_',
        newestFirst: true,
        limit,
        where: { status: { ne: 'deleting' } },
        ...(after === null ? {} : { after }),
      });
      return { indexes: page.items.map(toIndexRecord), next: page.next };
    },
    count: (organizationId) => table.count(`ORG#${organizationId}`, { prefix: 'idx_', where: { status: { ne: 'deleting' } } }),
    receipt: async (organizationId, indexId, receiptId) => {
      const item = await table.get(receiptKey(organizationId, indexId, receiptId));
      if (item === null) return null;
      return { written: item['written'] as number, deleted: item['deleted'] as number, error: (item['error'] as string | undefined) ?? null };
    },
  };
};

export const openIndexReader = openReads;

export const openIndexWriter = (runtime: Runtime): IndexWriter => {
  const table = openTable(runtime, 'indexes');
  const live = { pk: { exists: true }, status: { ne: 'deleting' } } as const;
  return {
    ...openReads(runtime),
    item: (organizationId, indexId) => table.get(indexKey(organizationId, indexId)),
    add: async (index) => {
      await table.put(toItem(index), { pk: { exists: false } });
    },
    rename: (organizationId, indexId, name, event) => {
      const slots = Object.keys(event).filter((attribute) => attribute.startsWith('outbox_'));
      const free = Object.fromEntries(slots.map((slot) => [slot, { exists: false }]));
      return table.update(indexKey(organizationId, indexId), { set: { name, ...event }, condition: { ...live, ...free } });
    },
    markReady: (organizationId, indexId, state, event) =>
      table.update(indexKey(organizationId, indexId), {
        set: { status: 'ready', ...stateAttributes(state), ...event },
        condition: { pk: { exists: true }, status: { eq: 'creating' } },
      }),
    markBranchReady: async (organizationId, indexId, ancestors, state) => {
      await table.update(indexKey(organizationId, indexId), {
        set: { status: 'ready', ancestors: ancestors.map(({ table: name, version }) => ({ table: name, version })), ...stateAttributes(state) },
        condition: { pk: { exists: true }, status: { eq: 'creating' } },
      });
    },
    saveState: async (organizationId, indexId, state, at) =>
      (await table.update(indexKey(organizationId, indexId), {
        set: { ...stateAttributes(state), last_written_at: at ?? undefined },
        condition: { pk: { exists: true } },
      })) !== null,
    markDeleting: async (organizationId, indexId) =>
      (await table.update(indexKey(organizationId, indexId), { set: { status: 'deleting' }, condition: live })) !== null,
    remove: async (organizationId, indexId) => {
      await table.delete(indexKey(organizationId, indexId));
    },
    changeDependents: async (organizationId, indexId, { include, exclude }) => {
      const item = await table.update(indexKey(organizationId, indexId), {
        include: { dependents: include === undefined ? [] : [include] },
        exclude: { dependents: exclude === undefined ? [] : [exclude] },
        condition: { pk: { exists: true } },
      });
      return item === null ? null : toIndexRecord(item);
    },
    addReceipt: async (organizationId, indexId, receiptId, receipt, expiresAt) => {
      await table.put(
        {
          ...receiptKey(organizationId, indexId, receiptId),
          written: receipt.written,
          deleted: receipt.deleted,
          ...(receipt.error === null ? {} : { error: receipt.error }),
          expires_at_epoch: Math.floor(expiresAt.getTime() / 1000),
        },
        { pk: { exists: false } },
      );
    },
  };
};
