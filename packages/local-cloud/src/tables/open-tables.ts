import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import engine, { type Operation, type Store } from 'dynalite/db/index.js';
import type { BodyService } from '../endpoint/aws-request.ts';
import type { TableName } from '../../../../shared/kernel/names.ts';
import type { DiskWatch } from '../data/disk-watch.ts';
import { openError } from '../data/open-error.ts';
import { commitInGroups, type GroupCommits } from './commit-in-groups.ts';
import { syncTables } from './sync-tables.ts';
import type { TableDefinition } from './table-definition.ts';

/** Table whose items count requests. Each read of the API changes them. */
const counterTable = 'usage' satisfies TableName;

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

const faultBody = (cause: unknown) => ({
  __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
  message: String(cause),
});

/** Returns DynamoDB's error for an internal fault; clients retry it. */
const ownFault = (cause: unknown): Error =>
  Object.assign(new Error('the tables could not be read or written', { cause }), {
    statusCode: 500,
    body: faultBody(cause),
  });

const answering =
  <Input extends readonly unknown[]>(operate: (...input: Input) => Promise<unknown>) =>
  async (...input: Input): Promise<unknown> => {
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
  db._get = answering(db._get.bind(db));
  db._put = answering(db._put.bind(db));
  db._del = answering(db._del.bind(db));
  db._batch = answering(db._batch.bind(db));
  const values = db.values.bind(db);
  db.values = (options) => {
    const iterator = values(options);
    iterator.next = answering(iterator.next.bind(iterator));
    return iterator;
  };
};

/**
 * Passes dynalite a request whose body has been read, and resolves at its response. If a caller disconnected while dynalite
 * read the body, it would throw where no caller can catch the error.
 */
const replay = (server: Server, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
  const { headers, method, url } = request;
  const whole = Object.assign(new EventEmitter(), { headers, method, url });
  const responded = Promise.withResolvers<void>();
  const end = response.end.bind(response) as (...input: readonly unknown[]) => ServerResponse;
  Object.assign(response, {
    end: (...input: readonly unknown[]) => {
      responded.resolve();
      return end(...input);
    },
  });
  server.emit('request', whole, response);
  if (body.length > 0) whole.emit('data', body);
  whole.emit('end');
  return responded.promise;
};

interface TableOptions {
  readonly directory: string;
  readonly region: string;
  readonly accountId: string;
  readonly tables: readonly TableDefinition[];
  readonly repairIndexes: boolean;
}

interface OpenStore extends GroupCommits {
  readonly server: Server;
  readonly close: () => Promise<void>;
}

/** Returns prefixes of the keys under which dynalite stores the items of a table and the entries of its indexes. */
const keyPrefixesOf = (table: string): readonly string[] => [`item-${table}~`, `index-global~${table}~`];

/** Whether a table counts requests. */
const countsRequests = ({ name }: TableDefinition): boolean => name.endsWith(`-${counterTable}`);

/** @param kept Operations that the store before kept in memory. */
const openStore = async (
  options: TableOptions,
  kept: readonly Operation[],
  onFailedWrite: (error: unknown) => void,
): Promise<OpenStore> => {
  const { server, store } = createWithStore(options.directory);
  store.tableDb.awsRegion = options.region;
  store.tableDb.awsAccountId = options.accountId;
  await store.db.open().catch((error: unknown) => {
    throw openError(options.directory, error);
  });
  const close = (): Promise<void> => store.lifecycleManager.gracefulClose();
  try {
    if (kept.length > 0) await store.db._batch(kept, {});
    const counters = options.tables.filter(countsRequests).flatMap(({ name }) => keyPrefixesOf(name));
    const commits = commitInGroups(store, counters, onFailedWrite);
    readInPlace(store);
    answerErrors(store);
    await syncTables(store, options.tables, options.repairIndexes);
    return { server, close, ...commits };
  } catch (error) {
    await close();
    throw error;
  }
};

const refuse = (response: ServerResponse, error: unknown): void => {
  response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(faultBody(error)));
};

/** The store of a region, which is opened again after a failed write. */
interface TableState {
  /** Null if it could not be opened again. */
  store: OpenStore | null;
  /** Operations that an earlier store kept in memory. */
  kept: readonly Operation[];
  /** Error of the last failed write or opening; null if the store can be written. */
  failure: unknown;
  /** Resolves once the store is open. */
  ready: Promise<void>;
  readonly running: Set<Promise<void>>;
  isClosing: boolean;
}

/** Closes the store after its running requests, and opens it with a new log. */
const openAgain = async (
  state: TableState,
  options: TableOptions,
  onFailedWrite: (error: unknown) => void,
): Promise<void> => {
  do await Promise.all(state.running);
  while (state.running.size > 0);
  if (state.store !== null) state.kept = state.store.kept();
  await state.store?.close();
  state.store = null;
  state.store = await openStore({ ...options, repairIndexes: true }, state.kept, onFailedWrite);
};

/** Opens the store again if a write has failed. Requests wait meanwhile. Throws if that fails. */
const repairStore = async (
  state: TableState,
  options: TableOptions,
  onFailedWrite: (error: unknown) => void,
): Promise<void> => {
  if (state.failure === null || state.isClosing) return;
  state.failure = null;
  const opening = openAgain(state, options, onFailedWrite).catch((error: unknown) => {
    state.failure ??= error;
  });
  state.ready = opening;
  await opening;
  const cause: unknown = state.failure;
  if (cause !== null) throw new Error('the tables could not be opened again', { cause });
};

/**
 * Opens the tables of a region under `directory`, creates those that are missing and follows changed indexes.
 * `repairIndexes`: the last process ended without closing them, possibly between the writes of an item and of its index
 * entries. After a failed write only counters of requests change, in memory, until `disk` has the tables opened again.
 * Rejects if a table has changed in a way that its data cannot follow.
 */
export const openTables = async (
  options: TableOptions & { readonly disk: Pick<DiskWatch, 'noteFailedWrite' | 'onWritable'> },
): Promise<Tables> => {
  const { directory, disk } = options;
  mkdirSync(directory, { recursive: true });
  const state: TableState = {
    store: null,
    kept: [],
    failure: null,
    ready: Promise.resolve(),
    running: new Set(),
    isClosing: false,
  };
  const onFailedWrite = (error: unknown): void => {
    state.failure = error;
    disk.noteFailedWrite(error);
  };
  state.store = await openStore(options, [], onFailedWrite);
  disk.onWritable(() => repairStore(state, options, onFailedWrite));
  const { running } = state;
  return {
    serve: async (request, response, body) => {
      await state.ready;
      if (state.store === null) {
        refuse(response, state.failure);
        return;
      }
      const answer = replay(state.store.server, request, response, body).finally(() => running.delete(answer));
      running.add(answer);
      await answer;
    },
    close: async () => {
      state.isClosing = true;
      await state.ready;
      await state.store?.close();
    },
  };
};
