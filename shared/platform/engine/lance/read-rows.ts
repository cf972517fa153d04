import type { Filter } from '../filter.ts';
import type { FoundRow, ListPage } from '../port.ts';
import { compareIds } from '../fuse-hits.ts';
import { allOf, anyOf, quote } from './compile-filter.ts';
import { decodeRows } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';
import { collect, live, maskedAmong, statesOf, type View } from './read-layers.ts';
import { rowColumns } from './table-schema.ts';

/** Rows in the order of `ids`, each id once; ids without a visible row are left out. */
export const fetchRows = async (
  view: View,
  ids: readonly string[],
  dimensions: number,
  includeVector: boolean,
): Promise<readonly FoundRow[]> => {
  const columns = [...rowColumns, ...(includeVector ? ['vector'] : [])];
  const found = new Map<string, FoundRow>();
  let wanted = [...new Set(ids)];
  for (const [depth, table] of view.entries()) {
    if (wanted.length === 0) break;
    const where = allOf(anyOf('id', wanted), live) ?? live;
    const [answer, states] = await Promise.all([
      table.query().where(where).select(columns).toArrow(),
      depth === view.length - 1 ? [] : statesOf(table, wanted),
    ]);
    for (const row of decodeRows(answer, dimensions, includeVector)) found.set(row.id, row);
    const settled = new Set(states.map(({ id }) => id));
    wanted = wanted.filter((id) => !settled.has(id));
  }
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
};

/** One page of visible rows in order of id, without vectors. */
export const listRows = async (
  view: View,
  dimensions: number,
  page: { readonly after: string | null; readonly limit: number; readonly filter?: Filter },
): Promise<ListPage> => {
  const wanted = page.limit + 1;
  const layers = view.map(async (table, depth) => {
    const start = page.after === null ? undefined : `id > ${quote(page.after)}`;
    const where = allOf(live, start, page.filter && (await narrowFilter(table, page.filter))) ?? live;
    return collect({
      first: wanted,
      fetch: async (limit) => {
        const query = table.query().where(where).orderBy({ columnName: 'id' }).limit(limit);
        return decodeRows(await query.select([...rowColumns]).toArrow(), dimensions, false);
      },
      keep: async (rows) => {
        const masked = await maskedAmong(view, depth, depth === 0 ? [] : rows.map(({ id }) => id));
        return rows.filter(({ id }) => !masked.has(id));
      },
      enough: (kept) => kept.length >= wanted,
    });
  });
  const rows = (await Promise.all(layers)).flat().toSorted((left, right) => compareIds(left.id, right.id));
  const shown = rows.slice(0, page.limit);
  return { rows: shown, next: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null };
};
