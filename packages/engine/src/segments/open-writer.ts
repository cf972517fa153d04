import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { commitTo } from '../changes/commit-changes.ts';
import { DamagedIndex } from '../damaged-index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import type { CommitResult, EngineWriter, IndexRef, Restoration, Retention } from '../port.ts';
import type { TableBase } from './base-table.ts';
import { collectObjects } from './collect-objects.ts';
import { containsRemovedRows, foldVersion, type TableFolder, withFolded } from './fold.ts';
import { SegmentContent, type VersionLog } from './index-content.ts';
import { keptOf, manifestsAtOnce, versionsIn } from './kept-versions.ts';
import { leftoversOf } from './leftovers.ts';
import { mergeSegments, withMerged } from './merge-segments.ts';
import { openBase } from './open-reader.ts';
import { type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { restoredVersion } from './restore-version.ts';
import { emptyManifest, type Manifest, versionKey, versionPrefix } from './segment-format.ts';
import {
  defaultBounds,
  isFoldable,
  isShared,
  type MergeBounds,
  type NextVersion,
  objectOf,
  stateOf,
} from './write-version.ts';

/** Indexes whose newest version is remembered. */
const rememberedIndexes = 1_000;

/** Opens and writes the newest versions of indexes. */
class NewestVersions {
  readonly versions: OpenVersions;
  /** Newest version of an index that this process knows. */
  readonly #newest = new LRUCache<string, number>({ max: rememberedIndexes });

  constructor(versions: OpenVersions) {
    this.versions = versions;
  }

  #note(table: string, version: number): void {
    this.#newest.set(table, Math.max(version, this.#newest.get(table) ?? 0));
  }

  /** Opens an index at the version of its ref or a newer one. */
  async open(ref: IndexRef): Promise<OpenVersion> {
    const [{ table, version: noted }] = ref.layers;
    const version = Math.max(noted, this.#newest.get(table) ?? 0);
    const opened = version === 0 ? null : await this.versions.find(table, version, widthOf(ref));
    if (opened === null) throw new DamagedIndex(`version ${version} of ${table} does not exist`);
    this.#note(table, version);
    return opened;
  }

  /** Opens an index at its newest version, which its record may not name yet. */
  async openNewest(ref: IndexRef): Promise<OpenVersion> {
    const { table } = ref.layers[0];
    for (let opened = await this.open(ref); ;) {
      const version = opened.manifest.version + 1;
      const next = await this.versions.find(table, version, widthOf(ref));
      if (next === null) return opened;
      this.#note(table, version);
      opened = next;
    }
  }

  /** The same after many versions: lists them instead of opening each. */
  async openAfterMany(ref: IndexRef): Promise<OpenVersion> {
    const { table } = ref.layers[0];
    this.#note(table, await this.versions.newest(table));
    return this.openNewest(ref);
  }

  /** Writes a version. Null: it exists, so that another writer has written it. */
  async write(ref: IndexRef, next: NextVersion): Promise<OpenVersion | null> {
    const { table } = ref.layers[0];
    const { manifest, body } = next;
    const isWritten = await this.versions.store.create(versionKey(table, manifest.version), objectOf(next));
    this.#note(table, manifest.version);
    return isWritten ? this.versions.add(table, manifest, widthOf(ref), body) : null;
  }

  logOf(ref: IndexRef): VersionLog {
    return {
      write: (next) => this.write(ref, next),
      isNewest: async ({ manifest: { version } }) => (await this.openNewest(ref)).manifest.version === version,
    };
  }

  /** Writes the first version of an index. If it has versions, opens the newest. */
  async begin(ref: IndexRef, manifest: Omit<Manifest, 'version'>): Promise<OpenVersion> {
    const [{ table, version }] = ref.layers;
    if (version > 0) return this.open(ref);
    const written = await this.write(ref, { manifest: { ...manifest, version: 1 }, body: Buffer.alloc(0) });
    if (written !== null) return written;
    this.#note(table, await this.versions.newest(table));
    return this.open(ref);
  }

  forget(table: string): void {
    this.#newest.delete(table);
    this.versions.forget(table);
  }
}

/** Work of a builder on one index, beside its writer. */
interface Building {
  readonly newest: NewestVersions;
  readonly ref: IndexRef;
  readonly bounds: MergeBounds;
  readonly retention: Retention;
  readonly now: Date;
}

/** Merges segments of an index. */
const merge = async ({ newest, ref, bounds, retention }: Building): Promise<OpenVersion> => {
  const opened = await newest.openNewest(ref);
  const merged = await mergeSegments(opened, ref, bounds, retention.purge ?? false);
  if (merged === null) return opened;
  await newest.versions.store.create(merged.info.object, merged.body);
  for (let current = opened; ; current = await newest.openNewest(ref)) {
    const manifest = withMerged(current, merged);
    // The merged segment is collected later.
    if (manifest === null) return current;
    const written = await newest.write(ref, { manifest, body: Buffer.alloc(0) });
    if (written !== null) return written;
  }
};

/** Returns the tables that kept versions of an index are based on. */
const keptTables = async ({ newest, ref, retention, now }: Building): Promise<readonly TableBase[]> => {
  const { table } = ref.layers[0];
  const { keepDays = 0, keepVersions, fromVersion = 0 } = retention;
  const stored = keepDays === 0 ? [] : versionsIn(await newest.versions.store.list(versionPrefix(table)), table);
  const kept = new Set([...keepVersions, ...keptOf(stored, keepDays, now, fromVersion).map(({ version }) => version)]);
  const found = await inParallel([...kept], manifestsAtOnce, (version) =>
    newest.versions.find(table, version, widthOf(ref)),
  );
  return found.flatMap((opened) => opened?.manifest.base ?? []);
};

/** Folds the segments of a version into the table of its index. */
const fold = async (building: Building, folder: TableFolder, opened: OpenVersion): Promise<OpenVersion> => {
  const { newest, ref, retention } = building;
  const { base } = opened.manifest;
  const kept = await keptTables(building);
  const keptOf = kept.filter(({ table }) => table === base?.table).map(({ version }) => version);
  const folded = await foldVersion(newest.versions, folder, opened, ref, { ...retention, keepVersions: keptOf });
  for (let current = await newest.openAfterMany(ref); ; current = await newest.openNewest(ref)) {
    const next = await withFolded(current, folded, ref);
    if (next === null) return current;
    const written = await newest.write(ref, next);
    if (written !== null) return written;
  }
};

/** Merges segments of an index, and folds them if they are large. */
const build = async (building: Building, folder: TableFolder): Promise<OpenVersion> => {
  const { newest, ref, bounds, retention } = building;
  const { purge = false, paused = false, detached = false } = retention;
  const merged = await merge(building);
  const { base } = merged.manifest;
  const [{ table }] = ref.layers;
  const isFolded =
    isFoldable(merged.manifest, ref, bounds, paused) ||
    (purge && base?.owner === table && (await containsRemovedRows(newest.versions, merged))) ||
    (detached && isShared(merged.manifest, ref));
  return isFolded ? fold(building, folder, merged) : merged;
};

/** Makes a former version the content again. Null: it is not kept. */
const restore = async (
  newest: NewestVersions,
  ref: IndexRef,
  bounds: MergeBounds,
  restoration: Restoration,
): Promise<CommitResult | null> => {
  const { versions } = newest;
  const { table } = ref.layers[0];
  for (;;) {
    const current = await newest.openNewest(ref);
    const known = new Map(current.manifest.journal).get(restoration.key);
    if (known !== undefined) return { state: stateOf(current.manifest, ref, bounds), results: [known] };
    const former = await versions.find(table, restoration.version, widthOf(ref));
    if (former === null) return null;
    const made = await restoredVersion(versions, { newest: current, former }, ref, bounds, restoration).catch(
      (error: unknown) => {
        // Its object is also a segment of kept versions, but others of its segments have been collected.
        if (error instanceof DamagedIndex) return null;
        throw error;
      },
    );
    if (made === null) return null;
    const { result, next } = made;
    if (next === null) return { state: stateOf(current.manifest, ref, bounds), results: [result] };
    const written = await newest.write(ref, next);
    if (written !== null) return { state: stateOf(written.manifest, ref, bounds), results: [result] };
  }
};

/** How a writer treats large indexes, and when it merges. */
export interface WriterOptions {
  readonly clock?: Clock;
  readonly bounds?: MergeBounds;
}

/**
 * Writer of indexes that consist of segments, alone or over a table. A commit is one version.
 * @param folder Writes the tables under segments.
 */
export const openWriter = (
  versions: OpenVersions,
  folder: TableFolder,
  { clock = systemClock, bounds = defaultBounds }: WriterOptions = {},
): EngineWriter => {
  const newest = new NewestVersions(versions);
  const commit = commitTo(async (ref) => {
    const opened = await newest.open(ref);
    return new SegmentContent(versions, ref, opened, newest.logOf(ref), bounds);
  });
  return {
    create: async (ref) => {
      const base = await openBase(versions, ref);
      const { manifest } = await newest.begin(ref, {
        ...(base?.manifest ?? emptyManifest),
        commitVersion: 1,
        journal: [],
      });
      return stateOf(manifest, ref, bounds);
    },
    commit,
    restore: (ref, restoration) => restore(newest, ref, bounds, restoration),
    maintain: async (ref, retention) => {
      const building = { newest, ref, bounds, retention, now: clock.now() };
      return stateOf((await build(building, folder)).manifest, ref, bounds);
    },
    collect: async (ref, retention) => {
      const opened = await newest.openNewest(ref);
      const tables = await collectObjects(versions, opened, ref, retention, clock.now());
      if (tables === null) return;
      // An index that was emptied may have tables that no version names.
      if (tables.size > 0 || retention.purge === true) await folder.collect(ref.layers[0].table, tables);
    },
    leftovers: async (ref, erased) => {
      const opened = await newest.openNewest(ref);
      return leftoversOf(versions, opened, ref, erased, await folder.list(ref.layers[0].table));
    },
    drop: async (table) => {
      newest.forget(table);
      const objects = await versions.store.list(`${table}/`);
      await versions.store.remove(objects.map(({ key }) => key));
      await folder.drop(table);
    },
  };
};
