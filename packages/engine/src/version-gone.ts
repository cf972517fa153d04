/** Name of `VersionGone`, by which a caller in another region recognizes it. */
export const versionGone = 'VersionGone';

/** Error of a read of one version of an index, which has been removed. */
export class VersionGone extends Error {
  constructor(table: string, version: number, cause: unknown) {
    super(`version ${version} of ${table} has been removed`, { cause });
    this.name = versionGone;
  }
}
