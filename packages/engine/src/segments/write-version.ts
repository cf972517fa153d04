import type { Commit } from '../changes/index-content.ts';
import type { IndexRef, TableState } from '../port.ts';
import { analyseRows } from './analyse-rows.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import { widthOf } from './open-versions.ts';
import { matchingPlaces, placesOf } from './read-segments.ts';
import { type LoadedSegment, type MergedSection, SegmentBuilder } from './segment-builder.ts';
import {
  encodeDead,
  encodeFooter,
  encodeManifest,
  isSet,
  type Manifest,
  type SegmentInfo,
  sectionNames,
  versionKey,
} from './segment-format.ts';

/** Changes that the journal keeps. A writer never receives more at once, so that every repeated change is recognized. */
const maxJournalEntries = 32;

/** Sizes that decide which segments are merged. */
export interface MergeBounds {
  /** Bytes of a segment up to which a commit always takes it up: writing it again costs a few milliseconds. */
  readonly smallBytes: number;
  /** Bytes up to which a commit takes up segments. Larger ones are merged apart. */
  readonly maxAbsorbedBytes: number;
  /** Live segments of an index from which the newest are merged apart. */
  readonly maxLive: number;
}

export const defaultBounds: MergeBounds = {
  smallBytes: 256 * 1024,
  maxAbsorbedBytes: 4 * 1024 * 1024,
  maxLive: 4,
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
    return isGone ? null : { ...live.info, dead: encodeDead(bits) };
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

/** Returns how many of the newest segments a commit of some bytes takes up, so that few are live. */
const absorbedBy = (live: readonly LiveSegment[], bytes: number, bounds: MergeBounds): number => {
  let [count, sum] = [0, bytes];
  for (const { info } of live.toReversed()) {
    if (info.bytes > Math.max(sum, bounds.smallBytes) || sum + info.bytes > bounds.maxAbsorbedBytes) break;
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

/** Returns the version that follows another one by a commit. */
export const nextVersion = async (
  opened: OpenVersion,
  commit: Commit,
  ref: IndexRef,
  bounds: MergeBounds,
): Promise<NextVersion> => {
  const { manifest, live } = opened;
  const { rows, removed, journal } = commit;
  const version = manifest.version + 1;
  const key = versionKey(ref.layers[0].table, version);
  const isEmptied = removed === 'all';
  const replaced = isEmptied
    ? await matchingPlaces(opened, undefined)
    : [...(await placesOf(opened, [...rows.map(({ id }) => id), ...removed])).values()];
  const dead = new DeadRows();
  const liveOf = new Map(live.map((one) => [one.segment, one]));
  let [count, sparseBytes] = [manifest.rows + rows.length, manifest.sparseBytes];
  for (const { segment, row } of replaced) {
    const one = liveOf.get(segment);
    if (one !== undefined) dead.add(one, row);
    count -= 1;
    sparseBytes -= (await segment.get('keys')).textBytes[row] ?? 0;
  }
  for (const { text } of rows) sparseBytes += text === null ? 0 : Buffer.byteLength(text);
  const builder = new SegmentBuilder(widthOf(ref));
  const weight = rows.reduce((sum, { vector, text }) => sum + vector.length * 6 + (text?.length ?? 0), 0);
  const kept = isEmptied ? [] : live.slice(0, live.length - absorbedBy(live, weight, bounds));
  for (const one of isEmptied ? [] : live.slice(kept.length)) builder.merge(await loadSegment(one, dead.of(one)));
  for (const row of analyseRows(rows, ref)) builder.add(row);
  const { info, body } = builder.encode();
  const next: Manifest = {
    format: 1,
    version,
    rows: count,
    sparseBytes,
    journal: [...manifest.journal, ...journal].slice(-maxJournalEntries),
    live: [
      ...kept.flatMap((one) => dead.describe(one) ?? []),
      ...(builder.rows === 0 ? [] : [{ ...info, object: key }]),
    ],
  };
  return { manifest: next, body: builder.rows === 0 ? Buffer.alloc(0) : Buffer.concat(body) };
};

/** Returns the state of an index at a version. */
export const stateOf = (manifest: Manifest, { dimensions }: IndexRef): TableState => ({
  version: manifest.version,
  rows: manifest.rows,
  denseBytes: manifest.rows * dimensions * 4,
  sparseBytes: manifest.sparseBytes,
  unindexedRows: 0,
  tombstones: 0,
  fragments: manifest.live.length,
  manifest: encodeManifest(manifest),
});
