import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { Commit, IndexContent, RowMatcher, VersionedRow, Versions } from '../changes/index-content.ts';
import { matcherOf } from '../match-filter.ts';
import type { ChangeResult, FoundRow, IndexRef, Row, TableState } from '../port.ts';
import { encodeRow, rowProblem } from './encode-row.ts';
import { addJobRowIds, readJobRowIds } from './job-row-ids.ts';
import { requireJournal } from './read-one-state.ts';
import { jobOfToken, jobToken } from './row-keys.ts';
import { noBranches } from './missing-features.ts';
import { isVisible, type Journal, scanRows, type StoredVersion, type VectorIndex } from './vector-index.ts';

/** Bytes of the results of changes that are remembered. Source: Amazon S3 Vectors, 40 KB of metadata in the journal. */
const maxResultBytes = 24_000;
const maxMissingBytes = 8_000;
/** Rows that are read at once. */
const rowsAtOnce = 2_000;
/** Deletions that may wait for the removal of their rows: searches reserve 20 values for hidden jobs. */
const maxDeleting = 15;

export const stateOf = ({ version, rows, sparseBytes }: Journal, { dimensions }: IndexRef): TableState => ({
  version,
  commitVersion: version,
  rows,
  denseBytes: rows * dimensions * 4,
  sparseBytes,
  unindexedRows: 0,
  maintenance: 'none',
  manifest: '',
});

/** Fields of a stored row that the counts and lists of a write need. A scan may find more rows than fit into memory. */
interface Known {
  readonly jobId: string | null;
  readonly textBytes: number;
}

/** Rows that a job has written and nothing else has overwritten, hidden ones included, and the keys of their lists. */
interface JobRows {
  readonly rows: readonly StoredVersion[];
  readonly recordKeys: readonly string[];
}

/** Rows and bytes of text that a commit adds. */
interface Growth {
  readonly rows: number;
  readonly textBytes: number;
}

type Entry = Commit['journal'][number];
type Changed = Omit<Commit, 'journal' | 'removed'> & { readonly removed: readonly string[] };

const noRows: JobRows = { rows: [], recordKeys: [] };

const textBytes = ({ text }: Pick<FoundRow, 'text'>): number => (text === null ? 0 : Buffer.byteLength(text));

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

const findJobRows = async (index: VectorIndex, jobId: string): Promise<JobRows> => {
  const { ids, recordKeys } = await readJobRowIds(index, jobId);
  const rows: StoredVersion[] = [];
  for (const some of batchesOf(ids, rowsAtOnce))
    rows.push(...[...(await index.get(some, false)).values()].filter((row) => row.jobId === jobId));
  return { rows, recordKeys };
};

const withinBytes = (ids: readonly string[], limit: number): readonly string[] => {
  let bytes = 0;
  return ids.filter((id) => (bytes += Buffer.byteLength(JSON.stringify(id))) <= limit);
};

/** Returns the journal after a change that adds rows and bytes of text, with as many of the last results as fit. */
const record = (journal: Journal, [key, result]: Entry, added: Growth): Journal => {
  const { missing } = result;
  const kept = missing === undefined ? result : { ...result, missing: withinBytes(missing, maxMissingBytes) };
  let bytes = 0;
  const results = [...journal.results, [key, kept] as const].toReversed();
  return {
    ...journal,
    version: journal.version + 1,
    rows: journal.rows + added.rows,
    sparseBytes: journal.sparseBytes + added.textBytes,
    results: results
      .filter((entry, at) => (bytes += Buffer.byteLength(JSON.stringify(entry))) <= maxResultBytes || at === 0)
      .toReversed(),
  };
};

/**
 * Returns the results of the last changes. A later change may have replaced the rows of an earlier one, so only the last
 * one can have died half-way, or one of a job.
 */
const entriesOf = ({ results, replacement, deleting }: Journal): ReadonlyMap<string, ChangeResult> =>
  new Map(
    results.map(([key, result], at) => {
      const isOfJob = replacement?.key === key || deleting.some((deletion) => deletion.key === key);
      return [key, isOfJob || at === results.length - 1 ? { ...result, unfinished: true } : result];
    }),
  );

/**
 * Content of an index. The journal gets the result of a change before its rows are written: a change that died half-way
 * is completed by its repeat, which returns the counts of the first attempt.
 */
class VectorContent implements IndexContent {
  readonly isAtomic = false;
  readonly ref: IndexRef;
  readonly #index: VectorIndex;
  #journal: Journal;
  /** Visible rows as far as they were read since the last write. Null: there is none. */
  readonly #known = new Map<string, Known | null>();
  readonly #jobs = new Map<string, JobRows>();

  constructor(index: VectorIndex, ref: IndexRef, journal: Journal) {
    this.ref = ref;
    this.#index = index;
    this.#journal = journal;
  }

