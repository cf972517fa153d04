import type { Json } from '../kernel/json.ts';
import type { Filter, EngineReader, FoundRow, IndexRef } from '#engine';

/** Share of rows that a filter should match, and the bounds of an acceptable share. */
const wantedShare = 0.01;
const minShare = 0.001;
const maxShare = 0.1;
/** Maximum filters whose matches are counted; more would cost more than the searches. */
const maxCountedFilters = 12;
/** Maximum of these for one key. */
const maxCountedPerKey = 3;

interface Candidate {
  readonly key: string;
  readonly filter: Filter;
  /** Share of the sample that matches. */
  readonly share: number;
}

type Scalar = string | number | boolean;

const isScalar = (value: Json): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const membersOf = (value: Json): readonly Scalar[] => (Array.isArray(value) ? value : [value]).filter(isScalar);

const distance = (share: number): number => Math.abs(Math.log(share / wantedShare));

// The bounds of a range are values of the sample, so a key with many numbers has a range of about the wanted width.
const ranges = (key: string, values: readonly number[], sampled: number): readonly Candidate[] => {
  const sorted = values.toSorted((left, right) => left - right);
  const width = Math.max(1, Math.round(sampled * wantedShare));
  const start = Math.floor((sorted.length - width) / 2);
  const [from, to] = [sorted[start], sorted[start + width]];
  if (from === undefined || to === undefined || from === to) return [];
  return [{ key, filter: { [key]: { $gte: from, $lt: to } }, share: width / sampled }];
};

const candidatesOf = (rows: readonly FoundRow[], hidden: ReadonlySet<string>): readonly Candidate[] => {
  const values = new Map<string, Map<Scalar, number>>();
  const numbers = new Map<string, number[]>();
  for (const { metadata } of rows) {
    for (const [key, value] of Object.entries(metadata)) {
      // A key that begins with `$` cannot be filtered by.
      if (hidden.has(key) || key.startsWith('$')) continue;
      const counts = values.get(key) ?? new Map<Scalar, number>();
      values.set(key, counts);
      for (const member of new Set(membersOf(value))) counts.set(member, (counts.get(member) ?? 0) + 1);
      if (typeof value === 'number') numbers.set(key, [...(numbers.get(key) ?? []), value]);
    }
  }
  const equal = [...values].flatMap(([key, counts]) =>
    [...counts].map(([value, count]): Candidate => ({ key, filter: { [key]: value }, share: count / rows.length })),
  );
  return [...equal, ...[...numbers].flatMap(([key, found]) => ranges(key, found, rows.length))];
};

const nearest = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const perKey = new Map<string, number>();
  const chosen: Candidate[] = [];
  for (const candidate of candidates.toSorted((left, right) => distance(left.share) - distance(right.share))) {
    const before = perKey.get(candidate.key) ?? 0;
    if (before >= maxCountedPerKey) continue;
    perKey.set(candidate.key, before + 1);
    chosen.push(candidate);
    if (chosen.length === maxCountedFilters) break;
  }
  return chosen;
};

/** Chooses a filter by the metadata of sampled rows that about one row in a hundred matches; null if there is none. */
export const pickFilter = async (
  engine: EngineReader,
  ref: IndexRef,
  rows: readonly FoundRow[],
  total: number,
): Promise<{ readonly filter: Filter; readonly matches: number } | null> => {
  const candidates = nearest(candidatesOf(rows, new Set(ref.nonFilterableKeys)));
  const sized = await Promise.all(
    candidates.map(async ({ filter }) => ({ filter, matches: await engine.count(ref, filter) })),
  );
  const [best] = sized
    .filter(({ matches }) => matches > 0 && matches >= total * minShare && matches <= Math.max(1, total * maxShare))
    .toSorted((left, right) => distance(left.matches / total) - distance(right.matches / total));
  return best ?? null;
};
