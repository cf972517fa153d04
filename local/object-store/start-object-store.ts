import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hourMs } from '../../shared/kernel/durations.ts';
import { repeatUpkeep } from '../data/repeat-upkeep.ts';
import type { ObjectStore, ObjectStoreOptions } from './contracts.ts';
import { expireObjects } from './expire-objects.ts';
import { serveRequest } from './serve-request.ts';
import { openStore } from './store.ts';

const lifecycleIntervalMs = hourMs;
const drainMs = 5_000;
const timeouts = {
  headersTimeout: 20_000,
  // An upload of several GiB may take hours on a slow line; `idleMs` ends those that stand still.
  requestTimeout: 6 * hourMs,
  keepAliveTimeout: 30_000,
};
const idleMs = 300_000;

/**
 * Starts an S3 server on a port of its own with durable data under `dataDir`. An answered write survives a crash at
 * any moment. Rejects when the port or the data directory is in use.
 */
export const startObjectStore = async (options: ObjectStoreOptions): Promise<ObjectStore> => {
  const host = options.host ?? '127.0.0.1';
  const store = await openStore(options);
  const running = new Set<Promise<void>>();
  const serve = (waits: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    const answer = serveRequest(store, message, response, waits).finally(() => running.delete(answer));
    running.add(answer);
  };
  const server = createServer(timeouts, serve(false));
  server.on('checkContinue', serve(true));
  server.setTimeout(idleMs);
  const expire = (): void => {
    expireObjects(store);
  };
  const stopLifecycle = repeatUpkeep(expire, lifecycleIntervalMs, store.onError);

  const close = async (): Promise<void> => {
    stopLifecycle();
    await closeServer(server);
    await Promise.allSettled(running);
    await store.outbox.close();
    store.database.close();
  };
  try {
    expire();
    const port = await listen(server, options.port, host);
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const listen = async (server: Server, port: number, host: string): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  // A server that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port;
};

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeIdleConnections();
  const deadline = setTimeout(() => {
    server.closeAllConnections();
  }, drainMs);
  await closed;
  clearTimeout(deadline);
};