  get journal(): ReadonlyMap<string, ChangeResult> {
    return entriesOf(this.#journal);
  }

  async rows(): Promise<number> {
    return this.#journal.rows;
  }

  async state(): Promise<TableState> {
    return stateOf(this.#journal, this.ref);
  }

  async isNewest(): Promise<boolean> {
    return true;
  }

  problemOf(row: Row): string | null {
    return rowProblem(row, this.ref);
  }

  async openBranch(): Promise<never> {
    return noBranches();
  }

  #isShown(row: Pick<FoundRow, 'jobId'>): boolean {
    return isVisible(this.#journal)(row);
  }

  /** Remembers rows, and returns their versions. */
  #remember(rows: readonly StoredVersion[]): Map<string, string> {
    for (const row of rows) this.#known.set(row.id, { jobId: row.jobId, textBytes: textBytes(row) });
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  async #getVisible(ids: readonly string[], includeVector: boolean): Promise<readonly StoredVersion[]> {
    const found = [...(await this.#index.get(ids, includeVector)).values()].filter(isVisible(this.#journal));
    for (const id of ids) this.#known.set(id, null);
    this.#remember(found);
    return found;
  }

  async lookUp(ids: readonly string[]): Promise<Versions> {
    return this.#remember(await this.#getVisible(ids, false));
  }

  async matching(matcher: RowMatcher): Promise<Versions> {
    if ('jobId' in matcher) {
      const found = await findJobRows(this.#index, matcher.jobId);
      this.#jobs.set(matcher.jobId, found);
      return this.#remember(this.#isShown(matcher) ? found.rows : []);
    }
    const matches = matcherOf(matcher.filter, this.ref);
    const isShown = isVisible(this.#journal);
    const found = new Map<string, string>();
    await scanRows(this.#index, (rows) => {
      for (const [id, version] of this.#remember(rows.filter((row) => isShown(row) && matches(row.metadata))))
        found.set(id, version);
    });
    return found;
  }

  async *read(ids: readonly string[]): AsyncGenerator<readonly VersionedRow[]> {
    for (const some of batchesOf(ids, rowsAtOnce)) {
      const rows = await this.#getVisible(some, true);
      yield rows.flatMap((row) => (row.vector === null ? [] : [{ ...row, vector: row.vector }]));
    }
  }

  /** Saves the journal, from which readers take what is visible. */
  async #save(journal: Journal): Promise<void> {
    await this.#index.writeJournal(journal);
    this.#journal = journal;
  }

  async #putRows(rows: readonly VersionedRow[]): Promise<void> {
    await this.#index.put(rows.map((row) => encodeRow(row, row.version, this.ref)));
  }

  /** Adds the ids of rows to the lists of their jobs, which have the ids of rows that are already of the job. */
  async #listJobRows(rows: readonly VersionedRow[]): Promise<void> {
    const others = rows.filter(({ id, jobId }) => this.#known.get(id)?.jobId !== jobId);
    await addJobRowIds(this.#index, others);
  }

  /** Removes rows, and then the lists that contain their ids. */
  async #removeRows(ids: readonly string[], recordKeys: readonly string[]): Promise<void> {
    await this.#index.remove(ids);
    await this.#index.records.remove(recordKeys);
  }

  /** Returns the growth of the index by a commit. Looks up rows that nothing has looked up. */
  async #growthBy(rows: readonly VersionedRow[], removed: readonly string[]): Promise<Growth> {
    const unknown = idsOf(rows).filter((id) => !this.#known.has(id));
    if (unknown.length > 0) await this.lookUp(unknown);
    const gone = [...idsOf(rows), ...removed].flatMap((id) => this.#known.get(id) ?? []);
    const added = rows.reduce((bytes, row) => bytes + textBytes(row), 0);
    return { rows: rows.length - gone.length, textBytes: gone.reduce((bytes, row) => bytes - row.textBytes, added) };
  }

  /** Ends a replacement. The rows that it hid are gone, so the visible ones stay the same. */
  async #endReplacement(): Promise<void> {
    await this.#save({ ...this.#journal, hidden: [], replacement: null, isSettling: false });
  }

  /** Removes the rows of a job whose replacement has been given up, and those of a replaced job that are left. */
  async #removeHidden(): Promise<void> {
    const found = await Promise.all(this.#journal.hidden.map((token) => findJobRows(this.#index, jobOfToken(token))));
    await this.#removeRows(
      found.flatMap(({ rows }) => idsOf(rows)),
      found.flatMap(({ recordKeys }) => recordKeys),
    );
    await this.#endReplacement();
  }

  /** Writes the rows of a replacement whose ids existed before, once the others are visible. */
  async #writeOver(rows: readonly VersionedRow[]): Promise<void> {
    const existing = await this.#index.get(idsOf(rows), false);
    await this.#putRows(rows.filter(({ id, version }) => existing.get(id)?.version !== version));
    const { view, isSettling } = this.#journal;
    if (isSettling) await this.#save({ ...this.#journal, view: view + 1, isSettling: false });
  }

  /**
   * Replaces the rows of a job. The new rows are hidden by their job until all of them are stored. Then one write of the
   * journal shows them and hides the old ones. Rows whose id exists already are written after that, and the journal makes
   * readers wait for them. A replacement that died before the journal showed its rows changes nothing.
   */
  async #replaceJob(oldJobId: string, { rows, removed }: Changed, entry: Entry): Promise<void> {
    const [key] = entry;
    const { replacement } = this.#journal;
    // The rows of a job that is being deleted have been counted.
    const { recordKeys } = this.#isShown({ jobId: oldJobId }) ? (this.#jobs.get(oldJobId) ?? noRows) : noRows;
    const growth = await this.#growthBy(rows, removed);
    if (replacement !== null && replacement.key !== key) await this.#removeHidden();
    const newJobId = rows[0]?.jobId ?? null;
    const begun = { key, oldJobId, newJobId };
    const hidden = newJobId === null ? [] : [jobToken(newJobId)];
    await this.#save({ ...this.#journal, hidden, replacement: begun, view: this.#journal.view + 1 });
    await this.#listJobRows(rows);
    const [others = [], over = []] = [false, true].map((exists) =>
      rows.filter(({ id }) => ((this.#known.get(id) ?? null) !== null) === exists),
    );
    await this.#putRows(others);
    await this.#save({
      ...record(this.#journal, entry, growth),
      hidden: [jobToken(oldJobId)],
      view: this.#journal.view + 1,
      isSettling: over.length > 0,
    });
    await this.#writeOver(rows);
    await this.#removeRows(removed, recordKeys);
    await this.#endReplacement();
  }

  /** Writes and removes rows, some of them of jobs all of whose rows are removed. */
  async #changeRows({ rows, removed, removedJobs }: Changed): Promise<void> {
    const ofJobs = removedJobs.map((jobId) => this.#jobs.get(jobId) ?? noRows);
    await this.#listJobRows(rows);
    await this.#putRows(rows);
    await this.#removeRows(
      [...new Set([...removed, ...ofJobs.flatMap((found) => idsOf(found.rows))])],
      ofJobs.flatMap(({ recordKeys }) => recordKeys),
    );
    const deleting = this.#journal.deleting.filter(({ jobId }) => !removedJobs.includes(jobId));
    if (deleting.length < this.#journal.deleting.length) await this.#save({ ...this.#journal, deleting });
  }

  /** Saves the result of a change of rows. Jobs all of whose rows are removed are hidden until they are. */
  async #recordChange({ rows, removed, removedJobs }: Changed, entry: Entry): Promise<void> {
    const recorded = record(this.#journal, entry, await this.#growthBy(rows, removed));
    const { deleting, view } = recorded;
    const isHidden = removed.length > 0 && removedJobs.length > 0 && deleting.length < maxDeleting;
    if (!isHidden) return this.#save(recorded);
    const hidden = removedJobs.map((jobId) => ({ key: entry[0], jobId }));
    return this.#save({ ...recorded, deleting: [...deleting, ...hidden], view: view + 1 });
  }

  async #apply(changed: Changed, entry: Entry): Promise<void> {
    const { rows, removed, removedJobs } = changed;
    const [replacedJob] = rows.length > 0 ? removedJobs : [];
    const isRepeat = this.journal.has(entry[0]);
    if (replacedJob === undefined) {
      const hasRows =
        rows.length + removed.length > 0 || removedJobs.some((jobId) => this.#jobs.get(jobId)?.rows.length);
      if (hasRows && !isRepeat) await this.#recordChange(changed, entry);
      await this.#changeRows(changed);
    } else if (!isRepeat) await this.#replaceJob(replacedJob, changed, entry);
    else if (this.#journal.replacement?.key === entry[0]) {
      await this.#writeOver(rows);
      await this.#removeHidden();
    }
  }

  async write({ rows, removed, removedJobs, journal }: Commit): Promise<true> {
    const ids = removed === 'all' ? [...(await this.matching({ filter: {} })).keys()] : removed;
    for (const entry of journal) await this.#apply({ rows, removed: ids, removedJobs }, entry);
    this.#known.clear();
    this.#jobs.clear();
    return true;
  }
}

/** Opens the content of an index. Throws `DamagedIndex`. */
export const openContent = async (index: VectorIndex, ref: IndexRef): Promise<IndexContent> =>
  new VectorContent(index, ref, requireJournal(await index.readJournal(), ref));
