import { createHash } from 'node:crypto';
import type { PackedParts } from './pack-parts.ts';
import type { InnerFile, Part, SourceFile, Span, UnitRange } from './port.ts';

/** A file whose structure is known. */
export interface OpenedFile {
  readonly units: number;
  /** Whether a unit is a page or slide of the source. */
  readonly paged: boolean;
  /** Digest of how the text is cut into units, where that is more than a matter of pages. */
  readonly cut?: string;
  /** What a user should know about the reading, one sentence each. */
  readonly notes: readonly string[];
  /** Whether units may be pictures, which are decoded when they are asked for. */
  readonly pictures?: boolean;
  /** Where each unit stands, where one can be read without the rest. */
  readonly spans?: readonly Span[];
  /** The parts of each unit, if all are read when the file is opened. */
  readonly packed?: readonly PackedParts[];
  /** Parts of the units in range, in reading order; what lies outside the file is left out. */
  readonly read: (range: UnitRange) => Promise<readonly Part[]>;
}

/** What a reader is given besides the file. */
export interface ReadContext {
  /** The decoded text, for formats that are text, without files that stand in its addresses; else empty. */
  readonly text: string;
  /** The same in stretches of whole lines; of a large text in place of it, where the format is read from stretches. */
  readonly stretches: () => Iterable<string>;
  /** Opens a file that lies inside this one. Throws `UnreadableFile` with the reason why it can't be read. */
  readonly openInner: (file: InnerFile) => Promise<OpenedFile>;
}

/** Reads one format. Throws `UnreadableFile` for content that no retry can mend. */
export type FormatReader = (file: SourceFile, context: ReadContext) => Promise<OpenedFile>;

/** A file whose units have all been read. */
export const openUnits = (
  units: readonly (readonly Part[])[],
  about: { readonly paged?: boolean; readonly notes?: readonly string[] } = {},
): OpenedFile => ({
  units: units.length,
  paged: about.paged ?? false,
  notes: about.notes ?? [],
  read: async ({ start, end }) => units.slice(start - 1, end).flat(),
});

/** How a file is cut, in a few characters. */
export const cutOf = ({ units, cut = '' }: Pick<OpenedFile, 'units' | 'cut'>): string => `${units}${cut}`;

/** Digest of how text is cut. @param units What each unit holds: how many characters or rows, or a file of so many pages. */
export const digestCut = (units: readonly (number | string)[]): string =>
  `-${createHash('sha256').update(units.join()).digest('base64url').slice(0, 16)}`;
