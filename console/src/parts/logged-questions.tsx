import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IndexResponse } from '#client';
import { useSession } from '../session.tsx';
import { Dialog } from './dialogs.tsx';
import { count, number, Time } from './format.tsx';
import { Empty, ErrorNotice, Loading } from './notices.tsx';

export type LoggedKind = 'frequent' | 'unanswered';

const usualDays = 30;

/** Dialog that switches the log of searches on, or changes it. */
const LogDialog = ({
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
  const [share, setShare] = useState(100 * (index.query_log?.sample ?? 1));
  const [days, setDays] = useState(index.query_log?.keep_days ?? usualDays);
  return (
    <Dialog
      title="Log searches"
      action="Save"
      opened={opened}
      onClose={onClose}
      run={async () => {
        const body = { query_log: { sample: share / 100, keep_days: days } };
        await client.patch('/v1/indexes/{index_id}', { params: { path: { index_id: index.id } }, body });
        await queries.invalidateQueries();
      }}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            An entry has the question, its hits and the credential. Questions can contain personal data.
          </Text>
          <NumberInput
            label="Percent of the searches"
            min={1}
            max={100}
            error={errorOf('sample')}
            value={share}
            onChange={(value) => setShare(Number(value))}
          />
          <NumberInput
            label="Days"
            min={1}
            max={90}
            allowDecimal={false}
            error={errorOf('keep_days')}
            value={days}
            onChange={(value) => setDays(Number(value))}
          />
        </>
      )}
    </Dialog>
  );
};

/** Questions of the log: the most frequent ones, and those without an answer. */
export const LoggedQuestions = ({
  index,
  kind,
  onKind,
}: {
  readonly index: IndexResponse;
  readonly kind: LoggedKind;
  readonly onKind: (kind: LoggedKind) => void;
}) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const [logs, log] = useDisclosure();
  const path = { index_id: index.id };
  const questions = useQuery({
    queryKey: [organization.organization_id, 'logged-questions', index.id, kind],
    queryFn: () => client.get('/v1/indexes/{index_id}/query-log/questions', { params: { path, query: { kind } } }),
  });
  const filling = useMutation({
    mutationFn: () =>
      client.post('/v1/indexes/{index_id}/golden-sets/{golden_set}/from-log', {
        params: { path: { ...path, golden_set: 'from-log' } },
        body: {},
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [organization.organization_id, 'golden-sets'] }),
  });
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Questions of the log"
          value={kind}
          onChange={(next) => onKind(next === 'unanswered' ? next : 'frequent')}
          data={[
            { value: 'frequent', label: 'Frequent' },
            { value: 'unanswered', label: 'Without an answer' },
          ]}
        />
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {index.query_log === undefined
              ? 'Searches are not logged.'
              : `${number(100 * index.query_log.sample)} % of the searches, ${count(index.query_log.keep_days, 'day')}`}
          </Text>
          <Button size="xs" variant="default" onClick={log.open}>
            Log searches…
          </Button>
          {index.query_log !== undefined && (
            <Button size="xs" variant="default" loading={filling.isPending} onClick={() => filling.mutate()}>
              Make a golden set
            </Button>
          )}
        </Group>
      </Group>
      {filling.isError && <ErrorNotice error={filling.error} />}
      {filling.isSuccess && (
        <Alert
          color="blue"
          role="status"
          title={`${filling.data.name} has ${count(filling.data.questions, 'question')}`}
        />
      )}
      {questions.isPending && <Loading lines={4} />}
      {questions.isError && <ErrorNotice error={questions.error} retry={() => void questions.refetch()} />}
      {questions.data?.length === 0 && (
        <Empty title="No questions">Switch on the log, and questions of searches appear here.</Empty>
      )}
      {questions.data !== undefined && questions.data.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table fz="sm" aria-label="Logged questions">
            <Table.Thead>
              <Table.Tr>
                {['Question', 'Searches', 'Without hits', 'Opened', 'Good', 'Bad', 'Last'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {questions.data.map((question) => (
                <Table.Tr key={question.query}>
                  <Table.Td>{question.query}</Table.Td>
                  {[question.searches, question.empty, question.clicks, question.good, question.bad].map(
                    (value, column) => (
                      <Table.Td key={column}>{number(value)}</Table.Td>
                    ),
                  )}
                  <Table.Td>
                    <Time at={question.last_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <LogDialog index={index} opened={logs} onClose={log.close} />
    </Stack>
  );
};
