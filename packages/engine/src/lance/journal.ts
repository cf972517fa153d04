import type { Table } from '@lancedb/lancedb';
import { maxJournalEntries } from '../changes/index-content.ts';
import type { ChangeResult } from '../port.ts';
import { columnOf } from './decode-rows.ts';
import type { StoredRow } from './encode-rows.ts';

/** Id of the tombstone that stores a table's journal. No row has an empty id. */
export const journalId = '';

/**
 * Results of the last changes of a table, by key. It is written in the same commit, so that a change is applied once.
 */
export type Journal = ReadonlyMap<string, ChangeResult>;

/** Reads the journal as of the last commit. */
export const readJournal = async (table: Table): Promise<Journal> => {
  const answer = await table.query().where(`id = '${journalId}'`).select(['meta']).limit(1).toArrow();
  const note = answer.numRows === 0 ? null : columnOf<string | null>(answer, 'meta')(0);
  // Cast: `journalRow` wrote it.
  return new Map(note === null ? [] : (JSON.parse(note) as readonly (readonly [string, ChangeResult])[]));
};

/** Adds results of further changes to the journal, and drops the oldest. */
export const addToJournal = (journal: Journal, fresh: Journal): Journal =>
  new Map([...journal, ...fresh].slice(-maxJournalEntries));

/** Returns the row that stores a journal. */
export const journalRow = (journal: Journal): StoredRow => ({
  id: journalId,
  row: null,
  version: null,
  masks: false,
  maskedBytes: 0,
  inherited: false,
  note: JSON.stringify([...journal]),
});
