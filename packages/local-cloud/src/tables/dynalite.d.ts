/** The parts of dynalite 4 that the local tables use. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  import type { StoreOptions } from 'dynalite/db/index.js';

  /** An HTTP server that speaks the protocol of DynamoDB; it need not listen. */
  export default function dynalite(options: StoreOptions): Server;
}

declare module 'dynalite/db/index.js' {
  import type { Readable } from 'node:stream';

  export interface StoreOptions {
    /** Directory of the LevelDB database. */
    readonly path: string;
    readonly createTableMs: number;
  }

  /** Attribute values in DynamoDB's JSON. */
  export type Item = Readonly<Record<string, unknown>>;

  export interface KeyPart {
    readonly AttributeName: string;
    readonly KeyType: string;
  }

  export interface IndexRecord {
    readonly IndexName: string;
    readonly KeySchema: readonly KeyPart[];
    readonly Projection: {
      readonly ProjectionType?: string;
      readonly NonKeyAttributes?: readonly string[] | undefined;
    };
    readonly IndexStatus?: string;
  }

  export interface TableRecord {
    readonly TableName: string;
    readonly TableStatus?: string;
    readonly KeySchema: readonly KeyPart[];
    readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
    readonly GlobalSecondaryIndexes?: readonly IndexRecord[];
    readonly BillingMode?: string;
  }

  /** One write of abstract-level. */
  export interface Operation {
    readonly type: 'put' | 'del';
    readonly key: unknown;
    readonly value?: unknown;
  }

  type Callback<Value> = (error: Error | null, value: Value) => void;

  export interface Section<Value> {
    get(key: string, callback: Callback<Value | undefined>): void;
    put(key: string, value: Value, callback: Callback<void>): void;
    createValueStream(options: object): Readable;
  }

  export interface Store {
    readonly db: {
      open(): Promise<void>;
      clear(range: { readonly gte: string; readonly lt: string }): Promise<void>;
      /** Reads of abstract-level by encoded key, on another thread and on this one. */
      _get: (...input: readonly unknown[]) => Promise<unknown>;
      _getSync: (...input: readonly unknown[]) => unknown;
      /** Writes of abstract-level, with encoded keys and values: put one key, delete one key, or a batch of both. */
      _put: (key: unknown, value: unknown, options?: object) => Promise<unknown>;
      _del: (key: unknown, options?: object) => Promise<unknown>;
      _batch: (operations: readonly Operation[], options: object) => Promise<unknown>;
      /** Iterator of queries and scans. */
      values: (options: object) => { next: () => Promise<unknown> };
    };
    readonly tableDb: Section<TableRecord> & { awsRegion: string; awsAccountId: string };
    readonly lifecycleManager: { gracefulClose(): Promise<void> };
    getItemDb(table: string): Section<Item>;
    getIndexDb(kind: 'global', table: string, index: string): Section<Item>;
  }

  const engine: {
    create(options: StoreOptions): Store;
    getIndexActions(
      indexes: readonly IndexRecord[],
      existing: null,
      item: Item,
      table: TableRecord,
    ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: Item }[] };
  };
  export default engine;
}

declare module 'dynalite/actions/createTable.js' {
  import type { Store, TableRecord } from 'dynalite/db/index.js';

  export default function createTable(store: Store, data: TableRecord, callback: (error: Error | null) => void): void;
}
