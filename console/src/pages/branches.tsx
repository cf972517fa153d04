import {
  Badge,
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
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { BranchDifference, IndexResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useAllIndexes } from '../parts/use-all-indexes.ts';
import { useSession } from '../session.tsx';
import { useIndex } from './index-layout.tsx';

const changeColors = { added: 'teal', changed: 'blue', deleted: 'red' } as const;

/** Root of the tree that an index belongs to. */
const rootOf = (all: readonly IndexResponse[], index: IndexResponse): IndexResponse => {
  const parent = all.find(({ id }) => id === index.parent_index_id);
  return parent === undefined ? index : rootOf(all, parent);
};

const Tree = ({
  all,
  index,
  current,
}: {
  readonly all: readonly IndexResponse[];
  readonly index: IndexResponse;
  readonly current: string;
}) => {
  const branches = all.filter(({ parent_index_id: parent }) => parent === index.id);
  return (
    <NavLink
      component={Link}
      to={`/indexes/${index.id}/branches`}
      label={index.name}

      active={index.id === current}
      defaultOpened
      {...(branches.length > 0 && { childrenOffset: 24 })}
    >
      {branches.length > 0
        ? branches.map((branch) => <Tree key={branch.id} all={all} index={branch} current={current} />)
        : null}
    </NavLink>
  );
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
  const all = useAllIndexes();
  if (index.data === undefined || all.isPending) return <Loading />;
  if (all.isError) return <ErrorNotice error={all.error} />;
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
        <Tree all={all.data} index={rootOf(all.data, index.data)} current={indexId} />
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
