import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** Functions that have loaded native code. They have processes of their own, from the next start on from their first run. */
export interface NativeFunctions {
  readonly has: (id: string) => boolean;
  readonly add: (id: string) => void;
}

const Ids = z.array(z.string());

const readIds = (file: string): readonly string[] => {
  try {
    return Ids.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Without a readable file, each function is found again at its next run.
    return [];
  }
};

/** Opens the ids that are kept in `file`. */
export const openNativeFunctions = (file: string): NativeFunctions => {
  const ids = new Set(readIds(file));
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id);
      try {
        writeFileSync(file, JSON.stringify([...ids].toSorted()));
      } catch {
        // A full disk.
      }
    },
  };
};
