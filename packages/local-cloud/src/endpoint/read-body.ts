import type { IncomingMessage } from 'node:http';
import { readBounded } from '../../../../shared/kernel/read-bounded.ts';

/** A request body is larger than `limitBytes`. */
export class BodyTooLarge extends Error {
  constructor(limitBytes: number) {
    super(`body over ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** Reads a body of at most `limitBytes`. Throws `BodyTooLarge`, or the connection's error if the caller disconnects. */
export const readBody = async (request: IncomingMessage, limitBytes: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw new BodyTooLarge(limitBytes);
  }
  // Destroying the request would close the connection before the response. Without an encoding it yields buffers.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return readBounded(body, limitBytes, () => new BodyTooLarge(limitBytes));
};

/**
 * Reads and discards the rest of a refused request's body, because many clients read no response before they have sent
 * all of it. Stops after `limitBytes`. Never rejects.
 */
export const drainBody = async (request: IncomingMessage, limitBytes: number): Promise<void> => {
  try {
    let bytes = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limitBytes) {
        return;
      }
    }
  } catch {
    // The caller has disconnected.
  }
};
