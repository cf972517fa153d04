import type { IncomingMessage } from 'node:http';
import { readBounded } from '../../shared/kernel/read-bounded.ts';

/** A request body is larger than `limitBytes`. */
export class BodyTooLarge extends Error {
  constructor(limitBytes: number) {
    super(`body over ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** Reads a body of at most `limitBytes`. Throws `BodyTooLarge`, or the connection's error when the caller hangs up. */
export const readBody = async (request: IncomingMessage, limitBytes: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    throw new BodyTooLarge(limitBytes);
  }
  // Destroying the request would take the connection away from the answer. Without an encoding it yields buffers.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return readBounded(body, limitBytes, () => new BodyTooLarge(limitBytes));
};

/**
 * Takes in and throws away what a refused caller still sends, because many clients read no answer before they are done.
 * Gives up after `limitBytes`; never rejects.
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
    // The caller has hung up.
  }
};
