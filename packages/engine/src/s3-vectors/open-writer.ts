import { commitTo } from '../changes/commit-changes.ts';
import type { EngineWriter, IndexRef, TableState } from '../port.ts';
import { openContent, stateOf } from './index-content.ts';
import { noBranches, noVersions } from './missing-features.ts';
import { noJournal, openVectorIndex, type VectorIndex, type VectorLocation } from './vector-index.ts';

/** Writer of the engine on Amazon S3 Vectors. */
export const openWriter = (location: VectorLocation): EngineWriter => {
  const open = (ref: IndexRef): VectorIndex => openVectorIndex(location, ref.layers[0].table);
  const readState = async (ref: IndexRef): Promise<TableState> =>
    stateOf((await open(ref).readJournal()) ?? noJournal, ref);
  return {
    create: async (ref) => {
      if (ref.layers.length > 1) return noBranches();
      await open(ref).create(ref);
      return readState(ref);
    },
    commit: commitTo((ref) => openContent(open(ref), ref)),
    restore: noVersions,
    // The service maintains its own index.
    maintain: readState,
    collect: async () => {},
    // A removed row has left the service.
    leftovers: async (ref) => ({ version: (await readState(ref)).version, live: [], older: [] }),
    drop: (table) => openVectorIndex(location, table).drop(),
  };
};
