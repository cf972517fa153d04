import { Box, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, type UseInfiniteQueryResult, type InfiniteData } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
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
}

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
  const template = columns.map(({ width }) => width).join(' ');
  return (
    <>
      <Box
        ref={viewport}
        style={{ maxHeight: height, overflow: 'auto' }}
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
          bg="var(--mantine-color-body)"
          style={{ display: 'grid', gridTemplateColumns: template, gap: 12, minWidth, zIndex: 1 }}
        >
          {columns.map(({ name }) => (
            <span key={name} role="columnheader">
              {name}
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
                  alignItems: 'start',
                  transform: `translateY(${start}px)`,
                  borderTop: '1px solid var(--mantine-color-default-border)',
                }}
              >
                {columns.map(({ name, cell }) => (
                  <Box key={name} role="cell" style={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
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
          {items.length} loaded{hasNextPage ? ', more follow' : ''}
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
