import type { Attributes, Item, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';

export interface ErasureAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly erasureId: string;
}

/** How a caller has named what is erased. */
export const selectors = ['ids', 'filter', 'file', 'document', 'subject'] as const;
export type Selector = (typeof selectors)[number];

/** Places that an erasure looks into. */
export const erasurePlaces = [
  'rows',
  'branches',
  'segments',
  'versions',
  'files',
  'exports',
  'changes',
  'model_cache',
  'events',
  'dead_letters',
  'query_log',
] as const;
export type ErasurePlace = (typeof erasurePlaces)[number];

/** Report of an erasure on a place. */
export interface PlaceReport {
  readonly removed: number;
  /** Time at which nothing was found any more. Null: it has not been looked into since something was found. */
  readonly verifiedAt: string | null;
}

export type PlaceReports = Readonly<Record<ErasurePlace, PlaceReport>>;

const noReports: PlaceReports = {
  rows: { removed: 0, verifiedAt: null },
  branches: { removed: 0, verifiedAt: null },
  segments: { removed: 0, verifiedAt: null },
  versions: { removed: 0, verifiedAt: null },
  files: { removed: 0, verifiedAt: null },
  exports: { removed: 0, verifiedAt: null },
  changes: { removed: 0, verifiedAt: null },
  model_cache: { removed: 0, verifiedAt: null },
  events: { removed: 0, verifiedAt: null },
  dead_letters: { removed: 0, verifiedAt: null },
  query_log: { removed: 0, verifiedAt: null },
};

/** Attributes of a new erasure. */
export interface NewErasure {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly by: Selector;
  /** Selection, encrypted. Empty once nothing of it is left. */
  readonly selection: string;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** A signed receipt. */
export interface SignedReceipt {
  /** JSON text, whose bytes in UTF-8 are signed. */
  readonly text: string;
  /** Ed25519, base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** A stored erasure. */
export interface ErasureRecord extends NewErasure {
  /** Time from which no read finds the rows. Null: the log has not applied the erasure yet. */
  readonly erasedAt: string | null;
  readonly places: PlaceReports;
  /** First version without the rows in any of its objects, by index or branch. */
  readonly cleanFrom: Readonly<Record<string, number>>;
  /** Files that have other rows, so that they stay. */
  readonly keptFiles: readonly string[];
  readonly receipt: SignedReceipt | null;
  readonly completedAt: string | null;
  /** Changes of the record, each by one run. */
  readonly revision: number;
}

/** Attributes that a run changes. */
export type ErasureStep = Pick<ErasureRecord, 'erasedAt' | 'places' | 'cleanFrom' | 'keptFiles'> &
  Partial<Pick<ErasureRecord, 'receipt' | 'completedAt'>>;

export const erasurePartition = (organizationId: string): string => `ERASURES#${organizationId}`;

export const erasureKey = ({ organizationId, indexId, erasureId }: ErasureAddress): Key => ({
  pk: erasurePartition(organizationId),
  sk: `${indexId}#${erasureId}`,
});

export const erasureAddressAt = ({ pk, sk }: Key): ErasureAddress => {
  const [, organizationId = ''] = pk.split('#');
  const [indexId = '', erasureId = ''] = sk.split('#');
  return { organizationId, indexId, erasureId };
};

export const addressOfErasure = ({ organizationId, indexId, id }: NewErasure): ErasureAddress => ({
  organizationId,
  indexId,
  erasureId: id,
});

/** Time between two looks, once no read finds the rows. */
const lookMs = 15 * minuteMs;

/** Attributes of an erasure that the sweep looks at next. */
export const erasureDue = (organizationId: string, from: Date, isErased: boolean) =>
  dueBy('erasures', organizationId, laterBy(from, isErased ? lookMs : minuteMs));

// Casts: this module's repository has written the item.
const parsed = (item: Item, attribute: string): unknown => {
  const text = textOf(item, attribute);
  return text === null ? null : (JSON.parse(text) as unknown);
};

export const toErasureRecord = (item: Item): ErasureRecord => {
  const { organizationId, indexId, erasureId } = erasureAddressAt(item);
  return {
    id: erasureId,
    organizationId,
    indexId,
    region: item['region'] as string,
    by: item['selected_by'] as Selector,
    selection: textOf(item, 'selection') ?? '',
    createdAt: item['created_at'] as string,
    createdBy: item['created_by'] as string,
    erasedAt: textOf(item, 'erased_at'),
    places: { ...noReports, ...(parsed(item, 'places') as Partial<PlaceReports> | null) },
    cleanFrom: (parsed(item, 'clean_from') as ErasureRecord['cleanFrom'] | null) ?? {},
    keptFiles: (parsed(item, 'kept_files') as string[] | null) ?? [],
    receipt: parsed(item, 'receipt') as SignedReceipt | null,
    completedAt: textOf(item, 'completed_at'),
    revision: numberOf(item, 'revision'),
  };
};

export const stepAttributes = (step: ErasureStep): Attributes => ({
  ...(step.erasedAt === null ? {} : { erased_at: step.erasedAt }),
  places: JSON.stringify(step.places),
  clean_from: JSON.stringify(step.cleanFrom),
  kept_files: JSON.stringify(step.keptFiles),
  ...(step.receipt == null ? {} : { receipt: JSON.stringify(step.receipt) }),
  ...(step.completedAt == null ? {} : { completed_at: step.completedAt }),
});
