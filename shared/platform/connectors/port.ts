import type { JsonObject } from '../../kernel/json.ts';

/** Scope of a connection. Each provider reads its own fields. */
export interface SourceScope {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly folder_labels: Readonly<Record<string, string>>;
  readonly notion_pages: readonly string[];
  readonly notion_data_sources: readonly string[];
  readonly notion_labels: Readonly<Record<string, string>>;
  /** A day or time; null for all. */
  readonly gmail_after: string | null;
  readonly calendar_after: string | null;
  readonly slack_channels: readonly string[];
  /** Whether files of messages and pages are documents. */
  readonly attachments: boolean;
  readonly sites: readonly string[];
  readonly libraries: readonly string[];
  readonly confluence_spaces: readonly string[];
  readonly object_prefixes: readonly string[];
  readonly include_patterns: readonly string[];
  readonly exclude_patterns: readonly string[];
}

/** One item of a source in its current state. */
export interface SourceItem {
  /** Permanent id, unique within the connection. */
  readonly externalId: string;
  /**
   * Version that changes with the content; null if the source has none, so that the content must be fetched to compare
   * it.
   * A change of any other field here also counts as a change.
   */
  readonly version: string | null;
  /** File name whose extension shows the format. */
  readonly filename: string;
  readonly contentType: string;
  /** Fetches the content, only if it may have changed; null if it no longer exists. May throw a `SourceFault`. */
  readonly content: () => Promise<Uint8Array | null>;
  /** Size at the source; absent if the source does not state it in lists. */
  readonly sizeBytes?: number;
  readonly title: string | null;
  /** URL at which people read it. */
  readonly url: string | null;
  /** Labels and folders, such as `{channel: 'general'}`; stored with every chunk. */
  readonly metadata: JsonObject;
}

/** A change that a step found. */
export type SourceChange =
  | { readonly kind: 'upsert'; readonly item: SourceItem }
  | { readonly kind: 'remove'; readonly externalId: string }
  /** The item exists but could not be read. Its document stays when unseen documents are removed. */
  | { readonly kind: 'kept'; readonly externalId: string }
  /**
   * An item that could not be read, which does not stop the sync. Its document stays when unseen documents are removed.
   * `isTransient`: the next sync reads everything again to get it. Else it is retried once it changes or with the next
   * full read.
   */
  | {
      readonly kind: 'failed';
      /** Null if it is no single item, but a channel or folder. */
      readonly externalId: string | null;
      /** Id of a place that is no single item, as in `reached`; absent: the message identifies it. */
      readonly place?: string;
      /** Message for a person: the item and what to do. */
      readonly message: string;
      readonly isTransient: boolean;
    };

/** Returns a `failed` change. Default: for no single item, and permanent. */
export const failed = (
  message: string,
  {
    externalId = null,
    isTransient = false,
    place,
  }: {
    readonly externalId?: string | null;
    readonly isTransient?: boolean;
    readonly place?: string;
  } = {},
): SourceChange => ({ kind: 'failed', externalId, message, isTransient, ...(place === undefined ? {} : { place }) });

/** Returns external ids that the index has of a connection. */
export type KnownIds = (
  /** Prefix of the ids. */
  prefix: string,
  /** Ids after this one in UTF-8 byte order. */
  after: string | null,
) => Promise<readonly string[]>;

export interface StepInput {
  readonly scope: SourceScope;
  /** Credentials as given or from a consent; for a custom API also its description. */
  readonly credentials: JsonObject;
  /** State after the last step; null for the beginning, when everything in scope must be listed. */
  readonly state: JsonObject | null;
  readonly now: Date;
  readonly known: KnownIds;
  /** Runs that failed at this step so far, including the current one. */
  readonly failures?: number;
}

/** Runs that may fail because of one item, before the sync skips that item. */
const maxTries = 4;

/** Whether so many runs have failed at this step that a single item may be the cause. */
export const isStuck = ({ failures = 0 }: StepInput): boolean => failures >= maxTries;

