import { capability, type Deps, makeDeps, neededBy } from '../kernel/capability.ts';
import { embedderUse } from '../platform/models/capability.ts';
import { engineScan } from '#engine';
import { rebuildStore } from './store.ts';

const contentsUses = { rebuilds: rebuildStore, readers: engineScan, embedders: embedderUse };

/** Needs of the writer of the log for indexes whose content changes: rebuilds, a reader, and the models of rows. */
export const contentsUse = capability<Deps<typeof contentsUses>>(neededBy(contentsUses), (runtime) =>
  makeDeps(contentsUses, runtime),
);
