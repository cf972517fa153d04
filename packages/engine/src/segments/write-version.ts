import { type Commit, maxJournalEntries, type VersionedRow } from '../changes/index-content.ts';
import type { IndexRef, MaintenanceNeed, TableState } from '../port.ts';
import { needsVectorIndex } from './base-table.ts';
import { analyseRows } from './analyse-rows.ts';
import { type LiveSegment, maskOf, type OpenVersion, type OpenVersions } from './open-versions.ts';
import { placesOf } from './read-segments.ts';
import { addToChecksum, rowHashOf } from './row-set.ts';
import { type LoadedSegment, type MergedSection, SegmentBuilder } from './segment-builder.ts';
import {
  decodeDead,
  encodeDead,
  encodeFooter,
  encodeManifest,
  emptyManifest,
  isSet,
  type Manifest,
  type SegmentInfo,
  sectionNames,
  tableOfKey,
  versionKey,
} from './segment-format.ts';

/** Sizes that decide which segments are merged. */
export interface MergeBounds {
  /** Bytes of a segment up to which a commit always takes it up: writing it again costs a few milliseconds. */
  readonly smallBytes: number;
  /** Bytes up to which a commit takes up segments. Larger ones are merged apart. */
  readonly maxAbsorbedBytes: number;
  /** Live segments of an index from which the newest are merged apart. */
  readonly maxLive: number;
  /** Factor by which a segment may be larger than all newer ones together to be merged with them. */
  readonly mergeFactor: number;
  /** Bytes of segments beyond which they are folded into the table, and the share of its bytes, whichever is more. */
  readonly foldBytes: number;
  readonly foldShare: number;
  /** The same share once writes pause. */
  readonly pausedShare: number;
  /** Factor of these limits beyond which writes wait. */
  readonly waitFactor: number;
}

export const defaultBounds: MergeBounds = {
  smallBytes: 256 * 1024,
  maxAbsorbedBytes: 4 * 1024 * 1024,
  maxLive: 4,
  mergeFactor: 16,
  foldBytes: 64 * 1024 * 1024,
  foldShare: 0.25,
  pausedShare: 0.05,
  waitFactor: 4,
};

/** Sections that a merge reads. */
const mergedSections = sectionNames.filter((name): name is MergedSection => name !== 'halves');

/** Dead rows of segments that are being changed, by object. */
export class DeadRows {
  readonly #bits = new Map<string, Uint8Array>();

  add({ info, dead }: Pick<LiveSegment, 'info' | 'dead'>, row: number): void {
    const bits = this.#bits.get(info.object) ?? Uint8Array.from(dead ?? new Uint8Array(Math.ceil(info.rows / 8)));
    bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
    this.#bits.set(info.object, bits);
  }

  of({ info, dead }: Pick<LiveSegment, 'info' | 'dead'>): Uint8Array | null {
    return this.#bits.get(info.object) ?? dead;
  }

  /** Returns the description of a segment with its dead rows. Null: all are dead. */
  describe(live: Pick<LiveSegment, 'info' | 'dead'>): SegmentInfo | null {
    const bits = this.#bits.get(live.info.object);
    if (bits === undefined) return live.info;
    const isGone = Array.from({ length: live.info.rows }, (_, row) => row).every((row) => isSet(bits, row));
    return isGone && live.info.removed === 0 ? null : { ...live.info, dead: encodeDead(bits) };
  }
}

/** Reads what a merge needs of a segment. */
export const loadSegment = async (
  { segment, info }: Pick<LiveSegment, 'segment' | 'info'>,
  dead: Uint8Array | null,
): Promise<LoadedSegment> => {
  segment.load(mergedSections);
  const sections = new Map(
    await Promise.all(mergedSections.map(async (name) => [name, await segment.section(name)] as const)),
  );
  return { rows: info.rows, dead, section: (name) => sections.get(name) ?? Buffer.alloc(0) };
};

/** Whether a segment belongs to an index itself. Those that a branch shares with its parent stay shared. */
export const isOwn = ({ object }: SegmentInfo, { layers: [{ table }] }: IndexRef): boolean =>
  tableOfKey(object) === table;

/** Whether a branch reads segments or the table of its parent. */
export const isShared = ({ live, base }: Manifest, ref: IndexRef): boolean =>
  live.some((info) => !isOwn(info, ref)) || (base !== null && base.owner !== ref.layers[0].table);

