import type { JsonObject } from '../../kernel/json.ts';
import type { locationNames } from '../../kernel/row-metadata.ts';

/** Where something stands in the bytes of a file, `[from, to)`, and the line that begins there, 1-based. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** What a file turned out to be, judged by its content. */
export interface Inspection {
  /** Short lower-case name, as `GET /v1/formats` lists it: `pdf`, `docx`, `markdown`, `text`. */
  readonly format: string;
  /**
   * Number of units that tasks are cut from: pages of a PDF, slides of a presentation, else blocks of text of bounded
   * size. At least 1 unless empty.
   */
  readonly units: number;
  /** Whether a unit is a page of the source, so that page numbers may be shown. */
  readonly paged: boolean;
  /** How the units are cut, in a few characters: other where another version of the reader cuts the same file elsewhere. */
  readonly cut: string;
  /** What a user should know about the reading, one sentence each: "2 attachments were skipped: …". */
  readonly notes: readonly string[];
  /** Whether units may be pictures, each of which takes seconds to decode. */
  readonly pictures?: boolean;
  /** Where each unit stands, one behind the other, in a file of which a unit can be read without the rest. */
  readonly spans?: readonly Span[];
  /** What each of several units says, of a file that is read when it is opened; absent if units are read one by one. */
  readonly packed?: PackedUnits;
}

/** The parts of the units of a file, packed one behind the other, so that a range of units is a range of bytes. */
export interface PackedUnits {
  readonly bytes: Uint8Array;
  /** Where each unit ends. */
  readonly ends: readonly number[];
}

/** Where in the source something stands beyond pages and headings, as metadata of its rows. */
export type Place = Readonly<Partial<Record<(typeof locationNames)[number], string | number>>>;

/** What begins at a position of a section's text and goes on to the next mark: a row, a spoken sentence. */
export interface Mark {
  /** In UTF-16 code units. */
  readonly at: number;
  /** Place of a chunk that begins here: `row_start`, `start_seconds`. */
  readonly first: Place;
  /** Place of a chunk that ends here: `row_end`, `end_seconds`. */
  readonly last: Place;
}

/** A row that a file states as it is to be stored. */
export interface StoredRow {
  /** Where in the file, 1-based. */
  readonly line: number;
  readonly id: string;
  /** Null: it is embedded from the text. */
  readonly vector: Float32Array | null;
  readonly text: string | null;
  readonly metadata: JsonObject;
}

/** A stretch of text under one heading and on a known range of pages. */
export interface Section {
  readonly text: string;
  /** 1-based, inclusive; null where the source has no pages. */
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
  /** Titles from the outermost heading to the nearest. */
  readonly headingPath: readonly string[];
  readonly place: Place;
  /** The row that the section is, whole, where the file states its rows itself. */
  readonly row?: StoredRow;
  /** Finer places within the text, by position; cutting into chunks turns them into places. */
  readonly marks?: readonly Mark[];
}

/**
 * A picture whose text recognition alone can tell: a scanned page, an image file or a part of one. Decoded, kept within
 * `pictureBounds`, and encoded anew.
 */
export interface Picture {
  readonly kind: 'picture';
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
  readonly section: Omit<Section, 'text' | 'marks'>;
}

/**
 * Most that a picture may have, so that any recogniser takes it; `side` is the longer side in pixels:
 * https://docs.aws.amazon.com/textract/latest/dg/limits-document.html
 */
export const pictureBounds: { readonly pixels: number; readonly side: number; readonly bytes: number } = {
  pixels: 25_000_000,
  side: 10_000,
  bytes: 10 * 1024 * 1024,
};

/** Speech or music, as it was uploaded. */
export interface Recording {
  readonly kind: 'recording';
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Length as the container states it; null where it doesn't, or states one that so many bytes can't have. */
  readonly seconds: number | null;
  readonly section: Omit<Section, 'text' | 'marks'>;
}

/** What has shown to be unreadable only when it was asked for, in a file whose other units are read all the same. */
export interface Unread {
  readonly kind: 'unread';
  /** A sentence for the user. */
  readonly reason: string;
}

/** What a file consists of. */
export type Part = ({ readonly kind: 'text' } & Section) | Picture | Recording | Unread;

/** A piece of a section that becomes one row. */
export interface Chunk extends Omit<Section, 'marks' | 'row'> {
  /** Position within its section's text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Why a file can never be read; the message is shown to the user and names no internals. */
export class UnreadableFile extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadableFile';
  }
}

/** Units of a file, 1-based and inclusive. */
export interface UnitRange {
  readonly start: number;
  readonly end: number;
}

/** Units as an inspection counted them. */
export interface CountedRange extends UnitRange {
  /** How they were cut then; null or absent: they are read however they are cut by now. */
  readonly cut?: string | null;
}

/** The file is not cut as it was when units of it were counted. */
export class CutOtherwise extends UnreadableFile {
  constructor() {
    super('The service was updated while it read this file: upload it again');
    this.name = 'CutOtherwise';
  }
}

/** Reads files; one adapter per format behind one dispatcher. Throws `UnreadableFile` for content that no retry can mend. */
export interface Extractor {
  /**
   * Detects the format (by content first, name and declared type second) and counts its units.
   * @param mostMs Time that the caller can wait; a file that takes longer, and longer than any may, counts as unreadable.
   */
  inspect(file: SourceFile, mostMs?: number): Promise<Inspection>;
  /** The parts of the units in range, in reading order. Deterministic. Throws `CutOtherwise`. */
  extract(file: SourceFile, range: CountedRange, mostMs?: number): Promise<readonly Part[]>;
  /**
   * The parts of units that an inspection told the spans of.
   * @param bytes All between the first and the last of them.
   * @param line The line that begins there.
   */
  extractSpan(bytes: Uint8Array, line: number, mostMs?: number): Promise<readonly Part[]>;
}

/** A whole file in memory, which may lie within another. */
export interface InnerFile {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** As declared by whoever uploaded it. */
  readonly contentType: string;
}

/** A file of its own. */
export interface SourceFile extends InnerFile {
  /** Whether its lines may be rows, whose ids may be those of rows that are there. */
  readonly mayStateRows: boolean;
}
