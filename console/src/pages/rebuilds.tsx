import { Alert, Badge, Button, Card, Group, NumberInput, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { IndexResponse, RebuildCreate, RebuildEstimate, RebuildResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { money, number, Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { textLanguages } from '../parts/text-languages.ts';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';
import { useIndex } from '../parts/indexes.tsx';

const pollMs = 2_000;

const statusColors = {
  queued: 'gray',
  running: 'blue',
  completed: 'teal',
  rolling_back: 'blue',
  rolled_back: 'gray',
  cancelled: 'gray',
  failed: 'red',
} as const;

const isUnderWay = ({ status }: RebuildResponse): boolean => ['queued', 'running', 'rolling_back'].includes(status);

const sizeOf = (chunking: IndexResponse['chunking'] | null): string =>
  chunking == null ? 'chunks of the default size' : `chunks of ${chunking.size} with ${chunking.overlap} repeated`;

/** Names the changes of a rebuild. */
const changesOf = ({ from, to }: RebuildResponse): string => {
  const changes = [
    [from.embedding_model, to.embedding_model],
    [from.text_language, to.text_language],
    [from.engine, to.engine],
    [sizeOf(from.chunking), sizeOf(to.chunking)],
  ].flatMap(([before, after]) => (before === after ? [] : [`${before} → ${after}`]));
  return changes.length === 0 ? 'The newest analysis of texts' : changes.join(', ');
};

const Estimate = ({ estimate }: { readonly estimate: RebuildEstimate }) => (
  <Alert color="blue" title="Estimate">
    {number(estimate.vectors)} rows
    {estimate.vectors_after !== estimate.vectors && ` become ${number(estimate.vectors_after)}`},{' '}
    {number(estimate.embedding_tokens)} tokens, {money(estimate.estimated_cost_usd)}, about {number(estimate.seconds)}{' '}
    s.
    {estimate.kept_files > 0 &&
      ` About ${number(estimate.kept_files)} of ${number(estimate.files)} files keep their chunks, because they were edited or read by an earlier release.`}
    {estimate.left_out > 0 && ` About ${number(estimate.left_out)} rows would stay out.`}
  </Alert>
);

const StartDialog = ({
  index,
  opened,
  onClose,
}: {
  readonly index: IndexResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [model, setModel] = useState(index.embedding_model);
  const [language, setLanguage] = useState(index.text_language);
  const [engine, setEngine] = useState(index.engine);
  const [size, setSize] = useState<number | null>(index.chunking?.size ?? null);
  const [overlap, setOverlap] = useState<number | null>(index.chunking?.overlap ?? null);
  const [skips, setSkips] = useState(false);
  const params = { path: { index_id: index.id } };
  const models = useQuery({ queryKey: ['models'], queryFn: () => client.get('/v1/models'), enabled: opened });
  const body: RebuildCreate = {
    embedding_model: model,
    text_language: language,
    engine,
    chunking: size === null ? null : { size, ...(overlap === null ? {} : { overlap }) },
    foreign_vectors: skips ? 'skip' : 'refuse',
  };
  const estimation = useMutation({
    mutationFn: () => client.post('/v1/indexes/{index_id}/rebuilds', { params, body: { ...body, dry_run: true } }),
  });
  const estimate = estimation.data?.estimate;
  const onChange = (change: () => void): void => {
    estimation.reset();
    change();
  };
  return (
    <Dialog
      title="Rebuild the index"
      action="Rebuild"
      opened={opened}
      onClose={onClose}
      run={async () => {
        await client.post('/v1/indexes/{index_id}/rebuilds', { params, body });
        await queries.invalidateQueries();
      }}
    >
      <Text size="sm">
        The index keeps its id, name, files and keys. It serves as it is until the new content takes over, in one step.
      </Text>
      <Select
        label="Embedding model"
        data={(models.data ?? []).filter(({ kind }) => kind === 'embedding').map(({ id }) => id)}
        value={model}
        allowDeselect={false}
        onChange={(value) => onChange(() => setModel(value ?? model))}
      />
      <Select
        label="Language of the texts"
        data={textLanguages.map((value) => ({ value, label: nameOf(value) }))}
        value={language}
        allowDeselect={false}
        onChange={(value) => onChange(() => setLanguage(textLanguages.find((each) => each === value) ?? language))}
      />
      <Select
        label="Engine"
        data={['lance', 's3_vectors']}
        value={engine}
        allowDeselect={false}
        onChange={(value) => onChange(() => setEngine(value === 's3_vectors' ? value : 'lance'))}
      />
      <Group grow align="start">
        <NumberInput
          label="Size of chunks"
          description="Characters. Empty: that of each file, or the default."
          min={200}
          max={8_000}
          value={size ?? ''}
          onChange={(value) => onChange(() => setSize(value === '' ? null : Number(value)))}
        />
        <NumberInput
          label="Overlap"
          description="Characters that the next chunk may repeat."
          min={0}
          max={3_999}
          value={overlap ?? ''}
          disabled={size === null}
          onChange={(value) => onChange(() => setOverlap(value === '' ? null : Number(value)))}
        />
      </Group>
      <Switch
        label="Leave out rows that the new model cannot embed"
        checked={skips}
        onChange={({ currentTarget }) => onChange(() => setSkips(currentTarget.checked))}
      />
      {estimate != null && <Estimate estimate={estimate} />}
      {estimation.isError && <ErrorNotice error={estimation.error} />}
      <Button variant="default" loading={estimation.isPending} onClick={() => estimation.mutate()}>
        Estimate
      </Button>
    </Dialog>
  );
};

/** Button whose action is explained and confirmed in a dialog. */
const ConfirmButton = ({
  title,
  action,
  danger = false,
  run,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly children: ReactNode;
}) => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open}>
        {action}
      </Button>
      <Dialog title={title} action={action} danger={danger} opened={opened} onClose={close} run={run}>
        <Text size="sm">{children}</Text>
      </Dialog>
    </>
  );
};

const Actions = ({ rebuild }: { readonly rebuild: RebuildResponse }) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const params = { path: { index_id: rebuild.index_id, rebuild_id: rebuild.id } };
  const path = '/v1/indexes/{index_id}/rebuilds/{rebuild_id}';
  const close = async (): Promise<void> => {
    await client.delete(path, { params });
    await queries.invalidateQueries();
  };
  if (rebuild.status === 'queued' || rebuild.status === 'running')
    return (
      <ConfirmButton title="Cancel the rebuild" action="Cancel rebuild" danger run={close}>
        The index stays as it is.
      </ConfirmButton>
    );
  if (rebuild.status !== 'completed' || Date.parse(rebuild.rollback_until ?? '') < Date.now()) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        title="Undo the rebuild"
        action="Undo"
        run={async () => {
          await client.post(`${path}/rollback`, { params });
          await queries.invalidateQueries();
        }}
      >
        The former content serves again, with everything that was written since.
      </ConfirmButton>
      <ConfirmButton title="Delete the former content" action="Delete former content" danger run={close}>
        The rebuild cannot be undone then.
      </ConfirmButton>
    </Group>
  );
};

