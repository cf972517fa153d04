import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { keyUsesPrefix } from '../kernel/names.ts';

/** Maximum keys whose stored use of this hour a process remembers. */
const maxKeys = 10_000;

/** Maximum milliseconds that a response waits for the write of a use. It begins with the request, and takes a few. */
const patienceMs = 250;

/** Stores when API keys were last used. */
export interface KeyUseWriter {
  /**
   * Stores that a key was used, at most once per hour of the clock. Never fails.
   * @returns Function that waits for the write, a quarter of a second at most.
   */
  record(organizationId: string, keyId: string): () => Promise<void>;
}

export interface KeyUseReader {
  /** Returns the time of the first use in the hour in which a key was last used; null if it was never used. */
  lastUsedAt(organizationId: string, keyId: string): Promise<string | null>;
}

const useKey = (organizationId: string, keyId: string) => ({ pk: `${keyUsesPrefix}${organizationId}`, sk: keyId });

const startOfHour = (at: Date): string => `${at.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`;

const openKeyUses = (runtime: Runtime): KeyUseWriter => {
  const table = openTable(runtime, 'usage');
  // Starts of the hours whose use is stored or being stored.
  const stored = new LRUCache<string, string>({ max: maxKeys });
  const write = async (organizationId: string, keyId: string, now: Date, hour: string): Promise<void> => {
    try {
      // Fails if another process has stored a use of this hour.
      await table.update(useKey(organizationId, keyId), {
        set: { used_at: now.toISOString() },
        condition: { used_at: { either: [[{ exists: false }], [{ lt: hour }]] } },
      });
    } catch (error) {
      stored.delete(keyId);
      runtime.log.warn('credentials.key_use.failed', { organization_id: organizationId, key_id: keyId, error });
    }
  };
  return {
    record: (organizationId, keyId) => {
      const now = runtime.clock.now();
      const hour = startOfHour(now);
      if (stored.get(keyId) === hour) return () => Promise.resolve();
      stored.set(keyId, hour);
      const writing = write(organizationId, keyId, now, hour);
      return async () => {
        const waited = new AbortController();
        await Promise.race([writing, pause(patienceMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
        waited.abort();
      };
    },
  };
};

export const keyUsesWrite = capability<KeyUseWriter>(['key_uses.write'], openKeyUses);

export const keyUsesRead = capability<KeyUseReader>(['key_uses.read'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return {
    lastUsedAt: async (organizationId, keyId) => {
      const item = await table.get(useKey(organizationId, keyId));
      return item === null ? null : textOf(item, 'used_at');
    },
  };
});
