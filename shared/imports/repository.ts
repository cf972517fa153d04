import { absent } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal } from '../kernel/seal.ts';
import { importKey, type ImportRecord, overdueCopy } from './record.ts';

/** What opens the source of an import. */
export interface ImportSecret {
  readonly credentials: unknown;
  /** 32 random bytes under which the credentials are kept. */
  readonly key: Buffer;
  /** When they are forgotten, copied or not. */
  readonly expiresAt: Date;
}

/**
 * Imports that wait to be copied.
 *
 * Credentials are kept in two halves: sealed (AES-256-GCM, bound to the job) in the record, and the key of that one record
 * in the table `secrets`. Whoever writes may put and delete keys but not get one; the one function that copies has both. So neither table alone, nor an export or a backup of it, nor a function of the API discloses a credential;
 * deleting the key after the copy, or the key's expiry, makes the sealed half worthless wherever it still lies. This works
 * without a key service, which one machine does not have; in AWS both tables are encrypted at rest besides.
 */
export interface ImportWriter {
  /** Stores an import and what opens its source; without effect where it is there already. */
  add(record: ImportRecord, secret: ImportSecret | null): Promise<void>;
  /** Forgets every import of an index. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
}

const openImportWriter = (runtime: Runtime): ImportWriter => {
  const imports = openTable(runtime, 'imports');
  const secrets = openTable(runtime, 'secrets');
  return {
    add: async ({ organizationId, indexId, jobId, ...record }, secret) => {
      const address = importKey({ organizationId, indexId, jobId });
      if (secret !== null) {
        const expires_at_epoch = epochSecondsAfter(secret.expiresAt);
        await secrets.put({ ...address, key: secret.key.toString('base64'), expires_at_epoch }, absent);
      }
      const item = {
        ...address,
        provider: record.provider,
        uri: record.uri,
        created_at: record.createdAt,
        ...overdueCopy({ organizationId }, record.createdAt),
        ...(secret === null
          ? {}
          : { credentials: seal(JSON.stringify(secret.credentials), secret.key, JSON.stringify(address)) }),
      };
      await imports.put(item, absent);
    },
    removeAll: async (organizationId, indexId) => {
      for await (const { pk, sk } of imports.all(importKey({ organizationId, indexId, jobId: '' }).pk)) {
        await secrets.delete({ pk, sk });
        await imports.delete({ pk, sk });
      }
    },
  };
};

export const importsWrite = capability<ImportWriter>(['imports.write', 'secrets.write'], openImportWriter);
