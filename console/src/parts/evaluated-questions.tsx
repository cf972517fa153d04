import { Badge, Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EvaluatedQuestion, EvaluationReport, RelevantItem, StoredQuestion } from '#client';
import { useSession } from '../session.tsx';
import { count, score } from './format.tsx';
import { Empty, ErrorNotice, Loading } from './notices.tsx';

type Run = EvaluatedQuestion['results'][number];
export type QuestionOrder = 'losses' | 'gains' | 'set';

const pageSize = 20;

/** Grades that a person gives hits, by the question. */
type Marks = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Grades of a click or key. */
const grades = { g: 2, b: 0 } as const;

const marked = (marks: Marks, query: string, id: string, grade: number): Marks =>
  new Map([...marks, [query, new Map([...(marks.get(query) ?? []), [id, grade]])]]);

/** Returns the items of a question with the grades that a person has given. */
const withMarks = ({ relevant }: StoredQuestion, given: ReadonlyMap<string, number>): RelevantItem[] => [
  ...relevant.filter(({ id }) => id === undefined || !given.has(id)),
  ...[...given].map(([id, grade]) => ({ id, grade })),
];

const gradeBadge = (grade: number | null | undefined) =>
  grade == null ? null : (
    <Badge size="xs" color={grade > 0 ? 'teal' : 'red'} variant="dot" tt="none">
      {grade > 0 ? `relevant, ${grade}` : 'irrelevant'}
    </Badge>
  );

const Hit = ({
  hit,
  rank,
  text,
  mark,
  onMark,
}: {
  readonly hit: Run['hits'][number];
  readonly rank: number;
  readonly text: string | undefined;
  readonly mark: number | undefined;
  readonly onMark: (grade: number) => void;
}) => (
  <Card
    component="article"
    withBorder
    p="xs"
    tabIndex={0}
    aria-label={`Hit ${rank}: ${hit.id}`}
    onKeyDown={({ key }) => {
      if (key === 'g' || key === 'b') onMark(grades[key]);
    }}
  >
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <Text size="xs" c="dimmed" truncate>
        {rank}. {hit.id}
      </Text>
      {gradeBadge(mark ?? hit.grade)}
    </Group>
    <Text size="sm" lineClamp={2} className="chunk-text">
      {text ?? ''}
    </Text>
    <Group gap={4}>
      <Button size="compact-xs" variant="default" onClick={() => onMark(grades.g)}>
        Good
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => onMark(grades.b)}>
        Bad
      </Button>
    </Group>
  </Card>
);

const shownHits = 5;

const Answers = ({
  run,
  title,
  texts,
  marks,
  onMark,
}: {
  readonly run: Run | undefined;
  readonly title: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly marks: ReadonlyMap<string, number> | undefined;
  readonly onMark: (id: string, grade: number) => void;
}) => (
  <section aria-label={title}>
    <Text size="sm" fw={500} mb={4}>
      {title}
      {run?.metrics == null ? '' : `, nDCG ${score(run.metrics.ndcg_at_10)}`}
    </Text>
    <Stack gap={6}>
      {(run?.hits ?? []).slice(0, shownHits).map((hit, at) => (
        <Hit
          key={hit.id}
          hit={hit}
          rank={at + 1}
          text={texts.get(hit.id)}
          mark={marks?.get(hit.id)}
          onMark={(grade) => onMark(hit.id, grade)}
        />
      ))}
      {run?.hits.length === 0 && <Text size="sm">Nothing was found.</Text>}
    </Stack>
  </section>
);

/** Returns the texts of the hits of some questions, in the index and in what it is compared to. */
const useTexts = (report: EvaluationReport, questions: readonly EvaluatedQuestion[]) => {
  const { client, organization } = useSession();
  const { id, index_id: indexId, compare_to: comparedTo } = report;
  const textsOf = async (index: string, content: Run['content']): Promise<ReadonlyMap<string, string>> => {
    const runs = questions.flatMap(({ results }) => results.filter((run) => run.content === content));
    const ids = [...new Set(runs.flatMap(({ hits }) => hits.slice(0, shownHits).map((hit) => hit.id)))];
    if (ids.length === 0) return new Map();
    const params = { path: { index_id: index } };
    const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', { params, body: { ids } });
    return new Map(vectors.map((row) => [row.id, row.text ?? '']));
  };
  const other = comparedTo?.startsWith('idx_') === true ? comparedTo : indexId;
  const found = useQuery({
    queryKey: [organization.organization_id, 'evaluated-texts', id, questions.map(({ query }) => query)],
    queryFn: async () => ({ index: await textsOf(indexId, 'index'), compared: await textsOf(other, 'compared') }),
    enabled: questions.length > 0,
  });
  return found.data ?? { index: new Map<string, string>(), compared: new Map<string, string>() };
};

