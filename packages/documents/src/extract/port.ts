import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { locationNames } from '../../../../shared/kernel/row-metadata.ts';

/** Byte range `[from, to)` of a file, and the number of the line that begins there (1-based). */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** Format and structure of a file, detected by its content. */
export interface Inspection {
  /** Short lower-case name as in `GET /v1/formats`: `pdf`, `docx`, `markdown`, `text`. */
  readonly format: string;
  /**
   * Number of units that are distributed to tasks: pages of a PDF, slides of a presentation, else text blocks of
   * bounded size. At least 1 unless the file is empty.
   */
  readonly units: number;
  /** Whether a unit is a page of the source, so that page numbers may be shown. */
  readonly paged: boolean;
  /** Key of the unit boundaries. It differs if another version of the reader cuts the same file differently. */
  readonly cut: string;
  /** Notes for the user about unread content, one sentence each: "2 attachments were skipped: …". */
  readonly notes: readonly string[];
  /** Whether units may be pictures, each of which takes seconds to decode. */
  readonly pictures?: boolean;
  /** Consecutive byte ranges of the units, if a unit can be read without the rest of the file. */
  readonly spans?: readonly Span[];
  /** Parts of the units if the file is read when it is opened; absent if units are read one by one. */
  readonly packed?: PackedUnits;
}

/** Parts of a file's units, packed one after the other, so that a range of units is a range of bytes. */
export interface PackedUnits {
  readonly bytes: Uint8Array;
  /** Byte offset at which each unit ends. */
  readonly ends: readonly number[];
}

/** Position in the source besides pages and headings; stored as metadata of the rows. */
export type Place = Readonly<Partial<Record<(typeof locationNames)[number], string | number>>>;

/** Position in a section's text at which a row, a cue or the like begins. It extends to the next mark. */
export interface Mark {
  /** In UTF-16 code units. */
  readonly at: number;
  /** Place of a chunk that begins here: `row_start`, `start_seconds`. */
  readonly first: Place;
  /** Place of a chunk that ends here: `row_end`, `end_seconds`. */
  readonly last: Place;
}

