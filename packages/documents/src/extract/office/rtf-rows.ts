import type { CellDefinition, RowDefinition } from './edged-tables.ts';

/** Row definition that control words describe, before the content of the row. */
export interface OpenRow extends RowDefinition {
  left: number;
  isHead: boolean;
  readonly cells: CellDefinition[];
  continues: CellDefinition['continues'];
  begins: boolean;
}

/** Starts the definition of a row. */
export const openRow = (): OpenRow => ({ left: 0, isHead: false, cells: [], continues: null, begins: false });

const maxCells = 1_000;

/** Applies a control word about a row and its cells. */
export const defineRow = (row: OpenRow, word: string, value: number | null): void => {
  if (word === 'trleft') row.left = value ?? 0;
  else if (word === 'trhdr') row.isHead = true;
  else if (word === 'clmrg') row.continues = 'before';
  else if (word === 'clvmrg') row.continues = 'above';
  else if (word === 'clvmgf') row.begins = true;
  else if (word === 'cellx') {
    if (row.cells.length < maxCells)
      row.cells.push({ right: value ?? 0, continues: row.continues, begins: row.begins });
    row.continues = null;
    row.begins = false;
  }
};
