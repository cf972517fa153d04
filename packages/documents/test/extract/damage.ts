import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UnreadableFile } from '../../src/extract/port.ts';
import { fileOf, readWhole } from './read.ts';

/** Overwrites a file here and there, again and again, and asserts that it is read or refused each time. */
export const assertOutlivesDamage = async (name: string, whole: Uint8Array, numRuns: number): Promise<void> => {
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, patch] of changes) bytes.set(patch.subarray(0, bytes.length - at), at);
      await readWhole(fileOf(name, bytes)).catch((error: unknown) =>
        assert.ok(error instanceof UnreadableFile, String(error)),
      );
    }),
    { numRuns, seed: 42 },
  );
};
