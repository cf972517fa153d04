import { type IndexReader, type IndexRecord, isLive, requireReadyIndex } from '../indexes/index.ts';
import { AppError, invalid } from '../kernel/errors.ts';
import { type RebuildReader, successorOf } from '../rebuilds/index.ts';
import type { ComparedTo, NewEvaluation } from './record.ts';

interface ContentDeps {
  readonly indexes: Pick<IndexReader, 'get'>;
  readonly rebuilds: Pick<RebuildReader, 'find'>;
}

const comparedContent = async (
  { indexes, rebuilds }: ContentDeps,
  index: IndexRecord,
  comparedTo: ComparedTo,
): Promise<IndexRecord> => {
  if ('rebuildId' in comparedTo) return successorOf(rebuilds, index, comparedTo.rebuildId);
  const compared = await indexes.get(index.organizationId, comparedTo.indexId);
  if (isLive(compared)) return compared;
  throw new AppError('conflict', 'The index to which it is compared has been deleted');
};

/** Returns the contents that an evaluation reads: the index, and what it is compared to. Throws 404 and 409. */
export const contentsOf = async (
  deps: ContentDeps,
  index: IndexRecord,
  { comparedTo }: Pick<NewEvaluation, 'comparedTo'>,
): Promise<readonly [IndexRecord, ...IndexRecord[]]> =>
  comparedTo === null ? [index] : [index, await comparedContent(deps, index, comparedTo)];

/** Returns what a request names as comparison. Throws 422 and 403 as the paths of the named index would. */
export const comparedToOf = async (
  deps: { readonly indexes: IndexReader },
  organizationId: string,
  indexIds: readonly string[] | null,
  named: string | undefined,
): Promise<ComparedTo | null> => {
  if (named === undefined) return null;
  if (named.startsWith('reb_')) return { rebuildId: named };
  if (indexIds?.includes(named) === false)
    throw new AppError('index_not_allowed', 'These credentials are restricted to other indexes');
  try {
    return { indexId: (await requireReadyIndex(deps.indexes, organizationId, named)).id };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw invalid(['body', 'compare_to'], 'there is no such index');
  }
};
