import { oneLine } from '../../../../../../shared/kernel/text.ts';
import type { Block } from '../../cut-units.ts';

/** Box on a page, in points from its top left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Box of the text from a position on, until the next one. */
export interface PlacedBox extends Box {
  readonly at: number;
}

interface BoxedLine extends Box {
  readonly fragments: readonly { readonly characters: readonly { readonly text: string }[] }[];
}

/** Smallest box around others. */
export const around = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

const spaces = /\s/g;

const printedIn = (text: string): number => text.length - (text.match(spaces)?.length ?? 0);

/**
 * Places of the lines of a paragraph. Usually each is a line of the text. If words were joined over line ends, the
 * printed characters are counted.
 */
export const placesOfLines = (text: string, lines: readonly BoxedLine[]): readonly PlacedBox[] => {
  const ends = text.split('\n');
  if (ends.length === lines.length) {
    let at = 0;
    return lines.map(({ left, top, right, bottom }, index) => {
      const place = { at, left, top, right, bottom };
      at += (ends[index]?.length ?? 0) + 1;
      return place;
    });
  }
  const counts = lines.map(({ fragments }) =>
    fragments.reduce((sum, { characters }) => sum + printedIn(characters.map((one) => one.text).join('')), 0),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const printed = printedIn(text);
  const places: PlacedBox[] = [];
  let [at, seen, before] = [0, 0, 0];
  for (const [index, { left, top, right, bottom }] of lines.entries()) {
    const wanted = Math.round((before / Math.max(1, total)) * printed);
    while (seen < wanted && at < text.length) {
      if (/\S/.test(text[at] ?? '')) seen += 1;
      at += 1;
    }
    places.push({ at, left, top, right, bottom });
    before += counts[index] ?? 0;
  }
  return places;
};

// Characters of a row's text in which a cell is looked for, beyond the cells themselves: names of columns.
const searched = 1_000;

/** Places of the cells of a table in its text, block by block. A merged cell that is written once has one place. */
export const placesOfCells = (
  parts: readonly Block[],
  rows: readonly (readonly string[])[],
  boxes: readonly (readonly (readonly Box[])[])[],
): readonly (readonly PlacedBox[])[] => {
  const found = parts.map((): PlacedBox[] => []);
  let [part, cursor] = [0, 0];
  for (const [row, cells] of rows.entries())
    for (const [column, cell] of cells.entries()) {
      const text = oneLine(cell);
      const own = boxes[row]?.[column] ?? [];
      if (text === '' || (column > 0 && cell === cells[column - 1])) continue;
      for (let ahead = part; ahead < Math.min(parts.length, part + 2); ahead += 1) {
        const from = ahead === part ? cursor : 0;
        const at = (parts[ahead]?.text ?? '').slice(from, from + searched + text.length).indexOf(text);
        if (at === -1) continue;
        for (const box of own) found[ahead]?.push({ at: from + at, ...box });
        [part, cursor] = [ahead, from + at + text.length];
        break;
      }
    }
  return found;
};
