import { expiryOf } from '../expiry.ts';
import { matcherOf } from '../match-filter.ts';
import type { Row } from '../port.ts';
import type { Commit, IndexContent, RowMatcher, VersionedRow } from './index-content.ts';

/** Rows of an index after the changes of a commit so far: what is stored, and above it what they write and remove. */
export class PendingRows {
  readonly #content: IndexContent;
  /** Versions of stored rows, as far as they are known. */
  readonly #stored = new Map<string, string>();
  /** Stored rows that were read. */
  readonly #read = new Map<string, VersionedRow>();
  /** Rows that the changes write. Null: they remove the row. */
  readonly #changed = new Map<string, VersionedRow | null>();
  readonly #removedJobs = new Set<string>();
  /** Rows and jobs as they were before the current change. */
  readonly #former = new Map<string, VersionedRow | null | undefined>();
  readonly #formerJobs = new Set<string>();
  #added = 0;
  #expiresFrom = Infinity;

  constructor(content: IndexContent) {
    this.#content = content;
  }

  /** Looks up stored rows. Those that are named by no look-up count as absent. */
  async lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const [id, version] of await this.#content.lookUp(ids)) this.#stored.set(id, version);
  }

  /** Reads stored rows, so that `rowOf` returns them. */
  async read(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for await (const rows of this.#content.read(ids))
      for (const row of rows) {
        this.#stored.set(row.id, row.version);
        this.#read.set(row.id, row);
      }
  }

  #matcherOf(matcher: RowMatcher): (row: Row) => boolean {
    if ('jobId' in matcher) return ({ jobId }) => jobId === matcher.jobId;
    const matches = matcherOf(matcher.filter, this.#content.ref);
    return ({ metadata }) => matches(metadata);
  }

  /** Returns the ids of visible rows that match. */
  async matching(matcher: RowMatcher): Promise<readonly string[]> {
    const matches = this.#matcherOf(matcher);
    const ids: string[] = [];
    for (const [id, version] of await this.#content.matching(matcher)) {
      this.#stored.set(id, version);
      if (!this.#changed.has(id)) ids.push(id);
    }
    for (const [id, row] of this.#changed) if (row !== null && matches(row)) ids.push(id);
    return ids;
  }

  /** Returns the version of a row. Null if none is visible. */
  versionOf(id: string): string | null {
    const row = this.#changed.get(id);
    return row === undefined ? (this.#stored.get(id) ?? null) : (row?.version ?? null);
  }

  /** Returns a row that the changes have written or that was read. Undefined if none is visible. */
  rowOf(id: string): VersionedRow | undefined {
    const row = this.#changed.get(id);
    return row === undefined ? this.#read.get(id) : (row ?? undefined);
  }

  #set(id: string, row: VersionedRow | null): void {
    this.#added += (row === null ? 0 : 1) - (this.versionOf(id) === null ? 0 : 1);
    if (!this.#former.has(id)) this.#former.set(id, this.#changed.get(id));
    this.#changed.set(id, row);
  }

  /** Writes rows, and returns the number of their ids. */
  put(rows: readonly VersionedRow[]): number {
    for (const row of rows) {
      this.#set(row.id, row);
      this.#expiresFrom = Math.min(this.#expiresFrom, expiryOf(row.metadata));
    }
    return new Set(rows.map(({ id }) => id)).size;
  }

  /** Removes rows, and returns the number of them that were visible. */
  remove(ids: readonly string[]): number {
    const visible = [...new Set(ids)].filter((id) => this.versionOf(id) !== null);
    for (const id of visible) this.#set(id, null);
    return visible.length;
  }

  /** Removes the rows of a job, and returns the number of them that were visible. */
  removeJob(jobId: string, ids: readonly string[]): number {
    if (!this.#removedJobs.has(jobId)) this.#formerJobs.add(jobId);
    this.#removedJobs.add(jobId);
    return this.remove(ids);
  }

  /** Starts a change. */
  begin(): void {
    this.#added = 0;
    this.#expiresFrom = Infinity;
    this.#former.clear();
    this.#formerJobs.clear();
  }

  /** Rows that the change has added so far, minus those that it has removed. */
  get added(): number {
    return this.#added;
  }

  /** Earliest expiry of the rows that the change has written; Infinity: none of them expires. */
  get expiresFrom(): number {
    return this.#expiresFrom;
  }

  /** Undoes the change. */
  rollback(): void {
    for (const [id, row] of this.#former) {
      if (row === undefined) this.#changed.delete(id);
      else this.#changed.set(id, row);
    }
    for (const jobId of this.#formerJobs) this.#removedJobs.delete(jobId);
  }

  /** Returns the effect of all changes. */
  effect(): Pick<Commit, 'rows' | 'removed' | 'removedJobs'> {
    return {
      rows: [...this.#changed.values()].filter((row) => row !== null),
      // A row that was written and removed again within the commit leaves no trace.
      removed: [...this.#changed].flatMap(([id, row]) => (row === null && this.#stored.has(id) ? [id] : [])),
      removedJobs: [...this.#removedJobs],
    };
  }
}
