import {
  Badge,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Table,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type EvaluationReport, type EvaluationResponse, type GoldenQuestion, StrataError } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { EvaluatedQuestions } from '../parts/evaluated-questions.tsx';
import { count, number, score, Time } from '../parts/format.tsx';
import { IndexName, useIndex } from '../parts/indexes.tsx';
import type { RelevanceParams } from '../parts/list-params.ts';
import { LoggedQuestions } from '../parts/logged-questions.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const pollMs = 1_000;

const metrics = ['ndcg_at_10', 'recall_at_k', 'mrr', 'hit_at_1'] as const;
const modes = ['hybrid', 'dense', 'sparse'] as const;

type Search = NonNullable<EvaluationResponse['results']>['searches'][number];
type Estimate = Search['metrics']['mrr'];

const isUnderWay = ({ completed_at: at }: EvaluationResponse): boolean => at === null;

const signed = (value: number): string => `${value > 0 ? '+' : ''}${score(value)}`;

const Interval = ({ estimate, show = score }: { readonly estimate: Estimate; readonly show?: typeof score }) => (
  <>
    {show(estimate.mean)}{' '}
    <Text span size="xs" c="dimmed">
      {show(estimate.low)} to {show(estimate.high)}
    </Text>
  </>
);

/** Table of an evaluation: each metric with its interval, and the differences. */
const Figures = ({ results }: { readonly results: NonNullable<EvaluationResponse['results']> }) => (
  <Stack gap={4}>
    <Table.ScrollContainer minWidth={720}>
      <Table fz="sm" aria-label="Metrics">
        <Table.Thead>
          <Table.Tr>
            {['Search', ...metrics.map(nameOf)].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.searches.flatMap(({ search, content, metrics: found, difference }) => [
            <Table.Tr key={`${search} ${content}`}>
              <Table.Th scope="row">
                {search}, {content === 'index' ? 'index' : 'compared'}
              </Table.Th>
              {metrics.map((metric) => (
                <Table.Td key={metric}>
                  <Interval estimate={found[metric]} />
                </Table.Td>
              ))}
            </Table.Tr>,
            ...(difference === null
              ? []
              : [
                  <Table.Tr key={`${search} ${content} difference`}>
                    <Table.Th scope="row">Difference</Table.Th>
                    {metrics.map((metric) => (
                      <Table.Td key={metric}>
                        <Interval estimate={difference[metric]} show={signed} />
                      </Table.Td>
                    ))}
                  </Table.Tr>,
                ]),
          ])}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
    <Text size="xs" c="dimmed">
      {count(results.questions, 'question')}, {number(results.questions_left_out)} left out,{' '}
      {count(results.relevant_left_out, 'relevant item')} without a row. Intervals are of 95 %.
    </Text>
  </Stack>
);

const SetDialog = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const { indexId } = useRouteIds();
  const [name, setName] = useState('questions');
  const [lines, setLines] = useState('');
  return (
    <Dialog
      title="Store a golden set"
      action="Store"
      opened={opened}
      onClose={onClose}
      run={async () => {
        // Cast: the service checks the fields.
        const body = lines
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => JSON.parse(line) as GoldenQuestion);
        const params = { path: { index_id: indexId, golden_set: name } };
        await client.put('/v1/indexes/{index_id}/golden-sets/{golden_set}', { params, body });
        await queries.invalidateQueries({ queryKey: [organization.organization_id, 'golden-sets'] });
      }}
    >
      <TextInput label="Name" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <Textarea
        label="Questions"
        description={'One on each line: {"query": "…", "relevant": [{"id": "…"}]}'}
        minRows={6}
        autosize
        maxRows={16}
        value={lines}
        onChange={({ currentTarget }) => setLines(currentTarget.value)}
      />
    </Dialog>
  );
};

