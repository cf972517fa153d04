import { Badge, Card, Group, Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SearchResult } from '#client';
import { Id } from './copy.tsx';
import { score } from './format.tsx';
import { MarkedText } from './marked-text.tsx';
import { reflowed } from './reflow.ts';
import { isChunkOf, type PassageParams, type SearchParams } from './search-params.ts';
import { marksOf } from './use-search.ts';
import { nameOf } from './words.ts';

const pagesOf = ({
  page_start: start,
  page_end: end,
}: {
  readonly page_start: number | null;
  readonly page_end: number | null;
}): string => (start === null ? '' : start === end || end === null ? `Page ${start}` : `Pages ${start}–${end}`);

/** Where a text comes from: the file, its pages, the headings above it. */
export const SourceLine = ({
  indexId,
  file,
  headings,
  search,
}: {
  readonly indexId: string;
  readonly file: SearchResult['file'];
  readonly headings?: unknown;
  /** Passage of the file, and the search that found it. */
  readonly search?: PassageParams;
}) => (
  <Group gap={6} fz="xs" c="dimmed">
    {file !== null && (
      <Text
        size="xs"
        c="var(--mantine-color-anchor)"
        truncate
        maw={260}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/indexes/$indexId/files/$jobId"
            params={{ indexId, jobId: file.job_id }}
            search={search ?? {}}
          />
        )}
      >
        {file.filename ?? file.job_id}
      </Text>
    )}
    {file !== null && pagesOf(file) !== '' && <span>{pagesOf(file)}</span>}
    {Array.isArray(headings) && headings.length > 0 && <span>{headings.join(' › ')}</span>}
  </Group>
);

/** Parts of the score of a result. */
export const RankParts = ({ result }: { readonly result: SearchResult }) => {
  const { dense, sparse } = result.explanation ?? { dense: null, sparse: null };
  const { rerank } = result.scores ?? {};
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
    <>
      {shares.map(({ name, color, share, note }) =>
        note === '' ? null : (
          <div key={name}>
            <Group justify="space-between" fz="xs" mt={4}>
              <span>{nameOf(name)}</span>
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            </Group>
            <Progress value={share * 100} color={color} size="sm" aria-label={`Share of ${name} in the score`} />
          </div>
        ),
      )}
      {rerank != null && (
        <Group justify="space-between" fz="xs" mt={4}>
          <span>Reranker</span>
          <Text size="xs" c="dimmed">
            {score(rerank)}
          </Text>
        </Group>
      )}
    </>
  );
};

/** Result of a search with the parts of its score. Its link opens the file at the passage. */
export const ResultCard = ({
  indexId,
  result,
  rank,
  params,
}: {
  readonly indexId: string;
  readonly result: SearchResult;
  readonly rank: number;
  /** The search that found it. */
  readonly params: SearchParams;
}) => {
  const { file, text } = result;
  return (
    <Card
      withBorder
      padding="sm"
      component="article"
      aria-label={`Result ${rank}`}
      className="row-button"
      style={{ cursor: 'auto' }}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget)
          event.currentTarget.querySelector('a')?.click();
      }}
    >
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Group gap={6}>
          <Badge variant="default" size="sm">
            {rank}
          </Badge>
          <Text size="xs" c="dimmed">
            Score {score(result.score)}
          </Text>
        </Group>
        <Id id={result.id} />
      </Group>
      <Text size="sm" className="chunk-text" lineClamp={12}>
        {text == null ? <i>No text</i> : <MarkedText text={reflowed(text, file)} marks={marksOf(result)} />}
      </Text>
      <SourceLine
        indexId={indexId}
        file={file}
        headings={result.metadata?.['heading_path']}
        search={file !== null && isChunkOf(file.job_id, result.id) ? { ...params, row: result.id } : {}}
      />
      <RankParts result={result} />
    </Card>
  );
};
