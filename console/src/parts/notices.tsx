import { Alert, Anchor, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StrataError } from '#client';
import { sentenceOf } from '../../../shared/http/problem-sentence.ts';
import { nameOf } from './words.ts';

/** Problem of a request in words, with the name of its field in the API. */
interface Problem {
  readonly field: string;
  readonly sentence: string;
}

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof StrataError
    ? error.problems.map(({ loc, msg, type }) => {
        const field = loc.slice(1).findLast((part) => typeof part === 'string') ?? '';
        // Such a sentence names what it is about.
        const hasSubject = field === '' || msg.startsWith('The ');
        return { field, sentence: sentenceOf({ msg, type }, hasSubject ? null : nameOf(field)) };
      })
    : [];

/** Says what went wrong, a problem a line. */
export const sentencesOf = (error: unknown): string => {
  if (!(error instanceof StrataError)) return error instanceof Error ? error.message : String(error);
  const sentences = problemsOf(error).map(({ sentence }) => sentence);
  return sentences.length === 0 ? error.detail : sentences.join('\n');
};

/** Shows what went wrong, with the id of the request in the logs of the service. */
export const ErrorNotice = ({
  error,
  title = 'This did not work',
  retry,
}: {
  readonly error: unknown;
  readonly title?: string;
  readonly retry?: () => void;
}) => (
  <Alert color="red" title={title} role="alert" variant="light">
    <Text size="sm" className="chunk-text">
      {sentencesOf(error)}
    </Text>
    {error instanceof StrataError && error.requestId !== null && (
      <Text size="xs" mt="xs">
        Request <Code>{error.requestId}</Code>
      </Text>
    )}
    {retry !== undefined && (
      <Button size="compact-sm" variant="default" mt="sm" onClick={retry}>
        Try again
      </Button>
    )}
  </Alert>
);

/** Returns the problem of a field by the name of the field in the API, if it has one. */
export type ErrorOf = (field: string) => string | undefined;

/** Divides an error of a request between the fields that ask for their problems, and a notice of the others. */
export const divideError = (error: unknown): { readonly errorOf: ErrorOf; readonly notice: () => ReactNode } => {
  const problems = problemsOf(error);
  const shown = new Set<string>();
  return {
    errorOf: (field) => {
      shown.add(field);
      return problems.find((problem) => problem.field === field)?.sentence;
    },
    notice: () =>
      error === null || (problems.length > 0 && problems.every(({ field }) => shown.has(field))) ? null : (
        <ErrorNotice error={error} />
      ),
  };
};

/** Says what to do where there is nothing yet. */
export const Empty = ({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) => (
  <Stack align="center" gap="xs" py="xl" ta="center">
    <Text fw={600}>{title}</Text>
    {children !== undefined && (
      <Text c="dimmed" size="sm" maw={480}>
        {children}
      </Text>
    )}
    {action}
  </Stack>
);

/** Placeholder of content that loads. */
export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
    {Array.from({ length: lines }, (_, at) => (
      <Skeleton key={at} h={18} />
    ))}
  </Stack>
);

/** Title of a page with its actions. */
export const PageTitle = ({
  children,
  note,
  actions,
}: {
  readonly children: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <Group justify="space-between" align="flex-start" mb="xs" wrap="wrap">
    <div>
      <Title order={1} size="h3">
        {children}
      </Title>
      {note !== undefined && (
        <Text c="dimmed" size="sm">
          {note}
        </Text>
      )}
    </div>
    <Group gap="xs">{actions}</Group>
  </Group>
);

/** Link within the console. */
export const InnerLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Anchor component={Link} to={to} size="sm" inherit>
    {children}
  </Anchor>
);
