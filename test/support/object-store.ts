import type { Server } from 'node:http';
import {
  closeServer,
  listen,
  openObjects,
  createAwsServer,
  type ObjectAccess,
  type ObjectStoreOptions,
  type StoreCredentials,
} from '#local-cloud';

/** A running object store. */
export interface ObjectStore {
  /** Path-style endpoint; `BUCKET.localhost` on the same port is the virtual-host style. */
  readonly url: string;
  readonly server: Server;
  /** Waits for running requests and releases the data directory. */
  readonly close: () => Promise<void>;
}

/** The access of a store whose one key may do anything. */
export const singleKeyAccess = (credentials: StoreCredentials): ObjectAccess => ({
  find: (accessKeyId) => (accessKeyId === credentials.accessKeyId ? credentials : undefined),
  authorize: () => {},
});

/** A store with one key, which may do anything. */
export type SingleKeyStore = Omit<ObjectStoreOptions, 'access'> & { readonly credentials: StoreCredentials };

/** Starts the endpoint of the local cloud with its object store behind it and nothing else. */
export const startObjectStore = async (options: SingleKeyStore): Promise<ObjectStore> => {
  const objects = await openObjects({ ...options, access: singleKeyAccess(options.credentials) });
  const nothing = (): Promise<null> => Promise.resolve(null);
  const services = {
    s3: objects.serve,
    dynamodb: () => null,
    sqs: nothing,
    lambda: nothing,
    ssm: nothing,
    s3vectors: nothing,
    counts: { note: () => {} },
    authorizer: { callerOf: () => undefined, authorize: () => {} },
    accountId: '000000000000',
  };
  const server = createAwsServer(Promise.resolve(services), options.onError ?? (() => {}));
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    close: async () => {
      await closeServer(server);
      await objects.close();
    },
  };
};