/** Returns how many of the newest segments a commit of some bytes takes up, so that few are live. */
const absorbedBy = (live: readonly LiveSegment[], bytes: number, ref: IndexRef, bounds: MergeBounds): number => {
  let [count, sum] = [0, bytes];
  for (const { info } of live.toReversed()) {
    if (
      !isOwn(info, ref) ||
      info.bytes > Math.max(sum, bounds.smallBytes) ||
      sum + info.bytes > bounds.maxAbsorbedBytes
    )
      break;
    count += 1;
    sum += info.bytes;
  }
  return count;
};

/** A version that is to be written: its manifest, and the bytes of its own segment. */
export interface NextVersion {
  readonly manifest: Manifest;
  readonly body: Buffer;
}

export const objectOf = ({ manifest, body }: NextVersion): readonly Buffer[] => [body, encodeFooter(manifest)];

/** Totals of an index, and the dead rows of its segments, as a commit changes them. */
class Changes {
  readonly dead = new DeadRows();
  rows: number;
  sparseBytes: number;
  #checksum = 0n;
  readonly #before: Manifest;

  constructor(manifest: Manifest) {
    this.#before = manifest;
    ({ rows: this.rows, sparseBytes: this.sparseBytes } = manifest);
  }

  get checksum(): string {
    return addToChecksum(this.#before.checksum, this.#checksum);
  }

  remove(rowHash: bigint, textBytes: number): void {
    this.rows -= 1;
    this.sparseBytes -= textBytes;
    this.#checksum -= rowHash;
  }

  add({ id, version, text }: VersionedRow): void {
    this.rows += 1;
    this.sparseBytes += text === null ? 0 : Buffer.byteLength(text);
    this.#checksum += rowHashOf(id, version);
  }
}

/** Removes the former rows with some ids: rows of segments, and those of the table below. */
const removeFormer = async (
  versions: OpenVersions,
  opened: OpenVersion,
  ids: readonly string[],
  changes: Changes,
): Promise<void> => {
  const { base } = opened.manifest;
  const liveOf = new Map(opened.live.map((one) => [one.segment, one]));
  const places = await placesOf(opened, ids);
  for (const { id, segment, row } of places.values()) {
    const { versions: found, textBytes } = await segment.get('keys');
    const live = liveOf.get(segment);
    if (live !== undefined) changes.dead.add(live, row);
    changes.remove(rowHashOf(id, found[row] ?? ''), textBytes[row] ?? 0);
  }
  if (base === null) return;
  const [known, isMasked] = await Promise.all([versions.rowSet(base), maskOf(opened)]);
  for (const id of ids) {
    const facts = isMasked(id) ? null : known.find(id);
    if (facts !== null) changes.remove(facts.rowHash, facts.textBytes);
  }
};

/** Returns the version that follows another one by a commit. */
export const nextVersion = async (
  versions: OpenVersions,
  opened: OpenVersion,
  commit: Commit,
  ref: IndexRef,
  bounds: MergeBounds,
): Promise<NextVersion> => {
  const { manifest, live } = opened;
  const { rows, removed, journal } = commit;
  const version = manifest.version + 1;
  const isEmptied = removed === 'all';
  const gone = isEmptied ? [] : removed;
  const changes = new Changes(isEmptied ? emptyManifest : manifest);
  if (!isEmptied) await removeFormer(versions, opened, [...rows.map(({ id }) => id), ...gone], changes);
  for (const row of rows) changes.add(row);
  const builder = new SegmentBuilder(ref);
  const weight = rows.reduce((sum, { vector, text }) => sum + vector.length * 6 + (text?.length ?? 0), 0);
  const kept = isEmptied ? [] : live.slice(0, live.length - absorbedBy(live, weight, ref, bounds));
  for (const one of isEmptied ? [] : live.slice(kept.length))
    builder.merge(await loadSegment(one, changes.dead.of(one)));
  for (const row of analyseRows(rows, ref)) builder.add(row);
  const base = isEmptied ? null : manifest.base;
  const known = base === null ? null : await versions.rowSet(base);
  for (const id of gone) if (known?.find(id) != null) builder.remove(id);
  const { info, body } = builder.encode();
  const own = builder.isEmpty ? [] : [{ ...info, object: versionKey(ref.layers[0].table, version) }];
  const next: Manifest = {
    format: 1,
    version,
    commitVersion: version,
    rows: changes.rows,
    sparseBytes: changes.sparseBytes,
    journal: [...manifest.journal, ...journal].slice(-maxJournalEntries),
    live: [...kept.flatMap((one) => changes.dead.describe(one) ?? []), ...own],
    base,
    checksum: changes.checksum,
    ...(manifest.restored === undefined ? {} : { restored: manifest.restored }),
  };
  return { manifest: next, body: builder.isEmpty ? Buffer.alloc(0) : Buffer.concat(body) };
};

/** Bytes of a row in a table besides its vector, about. */
const otherRowBytes = 1_024;

/** Returns the bytes of segments from which they are folded into a table. */
const foldBytes = ({ base }: Manifest, { dimensions }: IndexRef, bounds: MergeBounds, isPaused: boolean): number => {
  const share = isPaused ? bounds.pausedShare : bounds.foldShare;
  return Math.max(bounds.foldBytes, (base?.rows ?? 0) * (dimensions * 4 + otherRowBytes) * share);
};

const bytesOf = ({ live }: Manifest): number => live.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether the table of an index, not that of its parent, has a vector index that is worth a build once writes pause. */
const hasWornIndex = ({ base }: Manifest, ref: IndexRef): boolean =>
  base?.owner === ref.layers[0].table && needsVectorIndex(base, ref, true);

/** Whether the segments of an index are so large that they are folded into its table. */
export const isFoldable = (manifest: Manifest, ref: IndexRef, bounds: MergeBounds, isPaused = false): boolean =>
  bytesOf(manifest) > foldBytes(manifest, ref, bounds, isPaused) || (isPaused && hasWornIndex(manifest, ref));

/**
 * Returns how many of the newest segments are to be merged, so that few are live and sizes fall geometrically. A segment
 * that is much larger than all newer ones waits until they have grown, or too many are live.
 */
export const mergeableCount = (live: readonly SegmentInfo[], { maxLive, mergeFactor }: MergeBounds): number => {
  let [count, sum] = [0, 0];
  for (const { bytes } of live.toReversed()) {
    const left = live.length - count + 1;
    const isNeeded = left > 2 * maxLive || (left > maxLive && bytes <= sum * mergeFactor);
    if (count > 0 && bytes > sum && !isNeeded) break;
    count += 1;
    sum += bytes;
  }
  return count < 2 ? 0 : count;
};

/** Whether segments of an index are to be merged beside its log. */
const isMergeable = ({ live }: Manifest, ref: IndexRef, bounds: MergeBounds): boolean => {
  const own = live.filter((info) => isOwn(info, ref));
  return own.length > bounds.maxLive && mergeableCount(own, bounds) > 0;
};

const needOf = (manifest: Manifest, ref: IndexRef, bounds: MergeBounds): MaintenanceNeed => {
  if (bytesOf(manifest) > foldBytes(manifest, ref, bounds, false) * bounds.waitFactor) return 'overdue';
  if (isFoldable(manifest, ref, bounds) || isMergeable(manifest, ref, bounds)) return 'due';
  return isFoldable(manifest, ref, bounds, true) ? 'paused' : 'none';
};

/** Returns the number of rows that are in segments. */
const rowsInSegments = ({ live }: Manifest): number =>
  live.reduce((sum, { rows, dead }) => {
    const bits = decodeDead(dead);
    return (
      sum +
      (bits === null ? rows : Array.from({ length: rows }, (_, row) => row).filter((row) => !isSet(bits, row)).length)
    );
  }, 0);

/** Returns the state of an index at a version. */
export const stateOf = (manifest: Manifest, ref: IndexRef, bounds: MergeBounds): TableState => ({
  version: manifest.version,
  commitVersion: manifest.commitVersion,
  rows: manifest.rows,
  denseBytes: manifest.rows * ref.dimensions * 4,
  sparseBytes: manifest.sparseBytes,
  unindexedRows: manifest.base === null ? 0 : rowsInSegments(manifest),
  maintenance: needOf(manifest, ref, bounds),
  manifest: encodeManifest(manifest),
});
