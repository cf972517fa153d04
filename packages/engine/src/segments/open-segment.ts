import { LRUCache } from 'lru-cache';
import { DamagedIndex } from '../damaged-index.ts';
import { memoize } from '../../../../shared/kernel/memoize.ts';
import { InvertedLists } from './inverted-lists.ts';
import type { ObjectStore } from './object-store.ts';
import { decodeKeys, decodeRemoved, type SegmentKeys } from './row-keys.ts';
import { decodeTokens, type RowTokens } from './row-tokens.ts';
import { checked, type SectionName, type SegmentInfo, sectionNames } from './segment-format.ts';
import { decodeBlock, type RowRecord } from './segment-records.ts';
import { openHalves, openSingles, type SegmentVectors } from './segment-vectors.ts';

const mebibyte = 1024 * 1024;

/** Bytes of a segment, without its vectors in single precision, up to which all of them are read at once. */
const wholeBytes = 4 * mebibyte;
/** Bytes between two sections, or two blocks, that are read along to save a request. */
const [sectionGap, blockGap] = [mebibyte, 256 * 1024];
/** Bytes from which a range is read by two requests at once. */
const splitBytes = 8 * mebibyte;
/** Bytes of records up to which all of them are read with the sections of a search. */
const fewRecordBytes = mebibyte;

/** Decoded blocks of records that are kept. */
const keptBlocks = 64;

/** Sections in the form that searches use. */
interface Decoded {
  readonly vectors: SegmentVectors;
  readonly halves: SegmentVectors;
  readonly keys: SegmentKeys;
  readonly removed: ReadonlySet<string>;
  readonly tokens: RowTokens;
  readonly terms: InvertedLists;
  readonly common: InvertedLists;
  readonly positions: Buffer;
  readonly records: Buffer;
}

/** A contiguous range of an object. */
interface Span {
  readonly at: number;
  end: number;
}

/** Joins ranges, in order, that are close to each other. */
const spansOf = (ranges: readonly Span[], gap: number): readonly Span[] => {
  const spans: Span[] = [];
  for (const { at, end } of ranges) {
    const last = spans.at(-1);
    if (last !== undefined && at - last.end <= gap) last.end = end;
    else spans.push({ at, end });
  }
  return spans;
};

/** A segment whose sections are read when they are first needed. */
export class Segment {
  readonly info: Omit<SegmentInfo, 'dead'>;
  /** Numbers of a vector as it is stored. */
  readonly width: number;
  readonly #store: ObjectStore;
  readonly #sections = new Map<SectionName, Promise<Buffer>>();
  readonly #decoded = new Map<SectionName, Promise<Decoded[SectionName]>>();
  readonly #blocks = new LRUCache<number, Promise<readonly RowRecord[]>>({ max: keptBlocks });

  constructor(store: ObjectStore, info: Omit<SegmentInfo, 'dead'>, width: number) {
    this.#store = store;
    this.info = info;
    this.width = width;
  }

