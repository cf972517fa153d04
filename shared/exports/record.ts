import { laterBy } from '../kernel/clock.ts';
import { dayMs, minuteMs } from '../kernel/durations.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import type { Attributes, Item, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import { toBounds } from '../db/row-bounds.ts';
import type { Layer } from '#engine';

/** File formats of exports. */
export const exportFormats = ['jsonl', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Whether files of an export have the vectors. */
export const exportedVectors = ['include', 'omit'] as const;
export type ExportedVectors = (typeof exportedVectors)[number];

/** `deleting` until the worker has removed its files. Callers do not see such an export. */
export type ExportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'deleting';

/** Statuses of an export that has not ended. */
export const openStatuses = ['queued', 'running'] as const satisfies readonly ExportStatus[];

export interface ExportAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly exportId: string;
}

/** A file of an export. */
export interface ExportPart {
  /** Name of the object below the prefix of the export. */
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Returns rows and bytes of the files so far. */
export const sizeOf = (parts: readonly ExportPart[]): { readonly rows: number; readonly size_bytes: number } => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  size_bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Attributes of a new export. */
export interface NewExport {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly format: ExportFormat;
  readonly vectors: ExportedVectors;
  /** Embedding model of the index. */
  readonly embeddingModel: string;
  /** Former version that it contains; null: the one at its first run. */
  readonly asOf: Layer | null;
  /** Rows that it contains, to which its creator was bound; null for all. */
  readonly bounds: RowBounds | null;
  readonly createdAt: string;
  /** Id of the user, API key, OAuth client or grant that created it. */
  readonly createdBy: string;
}

/** A stored export. */
export interface ExportRecord extends NewExport {
  readonly status: ExportStatus;
  /** Changes with every step, so that only one of concurrent runs stores its step. */
  readonly revision: number;
  readonly parts: readonly ExportPart[];
  /** Where the engine goes on after the parts; null before the first part. */
  readonly after: string | null;
  /** Tables and versions that are read; empty before the first run. */
  readonly layers: readonly Layer[];
  /** View of the engine when it began to read. */
  readonly view: number;
  /** Times that it has begun again. */
  readonly restarts: number;
  readonly error: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** Days for which files can be downloaded after the end of an export. The lifecycle rule of the bucket allows a day more. */
const keptDays = 7;

export const expiryOf = (completedAt: string): Date => laterBy(completedAt, keptDays * dayMs);

/** Longer than a run and the redelivery of its message. */
const stepTimeoutMs = 45 * minuteMs;

/** Attributes that make an export due if no step follows in time. */
export const overdueExport = (organizationId: string, from: string): Attributes =>
  dueBy('exports', organizationId, laterBy(from, stepTimeoutMs));

export const exportPartition = (organizationId: string): string => `EXPORTS#${organizationId}`;

export const exportKey = ({ organizationId, indexId, exportId }: ExportAddress): Key => ({
  pk: exportPartition(organizationId),
  sk: `${indexId}#${exportId}`,
});

export const exportAddressAt = ({ pk, sk }: Key): ExportAddress => {
  const [, organizationId = ''] = pk.split('#');
  const [indexId = '', exportId = ''] = sk.split('#');
  return { organizationId, indexId, exportId };
};

export const addressOfExport = ({ organizationId, indexId, id }: NewExport): ExportAddress => ({
  organizationId,
  indexId,
  exportId: id,
});

export const toExportRecord = (item: Item): ExportRecord => {
  const { organizationId, indexId, exportId } = exportAddressAt(item);
  return {
    id: exportId,
    organizationId,
    indexId,
    // Casts: the item was written by this module's repository.
    region: item['region'] as string,
    format: item['format'] as ExportFormat,
    vectors: item['vectors'] as ExportedVectors,
    embeddingModel: item['embedding_model'] as string,
    asOf: (item['as_of'] as Layer | undefined) ?? null,
    bounds: toBounds(item),
    createdAt: item['created_at'] as string,
    createdBy: item['created_by'] as string,
    status: item['status'] as ExportStatus,
    revision: numberOf(item, 'revision'),
    parts: JSON.parse(textOf(item, 'parts') ?? '[]') as ExportPart[],
    after: textOf(item, 'after'),
    layers: JSON.parse(textOf(item, 'layers') ?? '[]') as Layer[],
    view: numberOf(item, 'view'),
    restarts: numberOf(item, 'restarts'),
    error: textOf(item, 'error'),
    startedAt: textOf(item, 'started_at'),
    completedAt: textOf(item, 'completed_at'),
  };
};