export interface Step {
  readonly changes: readonly SourceChange[];
  /** State for the next step, at most 320 KiB as JSON. Null with `done`: the next sync starts from the beginning. */
  readonly state: JsonObject | null;
  /** The sync is complete; the next one continues from `state`. */
  readonly done: boolean;
  /** With `done`: everything in scope has been listed since `state` was null, so that unseen items no longer exist. */
  readonly removesUnseen: boolean;
  /** With `done` and without `removesUnseen`: everything reachable has been listed since `state` was null. */
  readonly walked?: boolean;
  /** False if the changes are no list, although the source is a listing. */
  readonly isListing?: false;
  /** Places that can be read now and may have failed before. Ids of listed items count too. */
  readonly reached?: readonly string[];
  /** Refreshed credentials, which are stored before any change is applied. */
  readonly newCredentials?: JsonObject;
}

/** Lists of a scope whose entries a person can choose. */
export const choiceFields = [
  'folders',
  'files',
  'notion_pages',
  'notion_data_sources',
  'slack_channels',
  'sites',
  'libraries',
  'confluence_spaces',
  'object_prefixes',
] as const;

/** Something that a scope can contain, or that leads to it. */
export interface Choice {
  readonly name: string;
  /** List of the scope, and the entry for it; null if it only leads to others. */
  readonly scope: { readonly field: (typeof choiceFields)[number]; readonly id: string } | null;
  /** `parent` of the request for what is below; null: nothing. */
  readonly parent: string | null;
  /** Whether the source lets the connection read it. */
  readonly isAccessible: boolean;
}

export interface ChoicesInput {
  /** Current scope of the connection. */
  readonly scope: SourceScope;
  readonly credentials: JsonObject;
  readonly now: Date;
  /** Null: the top. */
  readonly parent: string | null;
  readonly cursor: string | null;
  /** Part of a name; empty: all. */
  readonly search: string;
}

export interface Choices {
  readonly choices: readonly Choice[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** Returns the choices whose name contains a text, for sources without a search. */
export const choicesNamed = (choices: readonly Choice[], search: string): readonly Choice[] =>
  choices.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));

/** Returns the error of a `parent` or cursor that the source has not returned. */
export const unknownParent = (): SourceFault =>
  new SourceFault('unreadable', 'the source has no such place, or its list has changed: start from the top');

/**
 * Source of content, read in steps. A step makes a few requests, such as a page of a list, and changes nothing at the
 * source.
 * A step may be repeated from the same state at any time, and so may fetching content.
 * It throws a `SourceFault` if it cannot continue, and other errors only if they are unexpected.
 */
export interface ConnectorSource {
  /**
   * Whether each read is a list whose pagination is not trusted. A repeated id is indexed once and reported.
   * Pages without a new id end the sync. A list that became much shorter removes nothing until the next sync confirms
   * it.
   */
  readonly isListing?: boolean;
  step(input: StepInput): Promise<Step>;
  /** Lists what a scope can contain, a page at a time; absent if there is nothing to choose. Throws a `SourceFault`. */
  choices?(input: ChoicesInput): Promise<Choices>;
}

/** Reason for which a source cannot be read. */
export type SourceFaultKind =
  /**
   * Rate limit, server error or no connection: the step is retried later.
   * Thrown by `content` without `retryAfterSeconds`, it concerns that item only, which is left to the next sync.
   */
  | 'busy'
  /**
   * The access token has expired: it is refreshed and the step is retried. If it cannot be refreshed, the same as
   * `refused`.
   */
  | 'token_expired'
  /** A person must act: the connection stops with `error` and this message. */
  | 'refused'
  /** The source no longer knows the position in `state`: everything is listed again. */
  | 'state_lost'
  /** This item can never be read; thrown by `content`. */
  | 'unreadable';

export class SourceFault extends Error {
  readonly kind: SourceFaultKind;
  /** Delay that the source requested, in seconds; for `busy` only. */
  readonly retryAfterSeconds: number | null;
  /** For `refused` only: the next sync starts from the beginning, since `state` is unusable. */
  readonly forgetsPlace: boolean;

  /** @param message Message for the owner of the connection, without credentials or response bodies. */
  constructor(
    kind: SourceFaultKind,
    message: string,
    options: {
      readonly retryAfterSeconds?: number | null;
      readonly forgetsPlace?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'SourceFault';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.forgetsPlace = options.forgetsPlace ?? false;
  }
}

/** Returns the error of an endless listing. Its state is discarded, since only its beginning is usable. */
export const endlessListing = (): SourceFault =>
  new SourceFault('refused', 'The list is endless: check `list.next` or `list.pagination`', { forgetsPlace: true });
