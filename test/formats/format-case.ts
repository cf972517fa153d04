import type { Format } from '#documents';
import type { FixturePackage } from './fixture-packages.ts';

/** What must come of one file. */
export interface FormatCase {
  /** A package that is fetched, an installed one (its path follows), or a file made for the table. */
  readonly from: FixturePackage | 'installed' | 'generated';
  readonly path: string;
  readonly format: Format;
  /** Words of one row that a sparse search for all of them must find; none for files without a word. */
  readonly sentence?: string;
  /** Required page or slide of the row. */
  readonly page?: number;
  /** Required place in the metadata of the row. */
  readonly place?: Readonly<Record<string, string | number>>;
  /** OCR credits that the job must have used. */
  readonly pictures?: number;
  /** How the job must end; `completed` unless given. */
  readonly status?: 'completed' | 'completed_with_warnings';
  /** Required note of the job about unread content. */
  readonly note?: RegExp;
}
