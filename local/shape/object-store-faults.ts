import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';

/** A fault of the object store: requests whose address contains `address` are refused with 503, or wait for its end. */
export const ObjectStoreFault = z.object({ address: z.string().min(1), effect: z.enum(['fail', 'hold']) });
type ObjectStoreFault = z.infer<typeof ObjectStoreFault>;

/** The one fault that the object store has, if any. */
export interface ObjectStoreFaults {
  /** Begins a fault in place of the one before; null ends it, and requests that were held go on. */
  readonly begin: (fault: ObjectStoreFault | null) => void;
  /** Returns whether the object store may answer a request, once it may. */
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
