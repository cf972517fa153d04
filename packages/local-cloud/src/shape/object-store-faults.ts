import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';

/** A fault of the object store: requests whose address contains `address` get a 503, or wait until the fault ends. */
export const ObjectStoreFault = z.object({ address: z.string().min(1), effect: z.enum(['fail', 'hold']) });
type ObjectStoreFault = z.infer<typeof ObjectStoreFault>;

/** The present fault of the object store, if any. */
export interface ObjectStoreFaults {
  /** Begins a fault, which replaces the last one. Null ends it, and held requests go on. */
  readonly begin: (fault: ObjectStoreFault | null) => void;
  /** Resolves to whether the object store handles a request, once it may. */
  readonly pass: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

const refuse = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  response.writeHead(503, { 'content-type': 'application/xml' });
  response.end('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
};

export const openObjectStoreFaults = (): ObjectStoreFaults => {
  let current: ObjectStoreFault | null = null;
  let ended = Promise.withResolvers<void>();
  return {
    begin: (fault) => {
      ended.resolve();
      ended = Promise.withResolvers();
      current = fault;
    },
    pass: async (request, response) => {
      if (current === null || !decodeURIComponent(request.url ?? '').includes(current.address)) return true;
      if (current.effect === 'hold') {
        await ended.promise;
        return !response.destroyed;
      }
      refuse(request, response);
      return false;
    },
  };
};
