import type { Box } from './text-places.ts';

/** Table of a page. */
export interface TableBox {
  /** Text of each cell; lines of a cell are joined. */
  readonly rows: readonly (readonly string[])[];
  /** Boxes of the lines of each cell. */
  readonly boxes: readonly (readonly (readonly Box[])[])[];
  /** Number of first rows that are the head, if bold type or a rule marks it. */
  readonly headRows?: number;
  /** Median font size of its text. */
  readonly size: number;
  /** Left edge of each column. */
  readonly columns: readonly number[];
  /** Space without text between two columns, if no rules separate them. */
  readonly gutters?: readonly { readonly left: number; readonly right: number }[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
