import { Badge, Card, Group, Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SearchResult } from '#client';
import { Id } from './copy.tsx';
import { score } from './format.tsx';

const pagesOf = ({
  page_start: start,
  page_end: end,
}: {
  readonly page_start: number | null;
  readonly page_end: number | null;
}): string => (start === null ? '' : start === end || end === null ? `page ${start}` : `pages ${start}–${end}`);

/** Where a text comes from: the file, its pages, the headings above it. */
export const SourceLine = ({
  indexId,
  file,
  headings,
}: {
  readonly indexId: string;
  readonly file: SearchResult['file'];
  readonly headings?: unknown;
}) => (
  <Group gap={6} fz="xs" c="dimmed">
    {file !== null && (
      <Text
        component={Link}
        to={`/indexes/${indexId}/files/${file.job_id}`}
        size="xs"
        c="var(--mantine-color-anchor)"
        truncate
        maw={260}
      >
        {file.filename ?? file.job_id}
      </Text>
    )}
    {file !== null && pagesOf(file) !== '' && <span>{pagesOf(file)}</span>}
    {Array.isArray(headings) && headings.length > 0 && <span>{headings.join(' › ')}</span>}
  </Group>
);

/** Result of a search with the parts of its score. */
export const ResultCard = ({
  indexId,
  result,
  rank,
  onSimilar,
}: {
  readonly indexId: string;
  readonly result: SearchResult;
  readonly rank: number;
  readonly onSimilar?: () => void;
}) => {
  const { dense, sparse } = result.explanation ?? { dense: null, sparse: null };
  const shares = [
    {
      name: 'meaning',
      color: 'blue',
      share: dense?.share ?? 0,
      note: dense === null ? '' : `rank ${dense.rank}, distance ${score(dense.distance)}`,
    },
    {
      name: 'words',
      color: 'teal',
      share: sparse?.share ?? 0,
      note: sparse === null ? '' : `rank ${sparse.rank}, BM25 ${score(sparse.score)}`,
    },
  ];
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Result ${rank}`}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Group gap={6}>
          <Badge variant="default" size="sm">
            {rank}
          </Badge>
          <Text size="xs" c="dimmed">
            score {score(result.score)}
          </Text>
        </Group>
        <Id id={result.id} />
      </Group>
      <Text size="sm" className="chunk-text" lineClamp={12}>
        {result.text ?? <i>no text</i>}
      </Text>
      <SourceLine indexId={indexId} file={result.file} headings={result.metadata?.['heading_path']} />
      {shares.map(({ name, color, share, note }) =>
        note === '' ? null : (
          <div key={name}>
            <Group justify="space-between" fz="xs" mt={4}>
              <span>{name}</span>
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            </Group>
            <Progress value={share * 100} color={color} size="sm" aria-label={`Share of ${name} in the score`} />
          </div>
        ),
      )}
      {onSimilar !== undefined && (
        <Text
          component="button"
          type="button"
          size="xs"
          mt={6}
          c="var(--mantine-color-anchor)"
          style={{ background: 'none', border: 0, padding: 0 }}
          onClick={onSimilar}
        >
          Similar rows
        </Text>
      )}
    </Card>
  );
};
