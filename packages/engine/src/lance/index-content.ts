import {
  type BranchContent,
  type Commit,
  type IndexContent,
  type RowMatcher,
  toVersioned,
  type VersionedRow,
  type Versions,
} from '../changes/index-content.ts';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { IndexRef, TableState } from '../port.ts';
import { compileFilter, quote } from './compile-filter.ts';
import { columnOf } from './decode-rows.ts';
import { type StoredRow, textBytes } from './encode-rows.ts';
import { existingFrom, type ExistingRow, growthOf, lookUpExisting, noRow } from './existing-rows.ts';
import { addToJournal, type Journal, journalId, journalRow } from './journal.ts';
import { ownChanges } from './list-differences.ts';
import { batchRowsOf } from './materialize-branch.ts';
import { mergeRows, totalsAfter, type WritableView, type Writing } from './merge-rows.ts';
import type { OpenTables } from './open-tables.ts';
import { idsPerQuery, type RowState, type View, visibleStates } from './read-layers.ts';
import { fetchRows } from './read-rows.ts';
import type { TableStates, TableSummary } from './table-states.ts';

const findRows = (view: View, matcher: RowMatcher): ReturnType<typeof visibleStates> =>
  visibleStates(view, 'filter' in matcher ? compileFilter(matcher.filter) : `job_id = ${quote(matcher.jobId)}`);

// A visible row has a version.
const versionsOf = (rows: Iterable<readonly [string, Pick<RowState, 'version'>]>): Map<string, string> =>
  new Map([...rows].flatMap(([id, { version }]) => (version === null ? [] : [[id, version] as const])));

const readRows = async function* (
  view: View,
  ref: IndexRef,
  ids: readonly string[],
): AsyncGenerator<readonly VersionedRow[]> {
  for (const some of batchesOf(ids, idsPerQuery)) yield (await fetchRows(view, some, ref, true)).map(toVersioned);
};

const branchContent = (view: View, ref: IndexRef): BranchContent => ({
  matching: async (matcher) => versionsOf((await findRows(view, matcher)).map((state) => [state.id, state])),
  read: (ids) => readRows(view, ref, ids),
  changes: async () => {
    const [own] = view;
    if (own === undefined) return new Map();
    const answer = await own.query().where(ownChanges).select(['id', 'row_version', 'deleted']).toArrow();
    const [id, version] = [columnOf<string>(answer, 'id'), columnOf<string | null>(answer, 'row_version')];
    const deleted = columnOf<boolean>(answer, 'deleted');
    return new Map(Array.from({ length: answer.numRows }, (_, at) => [id(at), deleted(at) ? null : version(at)]));
  },
});

/**
 * Removes all rows without tombstones, which would take the space of vectors. The journal follows in a version of its
 * own. A repeat after an interruption deletes and counts the remaining rows, as other deletions do.
 */
const emptyTable = async (writing: Writing, summary: TableSummary, journal: Journal): Promise<TableSummary> => {
  const [table] = writing.view;
  const version = await table.version();
  await table.delete(`id <> '${journalId}'`);
  const isFirst = (await table.version()) === version + 1;
  const merged = await mergeRows(writing, [[journalRow(journal)]]);
  const isAlone = isFirst && merged.isAlone;
  const none = { rows: 0, sparseBytes: 0 };
  return { ...summary, totals: await totalsAfter(writing, { isAlone }, none, () => none), journal };
};

/**
 * Divides rows into batches, mostly a single one. A tombstone takes the space of a vector, so deletions of many rows are
 * split. Readers use the previous version until all batches are written. A repeated deletion deletes and counts the
 * remaining rows.
 */
const storedBatches = (
  { dimensions }: IndexRef,
  { rows }: Commit,
  stored: readonly StoredRow[],
): readonly (readonly StoredRow[])[] => (rows.length === 0 ? batchesOf(stored, batchRowsOf(dimensions)) : [stored]);

/** Content of an index at the newest version of its table. */
class TableContent implements IndexContent {
  readonly isAtomic = true;
  readonly ref: IndexRef;
  readonly #tables: OpenTables;
  readonly #states: TableStates;
  readonly #view: WritableView;
  /** Version of the table before the commit. */
  readonly #version: number;
  #summary: TableSummary;
  /** State of ids before the commit, as far as it was read. */
  readonly #known = new Map<string, ExistingRow>();

