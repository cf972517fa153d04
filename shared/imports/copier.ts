import { present } from '../db/condition.ts';
import { numberOf } from '../db/read-item.ts';
import type { Key, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { unseal } from '../kernel/seal.ts';
import {
  type CopyProgress,
  type ImportAddress,
  importKey,
  overdueCopy,
  type StoredImport,
  toStoredImport,
} from './record.ts';

/** Imports as seen by the function that copies their files. */
export interface ImportCopier {
  get(address: ImportAddress): Promise<StoredImport | null>;
  /** Returns the credentials of the source; null if they have expired after a day. */
  credentials(stored: StoredImport): Promise<unknown>;
  /** Stores the progress of the copy; false if another run has progressed further, or the import is gone. */
  save(stored: StoredImport, progress: CopyProgress | null): Promise<boolean>;
  /** Records why the storage failed to return the object. No effect if the import is gone. */
  recordFault(address: ImportAddress, fault: string): Promise<void>;
  /** Deletes an import, its credentials first. */
  delete(address: ImportAddress): Promise<void>;
}

/** Imports whose message may be lost. */
export interface ImportSweeper {
  /** Keys of imports that should have been copied by `until`, longest waiting first. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next check; false if the import is gone. */
  postponeCheck(address: ImportAddress, at: string): Promise<boolean>;
  /** Deletes an import without a job, its credentials first. */
  delete(address: ImportAddress): Promise<void>;
}

const deleteImport = async (imports: Table, secrets: Table, address: ImportAddress): Promise<void> => {
  await secrets.delete(importKey(address));
  await imports.delete(importKey(address));
};

const openCopier = (runtime: Runtime): ImportCopier => {
  const imports = openTable(runtime, 'imports');
  const secrets = openTable(runtime, 'secrets');
  return {
    get: async (address) => {
      const item = await imports.get(importKey(address));
      return item === null ? null : toStoredImport(item);
    },
    credentials: async (stored) => {
      const key = importKey(stored);
      const secret = await secrets.get(key);
      const expiresAt = numberOf(secret, 'expires_at_epoch');
      if (secret === null || stored.sealed === null || expiresAt * 1000 <= runtime.clock.now().getTime()) return null;
      const opened = unseal(stored.sealed, Buffer.from(secret['key'] as string, 'base64'), JSON.stringify(key));
      return JSON.parse(opened) as unknown;
    },
    save: async (stored, progress) => {
      const item = await imports.update(importKey(stored), {
        ...(progress === null ? { remove: ['progress'] } : { set: { progress: JSON.stringify(progress) } }),
        condition: {
          ...present,
          progress: stored.progress === null ? { exists: false } : { eq: JSON.stringify(stored.progress) },
        },
      });
      return item !== null;
    },
    recordFault: async (address, fault) => {
      await imports.update(importKey(address), { set: { fault }, condition: present });
    },
    delete: (address) => deleteImport(imports, secrets, address),
  };
};

const openSweeper = (runtime: Runtime): ImportSweeper => {
  const imports = openTable(runtime, 'imports');
  const secrets = openTable(runtime, 'secrets');
  return {
    overdue: (until, limit) => imports.due('imports', until.toISOString(), limit),
    postponeCheck: async (address, at) =>
      (await imports.update(importKey(address), { set: overdueCopy(address, at), condition: present })) !== null,
    delete: (address) => deleteImport(imports, secrets, address),
  };
};

export const importsCopy = capability<ImportCopier>(['imports.write', 'secrets.read', 'secrets.write'], openCopier);
export const importsSweep = capability<ImportSweeper>(['imports.write', 'secrets.write'], openSweeper);
