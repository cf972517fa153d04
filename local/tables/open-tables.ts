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

/** dynalite keeps its store to itself, but makes it through this one function of its own module. */
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
 * LevelDB reads mostly from memory, so handing each read to another thread costs many times the read itself, and every
 * operation of dynalite takes two or more.
 */
const readInPlace = ({ db }: Store): void => {
  const { _getSync: getSync } = db;
  db._get = async (...input) => getSync.apply(db, [...input]);
};

/** What DynamoDB answers where the fault is its own; clients repeat it. */
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
 * dynalite throws what it knows no answer to, with nobody to catch: a full disk, or no file descriptor left, would end
 * the whole service.
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
 * Hands dynalite a request whose body is already here: it throws, with nobody to catch, when a caller hangs up in the
 * middle of one.
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
 * `repairIndexes`: the last process ended without closing them, maybe between an item and its index entries.
 * Rejects when a table has changed in a way that its data can't follow.
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
