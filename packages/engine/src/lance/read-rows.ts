import type { Table as ArrowTable } from 'apache-arrow';
import type { Filter } from '../filter.ts';
import type { FoundRow, ListPage } from '../port.ts';
import { compareIds } from '../fuse-hits.ts';
import { allOf, anyOf, quote } from './compile-filter.ts';
import { decodeRows, idsOf, type RowShape } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';
import { collect, live, maskedAmong, statesOf, type View } from './read-layers.ts';
import { rowColumns } from './table-schema.ts';

/** Returns rows in the order of `ids`, each id once. Ids without a visible row are left out. */
export const fetchRows = async (
  view: View,
  ids: readonly string[],
  shape: RowShape,
  includeVector: boolean,
): Promise<readonly FoundRow[]> => {
  const found = new Map<string, FoundRow>();
  let wanted = [...new Set(ids)];
  for (const [depth, table] of view.entries()) {
    if (wanted.length === 0) break;
    const where = allOf(anyOf('id', wanted), live) ?? live;
    const columns = [...rowColumns, 'row_version', ...(includeVector ? ['vector'] : [])];
    const [answer, states] = await Promise.all([
      table.query().where(where).select(columns).toArrow(),
      depth === view.length - 1 ? [] : statesOf(table, wanted),
    ]);
    for (const row of decodeRows(answer, shape)) found.set(row.id, row);
    const settled = new Set(states.map(({ id }) => id));
    wanted = wanted.filter((id) => !settled.has(id));
  }
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
};

interface Page {
  readonly after: string | null;
  readonly limit: number;
  readonly filter?: Filter;
}

const pageOf = async <Item extends { readonly id: string }>(
  view: View,
  page: Page,
  columns: readonly string[],
  decode: (answer: ArrowTable) => readonly Item[],
): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> => {
  const wanted = page.limit + 1;
  const layers = view.map(async (table, depth) => {
    const start = page.after === null ? undefined : `id > ${quote(page.after)}`;
    const where = allOf(live, start, page.filter && (await narrowFilter(table, page.filter))) ?? live;
    return collect({
      first: wanted,
      fetch: async (limit) => {
        const query = table.query().where(where).orderBy({ columnName: 'id' }).limit(limit);
        return decode(await query.select([...columns]).toArrow());
      },
      keep: async (rows) => {
        const masked = await maskedAmong(view, depth, depth === 0 ? [] : rows.map(({ id }) => id));
        return rows.filter(({ id }) => !masked.has(id));
      },
      enough: (kept) => kept.length >= wanted,
    });
  });
  const items = (await Promise.all(layers)).flat().toSorted((left, right) => compareIds(left.id, right.id));
  const shown = items.slice(0, page.limit);
  return { items: shown, next: items.length > page.limit ? (shown.at(-1)?.id ?? null) : null };
};

/** Returns one page of visible rows in order of id. */
export const listRows = async (
  view: View,
  shape: RowShape,
  { includeVector = false, ...page }: Page & { readonly includeVector?: boolean },
): Promise<ListPage> => {
  if (includeVector) {
    // Ids first: to sort rows, the engine reads all their selected columns.
    const { ids, next } = await listIds(view, page);
    return { rows: await fetchRows(view, ids, shape, true), next };
  }
  const columns = [...rowColumns, 'row_version'];
  const { items, next } = await pageOf(view, page, columns, (answer) => decodeRows(answer, shape));
  return { rows: items, next };
};

/** Returns one page of the ids of visible rows, in order. */
export const listIds = async (
  view: View,
  page: Page,
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> => {
  const { items, next } = await pageOf(view, page, ['id'], (answer) => idsOf(answer).map((id) => ({ id })));
  return { ids: items.map(({ id }) => id), next };
};
