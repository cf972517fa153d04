import type { Table } from '@lancedb/lancedb';
import type { ChangeResult } from '../port.ts';
import { columnOf } from './decode-rows.ts';
import type { StoredRow } from './encode-rows.ts';

/** The id of the tombstone that carries a table's journal; no row has an empty id. */
export const journalId = '';

/** Changes that the journal tells of; more than a writer is ever handed at once, so that none comes again unknown. */
const mostEntries = 32;

/** What the last changes of a table did, by key. It is written with them, so that a change is applied once. */
export type Journal = ReadonlyMap<string, ChangeResult>;

/** The journal as of the last commit. */
export const readJournal = async (table: Table): Promise<Journal> => {
  const answer = await table.query().where(`id = '${journalId}'`).select(['meta']).limit(1).toArrow();
  const note = answer.numRows === 0 ? null : columnOf<string | null>(answer, 'meta')(0);
  // Cast: `journalRow` wrote it.
  return new Map(note === null ? [] : (JSON.parse(note) as readonly (readonly [string, ChangeResult])[]));
};

/** The journal with what further changes did, the oldest left out. */
export const addToJournal = (journal: Journal, fresh: Journal): Journal =>
  new Map([...journal, ...fresh].slice(-mostEntries));

/** The row that carries a journal. */
export const journalRow = (journal: Journal): StoredRow => ({
  id: journalId,
  row: null,
  version: null,
  masks: false,
  maskedBytes: 0,
  inherited: false,
  note: JSON.stringify([...journal]),
});