export const RebuildsPage = () => {
  const { indexId } = useRouteIds();
  const { client, organization } = useSession();
  const index = useIndex(indexId);
  const [starts, start] = useDisclosure();
  const rebuilds = useQuery({
    queryKey: [organization.organization_id, 'rebuilds', indexId],
    queryFn: () => client.get('/v1/indexes/{index_id}/rebuilds', { params: { path: { index_id: indexId } } }),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? pollMs : false),
  });
  if (index.data === undefined || rebuilds.isPending) return <Loading />;
  if (rebuilds.isError) return <ErrorNotice error={rebuilds.error} retry={() => void rebuilds.refetch()} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {index.data.embedding_model}, {index.data.text_language}, {index.data.engine}
        </Text>
        <Button size="xs" onClick={start.open}>
          Rebuild…
        </Button>
      </Group>
      {rebuilds.data.length === 0 ? (
        <Empty title="There are no rebuilds yet">
          A rebuild gives the index another embedding model, language, engine or size of chunks, without a gap.
        </Empty>
      ) : (
        <Card withBorder>
          <Table.ScrollContainer minWidth={720}>
            <Table fz="sm" aria-label="Rebuilds">
              <Table.Thead>
                <Table.Tr>
                  {['Change', 'Status', 'Rows', 'Left out', 'Price', 'Started', 'Can be undone until', ''].map(
                    (name) => (
                      <Table.Th key={name}>{name}</Table.Th>
                    ),
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rebuilds.data.map((rebuild) => (
                  <Table.Tr key={rebuild.id}>
                    <Table.Td>{changesOf(rebuild)}</Table.Td>
                    <Table.Td>
                      <Badge color={statusColors[rebuild.status]} variant="dot" tt="none" miw="max-content">
                        {nameOf(rebuild.status)}
                      </Badge>
                      {rebuild.error !== null && (
                        <Text size="xs" c="red">
                          {rebuild.error}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>{number(rebuild.vectors)}</Table.Td>
                    <Table.Td>{number(rebuild.left_out)}</Table.Td>
                    <Table.Td>{money(rebuild.estimated_cost_usd)}</Table.Td>
                    <Table.Td>
                      <Time at={rebuild.created_at} />
                    </Table.Td>
                    <Table.Td>
                      <Time at={rebuild.rollback_until} />
                    </Table.Td>
                    <Table.Td>
                      <Actions rebuild={rebuild} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Card>
      )}
      <StartDialog index={index.data} opened={starts} onClose={start.close} />
    </Stack>
  );
};
