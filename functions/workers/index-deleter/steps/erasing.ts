import type { ErasurePlace, ErasureRecord, Selection } from '../../../../shared/erasures/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';

/** An erasure that is under way, with the indexes that have had its rows: branches of branches first. */
export interface Erasing {
  readonly found: ErasureRecord & { readonly erasedAt: string };
  readonly selection: Selection;
  readonly targets: readonly Target[];
}

/** An index or branch, with the rows that were removed from it. */
export interface Target {
  readonly index: IndexRecord;
  readonly rows: ReadonlyMap<string, string | null>;
}

/** Result of a look into a place. */
interface Look {
  readonly count: number;
  /** Whether another look must follow, although nothing was found. Default: no. */
  readonly isOpen?: boolean;
}

/** Results of a look into some places. */
export type Looks = Readonly<Partial<Record<ErasurePlace, Look>>>;

/** Result of a look at the files. */
export interface FoundFiles {
  /** Files and objects of files. */
  readonly count: number;
  /** Whether files are being removed. */
  readonly isOpen: boolean;
  /** Jobs of erased files. */
  readonly gone: ReadonlySet<string>;
  /** Jobs of files that have other rows. */
  readonly kept: ReadonlySet<string>;
}
