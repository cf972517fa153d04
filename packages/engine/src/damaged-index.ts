/** Name of `DamagedIndex`, by which a caller in another region recognizes it. */
export const damagedIndexName = 'DamagedIndex';

/** Message for callers of an index that cannot be read or written until its operator restores it. */
export const damagedMessage =
  'The stored data of this index is missing or damaged: do not repeat the request, the operator of the service must restore it';

/** Error of an index whose record has a committed version, but whose stored data lacks it or is damaged. */
export class DamagedIndex extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = damagedIndexName;
  }
}
