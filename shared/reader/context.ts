import type { StagedHit } from '../ranking/index.ts';
import { lengthOf } from '../kernel/text.ts';
import { headingPathOf } from '../kernel/row-metadata.ts';
import { type EngineReader, type Filter, type FoundRow, type IndexRef, matcherOf } from '#engine';
import { joinChunks } from './join-chunks.ts';
import type { ContextOptions, FoundContext } from './contracts.ts';

/** Contexts, and the number of that of each hit. Null: the hit is no chunk of a file. */
export interface FoundContexts {
  readonly contexts: readonly FoundContext[];
  readonly numbers: readonly (number | null)[];
}

/** Chunks before and behind a hit that a unit other than a chunk may consist of. */
const maxChunks = 100;

/** A file with hits: ids of its chunks in order, and the rows among them that the search may see. */
interface HitFile {
  readonly ids: readonly string[];
  readonly rows: ReadonlyMap<string, FoundRow>;
}

/** Rows around a hit by their positions among the chunks of the file. */
interface Around {
  readonly hit: number;
  readonly jobId: string;
  readonly positions: readonly number[];
}

const isChunk = ({ row: { id, jobId } }: StagedHit): boolean =>
  jobId !== null && id.startsWith(`${jobId}:`) && /^\d{6}:\d{5,}$/.test(id.slice(jobId.length + 1));

const reachOf = ({ unit, before, after }: ContextOptions): readonly [before: number, after: number] =>
  unit === 'chunk' ? [before, after] : [maxChunks, maxChunks];

/** Returns a test whether rows that follow each other, away from a hit, belong to its context. */
const openUnit = (hit: FoundRow, count: number, unit: ContextOptions['unit']): ((row: FoundRow) => boolean) => {
  if (unit === 'chunk' || unit === 'file') return () => true;
  if (unit === 'page') {
    const [first, last] = [hit.pageStart, hit.pageEnd ?? hit.pageStart];
    if (first === null || last === null) return () => false;
    return ({ pageStart, pageEnd }) =>
      pageStart !== null && pageStart <= last + count && (pageEnd ?? pageStart) >= first - count;
  }
  let [path, sections] = [JSON.stringify(headingPathOf(hit.metadata)), 0];
  return ({ metadata }) => {
    const next = JSON.stringify(headingPathOf(metadata));
    if (next !== path) sections += 1;
    path = next;
    return sections <= count;
  };
};

/** Returns the positions of the rows around a hit, as far as its unit and the maximum length reach. */
const positionsAround = (
  { ids, rows }: HitFile,
  hit: FoundRow,
  { unit, before, after, max_chars: maxChars }: ContextOptions,
): readonly number[] => {
  const at = ids.indexOf(hit.id);
  const [back, forth] = reachOf({ unit, before, after, max_chars: maxChars });
  const side = (step: number, count: number, wanted: number) => {
    const belongs = openUnit(hit, wanted, unit);
    return { step, belongs, next: at + step, end: at + step * (count + 1), isOpen: true };
  };
  const sides = [side(1, forth, after), side(-1, back, before)];
  const positions = [at];
  let left = maxChars - lengthOf(hit.text ?? '');
  while (sides.some(({ isOpen }) => isOpen))
    for (const one of sides.filter(({ isOpen }) => isOpen)) {
      const position = one.next;
      one.next += one.step;
      if (position === one.end || position < 0 || position >= ids.length) one.isOpen = false;
      const row = one.isOpen ? rows.get(ids[position] ?? '') : undefined;
      // A row that is gone, or that the filter excludes, is skipped.
      if (row === undefined) continue;
      left -= lengthOf(row.text ?? '');
      if (one.belongs(row) && left >= 0) positions.push(position);
      else one.isOpen = false;
    }
  return positions;
};

