import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import engine, { type Store } from 'dynalite/db/index.js';
import type { BodyService } from '../endpoint/aws-request.ts';
import { syncTables } from './sync-tables.ts';
import type { TableDefinition } from './table-definition.ts';

/** The tables of one region. */
export interface Tables {
  readonly serve: BodyService;
  readonly close: () => Promise<void>;
}

/** Creates a server and returns its store as well, which dynalite does not export. */
const createWithStore = (path: string): { readonly server: Server; readonly store: Store } => {
  const create = engine.create.bind(engine);
  let store: Store | undefined;
  engine.create = (options) => (store = create(options));
  try {
    const server = dynalite({ path, createTableMs: 0 });
    if (store === undefined) {
      throw new Error('dynalite made no store');
    }
    return { server, store };
  } finally {
    engine.create = create;
  }
};

/**
 * Reads on this thread. LevelDB reads mostly from memory, so a read on another thread costs many times the read itself, and
 * every operation of dynalite takes two or more.
 */
const readInPlace = ({ db }: Store): void => {
  const { _getSync: getSync } = db;
  db._get = async (...input) => getSync.apply(db, [...input]);
};

/** Returns DynamoDB's error for an internal fault; clients retry it. */
const ownFault = (cause: unknown): Error =>
  Object.assign(new Error('the tables could not be read or written', { cause }), {
    statusCode: 500,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: String(cause) },
  });

type Operate = (...input: readonly unknown[]) => Promise<unknown>;

const answering =
  (operate: Operate): Operate =>
  async (...input) => {
    try {
      return await operate(...input);
    } catch (cause) {
      throw ownFault(cause);
    }
  };

/**
 * Turns errors of the store into responses. dynalite throws unexpected errors where no caller can catch them, so a full
 * disk, or a lack of file descriptors, would end the whole service.
 */
const answerErrors = ({ db }: Store): void => {
  for (const name of ['_get', '_put', '_del', '_batch'] as const) {
    db[name] = answering(db[name].bind(db));
  }
  const values = db.values.bind(db);
  db.values = (options) => {
    const iterator = values(options);
    iterator.next = answering(iterator.next.bind(iterator));
    return iterator;
  };
};

/**
 * Passes dynalite a request whose body has been read. If a caller disconnected while dynalite read the body, it would throw
 * where no caller can catch the error.
 */
const replay = (server: Server, request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
  const { headers, method, url } = request;
  const whole = Object.assign(new EventEmitter(), { headers, method, url });
  server.emit('request', whole, response);
  if (body.length > 0) whole.emit('data', body);
  whole.emit('end');
};

/**
 * Opens the tables of a region under `directory`, creates those that are missing and follows changed indexes.
 * `repairIndexes`: the last process ended without closing them, possibly between the writes of an item and of its index
 * entries. Rejects if a table has changed in a way that its data cannot follow.
 */
export const openTables = async (options: {
  readonly directory: string;
  readonly region: string;
  readonly accountId: string;
  readonly tables: readonly TableDefinition[];
  readonly repairIndexes: boolean;
}): Promise<Tables> => {
  mkdirSync(options.directory, { recursive: true });
  const { server, store } = createWithStore(options.directory);
  store.tableDb.awsRegion = options.region;
  store.tableDb.awsAccountId = options.accountId;
  await store.db.open();
  readInPlace(store);
  answerErrors(store);
  await syncTables(store, options.tables, options.repairIndexes);
  return {
    serve: (request, response, body) => replay(server, request, response, body),
    close: () => store.lifecycleManager.gracefulClose(),
  };
};
