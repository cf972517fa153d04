import type { Format } from '../../shared/platform/extract/formats.ts';
import type { FixturePackage } from './fixture-packages.ts';

/** What must come out of one file. */
export interface FormatCase {
  /** A package that is fetched, an installed one (its path follows), or a file made for the table. */
  readonly from: FixturePackage | 'installed' | 'generated';
  readonly path: string;
  readonly format: Format;
  /** A sentence that one chunk must hold, in whole. */
  readonly sentence?: string;
  /** The page or slide that it must stand on. */
  readonly page?: number;
  /** Where else it must stand. */
  readonly place?: Readonly<Record<string, string | number>>;
  /** Pictures and recordings that must be handed to recognition. */
  readonly recognition?: number;
}
