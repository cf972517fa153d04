import type { Client } from '@notionhq/client';
import type { JsonObject } from '../../../kernel/json.ts';
import type { SourceChange, StepInput } from '../port.ts';

/** What is still to be read, the next one last. */
export interface Entry {
  readonly kind: 'page' | 'data_source' | 'database';
  readonly id: string;
  /** The page or data source of the scope in which it lies. */
  readonly root: string;
  /** Titles of the pages above it. */
  readonly trail: string;
  /** Of a data source: the query whose rows are named, by the time from which on they were made, and where it goes on. */
  readonly from: string | null;
  readonly cursor: string | null;
  /** When the last row that was named was made. */
  readonly reached: string | null;
  /** Of a data source in a wiki: those above it. */
  readonly within?: readonly string[];
}

/** What an entry of a data source begins with; without meaning for others. */
export const unread = { from: null, cursor: null, reached: null } as const;

/** What a step works with. */
export interface Reading {
  readonly client: Client;
  readonly input: StepInput;
  /** What is in the blocks of the page that is being read, by the id of the block, as far as it has been listed. */
  readonly lists: Map<string, readonly JsonObject[]>;
}

/** An id as it is compared: Notion spells it with and without hyphens. */
export const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase();

/** What the scope names by itself, and nothing else is to lead to. */
export const namedIn = ({ scope }: StepInput): ReadonlySet<string> =>
  new Set([...scope.notion_pages, ...scope.notion_data_sources].map(plainId));

/** Whether a page or database is in the trash. */
export const isGone = (thing: JsonObject): boolean => thing['in_trash'] === true || thing['archived'] === true;

/** What reading an entry came to: changes, and what is to be read after it. */
export interface Found {
  readonly changes: readonly SourceChange[];
  readonly entries: readonly Entry[];
  /** Whether something is there that Notion does not list, so that nobody knows what is below it. */
  readonly isShut?: boolean;
}
