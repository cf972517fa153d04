import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { commitTo } from '../changes/commit-changes.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { EngineWriter, IndexRef } from '../port.ts';
import { collectObjects } from './collect-objects.ts';
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

/** Writer of indexes that consist of segments alone. A commit is one version. */
export const openWriter = (
  versions: OpenVersions,
  clock: Clock = systemClock,
  bounds: MergeBounds = defaultBounds,
): EngineWriter => {
  const newest = new NewestVersions(versions);
  const commit = commitTo(
    async (ref) => new SegmentContent(versions, ref, await newest.open(ref), (next) => newest.write(ref, next), bounds),
  );
  return {
    create: async (ref) => {
      const base = await openBase(versions, ref);
      const { manifest } = await newest.begin(ref, { ...(base?.manifest ?? emptyManifest), journal: [] });
      return stateOf(manifest, ref);
    },
    branch: async (ref) => {
      const base = await openBase(versions, ref);
      const { manifest } = await newest.begin(ref, { ...(base?.manifest ?? emptyManifest), journal: [] });
      return stateOf(manifest, ref);
    },
    commit,
    materialize: async (ref) => ({ state: stateOf((await newest.open(ref)).manifest, ref), next: null }),
    maintain: async (ref, retention) => {
      const { manifest } = await merge(newest, ref, bounds);
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
    },
  };
};
