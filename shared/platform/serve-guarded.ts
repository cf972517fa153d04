import { watchMemory } from './extract/watch-memory.ts';
import type { Numbered, Piece } from './guarded-process.ts';

/**
 * Answers the requests of the parent of a guarded process, until that is gone or the process takes more memory. The bytes
 * of a request come before it in pieces. The handler states the type of its requests.
 */
export const serveGuarded = (
  maxMemoryMb: number,
  answer: (request: never, bytes: Uint8Array) => Promise<unknown>,
): void => {
  watchMemory(maxMemoryMb * 1024 * 1024);
  let received: { readonly id: number; readonly bytes: Uint8Array } | undefined;
  process.on('message', (message) => {
    // Only the parent, which is of the same build, holds the other end of the channel.
    const part = message as Numbered<never> | Piece;
    const { id } = part;
    if ('piece' in part) {
      if (received?.id !== id) received = { id, bytes: new Uint8Array(part.totalBytes) };
      received.bytes.set(part.piece, part.at);
      return;
    }
    const bytes = received?.id === id ? received.bytes : new Uint8Array();
    received = undefined;
    void answer(part.body, bytes).then((body) => process.send?.({ id, body }));
  });
  process.on('disconnect', () => process.exit(0));
};
