import { LRUCache } from 'lru-cache';
import { memoize, memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { IndexRef } from '../port.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { BaseTable, IsMasked, OpenBaseTable, TableBase } from './base-table.ts';
import type { ObjectStore } from './object-store.ts';
import { Segment } from './open-segment.ts';
import {
  decodeDead,
  decodeFooter,
  decodeManifest,
  emptyManifest,
  footerBytes,
  isSet,
  type Manifest,
  type SegmentInfo,
  versionKey,
  versionOfKey,
  versionPrefix,
} from './segment-format.ts';
import { RowSet } from './row-set.ts';
import type { IsOut } from './segment-vectors.ts';

/** Bytes that the first read of a version fetches from its end. Smaller objects come whole. */
const firstReadBytes = 2 * 1024 * 1024;

/** Sets of rows that are kept. That of a million rows takes 24 MB. */
const keptRowSets = 8;

/** Bytes that a version takes besides its segments. */
const versionBytes = 4_096;

/** A live segment of a version, with its dead rows. */
export interface LiveSegment {
  readonly segment: Segment;
  readonly info: SegmentInfo;
  readonly dead: Uint8Array | null;
  readonly isDead: IsOut;
}

/** A version of an index. */
export interface OpenVersion {
  readonly manifest: Manifest;
  readonly live: readonly LiveSegment[];
}

/** Returns a test whether a segment has a row or a removal of an id. */
export const maskOf = memoizePerOwner(async ({ live }: OpenVersion): Promise<IsMasked> => {
  const parts = await Promise.all(
    live.map(async ({ segment }) => Promise.all([segment.get('keys'), segment.get('removed')])),
  );
  return (id) => parts.some(([keys, removed]) => keys.rowOf.has(id) || removed.has(id));
});

/** Returns the numbers of a vector as it is stored. */
export const widthOf = ({ dimensions }: Pick<IndexRef, 'dimensions'>): number => paddedDimensions(dimensions);

/** What a process keeps of the indexes that it has read, in memory that all organizations share. */
export interface VersionCaches {
  readonly segments: LRUCache<string, Segment>;
  readonly versions: LRUCache<string, OpenVersion>;
  readonly rowSets: LRUCache<string, Promise<RowSet>>;
}

/** Creates empty caches. @param maxBytes Bytes of segments that are kept, and of those of the versions that are kept. */
export const versionCaches = (maxBytes: number): VersionCaches => ({
  segments: new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ info }) => Math.max(1, info.bytes) }),
  versions: new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ live }) => live.reduce((sum, { info }) => sum + info.bytes, versionBytes),
  }),
  rowSets: new LRUCache({ max: keptRowSets }),
});

/** Versions and segments of the indexes of one organization. */
export class OpenVersions {
  readonly store: ObjectStore;
  readonly #caches: VersionCaches;
  readonly #opening = new Map<string, Promise<OpenVersion | null>>();
  readonly #openTable: OpenBaseTable;

  /** @param openTable Opens tables under segments. */
  constructor(store: ObjectStore, caches: VersionCaches, openTable: OpenBaseTable) {
    this.store = store;
    this.#caches = caches;
    this.#openTable = openTable;
  }

