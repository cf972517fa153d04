import type { Condition, Value } from './condition.ts';

/** Address of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The attributes of an item besides its key; absent attributes are absent. */
export type Attributes = Readonly<Record<string, Value>>;

/** An item as it is stored. */
export type Item = Key & Attributes;

/** One atomic change of one item; creates the item unless a condition forbids it. */
export interface Change {
  readonly set?: Readonly<Record<string, Value | undefined>>;
  /** Sets only where the attribute is absent. */
  readonly setOnce?: Attributes;
  /** Adds to numbers; absent counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** Adds members to string sets. */
  readonly include?: Readonly<Record<string, readonly string[]>>;
  /** Takes members out of string sets. */
  readonly exclude?: Readonly<Record<string, readonly string[]>>;
  readonly remove?: readonly string[];
  readonly condition?: Condition;
}

export interface Page {
  readonly items: readonly Item[];
  /** Sort key to continue after; null at the end. */
  readonly next: string | null;
}

export interface QueryOptions {
  readonly prefix?: string;
  /** Exclusive start: the sort key after which to go on; null: from the beginning. */
  readonly after?: string | null;
  readonly limit?: number;
  /** Descending order of the sort key. */
  readonly newestFirst?: boolean;
  readonly where?: Condition;
  /** The attributes that are given besides the key; default: all. */
  readonly only?: readonly string[];
}

/** Under which sweepers find what is due; each name belongs to one kind of work of one table, `outbox` to several tables. */
export type DuePartition =
  | 'CRAWLS'
  | 'deliver'
  | 'ends'
  | 'imports'
  | 'jobs'
  | 'leftovers'
  | 'lifecycle'
  | 'outbox'
  | 'relay'
  | 'removals'
  | 'replay'
  | 'syncs'
  | 'tasks';

/** One table through conditions as data. Reads are strongly consistent; a failed condition is a value, not an error. */
export interface Table {
  get(key: Key): Promise<Item | null>;
  /** False where the condition did not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  /** The item after the change; null where the condition did not hold. */
  update(key: Key, change: Change): Promise<Item | null>;
  /** False where the condition did not hold. */
  delete(key: Key, condition?: Condition): Promise<boolean>;
  /**
   * One page of a partition in order of its sort key: with `limit`, a `next` says that there is more; without, the page is
   * what one request gives.
   */
  query(pk: string, options?: QueryOptions): Promise<Page>;
  /** All items of a partition, page by page. */
  all(pk: string, options?: QueryOptions): AsyncIterable<Item>;
  /** Number of items of a partition. */
  count(pk: string, options?: QueryOptions): Promise<number>;
  /**
   * Keys of at most `limit` items that are due at `until`, in turn among organizations and oldest first within each;
   * eventually consistent.
   */
  due(partition: DuePartition, until: string, limit: number): Promise<readonly Key[]>;
}
