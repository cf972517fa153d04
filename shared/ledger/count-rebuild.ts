import type { Deps } from '../kernel/capability.ts';
import { addressOfRebuild, type RebuildRecord, type rebuildStore } from '../rebuilds/index.ts';
import { type CountDeps, countOnce } from './count-usage.ts';

/** Counts what a rebuild has written and embedded since it was last counted. */
export const countRebuild = (
  deps: CountDeps & Deps<{ rebuilds: typeof rebuildStore }>,
  rebuild: RebuildRecord,
  at: string,
): Promise<void> => {
  const address = addressOfRebuild(rebuild);
  const { figures } = rebuild;
  return countOnce(deps, address, `${rebuild.id}-${figures.rows}-${figures.tokens}`, at, async () => {
    const counted = (await deps.rebuilds.find(address))?.counted;
    if (counted === undefined || (counted.rows === figures.rows && counted.tokens === figures.tokens)) return null;
    const used = {
      vectors_written: figures.rows - counted.rows,
      embedding_tokens: figures.tokens - counted.tokens,
    };
    return { used, markCounted: () => deps.rebuilds.markCounted(rebuild) };
  });
};
