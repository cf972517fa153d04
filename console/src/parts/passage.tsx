import { Anchor, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SearchCitation, SearchResult, VectorRecord } from '#client';
import { RankParts } from './chunk-card.tsx';
import { score } from './format.tsx';
import { MarkedText } from './marked-text.tsx';
import { ErrorNotice, Loading } from './notices.tsx';
import { PagePicture } from './page-picture.tsx';
import { reflowed } from './reflow.ts';
import { paramsOf, type PassageParams, stateOf } from './search-params.ts';
import { marksOf, useChunksAround, useResults } from './use-search.ts';

const clock = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
};

/** Says where a text is in its file. */
const placeOf = ({ file, pages, heading_path: headings, time_start: start, time_end: end }: SearchCitation): string =>
  [
    ...(file.attachment === undefined ? [] : [file.attachment]),
    ...(pages.length === 0 ? [] : [`${pages.length > 1 ? 'Pages' : 'Page'} ${pages.join(', ')}`]),
    ...(start === undefined ? [] : [`${clock(start)}${end === undefined ? '' : `–${clock(end)}`}`]),
    ...(headings.length === 0 ? [] : [headings.join(' › ')]),
  ].join(' · ');

const Neighbour = ({
  chunk,
  result,
  isCurrent,
  indexId,
  jobId,
  params,
}: {
  readonly chunk: VectorRecord;
  readonly result: SearchResult | undefined;
  readonly isCurrent: boolean;
  readonly indexId: string;
  readonly jobId: string;
  readonly params: PassageParams;
}) => {
  const place = chunk.citation === undefined ? '' : placeOf(chunk.citation);
  return (
    <article className="passage" aria-current={isCurrent} aria-label={isCurrent ? 'Passage' : 'Neighbour'}>
      <Group gap="xs" fz="xs" c="dimmed">
        {isCurrent ? (
          <span>{place}</span>
        ) : (
          <Anchor
            size="xs"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/indexes/$indexId/files/$jobId"
                params={{ indexId, jobId }}
                search={{ ...params, row: chunk.id }}
                replace
                resetScroll={false}
              />
            )}
          >
            {place === '' ? 'Show' : place}
          </Anchor>
        )}
      </Group>
      <Text size="sm" className="chunk-text" {...(isCurrent ? {} : { c: 'dimmed' })}>
        <MarkedText text={reflowed(chunk.text ?? '', chunk.file)} marks={result === undefined ? [] : marksOf(result)} />
      </Text>
    </article>
  );
};

/** A passage of a file between its neighbours, beside the picture of its page, and why the search ranks it there. */
export const Passage = ({
  indexId,
  jobId,
  row,
  params,
  pages,
}: {
  readonly indexId: string;
  readonly jobId: string;
  readonly row: string;
  readonly params: PassageParams;
  /** Number of pages of the file; 0 without pages. */
  readonly pages: number;
}) => {
  const state = stateOf(params);
  const chunks = useChunksAround(indexId, jobId, row);
  const results = useResults(indexId, state.mode, state);
  const [turned, setTurned] = useState<{ readonly row: string; readonly page: number } | null>(null);
  if (chunks.isPending) return <Loading lines={6} />;
  if (chunks.isError) return <ErrorNotice error={chunks.error} retry={() => void chunks.refetch()} />;
  const hits = new Map((results.data?.results ?? []).map((result, at) => [result.id, { result, rank: at + 1 }]));
  const citation = chunks.data.find(({ id }) => id === row)?.citation;
  const attachment = citation?.file.attachment;
  const found = hits.get(row);
  const [first] = citation?.pages ?? [];
  const page = turned?.row === row ? turned.page : first;
  const text = (
    <Stack gap="md">
      {chunks.data.map((chunk) => (
        <Neighbour
          key={chunk.id}
          chunk={chunk}
          result={hits.get(chunk.id)?.result}
          isCurrent={chunk.id === row}
          indexId={indexId}
          jobId={jobId}
          params={params}
        />
      ))}
    </Stack>
  );
  return (
    <Paper withBorder p="md" component="section" aria-label="Passage of the file">
      <Group justify="space-between" mb="sm">
        <Title order={3} size="h5">
          Passage
        </Title>
        {state.q !== '' && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/indexes/$indexId/search"
                params={{ indexId }}
                search={paramsOf({ ...state, other: state.other === indexId ? null : state.other })}
              />
            )}
          >
            Results for “{state.q}”
          </Anchor>
        )}
      </Group>
      {found !== undefined && (
        <Stack gap={0} mb="md" maw={420} component="section" aria-label="Why it is found">
          <Text size="sm">
            Result {found.rank} of the {state.mode} search, score {score(found.result.score)}
          </Text>
          <RankParts result={found.result} />
        </Stack>
      )}
      {page === undefined || (pages === 0 && attachment === undefined) ? (
        text
      ) : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 6 }}>{text}</Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <PagePicture
              indexId={indexId}
              jobId={jobId}
              page={page}
              pages={attachment === undefined ? pages : undefined}
              attachment={attachment}
              regions={citation?.regions ?? []}
              onPage={(next) => setTurned({ row, page: next })}
            />
          </Grid.Col>
        </Grid>
      )}
    </Paper>
  );
};
