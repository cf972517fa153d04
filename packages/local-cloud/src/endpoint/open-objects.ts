import { hourMs } from '../../../../shared/kernel/durations.ts';
import { repeatUpkeep } from '../data/repeat-upkeep.ts';
import type { ObjectStoreOptions } from '../object-store/contracts.ts';
import { expireObjects } from '../object-store/expire-objects.ts';
import { serveRequest } from '../object-store/serve-request.ts';
import { openStore } from '../object-store/store.ts';
import type { RawService } from './aws-request.ts';

const expiryIntervalMs = hourMs;
const stalledUploadMs = 2 * 60 * 1000;

/** Object store without a port of its own: the shared endpoint passes requests to it. */
export interface Objects {
  readonly serve: RawService;
  /** Writes a copy of the database, without the blobs, to a file that does not exist. */
  readonly copyTo: (file: string) => void;
  readonly close: () => Promise<void>;
}

/** Opens the buckets under `dataDir`. Rejects when another process has them open. */
export const openObjects = async (options: ObjectStoreOptions): Promise<Objects> => {
  const store = await openStore(options);
  const running = new Set<Promise<void>>();
  expireObjects(store);
  const stopExpiry = repeatUpkeep(() => expireObjects(store), expiryIntervalMs, store.onError);
  return {
    serve: (request, response, waits) => {
      request.setTimeout(stalledUploadMs);
      const answer = serveRequest(store, request, response, waits).finally(() => running.delete(answer));
      running.add(answer);
      return answer;
    },
    copyTo: (file) => store.database.copyTo(file),
    close: async () => {
      stopExpiry();
      await Promise.allSettled(running);
      await store.outbox.close();
      store.database.close();
    },
  };
};
