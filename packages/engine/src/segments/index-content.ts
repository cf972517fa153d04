import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type {
  BranchContent,
  Commit,
  IndexContent,
  RowMatcher,
  VersionedRow,
  Versions,
} from '../changes/index-content.ts';
import type { ChangeResult, FoundRow, IndexRef, TableState } from '../port.ts';
import { openBase } from './open-reader.ts';
import type { OpenVersion, OpenVersions } from './open-versions.ts';
import { changesOf, matchingPlaces, placesOf, readRows, type RowPlace } from './read-segments.ts';
import { type MergeBounds, nextVersion, type NextVersion, stateOf } from './write-version.ts';

/** Rows that are in memory at once. */
const rowsAtOnce = 5_000;

const toVersioned = ({ version, vector, ...row }: FoundRow): VersionedRow => {
  if (vector === null || version === undefined) throw new Error(`row ${row.id} was read without its vector or version`);
  return { ...row, vector, version };
};

const versionsAt = async (places: Iterable<RowPlace>): Promise<Versions> => {
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

const matchingIn = async (opened: OpenVersion, matcher: RowMatcher): Promise<Versions> =>
  versionsAt('filter' in matcher ? await matchingPlaces(opened, matcher.filter) : await ofJob(opened, matcher.jobId));

const readFrom = async function* (
  opened: OpenVersion,
  ids: readonly string[],
  { dimensions }: IndexRef,
): AsyncGenerator<readonly VersionedRow[]> {
  for (const some of batchesOf(ids, rowsAtOnce)) {
    const places = await placesOf(opened, new Set(some));
    yield (await readRows([...places.values()], dimensions)).map(toVersioned);
  }
};

/** Content of an index at one version, on which the next is written. */
export class SegmentContent implements IndexContent {
  readonly isAtomic = true;
  readonly ref: IndexRef;
  readonly journal: ReadonlyMap<string, ChangeResult>;
  readonly #versions: OpenVersions;
  readonly #write: (next: NextVersion) => Promise<OpenVersion | null>;
  readonly #bounds: MergeBounds;
  #opened: OpenVersion;

  /** @param write Writes a version. Null: another writer has written it. */
  constructor(
    versions: OpenVersions,
    ref: IndexRef,
    opened: OpenVersion,
    write: (next: NextVersion) => Promise<OpenVersion | null>,
    bounds: MergeBounds,
  ) {
    this.#versions = versions;
    this.ref = ref;
    this.#opened = opened;
    this.#write = write;
    this.#bounds = bounds;
    this.journal = new Map(opened.manifest.journal);
  }

  async rows(): Promise<number> {
    return this.#opened.manifest.rows;
  }

  async state(): Promise<TableState> {
    return stateOf(this.#opened.manifest, this.ref);
  }

  problemOf(): null {
    return null;
  }

  async lookUp(ids: readonly string[]): Promise<Versions> {
    return versionsAt((await placesOf(this.#opened, ids)).values());
  }

  matching(matcher: RowMatcher): Promise<Versions> {
    return matchingIn(this.#opened, matcher);
  }

  read(ids: readonly string[]): AsyncGenerator<readonly VersionedRow[]> {
    return readFrom(this.#opened, ids, this.ref);
  }

  async openBranch(branch: IndexRef): Promise<BranchContent> {
    const opened = await this.#versions.open({ ...branch, manifest: undefined });
    return {
      matching: (matcher) => matchingIn(opened, matcher),
      read: (ids) => readFrom(opened, ids, branch),
      changes: async () => {
        const base = await openBase(this.#versions, branch);
        const changes = base === null ? [] : await changesOf(base, opened);
        return new Map(changes.map(({ id, version }) => [id, version]));
      },
    };
  }

  async write(commit: Commit): Promise<boolean> {
    const written = await this.#write(await nextVersion(this.#opened, commit, this.ref, this.#bounds));
    if (written !== null) this.#opened = written;
    return written !== null;
  }
}
