import { crc32 } from 'node:zlib';
import type { VersionedRow } from '../changes/index-content.ts';
import type { MetadataTokens } from '../metadata-tokens.ts';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { DistanceMetric, IndexRef } from '../port.ts';
import { encodeHalves } from './half-vectors.ts';
import { encodeLists, InvertedLists, type KeyedOccurrences, occurrencesOf } from './inverted-lists.ts';
import { type BlockStart, decodeKeys, decodeRemoved, encodeKeys, encodeRemoved } from './row-keys.ts';
import { decodeTokens, encodeTokens, type NumberList } from './row-tokens.ts';
import { decodeBlock, encodeRecord, type RecordBlock, RecordBlocks } from './segment-records.ts';
import { isSet, type Section, type SectionName, type SegmentInfo, sectionNames } from './segment-format.ts';

/** Positions of the terms of a text. */
export type TermPositions = ReadonlyMap<string, readonly number[]>;

/** A row with what searches need of it. */
export interface AnalysedRow {
  readonly row: VersionedRow;
  readonly terms: TermPositions;
  readonly common: TermPositions;
  readonly filter: MetadataTokens;
}

/** Sections that are read to merge a segment. The others are made from these. */
export type MergedSection = Exclude<SectionName, 'halves'>;

/** A segment with its sections in memory. */
export interface LoadedSegment {
  readonly rows: number;
  /** Rows that are left out. */
  readonly dead: Uint8Array | null;
  readonly section: (name: MergedSection) => Buffer;
}

/** Bytes of a block up to which its records are joined with others. */
const smallBlockBytes = 4_096;

/** An encoded segment: what a manifest notes of it, and the bytes of its object without a footer. */
export interface EncodedSegment {
  readonly info: Omit<SegmentInfo, 'object'>;
  readonly body: readonly Buffer[];
}

/** Terms of texts that are collected: occurrences, and the number of terms of each row. */
class Terms {
  readonly occurrences: KeyedOccurrences = new Map();
  readonly lengths: number[] = [];

  add(row: number, terms: TermPositions): void {
    let length = 0;
    for (const [term, positions] of terms) {
      const list = occurrencesOf(this.occurrences, term);
      list.rows.push(row);
      list.counts.push(positions.length);
      for (const position of positions) list.positions.push(position);
      length += positions.length;
    }
    this.lengths.push(length);
  }

  /** @param moved Returns the new number of a row; -1: it is left out. */
  merge(lists: InvertedLists, positions: Buffer | null, moved: (row: number) => number): void {
    mergeLists(this.occurrences, lists, positions, moved);
    for (const [row, length] of lists.lengths.entries()) if (moved(row) >= 0) this.lengths.push(length);
  }
}

const mergeLists = (
  to: KeyedOccurrences,
  lists: InvertedLists,
  positions: Buffer | null,
  moved: (row: number) => number,
): void => {
  for (let number = 0; number < lists.size; number += 1) {
    const found = lists.rowsOf(number);
    const places = positions === null ? null : lists.positionsOf(number, found, positions);
    const kept = found.rows.map(moved);
    if (!kept.some((row) => row >= 0)) continue;
    const list = occurrencesOf(to, lists.keyAt(number));
    for (const [at, row] of kept.entries()) {
      if (row < 0) continue;
      list.rows.push(row);
      list.counts.push(found.counts[at] ?? 1);
      for (const position of places?.[at] ?? []) list.positions.push(position);
    }
  }
};

const addNumber = (to: Map<string, NumberList>, key: string, row: number, value: number): void => {
  const list = to.get(key) ?? { rows: [], values: [] };
  to.set(key, list);
  list.rows.push(row);
  list.values.push(value);
};

/** Collects rows, and rows of other segments, for a new segment. */
export class SegmentBuilder {
  /** Numbers of a vector as it is stored. */
  readonly #width: number;
  readonly #metric: DistanceMetric;
  readonly #ids: string[] = [];
  readonly #versions: string[] = [];
  readonly #jobs: (string | null)[] = [];
  readonly #textBytes: number[] = [];
  readonly #vectors: Buffer[] = [];
  readonly #terms = new Terms();
  readonly #common = new Terms();
  readonly #tokens: KeyedOccurrences = new Map();
  readonly #numbers = new Map<string, NumberList>();
  readonly #records = new RecordBlocks();
  readonly #removed = new Set<string>();

  constructor({ dimensions, metric }: Pick<IndexRef, 'dimensions' | 'metric'>) {
    this.#width = paddedDimensions(dimensions);
    this.#metric = metric;
  }

  get rows(): number {
    return this.#ids.length;
  }

  get isEmpty(): boolean {
    return this.rows === 0 && this.#removed.size === 0;
  }

  /** Removes a row of the table below. */
  remove(id: string): void {
    this.#removed.add(id);
  }