  async #read(at: number, end: number): Promise<Buffer> {
    const size = end - at;
    const pieces = size > splitBytes ? 2 : 1;
    const step = Math.ceil(size / pieces);
    const parts = Array.from({ length: pieces }, async (_, piece) => {
      const from = at + piece * step;
      const part = await this.#store.read(this.info.object, { at: from, bytes: Math.min(step, end - from) });
      if (part === null) throw new DamagedIndex(`the segment ${this.info.object} does not exist`);
      return part.bytes;
    });
    const [first, ...others] = await Promise.all(parts);
    return first === undefined || others.length > 0 ? Buffer.concat([first ?? Buffer.alloc(0), ...others]) : first;
  }

  /** Takes sections out of bytes of the object. */
  #take(names: readonly SectionName[], at: number, reading: Promise<Buffer>): void {
    for (const name of names) {
      const section = this.info.sections[name];
      const [from, length] = section;
      void memoize(this.#sections, name, async () => {
        const bytes = await reading;
        return checked(bytes.subarray(from - at, from - at + length), section, `${name} of ${this.info.object}`);
      });
    }
  }

  /** Adds the sections that lie inside some bytes of the object. */
  add(at: number, bytes: Buffer): void {
    const inside = sectionNames.filter((name) => {
      const [from, length] = this.info.sections[name];
      return from >= at && from + length <= at + bytes.length;
    });
    this.#take(inside, at, Promise.resolve(bytes));
  }

  /** Begins to read sections in as few requests as possible. */
  load(wanted: readonly SectionName[]): void {
    const isMissing = (name: SectionName): boolean => !this.#sections.has(name) && !this.#decoded.has(name);
    if (!wanted.some(isMissing)) return;
    const { sections, bytes } = this.info;
    const isSmall = bytes - sections.vectors[1] <= wholeBytes;
    const isRead = (name: SectionName): boolean =>
      wanted.includes(name) ||
      (name === 'records' && sections.records[1] <= fewRecordBytes) ||
      (isSmall && name !== 'vectors');
    const names = sectionNames.filter((name) => isMissing(name) && isRead(name));
    const rangeOf = (name: SectionName): Span => ({
      at: sections[name][0],
      end: sections[name][0] + sections[name][1],
    });
    for (const { at, end } of spansOf(names.map(rangeOf), sectionGap)) {
      const inside = names.filter((name) => rangeOf(name).at >= at && rangeOf(name).end <= end);
      this.#take(inside, at, this.#read(at, end));
    }
  }

  /** Returns a section as it is stored. */
  async section(name: SectionName): Promise<Buffer> {
    this.load([name]);
    const [at, length] = this.info.sections[name];
    // A section that is in the memory of the kernel is not kept.
    if (!this.#sections.has(name)) this.#take([name], at, this.#read(at, at + length));
    return (await this.#sections.get(name)) ?? Buffer.alloc(0);
  }

  async #decode(name: SectionName): Promise<Decoded[SectionName]> {
    const bytes = await this.section(name);
    switch (name) {
      case 'vectors':
        return openSingles(bytes, this.info.rows, this.width);
      case 'halves':
        return openHalves(bytes, this.info.rows, this.width);
      case 'keys':
        return decodeKeys(bytes);
      case 'removed':
        return decodeRemoved(bytes);
      case 'tokens':
        return decodeTokens(bytes);
      case 'terms':
      case 'common':
        return new InvertedLists(bytes);
      case 'positions':
      case 'records':
        return bytes;
    }
  }

  /** Returns a section in the form that searches use. */
  get<Name extends SectionName>(name: Name): Promise<Decoded[Name]> {
    const decoded = memoize(this.#decoded, name, async () => {
      const made = await this.#decode(name);
      // The kernel has a copy of its own.
      if (name === 'halves' || name === 'vectors') this.#sections.delete(name);
      return made;
    });
    // Cast: `#decode` returns the form of the name.
    return decoded as Promise<Decoded[Name]>;
  }

  /** Returns the records of rows, in their order. */
  async records(rows: readonly number[]): Promise<readonly RowRecord[]> {
    const { blocks } = await this.get('keys');
    const blockOf = (row: number): number => {
      const behind = blocks.findIndex(([first]) => first > row);
      return (behind === -1 ? blocks.length : behind) - 1;
    };
    const wanted = new Set(rows.map(blockOf));
    const loaded = await this.#loadBlocks([...wanted].toSorted((one, other) => one - other));
    return rows.map((row) => {
      const number = blockOf(row);
      const record = loaded.get(number)?.[row - (blocks[number]?.[0] ?? 0)];
      if (record === undefined) throw new DamagedIndex(`${this.info.object} has no row ${row}`);
      return record;
    });
  }

  /** Reads blocks, given in order. */
  async #loadBlocks(numbers: readonly number[]): Promise<ReadonlyMap<number, readonly RowRecord[]>> {
    const { blocks } = await this.get('keys');
    const [from, length] = this.info.sections.records;
    const rangeOf = (number: number): Span => ({
      at: blocks[number]?.[1] ?? 0,
      end: blocks[number + 1]?.[1] ?? length,
    });
    const isLoaded = this.#sections.has('records') || length <= fewRecordBytes;
    const missing = numbers.filter((number) => !this.#blocks.has(number)).map(rangeOf);
    const spans = (isLoaded ? [{ at: 0, end: length }] : spansOf(missing, blockGap)).map(({ at, end }) => ({
      at,
      end,
      reading: isLoaded ? this.section('records') : this.#read(from + at, from + end),
    }));
    const decoded = numbers.map(async (number): Promise<readonly [number, readonly RowRecord[]]> => {
      const { at, end } = rangeOf(number);
      const block = memoize(this.#blocks, number, async () => {
        const span = spans.find((one) => one.at <= at && one.end >= end);
        const bytes = (await span?.reading) ?? (await this.#read(from + at, from + end));
        return decodeBlock(span === undefined ? bytes : bytes.subarray(at - span.at, end - span.at));
      });
      return [number, await block];
    });
    return new Map(await Promise.all(decoded));
  }
}
