import { compareIds } from '../fuse-hits.ts';
import type { Difference, DifferencePage, IndexRef } from '../port.ts';
import { maskOf, type OpenVersion, type OpenVersions } from './open-versions.ts';
import { type Page, pageOf, placesOf } from './read-segments.ts';
import { rowHashOf } from './row-set.ts';

/** A change of a branch, with the version of its row. Null: it has removed the row. */
export type BranchChange = Difference & { readonly version: string | null };

/** A branch with the version of its parent on which it is based. */
export interface BranchVersions {
  readonly base: OpenVersion;
  readonly branch: OpenVersion;
  /** Of the branch. */
  readonly ref: IndexRef;
}

/** Returns the ids of rows and removals in the segments of a version. */
const namedIds = async ({ live }: OpenVersion): Promise<readonly string[]> => {
  const found = live.map(async ({ segment }) => {
    const [{ ids }, removed] = await Promise.all([segment.get('keys'), segment.get('removed')]);
    return [...ids, ...removed];
  });
  return (await Promise.all(found)).flat();
};

/** Returns the hashes of those rows of a version that have some ids. */
const hashesOf = async (
  versions: OpenVersions,
  opened: OpenVersion,
  ids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> => {
  const hashes = new Map<string, bigint>();
  for (const [id, { segment, row }] of await placesOf(opened, ids))
    hashes.set(id, rowHashOf(id, (await segment.get('keys')).versions[row] ?? ''));
  const { base } = opened.manifest;
  if (base === null) return hashes;
  const [known, isMasked] = await Promise.all([versions.rowSet(base), maskOf(opened)]);
  for (const id of ids) {
    const facts = isMasked(id) ? null : known.find(id);
    if (facts !== null) hashes.set(id, facts.rowHash);
  }
  return hashes;
};

/** Returns the versions of all rows of the table below a version. */
const tableRows = async (
  versions: OpenVersions,
  opened: OpenVersion,
  ref: IndexRef,
): Promise<ReadonlyMap<string, string>> => {
  const table = await versions.tableOf(opened, ref);
  const rows = (await table?.matching({ filter: {} })) ?? [];
  return new Map(rows.map(({ id, version }) => [id, version]));
};

/**
 * Returns the changes of a branch since its branch point, in order of id. If the branch has a table of its own, the ids of
 * both tables are read.
 */
export const changesOf = async (
  versions: OpenVersions,
  { base, branch, ref }: BranchVersions,
): Promise<readonly BranchChange[]> => {
  const [below, above] = [base.manifest.base, branch.manifest.base];
  const isShared = below?.table === above?.table && below?.version === above?.version;
  const [before, now] = isShared
    ? [new Map<string, string>(), new Map<string, string>()]
    : await Promise.all([tableRows(versions, base, ref), tableRows(versions, branch, ref)]);
  const ids = [...new Set([...(await namedIds(base)), ...(await namedIds(branch)), ...before.keys(), ...now.keys()])];
  const [former, current, places] = await Promise.all([
    hashesOf(versions, base, ids),
    hashesOf(versions, branch, ids),
    placesOf(branch, ids),
  ]);
  const changes: BranchChange[] = [];
  for (const id of ids) {
    const [was, is] = [former.get(id), current.get(id)];
    if (was === is) continue;
    const place = places.get(id);
    const version = place === undefined ? now.get(id) : (await place.segment.get('keys')).versions[place.row];
    if (is === undefined) changes.push({ id, change: 'deleted', version: null });
    else changes.push({ id, change: was === undefined ? 'added' : 'changed', version: version ?? null });
  }
  return changes.toSorted((one, other) => compareIds(one.id, other.id));
};

/** Returns one page of the changes of a branch. */
export const listDifferences = async (
  versions: OpenVersions,
  branch: BranchVersions,
  page: Page,
): Promise<DifferencePage> => {
  const { shown, next } = pageOf(await changesOf(versions, branch), page);
  return { differences: shown.map(({ id, change }) => ({ id, change })), next };
};
