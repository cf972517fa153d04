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

/** Imports as whoever copies their files sees them. */
export interface ImportCopier {
  get(address: ImportAddress): Promise<StoredImport | null>;
  /** What opens the source; null where its day is over. */
  credentials(stored: StoredImport): Promise<unknown>;
  /** Stores how far the copy has come; false where another run has come further, or the import is gone. */
  save(stored: StoredImport, progress: CopyProgress | null): Promise<boolean>;
  /** Notes why the storage has not given the object; without effect where the import is gone. */
  note(address: ImportAddress, fault: string): Promise<void>;
  /** Forgets an import, what opens its source first. */
  forget(address: ImportAddress): Promise<void>;
}

/** Imports that wait for what was lost. */
export interface ImportSweeper {
  /** Keys of imports that should have been copied by `until`, longest waiting first. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Puts off the next look; false where the import is gone. */
  remind(address: ImportAddress, at: string): Promise<boolean>;
  /** Forgets an import that has no job, what opens its source first. */
  drop(address: ImportAddress): Promise<void>;
}

const forget = async (imports: Table, secrets: Table, address: ImportAddress): Promise<void> => {
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
    note: async (address, fault) => {
      await imports.update(importKey(address), { set: { fault }, condition: present });
    },
    forget: (address) => forget(imports, secrets, address),
  };
};

const openSweeper = (runtime: Runtime): ImportSweeper => {
  const imports = openTable(runtime, 'imports');
  const secrets = openTable(runtime, 'secrets');
  return {
    overdue: (until, limit) => imports.due('imports', until.toISOString(), limit),
    remind: async (address, at) =>
      (await imports.update(importKey(address), { set: overdueCopy(address, at), condition: present })) !== null,
    drop: (address) => forget(imports, secrets, address),
  };
};

export const importsCopy = capability<ImportCopier>(['imports.write', 'secrets.read', 'secrets.write'], openCopier);
export const importsSweep = capability<ImportSweeper>(['imports.write', 'secrets.write'], openSweeper);
