import type { Item, Key } from '../db/contracts.ts';
import { flagOf, numberOf, textOf } from '../db/read-item.ts';
import type { Content, IndexRecord } from '../indexes/index.ts';
import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Layer } from '#engine';

/**
 * `switching`: the log is about to make the successor the content of the index. `switching_back`: the same of the former
 * content. Callers see `running` and `rolling_back` then.
 */
export type RebuildStatus =
  | 'queued'
  | 'running'
  | 'switching'
  | 'completed'
  | 'rolling_back'
  | 'switching_back'
  | 'rolled_back'
  | 'cancelled'
  | 'failed';

/** Statuses before the successor has taken over. */
export const fillingStatuses = ['queued', 'running'] as const satisfies readonly RebuildStatus[];

export interface RebuildAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly rebuildId: string;
}

/** How a content stores and finds rows. */
export type ContentSettings = Omit<Content, 'table' | 'state'>;

/** Attributes of a new rebuild. */
export interface NewRebuild {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  /** Settings of the content before and after. */
  readonly from: ContentSettings;
  readonly to: ContentSettings;
  /** Whether rows that cannot be embedded again stay out, or end the rebuild. */
  readonly foreignVectors: 'skip' | 'refuse';
  /** Hours after the takeover in which it can be undone. */
  readonly windowHours: number;
  /** Requirement on the successor before it takes over. Null: none. */
  readonly proof: { readonly goldenSet: string; readonly requirement: JsonObject } | null;
  readonly createdAt: string;
  /** Id of the user, API key, OAuth client or grant that created it. */
  readonly createdBy: string;
}

/** Amounts of a rebuild so far. */
export interface RebuildFigures {
  /** Rows written to the successor or, after the takeover, to the former content. */
  readonly rows: number;
  /** Rows that stayed out of the successor when it took over. */
  readonly leftOut: number;
  /** Rows written after the takeover that the engine of the former content cannot store. */
  readonly lost: number;
  /** Model tokens of the texts that were embedded. */
  readonly tokens: number;
  /** Files that the first pass did not cut again, all of them or parts, and rows of these parts. */
  readonly keptFiles: number;
  readonly keptRows: number;
  /** Last of these files; null: there are none. */
  readonly keptJob: string | null;
}

/** A stored rebuild. */
export interface RebuildRecord extends NewRebuild {
  readonly status: RebuildStatus;
  /** The content that is not that of the index: first the successor, after the takeover the former one. Null: not created. */
  readonly other: Content | null;
  /** Version of the content of the index that the other one has. Null: none. */
  readonly followed: Layer | null;
  /** Version that it is being brought to, and where that goes on. Null: nothing is under way. */
  readonly target: (Layer & { readonly after: string | null }) | null;
  readonly figures: RebuildFigures;
  /** Figures that the usage of the index contains. */
  readonly counted: RebuildFigures;
  /** Attempts to switch, which name the messages of the log. */
  readonly switches: number;
  /** Evaluation of the successor. Null: none has begun. */
  readonly evaluationId: string | null;
  /** Whether the successor has proved itself. */
  readonly isProved: boolean;
  readonly error: string | null;
  readonly completedAt: string | null;
  /** Until then the takeover can be undone. Null: it has not happened. */
  readonly rollbackUntil: string | null;
  /** Time from which nothing is left to do. */
  readonly endedAt: string | null;
  readonly purgedAt: string | null;
}

const noFigures: RebuildFigures = {
  rows: 0,
  leftOut: 0,
  lost: 0,
  tokens: 0,
  keptFiles: 0,
  keptRows: 0,
  keptJob: null,
};

/** Returns until when a takeover can be undone. */
export const rollbackEnd = (at: string, { windowHours }: Pick<NewRebuild, 'windowHours'>): string =>
  laterBy(at, windowHours * hourMs).toISOString();

/** Whether the index has the successor as its content. */
export const hasTakenOver = ({ status }: Pick<RebuildRecord, 'status'>): boolean =>
  status === 'completed' || status === 'rolling_back' || status === 'switching_back';

/** Whether the successor is being filled. */
export const isFilling = ({ status }: Pick<RebuildRecord, 'status'>): boolean =>
  status === 'running' || status === 'switching';

export const rebuildPartition = (organizationId: string): string => `REBUILDS#${organizationId}`;

export const rebuildKey = ({ organizationId, indexId, rebuildId }: RebuildAddress): Key => ({
  pk: rebuildPartition(organizationId),
  sk: `${indexId}#${rebuildId}`,
});

/** Key of the note by which the sweep finds a rebuild. It is an item of its own, because the record's time is that of its event. */
export const rebuildNoteKey = (address: RebuildAddress): Key => ({
  pk: `REBUILD_DUE#${address.organizationId}`,
  sk: rebuildKey(address).sk,
});

export const rebuildAddressAt = ({ pk, sk }: Key): RebuildAddress => {
  const [, organizationId = ''] = pk.split('#');
  const [indexId = '', rebuildId = ''] = sk.split('#');
  return { organizationId, indexId, rebuildId };
};

export const addressOfRebuild = ({ organizationId, indexId, id }: NewRebuild): RebuildAddress => ({
  organizationId,
  indexId,
  rebuildId: id,
});

/** Returns the settings of the content of an index. */
export const settingsOf = ({
  engine,
  textLanguage,
  analyzer,
  embeddingModel,
  chunking,
}: IndexRecord): ContentSettings => ({ engine, textLanguage, analyzer, embeddingModel, chunking });

// Casts: this module's repository has written the item.
const parsed = (item: Item, attribute: string): unknown => {
  const text = textOf(item, attribute);
  return text === null ? null : (JSON.parse(text) as unknown);
};

export const toRebuildRecord = (item: Item): RebuildRecord => {
  const { organizationId, indexId, rebuildId } = rebuildAddressAt(item);
  const settings = parsed(item, 'settings') as { readonly from: ContentSettings; readonly to: ContentSettings } | null;
  if (settings === null) throw new Error(`the rebuild ${rebuildId} has no settings`);
  return {
    id: rebuildId,
    organizationId,
    indexId,
    region: item['region'] as string,
    ...settings,
    foreignVectors: item['foreign_vectors'] as NewRebuild['foreignVectors'],
    windowHours: numberOf(item, 'window_hours'),
    proof: parsed(item, 'proof') as NewRebuild['proof'],
    createdAt: item['created_at'] as string,
    createdBy: item['created_by'] as string,
    status: item['status'] as RebuildStatus,
    other: parsed(item, 'other') as RebuildRecord['other'],
    followed: parsed(item, 'followed') as RebuildRecord['followed'],
    target: parsed(item, 'target') as RebuildRecord['target'],
    figures: (parsed(item, 'figures') as RebuildFigures | null) ?? noFigures,
    counted: (parsed(item, 'counted') as RebuildFigures | null) ?? noFigures,
    switches: numberOf(item, 'switches'),
    evaluationId: textOf(item, 'evaluation_id'),
    isProved: flagOf(item, 'proved'),
    error: textOf(item, 'error'),
    completedAt: textOf(item, 'completed_at'),
    rollbackUntil: textOf(item, 'rollback_until'),
    endedAt: textOf(item, 'ended_at'),
    purgedAt: textOf(item, 'purged_at'),
  };
};
