import type { Condition, Value } from './condition.ts';

/** Primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Attributes of an item besides its key. */
export type Attributes = Readonly<Record<string, Value>>;

/** Stored item. */
export type Item = Key & Attributes;

/** Atomic change of one item. It creates the item unless a condition forbids it. */
export interface Change {
  readonly set?: Readonly<Record<string, Value | undefined>>;
  /** Sets an attribute if it is absent. */
  readonly setOnce?: Attributes;
  /** Adds to numbers. An absent attribute counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** Adds members to string sets. */
  readonly include?: Readonly<Record<string, readonly string[]>>;
  /** Removes members from string sets. */
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
  /** Sort key to continue after (exclusive); null: from the beginning. */
  readonly after?: string | null;
  readonly limit?: number;
  /** Descending order of the sort key. */
  readonly newestFirst?: boolean;
  readonly where?: Condition;
  /** Attributes to return besides the key; default: all. */
  readonly only?: readonly string[];
}

/** Partitions of the index `due`, in which sweeps find due work. Each belongs to one table, except `outbox`. */
export type DuePartition =
  | 'CRAWLS'
  | 'deliver'
  | 'ends'
  | 'erasures'
  | 'evaluations'
  | 'exports'
  | 'imports'
  | 'jobs'
  | 'leftovers'
  | 'lifecycle'
  | 'outbox'
  | 'rebuilds'
  | 'reconcile'
  | 'relay'
  | 'removals'
  | 'schedules'
  | 'replay'
  | 'syncs'
  | 'tasks'
  | 'uploads';

/** One action of a transaction. */
export type Action =
  | { readonly put: Item; readonly condition?: Condition }
  | { readonly update: Key; readonly change: Change }
  | { readonly delete: Key; readonly condition?: Condition };

/** DynamoDB table. Reads are strongly consistent. A condition that does not hold is a return value, not an error. */
export interface Table {
  get(key: Key): Promise<Item | null>;
  /** Returns false if the condition did not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  /** Returns the item after the change; null if the condition did not hold. */
  update(key: Key, change: Change): Promise<Item | null>;
  /** Returns false if the condition did not hold. */
  delete(key: Key, condition?: Condition): Promise<boolean>;
  /**
   * Carries out at most 100 actions on different items, all or none. Returns the positions of those whose conditions did
   * not hold; none if it was carried out. Conflicts with other writes are retried.
   */
  transact(actions: readonly Action[]): Promise<readonly number[]>;
  /**
   * Returns one page of a partition, by sort key. With `limit`, `next` is null exactly if there are no more items. Without,
   * the page is the response to one request.
   */
  query(pk: string, options?: QueryOptions): Promise<Page>;
  /** Returns all items of a partition, page by page. */
  all(pk: string, options?: QueryOptions): AsyncIterable<Item>;
  /** Returns the number of items of a partition. */
  count(pk: string, options?: QueryOptions): Promise<number>;
  /**
   * Returns keys of at most `limit` items that are due at `until`, fairly among organizations and oldest first within each.
   * Eventually consistent.
   */
  due(partition: DuePartition, until: string, limit: number): Promise<readonly Key[]>;
}
