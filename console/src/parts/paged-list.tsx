import { Box, Button, Checkbox, Group, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, type UseInfiniteQueryResult, type InfiniteData } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { number } from './format.tsx';
import { ErrorNotice, Loading } from './notices.tsx';

/** Page of a list, with the cursor of the next. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Converts a response with the header `x-next-cursor` to a page. */
export const toPage = <Item,>({
  data,
  response,
}: {
  readonly data?: readonly Item[];
  readonly response: Response;
}): ListPage<Item> => ({
  items: data ?? [],
  next: response.headers.get('x-next-cursor'),
});

export type PagedQuery<Item> = UseInfiniteQueryResult<InfiniteData<ListPage<Item>, string | null>>;

/** Loads a list page by page. */
export const usePagedList = <Item,>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>,
  options: { readonly refetchMs?: number | false; readonly enabled?: boolean } = {},
): PagedQuery<Item> =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: options.refetchMs ?? false,
    enabled: options.enabled ?? true,
  });

/** Column of a list. */
export interface Column<Item> {
  readonly name: string;
  /** Width as in `grid-template-columns`. */
  readonly width: string;
  readonly cell: (item: Item) => ReactNode;
  /** Name of the order by this column, if the list can have it. */
  readonly order?: string;
}

/** Order of a list. */
export interface ListOrder {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

/** Chosen items of a list, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  /** Name of the item of a checkbox, such as “the row”. */
  readonly nameOf: (key: string) => string;
}

interface PagedListProps<Item> {
  readonly query: PagedQuery<Item>;
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: ReactNode;
  readonly onOpen?: (item: Item) => void;
  readonly height?: string;
  /** Pixels below which the list scrolls sideways. */
  readonly minWidth?: number;
  /** Place of the cells in rows of several lines. */
  readonly align?: 'center' | 'start';
  readonly selection?: Selection;
  /** Order that a person has chosen; null for that of the service. */
  readonly order?: ListOrder | null;
  readonly onOrder?: (order: ListOrder | null) => void;
}

const nextOrder = (by: string, order: ListOrder | null): ListOrder | null => {
  if (order?.by !== by) return { by, direction: 'asc' };
  return order.direction === 'asc' ? { by, direction: 'desc' } : null;
};

const ariaSort = (by: string | undefined, order: ListOrder | null) => {
  if (by === undefined) return undefined;
  if (order?.by !== by) return 'none';
  return order.direction === 'asc' ? 'ascending' : 'descending';
};

/** Actions stay in view if the list scrolls sideways. */
const classOf = (name: string): string => (name === 'Actions' ? 'list-actions' : '');

/** Virtual table of a list of any length. It loads the next page when its end comes into view. */
export const PagedList = <Item,>({
  query,
  label,
  columns,
  keyOf,
  empty,
  onOpen,
  height = 'calc(100vh - 18rem)',
  minWidth = 640,
  align = 'center',
  selection,
  order = null,
  onOrder,
}: PagedListProps<Item>) => {
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const viewport = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => 44,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && lastShown >= items.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, lastShown, items.length]);
  if (query.isPending) return <Loading lines={6} />;
  if (query.isError && items.length === 0)
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  if (items.length === 0 && !hasNextPage) return <>{empty}</>;
  const template = [...(selection === undefined ? [] : ['20px']), ...columns.map(({ width }) => width)].join(' ');
  const keys = selection === undefined ? [] : items.map(keyOf);
  const isAll = keys.length > 0 && keys.every((key) => selection?.keys.has(key) === true);
  const toggle = (changed: readonly string[], isChosen: boolean): void => {
    const next = new Set(selection?.keys);
    for (const key of changed)
      if (isChosen) next.add(key);
      else next.delete(key);
    selection?.onChange(next);
  };
  return (
    <>
      <Box
        ref={viewport}
        className="list-viewport"
        style={{ maxHeight: `max(20rem, ${height})`, overflow: 'auto' }}
        tabIndex={0}
        role="table"
        aria-label={label}
        aria-rowcount={hasNextPage ? -1 : items.length}
      >
        <Box
          role="row"
          fz="xs"
          fw={600}
          c="dimmed"
          px="xs"
          py={6}
          pos="sticky"
          top={0}
          bg="var(--list-background)"
          style={{ display: 'grid', gridTemplateColumns: template, gap: 12, minWidth, zIndex: 1 }}
        >
          {selection !== undefined && (
            <span role="columnheader">
              <Checkbox
                size="xs"
                aria-label="Choose all that are loaded"
                checked={isAll}
                indeterminate={!isAll && keys.some((key) => selection.keys.has(key))}
                onChange={() => toggle(keys, !isAll)}
              />
            </span>
          )}
          {columns.map(({ name, order: by }) => (
            <span key={name} role="columnheader" aria-sort={ariaSort(by, order)} className={classOf(name)}>
              {by === undefined || onOrder === undefined ? (
                name
              ) : (
                <UnstyledButton fz="inherit" fw="inherit" onClick={() => onOrder(nextOrder(by, order))}>
                  {name}
                  {order?.by === by && (order.direction === 'asc' ? ' ↑' : ' ↓')}
                </UnstyledButton>
              )}
            </span>
          ))}
        </Box>
        <Box role="rowgroup" pos="relative" style={{ height: rows.getTotalSize(), minWidth }}>
          {shown.map(({ index, start, key }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <Box
                key={key}
                ref={rows.measureElement}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                data-key={keyOf(item)}
                className={onOpen === undefined ? '' : 'row-button'}
                tabIndex={onOpen === undefined ? undefined : 0}
                onClick={() => onOpen?.(item)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(item);
                }}
                fz="sm"
                px="xs"
                py={8}
                pos="absolute"
                left={0}
                right={0}
                style={{
                  display: 'grid',
                  gridTemplateColumns: template,
                  gap: 12,
                  alignItems: align,
                  transform: `translateY(${start}px)`,
                  borderTop: '1px solid var(--mantine-color-default-border)',
                }}
              >
                {selection !== undefined && (
                  // The click is not one on the row.
                  <Box role="cell" pt={2} onClick={(event) => event.stopPropagation()}>
                    <Checkbox
                      size="xs"
                      aria-label={`Choose ${selection.nameOf(keyOf(item))}`}
                      checked={selection.keys.has(keyOf(item))}
                      onChange={({ currentTarget }) => toggle([keyOf(item)], currentTarget.checked)}
                    />
                  </Box>
                )}
                {columns.map(({ name, cell }) => (
                  <Box
                    key={name}
                    role="cell"
                    className={classOf(name)}
                    style={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}
                  >
                    {cell(item)}
                  </Box>
                ))}
              </Box>
            );
          })}
        </Box>
      </Box>
      <Group justify="space-between" mt="xs">
        <Text size="xs" c="dimmed" role="status">
          {hasNextPage
            ? `${number(items.length)} loaded, more follow`
            : items.length === 1
              ? '1 entry'
              : `${number(items.length)} entries`}
        </Text>
        {hasNextPage && (
          <Button size="compact-xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </Group>
    </>
  );
};