const EvaluateDialog = ({
  sets,
  opened,
  onClose,
  onStarted,
}: {
  readonly sets: readonly string[];
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const { indexId } = useRouteIds();
  const [chosen, setSet] = useState<string | null>(null);
  const [mode, setMode] = useState<(typeof modes)[number]>('hybrid');
  const [compared, setCompared] = useState<string | null>(null);
  const branches = useQuery({
    queryKey: [organization.organization_id, 'branches-of', indexId],
    queryFn: () => client.get('/v1/indexes', { params: { query: { parent_index_id: indexId } } }),
    enabled: opened,
  });
  const set = chosen ?? sets[0] ?? '';
  return (
    <Dialog
      title="Evaluate"
      action="Evaluate"
      opened={opened}
      onClose={onClose}
      run={async () => {
        const { id } = await client.post('/v1/indexes/{index_id}/evaluations', {
          params: { path: { index_id: indexId } },
          body: {
            golden_set: set,
            searches: [{ name: mode, mode }],
            ...(compared === null ? {} : { compare_to: compared }),
          },
        });
        await queries.invalidateQueries({ queryKey: [organization.organization_id, 'evaluations', indexId] });
        onStarted(id);
      }}
    >
      <Select label="Golden set" data={[...sets]} value={set} allowDeselect={false} onChange={setSet} />
      <Select
        label="Search"
        data={modes.map((value) => ({ value, label: nameOf(value) }))}
        value={mode}
        allowDeselect={false}
        onChange={(value) => setMode(modes.find((each) => each === value) ?? 'hybrid')}
      />
      <Select
        label="Compare with the branch"
        clearable
        data={(branches.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={compared}
        onChange={setCompared}
      />
    </Dialog>
  );
};

const retryMs = 1_000;

/** Promotes the branch of an evaluation, if it proves itself by the same golden set. */
const PromoteDialog = ({
  report,
  branchId,
  opened,
  onClose,
}: {
  readonly report: EvaluationReport;
  readonly branchId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const queries = useQueryClient();
  const [maxLoss, setMaxLoss] = useState(0.01);
  return (
    <Dialog
      title="Promote the branch"
      action="Promote"
      opened={opened}
      onClose={onClose}
      run={async () => {
        for (;;) {
          try {
            await client.post('/v1/indexes/{index_id}/promote', {
              params: { path: { index_id: branchId } },
              body: { require: { golden_set: report.golden_set, max_loss: maxLoss } },
            });
            break;
          } catch (error) {
            if (!(error instanceof StrataError) || error.code !== 'evaluation_running') throw error;
            await new Promise((resolve) => setTimeout(resolve, retryMs));
          }
        }
        await queries.invalidateQueries();
      }}
    >
      <Text size="sm">
        <IndexName id={branchId} /> is evaluated by {report.golden_set} first, and promoted only if it does not lose
        more.
      </Text>
      <NumberInput
        label="Allowed loss of nDCG"
        min={0.001}
        max={1}
        step={0.01}
        value={maxLoss}
        onChange={(value) => setMaxLoss(Number(value))}
      />
    </Dialog>
  );
};

/** An evaluation with its table and its questions. */
const Evaluation = ({
  id,
  params,
  onParams,
}: {
  readonly id: string;
  readonly params: RelevanceParams;
  readonly onParams: (params: RelevanceParams) => void;
}) => {
  const { client, organization } = useSession();
  const { indexId } = useRouteIds();
  const [promotes, promotion] = useDisclosure();
  const found = useQuery({
    queryKey: [organization.organization_id, 'evaluation', id],
    queryFn: () =>
      client.get('/v1/indexes/{index_id}/evaluations/{evaluation_id}', {
        params: { path: { index_id: indexId, evaluation_id: id } },
      }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pollMs : false),
  });
  const compared = useIndex(found.data?.compare_to?.startsWith('idx_') === true ? found.data.compare_to : null);
  if (found.isPending) return <Loading lines={4} />;
  if (found.isError) return <ErrorNotice error={found.error} retry={() => void found.refetch()} />;
  const report = found.data;
  if (report.results === null)
    return report.error === null ? (
      <Text size="sm" role="status">
        {number(report.searches_done)} of {number(report.searches_total)} searches
      </Text>
    ) : (
      <ErrorNotice error={new Error(report.error)} title="The evaluation has failed" />
    );
  const branchId = compared.data?.parent_index_id === indexId ? compared.data.id : null;
  return (
    <Stack>
      <Figures results={report.results} />
      {branchId !== null && (
        <Group>
          <Button size="xs" onClick={promotion.open}>
            Promote…
          </Button>
          <PromoteDialog report={report} branchId={branchId} opened={promotes} onClose={promotion.close} />
        </Group>
      )}
      <EvaluatedQuestions
        report={report}
        order={params.order ?? (report.compare_to === null ? 'set' : 'losses')}
        onOrder={(order) => onParams({ ...params, order })}
      />
    </Stack>
  );
};

const Evaluations = ({
  params,
  onParams,
}: {
  readonly params: RelevanceParams;
  readonly onParams: (params: RelevanceParams) => void;
}) => {
  const { client, organization } = useSession();
  const { indexId } = useRouteIds();
  const [stores, store] = useDisclosure();
  const [evaluates, evaluate] = useDisclosure();
  const path = { index_id: indexId };
  const sets = useQuery({
    queryKey: [organization.organization_id, 'golden-sets', indexId],
    queryFn: () => client.get('/v1/indexes/{index_id}/golden-sets', { params: { path } }),
  });
  const evaluations = useQuery({
    queryKey: [organization.organization_id, 'evaluations', indexId],
    queryFn: () => client.get('/v1/indexes/{index_id}/evaluations', { params: { path, query: { limit: 20 } } }),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? pollMs : false),
  });
  if (sets.isPending || evaluations.isPending) return <Loading lines={4} />;
  if (sets.isError) return <ErrorNotice error={sets.error} retry={() => void sets.refetch()} />;
  if (evaluations.isError) return <ErrorNotice error={evaluations.error} retry={() => void evaluations.refetch()} />;
  const shown = params.evaluation ?? evaluations.data[0]?.id ?? null;
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          {sets.data.map(({ name, questions }) => (
            <Badge key={name} variant="default" tt="none" fw={500}>
              {name}, {count(questions, 'question')}
            </Badge>
          ))}
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={store.open}>
            Store a golden set…
          </Button>
          <Button size="xs" disabled={sets.data.length === 0} onClick={evaluate.open}>
            Evaluate…
          </Button>
        </Group>
      </Group>
      {evaluations.data.length === 0 ? (
        <Empty title="Nothing was evaluated yet">
          A golden set has questions and what they should find. An evaluation measures what is found.
        </Empty>
      ) : (
        <Table.ScrollContainer minWidth={560}>
          <Table fz="sm" aria-label="Evaluations">
            <Table.Thead>
              <Table.Tr>
                {['Golden set', 'Compared with', 'Status', 'Time', ''].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {evaluations.data.map((each) => (
                <Table.Tr key={each.id}>
                  <Table.Td>
                    {each.golden_set}, version {each.golden_set_version}
                  </Table.Td>
                  <Table.Td>{each.compare_to === null ? '–' : <ComparedName id={each.compare_to} />}</Table.Td>
                  <Table.Td>{nameOf(each.status)}</Table.Td>
                  <Table.Td>
                    <Time at={each.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <Button
                      size="compact-xs"
                      variant={each.id === shown ? 'filled' : 'default'}
                      aria-pressed={each.id === shown}
                      onClick={() => onParams({ evaluation: each.id })}
                    >
                      Show
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {shown !== null && <Evaluation key={shown} id={shown} params={params} onParams={onParams} />}
      <SetDialog opened={stores} onClose={store.close} />
      <EvaluateDialog
        sets={sets.data.map(({ name }) => name)}
        opened={evaluates}
        onClose={evaluate.close}
        onStarted={(evaluation) => onParams({ evaluation })}
      />
    </Stack>
  );
};

const ComparedName = ({ id }: { readonly id: string }) => (id.startsWith('idx_') ? <IndexName id={id} /> : id);

/** Golden sets and evaluations of an index, and the questions that were asked. */
export const RelevancePage = () => {
  const { indexId } = useRouteIds();
  const index = useIndex(indexId);
  const navigate = useNavigate();
  const params: RelevanceParams = useSearch({ strict: false });
  const onParams = (next: RelevanceParams): void => {
    void navigate({ to: '/indexes/$indexId/relevance', params: { indexId }, search: next });
  };
  if (index.data === undefined) return <Loading />;
  return (
    <Tabs
      value={params.log === undefined ? 'evaluations' : 'asked'}
      onChange={(to) => onParams(to === 'asked' ? { log: 'frequent' } : {})}
    >
      <Tabs.List aria-label="Parts of the page" mb="md">
        <Tabs.Tab value="evaluations">Evaluations</Tabs.Tab>
        <Tabs.Tab value="asked">Questions asked</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="evaluations">
        {params.log === undefined && <Evaluations params={params} onParams={onParams} />}
      </Tabs.Panel>
      <Tabs.Panel value="asked">
        {params.log !== undefined && (
          <LoggedQuestions index={index.data} kind={params.log} onKind={(log) => onParams({ log })} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
};
