/** Position of a shape on a slide, in any unit. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Placed<Shape> {
  readonly shape: Shape;
  readonly box: Box;
}

interface Cut {
  /** Number of shapes before the gap. */
  readonly at: number;
  readonly gap: number;
}

// Boxes may overlap by this share of the smaller one and still lie one after the other.
const overlapShare = 0.2;
// A gap between columns is wider than those between their lines by this factor.
const columnFactor = 2.5;
const maxCutShapes = 400;

const extent = (box: Box, isVertical: boolean): readonly [number, number] =>
  isVertical ? [box.y, box.y + box.height] : [box.x, box.x + box.width];

/** The widest gap between shapes that are sorted by their start. */
const widestGap = (shapes: readonly Placed<unknown>[], isVertical: boolean): Cut | undefined => {
  let best: Cut | undefined;
  let end = Number.NEGATIVE_INFINITY;
  let size = Number.POSITIVE_INFINITY;
  for (const [at, { box }] of shapes.entries()) {
    const [from, to] = extent(box, isVertical);
    const gap = from - end;
    if (at > 0 && gap > -overlapShare * Math.min(size, to - from) && (best === undefined || gap > best.gap))
      best = { at, gap };
    end = Math.max(end, to);
    size = Math.min(size, to - from);
  }
  return best;
};

const byRows = <Shape>(shapes: readonly Placed<Shape>[]): readonly Placed<Shape>[] =>
  shapes.toSorted((one, other) => one.box.y - other.box.y || one.box.x - other.box.x);

const inOrder = <Shape>(shapes: readonly Placed<Shape>[]): readonly Placed<Shape>[] => {
  if (shapes.length < 2) return shapes;
  const down = byRows(shapes);
  if (shapes.length > maxCutShapes) return down;
  const across = shapes.toSorted((one, other) => one.box.x - other.box.x || one.box.y - other.box.y);
  const [row, column] = [widestGap(down, true), widestGap(across, false)];
  const isColumn = column !== undefined && (row === undefined || column.gap > columnFactor * Math.max(0, row.gap));
  const cut = isColumn ? column : row;
  if (cut === undefined) return down;
  const sorted = isColumn ? across : down;
  return [...inOrder(sorted.slice(0, cut.at)), ...inOrder(sorted.slice(cut.at))];
};

/**
 * Sorts shapes in reading order: from top to bottom and from left to right, columns one after the other. A shape without
 * a position follows the one before it.
 */
export const inReadingOrder = <Shape>(shapes: readonly (readonly [Shape, Box | null])[]): readonly Shape[] => {
  const first: Shape[] = [];
  const placed: Placed<Shape[]>[] = [];
  for (const [shape, box] of shapes) {
    if (box === null) (placed.at(-1)?.shape ?? first).push(shape);
    else placed.push({ shape: [shape], box });
  }
  return [...first, ...inOrder(placed).flatMap(({ shape }) => shape)];
};