  add({ row, terms, common, filter }: AnalysedRow): void {
    const at = this.rows;
    this.#ids.push(row.id);
    this.#versions.push(row.version);
    this.#jobs.push(row.jobId);
    this.#textBytes.push(row.text === null ? 0 : Buffer.byteLength(row.text));
    const vector = new Float32Array(this.#width);
    vector.set(row.vector);
    this.#vectors.push(Buffer.from(vector.buffer));
    this.#terms.add(at, terms);
    this.#common.add(at, common);
    for (const token of filter.tokens) {
      const list = occurrencesOf(this.#tokens, token);
      list.rows.push(at);
      list.counts.push(1);
    }
    for (const [key, value] of filter.numbers) addNumber(this.#numbers, key, at, value);
    this.#records.add(encodeRecord(row));
  }

  /** Adds the live rows of a segment. */
  merge({ rows, dead, section }: LoadedSegment): void {
    const base = this.rows;
    let next = base;
    const numbers = Int32Array.from({ length: rows }, (_, row) => (dead !== null && isSet(dead, row) ? -1 : next++));
    const moved = (row: number): number => numbers[row] ?? -1;
    const { ids, versions, jobs, textBytes, blocks } = decodeKeys(section('keys'));
    for (const [row, id] of ids.entries()) {
      if (moved(row) < 0) continue;
      this.#ids.push(id);
      this.#versions.push(versions[row] ?? '');
      this.#jobs.push(jobs[row] ?? null);
      this.#textBytes.push(textBytes[row] ?? 0);
    }
    this.#mergeVectors(section('vectors'), rows, moved);
    this.#terms.merge(new InvertedLists(section('terms')), section('positions'), moved);
    this.#common.merge(new InvertedLists(section('common')), null, moved);
    const { lists, numbers: values } = decodeTokens(section('tokens'));
    mergeLists(this.#tokens, lists, null, moved);
    for (const [key, list] of values)
      for (const [at, row] of list.rows.entries())
        if (moved(row) >= 0) addNumber(this.#numbers, key, moved(row), list.values[at] ?? 0);
    this.#mergeRecords(section('records'), blocks, rows, moved);
    for (const id of decodeRemoved(section('removed'))) this.#removed.add(id);
  }

  #mergeVectors(vectors: Buffer, rows: number, moved: (row: number) => number): void {
    const rowBytes = this.#width * 4;
    for (let from = 0; from < rows;) {
      let to = from;
      while (to < rows && moved(to) >= 0) to += 1;
      if (to > from) this.#vectors.push(vectors.subarray(from * rowBytes, to * rowBytes));
      from = to + 1;
    }
  }

  /** Blocks without dead rows stay as they are, unless they are small. */
  #mergeRecords(records: Buffer, blocks: readonly BlockStart[], rows: number, moved: (row: number) => number): void {
    for (const [number, [from, at]] of blocks.entries()) {
      const [to, end] = blocks[number + 1] ?? [rows, records.length];
      const bytes = records.subarray(at, end);
      const isWhole = Array.from({ length: to - from }, (_, row) => moved(from + row)).every((row) => row >= 0);
      if (isWhole && bytes.length > smallBlockBytes) this.#records.addBlock({ rows: to - from, bytes });
      else
        for (const [row, record] of decodeBlock(bytes).entries())
          if (moved(from + row) >= 0) this.#records.add(encodeRecord(record));
    }
  }

  #halves(): readonly Buffer[] {
    const vectors = Buffer.concat(this.#vectors);
    const isAligned = vectors.byteOffset % 4 === 0;
    const bytes = isAligned ? vectors : Uint8Array.from(vectors);
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return [encodeHalves(numbers, this.#width, this.#metric === 'euclidean')];
  }

  #keys(blocks: readonly RecordBlock[]): Buffer {
    const starts: BlockStart[] = [];
    let [row, at] = [0, 0];
    for (const { rows, bytes } of blocks) {
      starts.push([row, at]);
      row += rows;
      at += bytes.length;
    }
    const keys = { ids: this.#ids, versions: this.#versions, jobs: this.#jobs, textBytes: this.#textBytes };
    return encodeKeys(keys, starts);
  }

  encode(): EncodedSegment {
    const { lists, positions } = encodeLists(this.#terms.occurrences, this.#terms.lengths);
    const blocks = this.#records.finish();
    const bodies: Readonly<Record<SectionName, readonly Buffer[]>> = {
      vectors: this.#vectors,
      halves: this.#halves(),
      keys: [this.#keys(blocks)],
      removed: [encodeRemoved(this.#removed)],
      tokens: [encodeTokens(this.#tokens, this.#numbers)],
      terms: [lists],
      common: [encodeLists(this.#common.occurrences, this.#common.lengths).lists],
      positions: [positions],
      records: blocks.map(({ bytes }) => bytes),
    };
    let at = 0;
    const sections = Object.fromEntries(
      sectionNames.map((name): [SectionName, Section] => {
        const [from, parts] = [at, bodies[name]];
        for (const { length } of parts) at += length;
        return [name, [from, at - from, parts.reduce((crc, part) => crc32(part, crc), 0)]];
      }),
      // Cast: all sections are named.
    ) as Record<SectionName, Section>;
    return {
      info: { rows: this.rows, removed: this.#removed.size, bytes: at, sections, dead: '' },
      body: sectionNames.flatMap((name) => bodies[name]),
    };
  }
}
