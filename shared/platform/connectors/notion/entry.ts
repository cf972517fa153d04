import type { Client } from '@notionhq/client';
import type { JsonObject } from '../../../kernel/json.ts';
import type { SourceChange, StepInput } from '../port.ts';
import type { PublicGet } from '../public-http.ts';

/** Queue entry of the sync state; the next one is last. */
export interface Entry {
  readonly kind: 'page' | 'data_source' | 'database';
  readonly id: string;
  /** Page or data source of the scope that contains it. */
  readonly root: string;
  /** Titles of the pages above it. */
  readonly trail: string;
  /** For a data source: the start of the current query by creation time, and its cursor. */
  readonly from: string | null;
  readonly cursor: string | null;
  /** Creation time of the last listed row. */
  readonly reached: string | null;
  /** For a data source in a wiki: the ones above it. */
  readonly within?: readonly string[];
}

/** Initial position of a data source; without meaning for others. */
export const unread = { from: null, cursor: null, reached: null } as const;

/** Context of a step. */
export interface Reading {
  readonly client: Client;
  readonly input: StepInput;
  /** Fetches files. */
  readonly files: PublicGet;
  /** Children of the current page's blocks that were listed so far, by block id. */
  readonly lists: Map<string, readonly JsonObject[]>;
}

/** Normalizes an id, which Notion writes with and without hyphens. */
export const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase();

/** Returns ids that the scope names. Other pages do not lead to them. */
export const namedIn = ({ scope }: StepInput): ReadonlySet<string> =>
  new Set([...scope.notion_pages, ...scope.notion_data_sources].map(plainId));

/** Whether a page or database is in the trash. */
export const isGone = (thing: JsonObject): boolean => thing['in_trash'] === true || thing['archived'] === true;

/** Result of an entry: changes, and entries that follow. */
export interface Found {
  readonly changes: readonly SourceChange[];
  readonly entries: readonly Entry[];
  /** Whether an object exists that Notion does not list, so that its contents are unknown. */
  readonly isShut?: boolean;
}
