import { Button, Card, Group, NumberInput, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CrawlJobResponse, SkippedPageResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { divideError, Empty, ErrorNotice } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { State } from '../parts/source-state.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const Skipped = ({
  indexId,
  crawl,
  onClose,
}: {
  readonly indexId: string;
  readonly crawl: CrawlJobResponse | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const list = usePagedList<SkippedPageResponse>(
    ['skipped', crawl?.id],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/skipped-pages', {
          params: {
            path: { index_id: indexId, crawl_id: crawl?.id ?? '' },
            query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      ),
    { enabled: crawl !== null },
  );
  return (
    <Dialog title="Pages left out" action="Close" opened={crawl !== null} onClose={onClose} run={async () => {}}>
      <PagedList
        query={list}
        label="Pages left out"
        keyOf={({ url }) => url}
        height="50vh"
        empty={<Empty title="No page was left out" />}
        columns={[
          {
            name: 'Address',
            width: '2fr',
            cell: ({ url }) => (
              <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                {url}
              </Text>
            ),
          },
          {
            name: 'Why',
            width: '1fr',
            cell: ({ reason, detail }) => (
              <Text size="xs">
                {nameOf(reason)}
                {detail == null ? '' : `: ${detail}`}
              </Text>
            ),
          },
        ]}
      />
    </Dialog>
  );
};

/** Crawls of an index, and the form that starts one. */
export const Crawls = ({ indexId }: { readonly indexId: string }) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const params = { path: { index_id: indexId } };
  const key = ['crawls', indexId];
  const [url, setUrl] = useState('https://');
  const [pages, setPages] = useState<number | string>(10);
  const [depth, setDepth] = useState<number | string>(1);
  const [skipped, setSkipped] = useState<CrawlJobResponse | null>(null);
  const list = usePagedList<CrawlJobResponse>(
    key,
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/crawl-jobs', {
          params: { ...params, query: { limit: 50, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      ),
    { refetchMs: 3_000 },
  );
  const start = useMutation({
    mutationFn: async () => {
      await client.post('/v1/indexes/{index_id}/crawl-jobs', {
        params,
        body: { url, page_limit: Number(pages), max_depth: Number(depth) },
      });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  const cancel = useMutation({
    mutationFn: async (id: string) => {
      await client.post('/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel', {
        params: { path: { ...params.path, crawl_id: id } },
      });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  const { errorOf, notice } = divideError(start.error);
  const urlError = errorOf('url');
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="xs">
        Crawls
      </Title>
      <Group
        component="form"
        align="flex-start"
        mb="xs"
        onInput={() => {
          if (start.isError) start.reset();
        }}
        onSubmit={(event: React.SyntheticEvent) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <TextInput
          size="xs"
          label="Address"
          style={{ flex: 1 }}
          miw={200}
          error={urlError}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <NumberInput
          size="xs"
          label="Pages"
          w={90}
          min={1}
          error={errorOf('page_limit')}
          value={pages}
          onChange={setPages}
        />
        <NumberInput
          size="xs"
          label="Depth"
          w={80}
          min={0}
          error={errorOf('max_depth')}
          value={depth}
          onChange={setDepth}
        />
        <Button size="xs" type="submit" mt={22} loading={start.isPending}>
          Crawl
        </Button>
      </Group>
      {urlError === 'The address must be public' && (
        <Text size="xs" c="dimmed" mb="xs">
          On one machine, the option --crawl-local-address of the start allows an address of this machine.
        </Text>
      )}
      {notice()}
      {cancel.isError && <ErrorNotice error={cancel.error} />}
      <PagedList
        query={list}
        label="Crawls"
        keyOf={({ id }) => id}
        height="40vh"
        empty={<Empty title="No site has been crawled" />}
        columns={[
          {
            name: 'Address',
            width: 'minmax(160px, 3fr)',
            cell: (crawl) => (
              <>
                <Text size="sm" truncate>
                  {crawl.url}
                </Text>
                {crawl.error != null && (
                  <Text size="xs" c="red">
                    {crawl.error}
                  </Text>
                )}
              </>
            ),
          },
          { name: 'State', width: '130px', cell: ({ status }) => <State state={status} /> },
          { name: 'Pages', width: '80px', cell: ({ pages_found: found }) => number(found) },
          {
            name: 'Left out',
            width: '80px',
            cell: (crawl) => (
              <Button size="compact-xs" variant="default" onClick={() => setSkipped(crawl)}>
                Show
              </Button>
            ),
          },
          { name: 'Started', width: '110px', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '90px',
            cell: ({ id, status }) =>
              status === 'queued' || status === 'running' ? (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => cancel.mutate(id)}>
                  Cancel
                </Button>
              ) : null,
          },
        ]}
      />
      <Skipped indexId={indexId} crawl={skipped} onClose={() => setSkipped(null)} />
    </Card>
  );
};
