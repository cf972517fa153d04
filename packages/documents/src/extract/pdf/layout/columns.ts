import type { Band, Fragment } from './fragments.ts';

/** Bands of text between gutters. */
export interface Columns {
  readonly bands: readonly Band[];
  /** Middle of each gutter, from left to right. */
  readonly borders: readonly number[];
}

/** Index of the column in which most of a fragment stands. */
export const columnAt = (borders: readonly number[], { left, right }: Pick<Fragment, 'left' | 'right'>): number =>
  borders.filter((border) => border < (left + right) / 2).length;

/** Columns in which bands have text. */
export const columnsIn = (borders: readonly number[], bands: readonly Band[]): ReadonlySet<number> =>
  new Set(bands.flatMap(({ fragments }) => fragments.map((fragment) => columnAt(borders, fragment))));

/** Text of a fragment before it is cleaned. */
export const textOf = (fragment: Fragment): string => fragment.characters.map(({ text }) => text).join('');
