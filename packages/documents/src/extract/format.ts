import { createHash } from 'node:crypto';
import { headOf, oneLine } from '../../../../shared/kernel/text.ts';
import type { PackedParts } from './pack-parts.ts';
import type { InnerFile, Part, SourceFile, Span, UnitRange } from './port.ts';

/** Open file with known structure. */
export interface OpenedFile {
  readonly units: number;
  /** Whether a unit is a page or slide of the source. */
  readonly paged: boolean;
  /** Digest of the unit boundaries; absent if the units are pages. */
  readonly cut?: string;
  /** Notes for the user about unread content, one sentence each. */
  readonly notes: readonly string[];
  /** Whether units may be pictures, which are decoded on request. */
  readonly pictures?: boolean;
  /** Byte range of each unit, if a unit can be read without the rest of the file. */
  readonly spans?: readonly Span[];
  /** Parts of each unit, if all units are read when the file is opened. */
  readonly packed?: readonly PackedParts[];
  /** Returns the parts of the units in range, in reading order. Units beyond the end of the file are ignored. */
  readonly read: (range: UnitRange) => Promise<readonly Part[]>;
}

const maxNameCharacters = 200;

/** Name of a file within another one, as parts have it in their place. */
export const attachmentName = ({ filename }: Pick<InnerFile, 'filename'>): string =>
  headOf(oneLine(filename), maxNameCharacters);

/** Context of a reader besides the file. */
export interface ReadContext {
  /** Decoded text of a text format, without the content of data URLs; else empty. */
  readonly text: string;
  /**
   * The same in segments of whole lines. A large text has segments in place of `text` if its format is read from
   * segments.
   */
  readonly segments: () => Iterable<string>;
  /** Opens a file that is embedded in this one. Throws `UnreadableFile` with the reason if it can't be read. */
  readonly openInner: (file: InnerFile) => Promise<OpenedFile>;
}

/** Reads one format. Throws `UnreadableFile` for content that no retry can fix. */
export type FormatReader = (file: SourceFile, context: ReadContext) => Promise<OpenedFile>;

/** Opens a file whose units have all been read. */
export const openUnits = (
  units: readonly (readonly Part[])[],
  about: { readonly paged?: boolean; readonly notes?: readonly string[] } = {},
): OpenedFile => ({
  units: units.length,
  paged: about.paged ?? false,
  notes: about.notes ?? [],
  read: async ({ start, end }) => units.slice(start - 1, end).flat(),
});

/** Short key of a file's unit boundaries. */
export const cutOf = ({ units, cut = '' }: Pick<OpenedFile, 'units' | 'cut'>): string => `${units}${cut}`;

/**
 * Digest of unit boundaries.
 * @param units Content of each unit: its number of characters or rows, or a file of so many pages.
 */
export const digestCut = (units: readonly (number | string)[]): string =>
  `-${createHash('sha256').update(units.join()).digest('base64url').slice(0, 16)}`;
