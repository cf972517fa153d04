import { cutOf, digestCut, type OpenedFile } from './format.ts';
import { packParts, unpackParts, type PackedParts } from './pack-parts.ts';
import { UnreadableFile, type Part, type Place } from './port.ts';

/** Unit that has been read, or a function that reads it on request. */
type Unit = PackedParts | (() => Promise<readonly Part[]>);

/** Collects the units of a file that contains other files. */
export interface UnitList {
  /** Adds text of the file itself or of a small embedded file. It shares units with adjacent text. */
  readonly addText: (parts: readonly Part[]) => void;
  /** Adds an embedded file. All its parts get `place`. */
  readonly addFile: (file: OpenedFile, place: Place) => Promise<void>;
  readonly close: (notes: readonly string[]) => OpenedFile;
}

const unitChars = 40_000;

const placed = (part: Part, place: Place): Part => {
  if (part.kind === 'unread') return part;
  return part.kind === 'text'
    ? { ...part, place: { ...part.place, ...place } }
    : { ...part, section: { ...part.section, place: { ...part.section.place, ...place } } };
};

const charsOf = (part: Part): number => (part.kind === 'text' ? part.text.length : 0);

/** Reads a unit of an embedded file. If it is unreadable, the other units are still read. */
const readWithin = async (file: OpenedFile, unit: number, place: Place): Promise<readonly Part[]> => {
  try {
    return (await file.read({ start: unit, end: unit })).map((part) => placed(part, place));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return [{ kind: 'unread', reason: `${place['attachment'] ?? 'A file within'} was not read: ${error.message}.` }];
  }
};

const readUnits = async (units: readonly Unit[]): Promise<readonly Part[]> => {
  const parts: Part[] = [];
  for (const unit of units)
    for (const part of typeof unit === 'function' ? await unit() : unpackParts(unit)) parts.push(part);
  return parts;
};

/**
 * Creates an empty list of units. Pages and pictures of embedded files stay separate units, which are read on request.
 */
export const openUnitList = (): UnitList => {
  const units: Unit[] = [];
  const cuts: (number | string)[] = [];
  let pictures = false;
  let waiting: Part[] = [];
  let chars = 0;
  const flush = (): void => {
    if (waiting.length > 0) {
      units.push(packParts(waiting));
      cuts.push(chars);
    }
    waiting = [];
    chars = 0;
  };
  const addText = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (chars > 0 && chars + charsOf(part) > unitChars) flush();
      waiting.push(part);
      chars += charsOf(part);
    }
  };
  const addFile = async (file: OpenedFile, place: Place): Promise<void> => {
    if (!file.paged && file.pictures !== true) {
      addText((await file.read({ start: 1, end: file.units })).map((part) => placed(part, place)));
      return;
    }
    flush();
    pictures ||= file.pictures === true;
    cuts.push(cutOf(file));
    for (let unit = 1; unit <= file.units; unit += 1) units.push(() => readWithin(file, unit, place));
  };
  const close = (notes: readonly string[]): OpenedFile => {
    flush();
    const packed = units.filter((unit) => typeof unit !== 'function');
    return {
      units: units.length,
      paged: false,
      cut: digestCut(cuts),
      notes,
      ...(pictures && { pictures }),
      ...(packed.length === units.length && { packed }),
      read: ({ start, end }) => readUnits(units.slice(start - 1, end)),
    };
  };
  return { addText, addFile, close };
};