  #nameOf(key: string): string {
    return `${this.store.name} ${key}`;
  }

  #versionName(table: string, version: number): string {
    return this.#nameOf(versionKey(table, version));
  }

  /** Opens the table under the segments of a version. Null: there is none. */
  async tableOf(opened: OpenVersion, ref: IndexRef): Promise<BaseTable | null> {
    const { base } = opened.manifest;
    return base === null ? null : this.#openTable(base, ref, await maskOf(opened));
  }

  /** Reads the set of the rows of a table. */
  rowSet({ rowSet: key, rowSetBytes: bytes }: TableBase): Promise<RowSet> {
    return memoize(this.#caches.rowSets, this.#nameOf(key), async () => {
      const found = await this.store.read(key, { at: 0, bytes });
      if (found === null) throw new DamagedIndex(`${key} does not exist`);
      return new RowSet(found.bytes);
    });
  }

  #segmentOf(info: SegmentInfo, width: number): Segment {
    return memoize(this.#caches.segments, this.#nameOf(info.object), () => new Segment(this.store, info, width));
  }

  /** Opens the version of a manifest. */
  of(manifest: Manifest, width: number): OpenVersion {
    const live = manifest.live.map((info): LiveSegment => {
      const dead = decodeDead(info.dead);
      const isDead = dead === null ? null : (row: number) => isSet(dead, row);
      return { segment: this.#segmentOf(info, width), info, dead, isDead };
    });
    return { manifest, live };
  }

  async #read(table: string, version: number, width: number): Promise<OpenVersion | null> {
    const key = versionKey(table, version);
    const first = await this.store.read(key, { last: firstReadBytes });
    if (first === null) return null;
    const needed = footerBytes(first.bytes, key);
    const last = needed <= first.bytes.length ? first : await this.store.read(key, { last: needed });
    if (last === null) return null;
    const opened = this.of(decodeFooter(last.bytes, key), width);
    const own = opened.live.find(({ info }) => info.object === key);
    own?.segment.add(last.size - last.bytes.length, last.bytes);
    return opened;
  }

  /** Opens a version with its journal. Null: there is none. */
  async find(table: string, version: number, width: number): Promise<OpenVersion | null> {
    const name = this.#versionName(table, version);
    const known = this.#caches.versions.get(name);
    if (known !== undefined) return known;
    try {
      const opened = await memoize(this.#opening, name, () => this.#read(table, version, width));
      if (opened !== null) this.#caches.versions.set(name, opened);
      return opened;
    } finally {
      this.#opening.delete(name);
    }
  }

  /** Opens an index as of its ref. A branch without a version is read as its parent. Throws `DamagedIndex`. */
  async open(ref: IndexRef): Promise<OpenVersion> {
    const width = widthOf(ref);
    const [own, parent] = ref.layers;
    const { table, version } = own.version === 0 && parent !== undefined ? parent : own;
    if (version === 0) return this.of(emptyManifest, width);
    const found = this.#noted(table, version, ref) ?? (await this.find(table, version, width));
    if (found === null) throw new DamagedIndex(`version ${version} of ${table} does not exist`);
    return found;
  }

  /** Opens the manifest in a ref, which has no journal. Null: it has none of this version. */
  #noted(table: string, version: number, ref: IndexRef): OpenVersion | null {
    const { manifest = '', layers } = ref;
    if (manifest === '' || table !== layers[0].table) return null;
    const name = this.#versionName(table, version);
    const known = this.#caches.versions.get(name);
    if (known !== undefined) return known;
    const noted = decodeManifest(manifest);
    if (noted.version !== version) return null;
    const opened = this.of(noted, widthOf(ref));
    this.#caches.versions.set(name, opened);
    return opened;
  }

  /** Returns the newest version of an index. 0: there is none. */
  async newest(table: string): Promise<number> {
    const objects = await this.store.list(versionPrefix(table));
    return objects.reduce((newest, { key }) => Math.max(newest, versionOfKey(key)), 0);
  }

  /** Keeps a version that this process has written. @param body Bytes of its own segment. */
  add(table: string, manifest: Manifest, width: number, body: Buffer): OpenVersion {
    const opened = this.of(manifest, width);
    const key = versionKey(table, manifest.version);
    opened.live.find(({ info }) => info.object === key)?.segment.add(0, body);
    this.#caches.versions.set(this.#nameOf(key), opened);
    return opened;
  }

  forget(table: string): void {
    const start = this.#nameOf(`${table}/`);
    for (const cache of [this.#caches.segments, this.#caches.versions])
      for (const key of cache.keys()) if (key.startsWith(start)) cache.delete(key);
  }
}
