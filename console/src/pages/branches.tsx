import {
  Alert,
  Badge,
  Box,
  Button,
  Card,
  Checkbox,
  Code,
  Drawer,
  Group,
  NavLink,
  Radio,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { type BranchDifference, type IndexResponse, StrataError, type VectorRecord } from '#client';
import { Id } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialogs.tsx';
import { count, number } from '../parts/format.tsx';
import { useIndex } from '../parts/indexes.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { nameOf } from '../parts/words.ts';
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

/** Row that differs, with its content in the branch and in the parent; null if it does not exist there. */
interface Difference extends BranchDifference {
  readonly branch: VectorRecord | null;
  readonly parent: VectorRecord | null;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Names the metadata that differ. */
const metadataChanges = ({ branch, parent }: Difference): string => {
  const [before, after] = [parent?.metadata ?? {}, branch?.metadata ?? {}];
  const show = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !same(before[key], after[key]))
    .map((key) => `${key}: ${show(before[key])} → ${show(after[key])}`)
    .join(', ');
};

const RowText = ({ row }: { readonly row: VectorRecord | null }) =>
  row === null ? (
    '–'
  ) : (
    <Text size="sm" lineClamp={3} className="chunk-text">
      {row.text ?? 'A row without text'}
    </Text>
  );

const DifferenceDetail = ({ difference }: { readonly difference: Difference }) => (
  <Stack>
    <Group>
      <ChangeBadge change={difference.change} />
      <Id id={difference.id} />
    </Group>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {(['parent', 'branch'] as const).map((side) => (
        <section key={side} aria-label={side === 'parent' ? 'In the parent' : 'In the branch'}>
          <Title order={3} size="h6">
            {side === 'parent' ? 'In the parent' : 'In the branch'}
          </Title>
          {difference[side] === null ? (
            <Text size="sm" c="dimmed">
              There is no such row.
            </Text>
          ) : (
            <>
              <Text size="sm" className="chunk-text" my="xs">
                {difference[side].text ?? 'A row without text'}
              </Text>
              <Code block className="chunk-text">
                {JSON.stringify(difference[side].metadata, null, 2)}
              </Code>
            </>
          )}
        </section>
      ))}
    </SimpleGrid>
  </Stack>
);

const ChangeBadge = ({ change }: Pick<BranchDifference, 'change'>) => (
  <Badge color={changeColors[change]} variant="dot" tt="none" miw="max-content">
    {nameOf(change)}
  </Badge>
);

const choices = [
  {
    value: 'keep',
    label: 'Keep the changes of the parent',
    description:
      'Rows that the parent has changed since stay as they are, except those that the branch has changed too.',
  },
  {
    value: 'discard',
    label: 'Discard the changes of the parent',
    description: 'The parent gets exactly the content of the branch. What it has changed since is lost.',
  },
] as const;

/** Loads a page of differences with the rows of both sides. The parent may have been deleted. */
const useDifferences = (branch: IndexResponse) => {
  const { client } = useSession();
  const parentId = branch.parent_index_id ?? null;
  return usePagedList<Difference>(['diff', branch.id], async (cursor, signal) => {
    const page = toPage(
      await client.api.GET('/v1/indexes/{index_id}/diff', {
        params: {
          path: { index_id: branch.id },
          query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
        },
        signal,
      }),
    );
    const rowsOf = async (indexId: string | null, ids: readonly string[]) => {
      if (indexId === null || ids.length === 0) return new Map<string, VectorRecord>();
      const params = { path: { index_id: indexId } };
      const body = { ids: [...ids] };
      const { vectors } = await client
        .post('/v1/indexes/{index_id}/vectors/fetch', { params, body, signal })
        .catch((error: unknown) => {
          if (error instanceof StrataError && error.status === 404) return { vectors: [] };
          throw error;
        });
      return new Map(vectors.map((row) => [row.id, row]));
    };
    const idsOf = (without: BranchDifference['change']) =>
      page.items.filter(({ change }) => change !== without).map(({ id }) => id);
    const [inBranch, inParent] = await Promise.all([
      rowsOf(branch.id, idsOf('deleted')),
      rowsOf(parentId, idsOf('added')),
    ]);
    const items = page.items.map((item) => ({
      ...item,
      branch: inBranch.get(item.id) ?? null,
      parent: inParent.get(item.id) ?? null,
    }));
    return { ...page, items };
  });
};

const Differences = ({ branch }: { readonly branch: IndexResponse }) => {
  const { client } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [promotes, promotion] = useDisclosure();
  const [opened, setOpened] = useState<Difference | null>(null);
  const [parentChanges, setParentChanges] = useState<'keep' | 'discard'>('keep');
  const [embeds, setEmbeds] = useState(false);
  const parent = useIndex(branch.parent_index_id ?? null);
  const list = useDifferences(branch);
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const counts = Object.keys(changeColors).map((change) => ({
    change,
    count: loaded.filter((each) => each.change === change).length,
  }));
  const hasOtherModel = parent.data !== undefined && parent.data.embedding_model !== branch.embedding_model;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Differences from the parent
        </Title>
        <Button size="xs" onClick={promotion.open} disabled={loaded.length === 0 || parent.data === undefined}>
          Promote…
        </Button>
      </Group>
      <PagedList
        query={list}
        label="Differences"
        keyOf={({ id }) => id}
        onOpen={setOpened}
        height="50vh"
        minWidth={720}
        align="start"
        empty={
          <Empty title="The branch equals its parent">
            Changes to its rows appear here, and can be promoted to the parent.
          </Empty>
        }
        columns={[
          { name: 'Change', width: '110px', cell: ({ change }) => <ChangeBadge change={change} /> },
          { name: 'Text in the parent', width: 'minmax(160px, 3fr)', cell: (each) => <RowText row={each.parent} /> },
          { name: 'Text in the branch', width: 'minmax(160px, 3fr)', cell: (each) => <RowText row={each.branch} /> },
          {
            name: 'Metadata',
            width: 'minmax(120px, 2fr)',
            cell: (each) => (
              <Text size="xs" c="dimmed" lineClamp={3}>
                {each.change === 'changed'
                  ? metadataChanges(each)
                  : JSON.stringify((each.branch ?? each.parent)?.metadata)}
              </Text>
            ),
          },
          { name: 'Row', width: '130px', cell: ({ id }) => <Id id={id} /> },
        ]}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title="Difference"
        position="right"
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && <DifferenceDetail difference={opened} />}
      </Drawer>
      <Dialog
        title={`Promote ${branch.name}`}
        action="Promote"
        opened={promotes}
        onClose={promotion.close}
        run={async () => {
          const made = await client.post('/v1/indexes/{index_id}/promote', {
            params: { path: { index_id: branch.id } },
            body: { parent_changes: parentChanges, embed: embeds },
          });
          await queries.invalidateQueries();
          await navigate({
            to: `/indexes/${made.index_id}/branches`,
            state: (before) => ({
              ...before,
              promotion: {
                id: branch.id,
                name: branch.name,
                written: made.vectors_written,
                deleted: made.vectors_deleted,
              },
            }),
          });
        }}
      >
        <Text size="sm">{parent.data?.name} gets these changes in one step. Searches see all of them or none.</Text>
        <Table fz="sm">
          <Table.Tbody>
            {counts.map(({ change, count: rows }) => (
              <Table.Tr key={change}>
                <Table.Th scope="row">{nameOf(change)}</Table.Th>
                <Table.Td>
                  {number(rows)}
                  {list.hasNextPage ? ' or more' : ''}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Radio.Group
          label="What the parent has changed since the branch was made"
          value={parentChanges}
          onChange={(next) => setParentChanges(next === 'discard' ? next : 'keep')}
        >
          <Stack gap="xs" mt="xs">
            {choices.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        {hasOtherModel && (
          <Checkbox
            label="Embed the texts of the branch again"
            description={`The branch has the model ${branch.embedding_model}, the parent ${parent.data.embedding_model}.`}
            checked={embeds}
            onChange={({ currentTarget }) => setEmbeds(currentTarget.checked)}
          />
        )}
      </Dialog>
    </Card>
  );
};

/** Says what a promotion has changed, and offers to delete the branch. */
const PromotionNotice = () => {
  const { client } = useSession();
  const queries = useQueryClient();
  const promotion = useRouterState({ select: ({ location }) => location.state.promotion });
  const [deletes, deletion] = useDisclosure();
  const [isDeleted, setDeleted] = useState(false);
  if (promotion === undefined) return null;
  const { id, name, written, deleted } = promotion;
  return (
    <Alert color="blue" title={`${name} is promoted`} role="status">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {count(written, 'row')} written and {number(deleted)} deleted in this index.{' '}
          {isDeleted ? 'The branch is deleted.' : 'The branch stays as it is.'}
        </Text>
        {!isDeleted && (
          <Button size="compact-sm" variant="default" onClick={deletion.open}>
            Delete the branch…
          </Button>
        )}
      </Stack>
      <Dialog
        title={`Delete ${name}`}
        action="Delete"
        danger
        opened={deletes}
        onClose={deletion.close}
        run={async () => {
          await client.delete('/v1/indexes/{index_id}', { params: { path: { index_id: id } } });
          setDeleted(true);
          await queries.invalidateQueries();
        }}
      >
        <Text size="sm">Its rows and its own files are deleted. This index keeps what was promoted.</Text>
      </Dialog>
    </Alert>
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
        <Text size="sm" c="dimmed" maw={640}>
          A branch starts with all rows of its parent, and neither sees later changes of the other. It stores its own
          changes only, but all its rows count in the usage and toward the limit of the plan.
        </Text>
        <Button size="xs" onClick={creation.open}>
          Create branch
        </Button>
      </Group>
      <PromotionNotice />
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
