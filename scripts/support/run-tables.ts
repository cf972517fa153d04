import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import dynalite from 'dynalite';
import {
  type CallTables,
  callTables,
  closeServer,
  listen,
  openTables,
  type TableDefinition,
  type Tables,
} from '#local-cloud';

/** Tables behind a listener of HTTP requests. */
export interface ServedTables {
  readonly listener: RequestListener;
  readonly close: () => Promise<void>;
}

/** Tables behind an address of their own. */
interface RunningTables {
  readonly call: CallTables;
  readonly close: () => Promise<void>;
}

const answer = async ({ call }: Tables, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const { status, headers, body } = (await call(operation, await text(request))) ?? {
    status: 501,
    headers: {},
    body: '',
  };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
};

/** Opens the tables of one machine without their endpoint. Signatures are not checked. */
export const serveTables = async (file: string, tables: readonly TableDefinition[]): Promise<ServedTables> => {
  const opened = await openTables({ file, tables, onError: console.error });
  return {
    listener: (request, response) => void answer(opened, request, response).catch(() => request.destroy()),
    close: opened.close,
  };
};

const callAt = (port: number): CallTables =>
  callTables(`http://127.0.0.1:${port}`, { accessKeyId: 'test', secretAccessKey: 'test' });

/** Starts the tables of one machine behind an address of their own. */
export const runTables = async (file: string, tables: readonly TableDefinition[]): Promise<RunningTables> => {
  const { listener, close } = await serveTables(file, tables);
  const server = createServer(listener);
  const call = callAt(await listen(server, 0));
  return {
    call,
    close: async () => {
      await closeServer(server);
      await close();
    },
  };
};

/**
 * Starts dynalite, another implementation of DynamoDB's protocol, with tables.
 * @param path Directory of its data; empty for none.
 */
export const runDynalite = async (path: string, tables: readonly TableDefinition[]): Promise<RunningTables> => {
  const server = dynalite({ path, createTableMs: 0 });
  const call = callAt(await listen(server, 0));
  for (const { name, region, attributes, key, indexes } of tables)
    await call(region, 'CreateTable', {
      TableName: name,
      AttributeDefinitions: attributes,
      KeySchema: key,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: indexes,
    });
  return { call, close: () => closeServer(server) };
};
