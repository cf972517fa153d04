import type { JsonObject } from '../../kernel/json.ts';

/** What a connection reads; each provider looks at the fields that are its own. */
export interface SourceScope {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly folder_labels: Readonly<Record<string, string>>;
  readonly notion_pages: readonly string[];
  readonly notion_data_sources: readonly string[];
  readonly notion_labels: Readonly<Record<string, string>>;
  /** A day or a moment; null for all. */
  readonly gmail_after: string | null;
  readonly calendar_after: string | null;
  readonly slack_channels: readonly string[];
}

/** One thing at the source as it is now. */
export interface SourceItem {
  /** What never changes about it, unique within the connection. */
  readonly externalId: string;
  /**
   * Whatever differs when the content differs; null where the source does not tell, and the content is fetched to see. A
   * change of any other field here counts as a change by itself.
   */
  readonly version: string | null;
  /** With an ending that tells the format. */
  readonly filename: string;
  readonly contentType: string;
  /** Fetched only where something has changed, or may have; null where it has gone meanwhile. May throw a `SourceFault`. */
  readonly content: () => Promise<Uint8Array | null>;
  readonly title: string | null;
  /** Where people read it. */
  readonly url: string | null;
  /** Labels and folders, such as `{channel: 'general'}`; kept with every chunk. */
  readonly metadata: JsonObject;
}

/** What a step found. */
export type SourceChange =
  | { readonly kind: 'upsert'; readonly item: SourceItem }
  | { readonly kind: 'remove'; readonly externalId: string }
  /** There as before, though it could not be reached: what the index has of it stays when the unseen is removed. */
  | { readonly kind: 'kept'; readonly externalId: string }
  /**
   * Something that could not be read, which does not stop the rest. What the index has of it stays when the unseen is
   * removed. `passing`: the next sync begins anew to get it; else nothing is tried until it changes or all is read again.
   */
  | {
      readonly kind: 'failed';
      /** Null where it is not one thing: a channel, a folder. */
      readonly externalId: string | null;
      /** What is named where that is no one thing, as in `reached`; absent: the message tells it from others. */
      readonly place?: string;
      /** For a person: what it is and what to do. */
      readonly message: string;
      readonly passing: boolean;
    };

/** Tells of something that could not be read: of no one thing unless its id is given, and for good unless it may pass. */
export const failed = (
  message: string,
  {
    externalId = null,
    passing = false,
    place,
  }: {
    readonly externalId?: string | null;
    readonly passing?: boolean;
    readonly place?: string;
  } = {},
): SourceChange => ({ kind: 'failed', externalId, message, passing, ...(place === undefined ? {} : { place }) });

/** What the index has of a connection, by the external id. */
export type KnownIds = (
  /** Begins with this. */
  prefix: string,
  /** Comes after this in the order of UTF-8 bytes. */
  after: string | null,
) => Promise<readonly string[]>;

export interface StepInput {
  readonly scope: SourceScope;
  /** What opens the source: credentials as they were given or came from consent; for a custom API its description too. */
  readonly credentials: JsonObject;
  /** Where the last step left off; null for the beginning, when everything in scope is to be named. */
  readonly state: JsonObject | null;
  readonly now: Date;
  readonly known: KnownIds;
  /** Runs that have begun at this step and came no further, with the one under way. */
  readonly failures?: number;
}

/** Runs that a fault at one thing may end before the sync goes on without that. */
const maxTries = 4;

/** Whether the source has failed at this step so often that it may be the fault of one thing. */
export const isStuck = ({ failures = 0 }: StepInput): boolean => failures >= maxTries;

export interface Step {
  readonly changes: readonly SourceChange[];
  /** Where to go on, whether in a second or in a day: at most 320 KiB as JSON. Null with `done`: the next sync begins anew. */
  readonly state: JsonObject | null;
  /** Nothing more for now; the next sync goes on from `state`. */
  readonly done: boolean;
  /** With `done`: everything in scope has been named since `state` was null, so that whatever was not has gone. */
  readonly removesUnseen: boolean;
  /** With `done` and no `removesUnseen`: all that could be reached has still been named since `state` was null. */
  readonly walked?: boolean;
  /** Places that were told of as failed, if ever, and can be read now. The id of a document that is named is one as well. */
  readonly reached?: readonly string[];
  /** Credentials that took the place of those that were given; they are kept before any change is made. */
  readonly newCredentials?: JsonObject;
}

/**
 * A place where people keep content, read in steps. A step makes a few requests (a page of a list), changes nothing
 * anywhere, and may be made again from the same state at any time; so may the fetching of content. It throws a
 * `SourceFault` where it cannot go on, and anything else only for what nobody can foresee.
 */
export interface ConnectorSource {
  /**
   * Whether each reading is a list whose paging is not trusted. An id that occurs twice is indexed once and reported. Pages
   * without a new id end the sync. A list that has become much shorter removes nothing before the next sync confirms it.
   */
  readonly isListing?: boolean;
  step(input: StepInput): Promise<Step>;
}

/** Why a source cannot be read. */
export type SourceFaultKind =
  /**
   * Too many requests, a fault of the server, no connection: the same step is made again later. Thrown by `content`
   * without `retryAfterSeconds` it is about that one item, which is left to the next sync.
   */
  | 'busy'
  /** The access token is too old: it is renewed and the step made again; where it can't be, the same as `refused`. */
  | 'token_expired'
  /** A person has to do something; the connection stops with `error` and these words. */
  | 'refused'
  /** The source does not remember the place in `state`: everything is named anew. */
  | 'state_lost'
  /** This one item can't be read, ever; thrown by `content`. */
  | 'unreadable';

export class SourceFault extends Error {
  readonly kind: SourceFaultKind;
  /** What the source asked for; for `busy` alone. */
  readonly retryAfterSeconds: number | null;
  /** For `refused` alone: the next sync names everything anew, since nobody can go on from `state`. */
  readonly forgetsPlace: boolean;

  /** @param message For the owner of the connection: never a credential, never an answer's body. */
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

/** Reports a listing that never ends. Its place is forgotten, since only its beginning is of use. */
export const endlessListing = (): SourceFault =>
  new SourceFault('refused', 'The list has no end: check `list.next` or `list.pagination`', { forgetsPlace: true });
