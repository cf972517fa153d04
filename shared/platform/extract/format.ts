import type { Part, SourceFile } from './port.ts';

/** Units of a file, 1-based and inclusive. */
export interface UnitRange {
  readonly start: number;
  readonly end: number;
}

/** Reads one format. Throws `UnreadableFile` for content that no retry can mend. */
export interface FormatReader {
  /** Whether a unit is a page of the source. */
  readonly paged: boolean;
  countUnits(file: SourceFile): Promise<number>;
  /** Parts of the units in range, in reading order; what lies outside the file is left out. */
  readUnits(file: SourceFile, range: UnitRange): Promise<readonly Part[]>;
}