/** Stores marks as a version of the golden set. */
const useSaveMarks = (report: EvaluationReport, onSaved: () => void) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (marks: Marks) => {
      const params = { path: { index_id: report.index_id, golden_set: report.golden_set } };
      const path = '/v1/indexes/{index_id}/golden-sets/{golden_set}';
      const stored = await client.get(path, { params });
      const body = stored.map((question) => ({
        ...question,
        relevant: withMarks(question, marks.get(question.query) ?? new Map()),
      }));
      await client.put(path, { params, body });
      await queries.invalidateQueries({ queryKey: [organization.organization_id, 'golden-sets'] });
    },
    onSuccess: onSaved,
  });
};

/** Questions of an evaluation with their answers side by side, which a person can judge. */
export const EvaluatedQuestions = ({
  report,
  order,
  onOrder,
}: {
  readonly report: EvaluationReport;
  readonly order: QuestionOrder;
  readonly onOrder: (order: QuestionOrder) => void;
}) => {
  const { client, organization } = useSession();
  const [marks, setMarks] = useState<Marks>(new Map());
  const saving = useSaveMarks(report, () => setMarks(new Map()));
  const list = useInfiniteQuery({
    queryKey: [organization.organization_id, 'evaluated-questions', report.id, order],
    queryFn: ({ pageParam }) =>
      client.get('/v1/indexes/{index_id}/evaluations/{evaluation_id}/questions', {
        params: {
          path: { index_id: report.index_id, evaluation_id: report.id },
          query: { sort: order, limit: pageSize, offset: pageParam },
        },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageSize ? null : pages.length * pageSize),
  });
  const questions = list.data?.pages.flat() ?? [];
  const texts = useTexts(report, questions);
  const marksCount = [...marks.values()].reduce((sum, { size }) => sum + size, 0);
  const titles = { index: 'Index', compared: 'Compared' } as const;
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Order of the questions"
          value={order}
          onChange={(next) => onOrder(next === 'gains' || next === 'set' ? next : 'losses')}
          data={[
            { value: 'losses', label: 'Losses' },
            { value: 'gains', label: 'Gains' },
            { value: 'set', label: 'All' },
          ]}
        />
        {marksCount > 0 && (
          <Button size="xs" loading={saving.isPending} onClick={() => saving.mutate(marks)}>
            Save {count(marksCount, 'mark')}
          </Button>
        )}
      </Group>
      {saving.isError && <ErrorNotice error={saving.error} />}
      {list.isPending && <Loading lines={4} />}
      {list.isError && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && questions.length === 0 && (
        <Empty title={order === 'gains' ? 'No question gains' : 'No question loses'}>Look at all questions.</Empty>
      )}
      {questions.map((question) => (
        <Card key={question.query} withBorder component="section" aria-label={question.query}>
          <Group justify="space-between" mb="xs">
            <Text fw={500}>{question.query}</Text>
            {question.change !== null && (
              <Badge color={question.change < 0 ? 'red' : 'teal'} variant="dot" tt="none">
                {question.change > 0 ? '+' : ''}
                {score(question.change)}
              </Badge>
            )}
          </Group>
          <SimpleGrid cols={{ base: 1, sm: Math.min(2, question.results.length) }}>
            {question.results.map((run) => (
              <Answers
                key={`${run.search} ${run.content}`}
                run={run}
                title={report.compare_to === null ? run.search : `${titles[run.content]}: ${run.search}`}
                texts={texts[run.content]}
                marks={marks.get(question.query)}
                onMark={(id, grade) => setMarks(marked(marks, question.query, id, grade))}
              />
            ))}
          </SimpleGrid>
        </Card>
      ))}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Stack>
  );
};
