import { columnOf } from './decode-rows.ts';
import { ownChanges } from './list-differences.ts';
import { type View, visibleStates } from './read-layers.ts';

/** Content of a branch or its changes: versions of rows by id, and the ids of removed rows. */
export interface BranchContent {
  readonly versions: ReadonlyMap<string, string | null>;
  readonly gone: readonly string[];
}

/** Returns the changes of a branch since the branch point. */
export const touchedByBranch = async ([own]: View): Promise<BranchContent> => {
  if (own === undefined) return { versions: new Map(), gone: [] };
  const answer = await own.query().where(ownChanges).select(['id', 'row_version', 'deleted']).toArrow();
  const [id, version] = [columnOf<string>(answer, 'id'), columnOf<string | null>(answer, 'row_version')];
  const deleted = columnOf<boolean>(answer, 'deleted');
  const versions = new Map<string, string | null>();
  const gone: string[] = [];
  for (let position = 0; position < answer.numRows; position += 1) {
    if (deleted(position)) gone.push(id(position));
    else versions.set(id(position), version(position));
  }
  return { versions, gone };
};

/** Returns all rows of a branch, its own and its parent's. */
export const heldByBranch = async (view: View): Promise<BranchContent> => ({
  versions: new Map((await visibleStates(view, 'true')).map(({ id, version }) => [id, version])),
  gone: [],
});
