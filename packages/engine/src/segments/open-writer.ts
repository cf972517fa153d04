import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { commitTo } from '../changes/commit-changes.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { EngineWriter, IndexRef, TableState } from '../port.ts';
import type { TableBase } from './base-table.ts';
import { collectObjects } from './collect-objects.ts';
import { foldVersion, type TableFolder, withFolded } from './fold.ts';
import { SegmentContent } from './index-content.ts';
import { mergeSegments, withMerged } from './merge-segments.ts';
import { openBase } from './open-reader.ts';
import { type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { emptyManifest, type Manifest, versionKey } from './segment-format.ts';
import { defaultBounds, type MergeBounds, type NextVersion, objectOf, stateOf } from './write-version.ts';

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

  /** Writes a version. Null: it exists, so that another writer has written it. */
  async write(ref: IndexRef, next: NextVersion): Promise<OpenVersion | null> {
    const { table } = ref.layers[0];
    const { manifest, body } = next;
    const isWritten = await this.versions.store.create(versionKey(table, manifest.version), objectOf(next));
    this.#note(table, manifest.version);
    return isWritten ? this.versions.add(table, manifest, widthOf(ref), body) : null;
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

/** Merges segments of an index beside its writer. */
const merge = async (newest: NewestVersions, ref: IndexRef, bounds: MergeBounds): Promise<OpenVersion> => {
  const opened = await newest.open(ref);
  const merged = await mergeSegments(opened, ref, bounds);
  if (merged === null) return opened;
  await newest.versions.store.create(merged.info.object, merged.body);
  for (let current = opened; ; current = await newest.open(ref)) {
    const manifest = withMerged(current, merged);
    // The merged segment is collected later.
    if (manifest === null) return current;
    const written = await newest.write(ref, { manifest, body: Buffer.alloc(0) });
    if (written !== null) return written;
  }
};

/** Bytes of a row in a table besides its vector, about. */
const otherRowBytes = 1_024;

/** Whether the segments of an index are so large that they are folded into its table. */
const isFoldable = ({ live, base }: Manifest, { dimensions }: IndexRef, bounds: MergeBounds): boolean => {
  const bytes = live.reduce((sum, segment) => sum + segment.bytes, 0);
  const tableBytes = (base?.rows ?? 0) * (dimensions * 4 + otherRowBytes);
  return bytes > Math.max(bounds.foldBytes, tableBytes * bounds.foldShare);
};

/** Returns the tables that kept versions of an index are based on. */
const keptTables = async (
  versions: OpenVersions,
  ref: IndexRef,
  keepVersions: readonly number[],
): Promise<readonly TableBase[]> => {
  const { table } = ref.layers[0];
  const kept = await Promise.all(keepVersions.map((version) => versions.find(table, version, widthOf(ref))));
  return kept.flatMap((opened) => opened?.manifest.base ?? []);
};

/** Folds the segments of an index into its table beside its writer. */
const fold = async (
  newest: NewestVersions,
  folder: TableFolder,
  ref: IndexRef,
  keepVersions: readonly number[],
): Promise<OpenVersion> => {
  const opened = await newest.openNewest(ref);
  const kept = await keptTables(newest.versions, ref, keepVersions);
  const { base } = opened.manifest;
  const keptOf = kept.filter(({ table }) => table === base?.table).map(({ version }) => version);
  const folded = await foldVersion(newest.versions, folder, opened, ref, keptOf);
  const tables = [...kept, folded.base, ...(base === null ? [] : [base])];
  await folder.collect(ref.layers[0].table, new Set(tables.map(({ table }) => table)));
  for (let current = opened; ; current = await newest.open(ref)) {
    const next = await withFolded(current, folded, ref);
    if (next === null) return current;
    const written = await newest.write(ref, next);
    if (written !== null) return written;
  }
};

/** How a writer treats large indexes, and when it merges. */
export interface WriterOptions {
  readonly clock?: Clock;
  readonly bounds?: MergeBounds;
  /** Writes the tables under segments. Default: there are none. */
  readonly folder?: TableFolder | null;
}

/** Writer of indexes that consist of segments, alone or over a table. A commit is one version. */
export const openWriter = (
  versions: OpenVersions,
  { clock = systemClock, bounds = defaultBounds, folder = null }: WriterOptions = {},
): EngineWriter => {
  const newest = new NewestVersions(versions);
  const commit = commitTo(
    async (ref) => new SegmentContent(versions, ref, await newest.open(ref), (next) => newest.write(ref, next), bounds),
  );
  const create = async (ref: IndexRef): Promise<TableState> => {
    const base = await openBase(versions, ref);
    const { manifest } = await newest.begin(ref, { ...(base?.manifest ?? emptyManifest), journal: [] });
    return stateOf(manifest, ref);
  };
  return {
    create,
    branch: create,
    commit,
    materialize: async (ref) => ({ state: stateOf((await newest.open(ref)).manifest, ref), next: null }),
    maintain: async (ref, retention) => {
      const merged = await merge(newest, ref, bounds);
      const isFolded = folder !== null && isFoldable(merged.manifest, ref, bounds);
      const { manifest } = isFolded ? await fold(newest, folder, ref, retention.keepVersions) : merged;
      const { table } = ref.layers[0];
      await collectObjects(
        versions,
        { ...ref, layers: [{ table, version: manifest.version }] },
        retention,
        clock.now(),
      );
      return { state: stateOf(manifest, ref), vectorIndex: 'needless' };
    },
    buildVectorIndex: async () => 0,
    drop: async (table) => {
      newest.forget(table);
      const objects = await versions.store.list(`${table}/`);
      await versions.store.remove(objects.map(({ key }) => key));
      await folder?.drop(table);
    },
  };
};