  constructor(tables: OpenTables, states: TableStates, { ref, view }: Writing, at: TableSummary, version: number) {
    this.ref = ref;
    this.#tables = tables;
    this.#states = states;
    this.#view = view;
    this.#version = version;
    this.#summary = at;
  }

  get journal(): Journal {
    return this.#summary.journal;
  }

  rows(): Promise<number> {
    return this.#states.rowsOf(this.#view, this.#summary.totals);
  }

  state(): Promise<TableState> {
    return this.#states.stateOf(this.ref, this.#view, this.#summary);
  }

  problemOf(): null {
    return null;
  }

  async #lookUpIn(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, ExistingRow>> {
    const found = await lookUpExisting(view, ids);
    for (const id of ids) this.#known.set(id, found.get(id) ?? noRow);
    return found;
  }

  async lookUp(ids: readonly string[]): Promise<Versions> {
    const found = await this.#lookUpIn(this.#view, ids);
    return versionsOf([...found].filter(([, { visible }]) => visible));
  }

  async matching(matcher: RowMatcher): Promise<Versions> {
    const found = await findRows(this.#view, matcher);
    for (const state of found) this.#known.set(state.id, existingFrom(state, state.depth));
    return versionsOf(found.map((state) => [state.id, state]));
  }

  async *read(ids: readonly string[]): AsyncGenerator<readonly VersionedRow[]> {
    for await (const rows of readRows(this.#view, this.ref, ids)) {
      // Only a look-up returns what the rows of a branch mask.
      if (!this.#summary.masks)
        for (const { id, version, text } of rows)
          this.#known.set(id, { ...noRow, visible: true, version, textBytes: textBytes(text) });
      yield rows;
    }
  }

  async openBranch({ layers }: IndexRef): Promise<BranchContent> {
    const view = await Promise.all(layers.map(({ table, version }) => this.#tables.exact(table, version)));
    return branchContent(view, this.ref);
  }

  #storedFor(id: string, row: VersionedRow | null): StoredRow {
    const { masks, maskedBytes } = this.#known.get(id) ?? noRow;
    return { id, row, version: row?.version ?? null, masks, maskedBytes, inherited: false };
  }

  async write(commit: Commit): Promise<true> {
    const { masks } = this.#summary;
    const writing: Writing = { ref: this.ref, view: this.#view };
    const journal = addToJournal(this.#summary.journal, new Map(commit.journal));
    if (commit.removed === 'all' && !masks) {
      this.#summary = await emptyTable(writing, this.#summary, journal);
      return true;
    }
    const removed = commit.removed === 'all' ? [...(await this.matching({ filter: {} })).keys()] : commit.removed;
    const unknown = [...commit.rows.map(({ id }) => id), ...removed].filter((id) => !this.#known.has(id));
    if (masks) await this.#lookUpIn(this.#view, unknown);
    const stored = [
      ...commit.rows.map((row) => this.#storedFor(row.id, row)),
      ...removed.map((id) => this.#storedFor(id, null)),
    ];
    if (stored.length === 0) return true;
    const merged = await mergeRows(writing, storedBatches(this.ref, commit, [...stored, journalRow(journal)]));
    // Each commit but the first replaces the journal.
    const hasReplaced = merged.replaced > (this.#summary.journal.size === 0 ? 0 : 1);
    const totals = await totalsAfter(writing, merged, this.#summary.totals, async () => {
      // Rows that nothing has looked up are looked up now, and only if the merge has replaced some.
      if (hasReplaced && !masks && unknown.length > 0) {
        const { table } = this.ref.layers[0];
        await this.#tables.asOf(table, this.#version, (former) => this.#lookUpIn([former], unknown));
      }
      return growthOf(stored, this.#known);
    });
    this.#summary = { ...this.#summary, totals, journal };
    return true;
  }
}

/** Opens the content of an index at the newest version of its table. */
export const openContent = async (tables: OpenTables, states: TableStates, writing: Writing): Promise<IndexContent> => {
  const [table] = writing.view;
  const [summary, version] = await Promise.all([states.summaryOf(writing.ref, table), table.version()]);
  return new TableContent(tables, states, writing, summary, version);
};
