import { batchesOf } from '../../../../shared/kernel/batches.ts';
import {
  type BranchContent,
  type Commit,
  type IndexContent,
  type RowMatcher,
  toVersioned,
  type VersionedRow,
  type Versions,
} from '../changes/index-content.ts';
import type { ChangeResult, IndexRef, TableState } from '../port.ts';
import type { BaseTable } from './base-table.ts';
import { changesOf } from './branch-changes.ts';
import { openBase } from './open-reader.ts';
import { maskOf, type OpenVersion, type OpenVersions } from './open-versions.ts';
import { fetchRows, matchingPlaces, placesOf, type RowPlace } from './read-segments.ts';
import { type MergeBounds, nextVersion, type NextVersion, stateOf } from './write-version.ts';

/** Rows that are in memory at once. */
const rowsAtOnce = 5_000;

const versionsAt = async (places: Iterable<RowPlace>): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  for (const { segment, row } of places) {
    const { ids, versions } = await segment.get('keys');
    found.set(ids[row] ?? '', versions[row] ?? '');
  }
  return found;
};

const ofJob = async ({ live }: OpenVersion, jobId: string): Promise<readonly RowPlace[]> => {
  const found = live.map(async ({ segment, isDead }) => {
    const { jobs } = await segment.get('keys');
    return jobs.flatMap((job, row) => (job === jobId && !isDead?.(row) ? [{ segment, row }] : []));
  });
  return (await Promise.all(found)).flat();
};

/** A version that is read, with the table below its segments. */
interface Reading {
  readonly opened: OpenVersion;
  readonly ref: IndexRef;
  readonly table: () => Promise<BaseTable | null>;
}

const matchingIn = async ({ opened, table }: Reading, matcher: RowMatcher): Promise<Versions> => {
  const places = 'filter' in matcher ? matchingPlaces(opened, matcher.filter) : ofJob(opened, matcher.jobId);
  const found = await versionsAt(await places);
  for (const { id, version } of (await (await table())?.matching(matcher)) ?? []) found.set(id, version);
  return found;
};

const readFrom = async function* (
  { opened, ref, table }: Reading,
  ids: readonly string[],
): AsyncGenerator<readonly VersionedRow[]> {
  const below = await table();
  for (const some of batchesOf(ids, rowsAtOnce))
    yield (await fetchRows(opened, below, some, ref.dimensions)).map(toVersioned);
};

/** Versions of an index, of which each is written once. */
export interface VersionLog {
  /** Writes a version. Null: another writer has written it. */
  readonly write: (next: NextVersion) => Promise<OpenVersion | null>;
  readonly isNewest: (opened: OpenVersion) => Promise<boolean>;
}

/** Content of an index at one version, on which the next is written. */
export class SegmentContent implements IndexContent {
  readonly isAtomic = true;
  readonly ref: IndexRef;
  readonly journal: ReadonlyMap<string, ChangeResult>;
  readonly #versions: OpenVersions;
  readonly #log: VersionLog;
  readonly #bounds: MergeBounds;
  #opened: OpenVersion;

  constructor(versions: OpenVersions, ref: IndexRef, opened: OpenVersion, log: VersionLog, bounds: MergeBounds) {
    this.#versions = versions;
    this.ref = ref;
    this.#opened = opened;
    this.#log = log;
    this.#bounds = bounds;
    this.journal = new Map(opened.manifest.journal);
  }

  isNewest(): Promise<boolean> {
    return this.#log.isNewest(this.#opened);
  }

  async rows(): Promise<number> {
    return this.#opened.manifest.rows;
  }

  async state(): Promise<TableState> {
    return stateOf(this.#opened.manifest, this.ref, this.#bounds);
  }

  problemOf(): null {
    return null;
  }

  #readingOf(opened: OpenVersion, ref: IndexRef): Reading {
    return { opened, ref, table: () => this.#versions.tableOf(opened, ref) };
  }

  async lookUp(ids: readonly string[]): Promise<Versions> {
    const places = await placesOf(this.#opened, ids);
    const found = await versionsAt(places.values());
    const { base } = this.#opened.manifest;
    if (base === null) return found;
    const [known, isMasked] = await Promise.all([this.#versions.rowSet(base), maskOf(this.#opened)]);
    const below = ids.filter((id) => !isMasked(id) && known.find(id) !== null);
    const table = below.length === 0 ? null : await this.#versions.tableOf(this.#opened, this.ref);
    for (const some of batchesOf(below, rowsAtOnce))
      for (const { id, version = '' } of (await table?.fetch(some, false)) ?? []) found.set(id, version);
    return found;
  }

  matching(matcher: RowMatcher): Promise<Versions> {
    return matchingIn(this.#readingOf(this.#opened, this.ref), matcher);
  }

  read(ids: readonly string[]): AsyncGenerator<readonly VersionedRow[]> {
    return readFrom(this.#readingOf(this.#opened, this.ref), ids);
  }

  async openBranch(branch: IndexRef): Promise<BranchContent> {
    const opened = await this.#versions.open({ ...branch, manifest: undefined });
    const reading = this.#readingOf(opened, branch);
    return {
      matching: (matcher) => matchingIn(reading, matcher),
      read: (ids) => readFrom(reading, ids),
      changes: async () => {
        const base = await openBase(this.#versions, branch);
        const changes = base === null ? [] : await changesOf(this.#versions, { base, branch: opened, ref: branch });
        return new Map(changes.map(({ id, version }) => [id, version]));
      },
    };
  }

  async write(commit: Commit): Promise<boolean> {
    const next = await nextVersion(this.#versions, this.#opened, commit, this.ref, this.#bounds);
    const written = await this.#log.write(next);
    if (written !== null) this.#opened = written;
    return written !== null;
  }
}
