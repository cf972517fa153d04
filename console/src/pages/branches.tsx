import {
  Badge,
  Box,
  Button,
  Card,
  Group,
  NavLink,
  SegmentedControl,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { BranchDifference, IndexResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { useIndex } from '../parts/indexes.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

const changeColors = { added: 'teal', changed: 'blue', deleted: 'red' } as const;

/** Branches of an index that are shown at once. */
const shownBranches = 50;

const Tree = ({ index, current }: { readonly index: IndexResponse; readonly current: string }) => {
  const { client, organization } = useSession();
  const [isWhole, setIsWhole] = useState(false);
  const query = { parent_index_id: index.id, limit: 1_000 };
  const branches = useQuery({
    queryKey: [organization.organization_id, 'branches', index.id],
    queryFn: () => Array.fromAsync(client.pages('/v1/indexes', { params: { query } })),
  });
  const all = branches.data ?? [];
  return (
    <>
      <NavLink component={Link} to={`/indexes/${index.id}/branches`} label={index.name} active={index.id === current} />
      {all.length > 0 && (
        <Box pl="lg">
          {all.slice(0, isWhole ? all.length : shownBranches).map((branch) => (
            <Tree key={branch.id} index={branch} current={current} />
          ))}
        </Box>
      )}
      {branches.isError && <ErrorNotice error={branches.error} />}
      {!isWhole && all.length > shownBranches && (
        <Button size="compact-xs" variant="subtle" onClick={() => setIsWhole(true)}>
          Show {all.length - shownBranches} more
        </Button>
      )}
    </>
  );
};

/** Tree of an index, from the index on which all others are based. */
const Family = ({ index, current }: { readonly index: IndexResponse; readonly current: string }) => {
  const parent = useIndex(index.parent_index_id ?? null);
  if (index.parent_index_id == null || parent.isError) return <Tree index={index} current={current} />;
  return parent.data === undefined ? <Loading /> : <Family index={parent.data} current={current} />;
};

const Differences = ({ branch }: { readonly branch: IndexResponse }) => {
  const { client } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [promotes, promotion] = useDisclosure();
  const [parentChanges, setParentChanges] = useState<'keep' | 'discard'>('keep');
  const params = { path: { index_id: branch.id } };
  const list = usePagedList<BranchDifference>(['diff', branch.id], async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/indexes/{index_id}/diff', {
        params: { ...params, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const counts = Object.keys(changeColors).map((change) => ({
    change,
    count: loaded.filter((each) => each.change === change).length,
  }));
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Differences from the parent
        </Title>
        <Button size="xs" onClick={promotion.open} disabled={loaded.length === 0}>
          Promote…
        </Button>
      </Group>
      <PagedList
        query={list}
        label="Differences"
        keyOf={({ id }) => id}
        height="50vh"
        empty={
          <Empty title="The branch equals its parent">
            Changes to its rows appear here, and can be promoted to the parent.
          </Empty>
        }
        columns={[
          {
            name: 'Change',
            width: '110px',
            cell: ({ change }) => (
              <Badge color={changeColors[change]} variant="light" tt="none">
                {change}
              </Badge>
            ),
          },
          {
            name: 'Row',
            width: '1fr',
            cell: ({ id }) => (
              <Text size="sm" ff="monospace" truncate>
                {id}
              </Text>
            ),
          },
        ]}
      />
      <Dialog
        title="Promote the branch"
        action="Promote"
        opened={promotes}
        onClose={promotion.close}
        run={async () => {
          await client.post('/v1/indexes/{index_id}/promote', { params, body: { parent_changes: parentChanges } });
          await queries.invalidateQueries();
          await navigate({ to: `/indexes/${branch.parent_index_id}/branches` });
        }}
      >
        <Text size="sm">The parent gets these changes in one step:</Text>
        <Table fz="sm">
          <Table.Tbody>
            {counts.map(({ change, count }) => (
              <Table.Tr key={change}>
                <Table.Th scope="row">{change}</Table.Th>
                <Table.Td>
                  {count}
                  {list.hasNextPage ? ' or more' : ''}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <SegmentedControl
          aria-label="Changes of the parent"
          value={parentChanges}
          onChange={(next) => setParentChanges(next === 'discard' ? next : 'keep')}
          data={[
            { value: 'keep', label: 'Keep changes of the parent' },
            { value: 'discard', label: 'Discard them' },
          ]}
        />
      </Dialog>
    </Card>
  );
};

export const BranchesPage = () => {
  const { indexId } = useRouteIds();
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const index = useIndex(indexId);
  const [creates, creation] = useDisclosure();
  const [name, setName] = useState('');
  if (index.data === undefined) return <Loading />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          A branch is a copy that shares the rows of its parent, and costs nothing until it changes.
        </Text>
        <Button size="xs" onClick={creation.open}>
          Create branch
        </Button>
      </Group>
      <Card withBorder padding="xs">
        <Family index={index.data} current={indexId} />
      </Card>
      {index.data.parent_index_id != null && <Differences branch={index.data} />}
      <Dialog
        title="Create a branch"
        action="Create"
        opened={creates}
        onClose={creation.close}
        disabled={name.trim() === ''}
        run={async () => {
          const { id } = await client.post('/v1/indexes/{index_id}/branches', {
            params: { path: { index_id: indexId } },
            body: { name: name.trim() },
          });
          await queries.invalidateQueries({ queryKey: [organization.organization_id] });
          await navigate({ to: `/indexes/${id}/search` });
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Dialog>
    </Stack>
  );
};