/** Joins rows around hits that overlap or follow each other. */
const meet = (
  all: readonly Around[],
): readonly { readonly jobId: string; readonly positions: ReadonlySet<number>; readonly hits: readonly number[] }[] => {
  const joined: { jobId: string; positions: Set<number>; hits: number[]; end: number }[] = [];
  const ranged = all.map((one) => ({ ...one, from: Math.min(...one.positions), to: Math.max(...one.positions) }));
  for (const { jobId, positions, hit, from, to } of ranged.toSorted((one, other) => one.from - other.from)) {
    const open = joined.findLast((one) => one.jobId === jobId);
    if (open !== undefined && from <= open.end + 1) {
      for (const position of positions) open.positions.add(position);
      open.hits.push(hit);
      open.end = Math.max(open.end, to);
    } else joined.push({ jobId, positions: new Set(positions), hits: [hit], end: to });
  }
  return joined.toSorted((one, other) => Math.min(...one.hits) - Math.min(...other.hits));
};

/** Reads the files of hits, as far as their contexts may reach. */
const readFiles = async (
  engine: EngineReader,
  ref: IndexRef,
  hits: readonly FoundRow[],
  options: ContextOptions,
  filter: Filter | null,
): Promise<ReadonlyMap<string, HitFile>> => {
  const ofJobs = Map.groupBy(hits, ({ jobId }) => jobId ?? '');
  const known = await engine.chunkIds(ref, [...ofJobs.keys()]);
  const [before, after] = reachOf(options);
  const files = new Map(
    [...ofJobs].map(([jobId, own]) => {
      const found = known.get(jobId) ?? [];
      // A hit may have been removed since it was found, on an engine without versions.
      const ids = [...new Set([...found, ...own.map(({ id }) => id)])].toSorted();
      return [jobId, { ids, own }] as const;
    }),
  );
  const wanted = new Set(
    [...files.values()].flatMap(({ ids, own }) =>
      own.flatMap(({ id }) => {
        const at = ids.indexOf(id);
        return ids.slice(Math.max(0, at - before), at + after + 1);
      }),
    ),
  );
  for (const { id } of hits) wanted.delete(id);
  const matches = matcherOf(filter ?? {}, ref);
  const rows = (await engine.fetch(ref, [...wanted], false)).filter(({ metadata }) => matches(metadata));
  const visible = Map.groupBy([...rows, ...hits], ({ jobId }) => jobId ?? '');
  return new Map(
    [...files].map(([jobId, { ids }]) => [
      jobId,
      { ids, rows: new Map((visible.get(jobId) ?? []).map((row) => [row.id, row])) },
    ]),
  );
};

/** Finds the text around hits, which were read with text and metadata. */
export const findContexts = async (
  engine: EngineReader,
  ref: IndexRef,
  hits: readonly StagedHit[],
  options: ContextOptions,
  filter: Filter | null,
): Promise<FoundContexts> => {
  const chunks = hits.map((hit, number) => ({ hit, number })).filter(({ hit }) => isChunk(hit));
  const files = await readFiles(
    engine,
    ref,
    chunks.map(({ hit }) => hit.row),
    options,
    filter,
  );
  const around = chunks.flatMap(({ hit: { row }, number }): readonly Around[] => {
    const file = files.get(row.jobId ?? '');
    return file === undefined
      ? []
      : [{ hit: number, jobId: row.jobId ?? '', positions: positionsAround(file, row, options) }];
  });
  const numbers: (number | null)[] = hits.map(() => null);
  const contexts = meet(around).map(({ jobId, positions, hits: found }, number): FoundContext => {
    const file = files.get(jobId);
    const rows = [...positions]
      .toSorted((one, other) => one - other)
      .flatMap((position) => file?.rows.get(file.ids[position] ?? '') ?? []);
    for (const hit of found) numbers[hit] = number;
    const starts = rows.flatMap(({ pageStart }) => pageStart ?? []);
    const ends = rows.flatMap(({ pageStart, pageEnd }) => pageEnd ?? pageStart ?? []);
    return {
      jobId,
      filename: rows[0]?.filename ?? null,
      ids: rows.map(({ id }) => id),
      hitIds: found.toSorted((one, other) => one - other).map((hit) => hits[hit]?.row.id ?? ''),
      text: joinChunks(rows),
      pageStart: starts.length === 0 ? null : Math.min(...starts),
      pageEnd: ends.length === 0 ? null : Math.max(...ends),
    };
  });
  return { contexts, numbers };
};
