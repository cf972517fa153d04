import { randomUUID } from 'node:crypto';
import type { IndexRef } from '../port.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { isRestoredSince, isSet, type Manifest, type SegmentInfo } from './segment-format.ts';
import { DeadRows, isOwn, loadSegment, type MergeBounds, mergeableCount } from './write-version.ts';

/** Returns the segments from the oldest on that has dead rows, which are written again without them. */
const purgedOf = (live: readonly LiveSegment[]): readonly LiveSegment[] => {
  const first = live.findIndex(({ isDead }) => isDead !== null);
  return first === -1 ? [] : live.slice(first);
};

/** Returns the newest segments, those that are to be merged. */
const newestOf = (live: readonly LiveSegment[], bounds: MergeBounds): readonly LiveSegment[] =>
  live.slice(
    live.length -
      mergeableCount(
        live.map(({ info }) => info),
        bounds,
      ),
  );

const mergedPrefix = (table: string): string => `${table}/merged/`;

/** A segment that was merged from some of a version, before an index has it. */
export interface Merged {
  readonly from: Manifest;
  readonly info: SegmentInfo;
  readonly sources: readonly LiveSegment[];
  readonly body: readonly Buffer[];
}

/** Merges segments of a version. Null: there is nothing to merge. @param purge Whether dead rows are removed. */
export const mergeSegments = async (
  opened: OpenVersion,
  ref: IndexRef,
  bounds: MergeBounds,
  purge: boolean,
): Promise<Merged | null> => {
  const own = opened.live.filter(({ info }) => isOwn(info, ref));
  const sources = purge && own.some(({ isDead }) => isDead !== null) ? purgedOf(own) : newestOf(own, bounds);
  if (sources.length === 0) return null;
  const builder = new SegmentBuilder(ref);
  for (const source of sources) builder.merge(await loadSegment(source, source.dead));
  const { info, body } = builder.encode();
  const object = `${mergedPrefix(ref.layers[0].table)}${randomUUID()}`;
  return { from: opened.manifest, info: { ...info, object }, sources, body };
};

/**
 * Returns the manifest of a version in which a merged segment replaces its sources. Rows that died meanwhile are dead in it.
 * Null: the version does not have all sources any more, or has restored rows of them.
 */
export const withMerged = ({ manifest, live }: OpenVersion, { from, info, sources }: Merged): Manifest | null => {
  if (isRestoredSince(from, manifest)) return null;
  const now = new Map(live.map((one) => [one.info.object, one]));
  const merged = { info, dead: null };
  const dead = new DeadRows();
  let row = 0;
  for (const source of sources) {
    const current = now.get(source.info.object);
    if (current === undefined) return null;
    for (let at = 0; at < source.info.rows; at += 1) {
      if (source.isDead?.(at)) continue;
      if (current.dead !== null && isSet(current.dead, at)) dead.add(merged, row);
      row += 1;
    }
  }
  const replaced = new Set(sources.map((source) => source.info.object));
  const first = manifest.live.findIndex(({ object }) => replaced.has(object));
  const rest = manifest.live.filter(({ object }) => !replaced.has(object));
  const described = info.rows + info.removed === 0 ? [] : [dead.describe(merged) ?? []].flat();
  return { ...manifest, version: manifest.version + 1, live: rest.toSpliced(first, 0, ...described) };
};
