import { capability, type Capability } from '../kernel/capability.ts';
import { lazy } from '../kernel/memoize.ts';
import { serviceSealer } from './service-key.ts';

/** Cursors of lists whose positions a caller may not see. */
export interface SealedCursors {
  /** Encrypts a position, so that only a request with the same context can read it. */
  seal(position: string, context: string): Promise<string>;
  /** Returns null for a text that is no cursor of this context. */
  open(cursor: string, context: string): Promise<string | null>;
}

/** Returns the capability to seal cursors for one purpose. */
export const sealedCursors = (purpose: string): Capability<SealedCursors> =>
  capability<SealedCursors>(['keys.use'], (runtime) => {
    const sealer = lazy(() => serviceSealer(runtime, purpose));
    return {
      seal: async (position, context) => (await sealer()).seal(position, context),
      open: async (cursor, context) => {
        const opened = await sealer();
        try {
          return opened.open(cursor, context);
        } catch {
          return null;
        }
      },
    };
  });