/** Box on a page, in shares of the page's width and height from its top left corner. */
export interface Region {
  /** 1-based. */
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Box of a section's text from a position on, until the next place. */
export interface TextPlace {
  /** In UTF-16 code units. */
  readonly at: number;
  readonly region: Region;
}

/** Part of a section's text whose lines are rows of a table, in UTF-16 code units. */
export interface TableSpan {
  /** Position of the first row, after the head if it is in the text. */
  readonly rows: number;
  /** Position at which the table begins; equal to `rows` if its head is in a section before. */
  readonly start: number;
  readonly end: number;
  /** Lines with which every chunk begins that begins within the table. */
  readonly head: string;
}

/** Row that a file supplies with its own id. */
export interface StoredRow {
  /** Line in the file, 1-based. */
  readonly line: number;
  readonly id: string;
  /** Null: the text is embedded. */
  readonly vector: Float32Array | null;
  /** Embedding model of the vector. Absent: the file does not state it. */
  readonly model?: string;
  readonly text: string | null;
  readonly metadata: JsonObject;
  /** Time from which it is absent, in milliseconds since 1970. Absent: as the file says. */
  readonly expiresAt?: number;
  /** Source of an exported row. Absent: the file that supplies the row. */
  readonly source?: {
    readonly filename: string;
    readonly pageStart: number | null;
    readonly pageEnd: number | null;
    /** Boxes of its text on those pages. */
    readonly regions: readonly Region[];
  };
}

/** Text under one heading on a known range of pages. */
export interface Section {
  readonly text: string;
  /** 1-based, inclusive; null if the source has no pages. */
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
  /** Titles from the outermost heading to the nearest. */
  readonly headingPath: readonly string[];
  readonly place: Place;
  /** The row, if the file supplies its rows itself. */
  readonly row?: StoredRow;
  /** Finer positions within the text. Chunking turns them into places. */
  readonly marks?: readonly Mark[];
  /** Tables within the text, in order. */
  readonly tables?: readonly TableSpan[];
  /** Places of its lines and cells on their pages, in order. Absent: the format has no pages, or they are unknown. */
  readonly textPlaces?: readonly TextPlace[];
}

/**
 * Picture that needs OCR: a scanned page, an image file or a part of one. It has been decoded, scaled to
 * `pictureBounds` and encoded again.
 */
export interface Picture {
  readonly kind: 'picture';
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
  /** Whether it shows the whole page of its section, so that shares of the picture are those of the page. */
  readonly isWholePage?: boolean;
  readonly section: Omit<Section, 'text' | 'marks' | 'tables' | 'textPlaces'>;
}

/**
 * Maximum size of a picture that every OCR model accepts. `side` is the longer side in pixels:
 * https://docs.aws.amazon.com/textract/latest/dg/limits-document.html
 */
export const pictureBounds: { readonly pixels: number; readonly side: number; readonly bytes: number } = {
  pixels: 25_000_000,
  side: 10_000,
  bytes: 10 * 1024 * 1024,
};

/** Page of a file that is drawn for people. */
export interface PageRequest {
  /** 1-based. */
  readonly page: number;
  /** Width in pixels; less if the picture would exceed `shownBounds`. An image is not enlarged. */
  readonly width: number;
  /** Name of a file within this one whose page it is, as parts have it in their place. */
  readonly attachment?: string | undefined;
}

/** Picture of a page. */
export interface DrawnPage {
  /** Number of pages of the file. */
  readonly pages: number;
  /** PNG within `shownBounds`; null beyond the last page. */
  readonly png: Uint8Array | null;
}

/** Draws a page of a file of one format. Throws `UnreadableFile`. */
export type PageDrawer = (bytes: Uint8Array, page: PageRequest) => Promise<DrawnPage>;

/** Maximum size of a picture of a page for people. In base64 it is part of a response of a function. */
export const shownBounds: { readonly pixels: number; readonly bytes: number } = {
  pixels: 8_000_000,
  bytes: 4 * 1024 * 1024,
};

/** Speech or music, as it was uploaded. */
export interface Recording {
  readonly kind: 'recording';
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Length as the container states it; null if it states none, or one that is impossible for so many bytes. */
  readonly seconds: number | null;
  readonly section: Omit<Section, 'text' | 'marks' | 'tables' | 'textPlaces'>;
}

/** Unit that turned out to be unreadable, in a file whose other units are read. */
export interface Unread {
  readonly kind: 'unread';
  /** A sentence for the user. */
  readonly reason: string;
}

/** Part of a file. */
export type Part = ({ readonly kind: 'text' } & Section) | Picture | Recording | Unread;

/** Piece of a section that becomes one row. */
export interface Chunk extends Omit<Section, 'marks' | 'row' | 'tables' | 'textPlaces'> {
  /** Boxes of its text on its pages, one for each run of lines. Absent: they are unknown. */
  readonly regions?: readonly Region[];
  /**
   * Position within its section's text, in UTF-16 code units. The head of a table that the chunk repeats is not
   * included.
   */
  readonly start: number;
  readonly end: number;
}

/** Error of a file that no retry can read. The message is for the user and contains no internals. */
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

/** Range of units as an inspection counted them. */
export interface CountedRange extends UnitRange {
  /** Key of their boundaries then. Null or absent: any boundaries are accepted. */
  readonly cut?: string | null;
}

/** Error: the unit boundaries have changed since an inspection counted the units. */
export class UnitsChanged extends UnreadableFile {
  constructor() {
    super('The service was updated while it read this file: upload it again');
    this.name = 'UnitsChanged';
  }
}

/** Lines of a span: the number of the first one, and whether vectors of rows are ignored. */
export interface SpanLines {
  readonly first: number;
  readonly ignoresVectors: boolean;
}

/** Reads files, with one adapter per format. Throws `UnreadableFile` for content that no retry can fix. */
export interface Extractor {
  /**
   * Detects the format (by content first, name and declared type second) and counts its units.
   * @param maxMs Time that the caller can wait. A file that exceeds both this and the general limit is unreadable.
   */
  inspect(file: SourceFile, maxMs?: number): Promise<Inspection>;
  /** Returns the parts of the units in range, in reading order. Deterministic. Throws `UnitsChanged`. */
  extract(file: SourceFile, range: CountedRange, maxMs?: number): Promise<readonly Part[]>;
  /**
   * Returns the parts of units whose byte ranges an inspection returned.
   * @param bytes Bytes from the first to the last of them.
   * @param lines Number of the first line, and how the file is read.
   */
  extractSpan(bytes: Uint8Array, lines: SpanLines, maxMs?: number): Promise<readonly Part[]>;
}

/** Draws pages of PDFs and images. Throws `UnreadableFile` for another format, or content that no retry can fix. */
export interface PageRenderer {
  draw(file: SourceFile, page: PageRequest): Promise<DrawnPage>;
}

/** File in memory, which may be embedded in another one. */
export interface InnerFile {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** Declared media type. */
  readonly contentType: string;
}

/** File that is not embedded in another one. */
export interface SourceFile extends InnerFile {
  /** Whether its lines may be rows with ids, which can replace existing rows. */
  readonly maySupplyRows: boolean;
  /** Whether the vectors of such rows are ignored, so that their texts are embedded. Default false. */
  readonly ignoresVectors?: boolean;
}
