import type { FoundRow } from '../port.ts';
import { hashed } from '../sample-order.ts';
import { columnOf, decodeRows, mapRows, type RowShape } from './decode-rows.ts';
import { maskedAmong, type View } from './read-layers.ts';
import { rowColumns } from './table-schema.ts';

/** Positions that are drawn for each requested row: some are tombstones or masked. */
const drawsPerRow = 3;

/** Returns up to `count` different numbers below `total`. */
const draw = (total: number, count: number, seed: number): readonly number[] => {
  if (total <= count) return Array.from({ length: total }, (_, position) => position);
  const drawn = new Set<number>();
  for (let turn = 0; drawn.size < count; turn += 1) drawn.add(hashed(`${seed}:${turn}`) % total);
  return [...drawn];
};

interface Place {
  readonly id: string;
  readonly rowId: bigint;
  readonly depth: number;
}

/** Returns the visible rows among those at some offsets of one table. */
const visibleAt = async (view: View, depth: number, offsets: readonly number[]): Promise<readonly Place[]> => {
  const table = view[depth];
  if (table === undefined || offsets.length === 0) return [];
  const answer = await table
    .takeOffsets([...offsets])
    .select(['id', 'deleted'])
    .withRowId()
    .toArrow();
  const [id, rowId] = [columnOf<string>(answer, 'id'), columnOf<bigint>(answer, '_rowid')];
  const deleted = columnOf<boolean>(answer, 'deleted');
  const rows = mapRows(answer, (at) => ({ id: id(at), rowId: rowId(at), depth, deleted: deleted(at) }));
  const masked = await maskedAmong(view, depth, depth === 0 ? [] : rows.map((row) => row.id));
  return rows.filter((row) => !row.deleted && !masked.has(row.id));
};

const readPlaces = async (view: View, places: readonly Place[], shape: RowShape): Promise<readonly FoundRow[]> => {
  const layers = view.map(async (table, layer) => {
    const rowIds = places.filter(({ depth }) => depth === layer).map(({ rowId }) => rowId);
    if (rowIds.length === 0) return [];
    const answer = await table
      .takeRowIds(rowIds)
      .select([...rowColumns, 'vector'])
      .toArrow();
    return decodeRows(answer, shape);
  });
  return (await Promise.all(layers)).flat();
};

/** Returns at most `count` visible rows with their vectors, each equally likely. */
export const sampleRows = async (
  view: View,
  shape: RowShape,
  count: number,
  seed: number,
): Promise<readonly FoundRow[]> => {
  const sizes = await Promise.all(view.map((table) => table.countRows()));
  const starts = sizes.map((_, depth) => sizes.slice(0, depth).reduce((sum, size) => sum + size, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const positions = draw(total, count * drawsPerRow, seed);
  const layers = sizes.map((size, depth) => {
    const offsets = positions.map((position) => position - (starts[depth] ?? 0));
    return visibleAt(
      view,
      depth,
      offsets.filter((offset) => offset >= 0 && offset < size),
    );
  });
  // Each drawn position is equally likely to be among the first, in any layer.
  const order = ({ id }: Place): number => hashed(`${seed}:${id}`);
  const chosen = (await Promise.all(layers))
    .flat()
    .toSorted((left, right) => order(left) - order(right))
    .slice(0, count);
  return readPlaces(view, chosen, shape);
};
