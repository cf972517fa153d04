import { absent } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal } from '../kernel/seal.ts';
import { importKey, type ImportRecord, overdueCopy } from './record.ts';

/** Credentials of an import and their key. */
export interface ImportSecret {
  readonly credentials: unknown;
  /** 32 random bytes with which the credentials are encrypted. */
  readonly key: Buffer;
  /** Time at which the key is deleted, copied or not. */
  readonly expiresAt: Date;
}

/**
 * Imports that wait to be copied.
 * Credentials are stored in two halves: sealed (AES-256-GCM, bound to the job) in the record, and the key of that
 * record in the table `secrets`. Writers may put and delete keys but not read them; only the copying function has both
 * halves. So neither table alone, nor an export or backup of it, nor an API function discloses a credential. Once the
 * key is deleted after the copy, or has expired, every copy of the sealed half is worthless. This works without a key
 * service, which one machine does not have. In AWS both tables are also encrypted at rest.
 */
export interface ImportWriter {
  /** Stores an import and its credentials. No effect if it exists. */
  add(record: ImportRecord, secret: ImportSecret | null): Promise<void>;
  /** Deletes every import of an index. */
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
        ...(record.storedCredentials === null ? {} : { stored_credentials: record.storedCredentials }),
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
