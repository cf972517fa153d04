import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { boundRegions, type Passage } from '../../../../shared/kernel/passage.ts';
import { type ChunkLimits, type CutSection, cutAgain, isVisible } from '../extract/chunk/chunk.ts';
import type { Chunk, Region, Section } from '../extract/port.ts';
import { composeText, type FilePart, type FileText } from './file-text.ts';

/** Part of a file as it was cut, which is stored to cut it again without reading the file. */
export interface CutPart extends FilePart {
  /** Its sections after headings without text were joined to others. The text of the part is composed of them. */
  readonly sections: readonly Section[];
  /** Bounds of its chunks in the metadata of the file. Null: it names none. */
  readonly limits: ChunkLimits | null;
}

/** A chunk with its place in the text of its part. */
export interface PlacedChunk {
  readonly chunk: Chunk;
  readonly passage: Passage;
}

/** Returns the chunks of cut sections with their places in the text that is composed of them. */
export const placeChunks = (cut: readonly CutSection[], text: FileText): readonly PlacedChunk[] =>
  cut.flatMap(({ chunks }, section) =>
    chunks.map((chunk) => ({
      chunk,
      passage: {
        start: text.positionOf(section, chunk.start),
        end: text.positionOf(section, chunk.end),
        regions: boundRegions(chunk.regions ?? [], Buffer.byteLength(chunk.text)),
      },
    })),
  );

/** Returns the chunks of a part by other bounds than it was cut by. */
export const cutPartAgain = (part: CutPart, limits: ChunkLimits): readonly PlacedChunk[] =>
  placeChunks(cutAgain(part.sections, limits), composeText(part.sections, part));

/** A text that was a chunk of a part, and the place that it was cut from, in code points. */
export interface CutText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Text of a part by positions in code points, without the form feeds between its pages. */
const openText = (text: string) => {
  const points = Array.from(text);
  return (start: number, end: number): string => points.slice(start, end).join('').replaceAll('\f', '');
};

/** Whether a text is a slice of its part, or one behind the head of the table in which it begins. */
const isSlice = (text: string, slice: string, heads: ReadonlySet<string>): boolean => {
  if (text === slice) return true;
  for (const head of heads) {
    if (!text.startsWith(`${head}\n`)) continue;
    const rest = text.slice(head.length + 1);
    // A chunk may begin within the head, which it then repeats from its beginning.
    if (slice.endsWith(rest) && `${head}\n`.endsWith(slice.slice(0, slice.length - rest.length))) return true;
  }
  return false;
};

/**
 * Whether texts are the whole of a part, as any bounds may have cut it: each is the slice that its place names, and together
 * they have all that is visible.
 */
export const areWhole = (part: CutPart, texts: readonly CutText[]): boolean => {
  const text = composeText(part.sections, part);
  const slice = openText(text.text);
  const heads = new Set(
    part.sections.flatMap(({ tables = [] }) => tables.map(({ head }) => head.replaceAll('\f', ''))),
  );
  if (!texts.every((cut) => isSlice(cut.text.replaceAll('\f', ''), slice(cut.start, cut.end), heads))) return false;
  const places = texts.toSorted((one, other) => one.start - other.start);
  let next = 0;
  return part.sections.every((section, number) => {
    let at = text.positionOf(number, 0);
    const end = text.positionOf(number, section.text.length);
    for (let place = places[next]; place !== undefined && place.start < end; next += 1, place = places[next]) {
      if (place.start > at && isVisible(slice(at, place.start))) return false;
      at = Math.max(at, place.end);
    }
    return at >= end || !isVisible(slice(at, end));
  });
};

/** Precision to which boxes are stored, in shares of a page: a tenth of that of a row. */
const precision = 10_000;

type Numbers = readonly number[];

const rounded = (share: number): number => Math.round(share * precision);

/** Packs a part, compressed, with its boxes as numbers. */
export const packCutPart = ({ sections, ...part }: CutPart): Uint8Array => {
  const packed = sections.map((section) => {
    const { textPlaces, row: _, ...rest } = section;
    if (textPlaces === undefined) return rest;
    const numbers = textPlaces.map(({ at, region: { page, left, top, width, height } }): Numbers => [
      at,
      page,
      ...[left, top, width, height].map(rounded),
    ]);
    return { ...rest, textPlaces: numbers };
  });
  return zstdCompressSync(JSON.stringify({ ...part, sections: packed }));
};

/** Maximum bytes of an unpacked part. */
const maxPartBytes = 512 * 1024 * 1024;

const placeOf = ([at = 0, page = 1, left = 0, top = 0, width = 0, height = 0]: Numbers): {
  readonly at: number;
  readonly region: Region;
} => ({
  at,
  region: { page, left: left / precision, top: top / precision, width: width / precision, height: height / precision },
});

/** Unpacks a part. */
export const unpackCutPart = (packed: Uint8Array): CutPart => {
  // Cast: `packCutPart` wrote it.
  const { sections, ...part } = JSON.parse(
    zstdDecompressSync(packed, { maxOutputLength: maxPartBytes }).toString(),
  ) as Omit<CutPart, 'sections'> & {
    readonly sections: readonly (Omit<Section, 'textPlaces'> & { readonly textPlaces?: readonly Numbers[] })[];
  };
  return {
    ...part,
    sections: sections.map(({ textPlaces, ...section }) => ({
      ...section,
      ...(textPlaces === undefined ? {} : { textPlaces: textPlaces.map(placeOf) }),
    })),
  };
};
