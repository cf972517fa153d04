import {
  Button,
  Checkbox,
  Grid,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { useState } from 'react';
import type { MetadataFilter, SearchResponse } from '#client';
import { ResultCard } from '../parts/chunk-card.tsx';
import { CodeTabs } from '../parts/copy.tsx';
import { FilterBuilder } from '../parts/filter-builder.tsx';
import { milliseconds } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useAllIndexes } from '../parts/use-all-indexes.ts';
import { useSession } from '../session.tsx';
import { baseUrl } from '../settings.ts';

const modes = ['hybrid', 'dense', 'sparse'] as const;
type Mode = (typeof modes)[number];

const modeNames: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid',
  dense: 'Dense: by meaning',
  sparse: 'Sparse: by words',
};

interface Query {
  readonly text: string;
  readonly topK: number;
  readonly filter: MetadataFilter | undefined;
  readonly exact: boolean;
  readonly rerank: boolean;
  readonly fusion: 'default' | 'rrf' | 'weighted';
  readonly denseWeight: number;
}

const bodyOf = (mode: Mode, { text, topK, filter, exact, rerank, fusion, denseWeight }: Query) => ({
  text,
  top_k: topK,
  include: ['text', 'metadata', 'explanation'] as const,
  ...(filter === undefined ? {} : { filter }),
  ...(exact ? { exact } : {}),
  ...(mode === 'hybrid' ? { rerank: rerank ? {} : null } : {}),
  ...(mode === 'hybrid' && fusion !== 'default'
    ? { fusion: { method: fusion, ...(fusion === 'weighted' ? { dense_weight: denseWeight } : {}) } }
    : {}),
});

const codesOf = (indexId: string, mode: Mode, query: Query): Readonly<Record<string, string>> => {
  const path = `/v1/indexes/${indexId}/search/${mode}`;
  const json = JSON.stringify(bodyOf(mode, query), null, 2);
  return {
    curl: `curl -X POST '${baseUrl}${path}' \\\n  -H "Authorization: Bearer $STRATA_API_KEY" \\\n  -H 'content-type: application/json' \\\n  -d '${json.replaceAll("'", String.raw`'\''`)}'`,
    TypeScript: `const { results } = await client.post('/v1/indexes/{index_id}/search/${mode}', {\n  params: { path: { index_id: '${indexId}' } },\n  body: ${json.replaceAll('\n', '\n  ')},\n});`,
    Python: `results = requests.post(\n    "${baseUrl}${path}",\n    headers={"Authorization": f"Bearer {os.environ['STRATA_API_KEY']}"},\n    json=json.loads(r'''${json}'''),\n).json()["results"]`,
  };
};

const useSearch = () => {
  const { client } = useSession();
  return useMutation({
    mutationFn: ({
      indexId,
      mode,
      query,
    }: {
      readonly indexId: string;
      readonly mode: Mode;
      readonly query: Query;
    }): Promise<SearchResponse> => {
      const init = {
        params: { path: { index_id: indexId } },
        body: { ...bodyOf(mode, query), include: ['text' as const, 'metadata' as const, 'explanation' as const] },
      };
      if (mode === 'dense') return client.post('/v1/indexes/{index_id}/search/dense', init);
      if (mode === 'sparse') return client.post('/v1/indexes/{index_id}/search/sparse', init);
      return client.post('/v1/indexes/{index_id}/search/hybrid', init);
    },
  });
};

type Search = ReturnType<typeof useSearch>;

const Results = ({
  indexId,
  title,
  search,
}: {
  readonly indexId: string;
  readonly title: string;
  readonly search: Search;
}) => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Group justify="space-between">
      <Title order={2} size="h5">
        {title}
      </Title>
      {search.data !== undefined && (
        <Text size="xs" c="dimmed">
          {search.data.results.length} in {milliseconds(search.data.took_ms)}
        </Text>
      )}
    </Group>
    {search.isPending && <Loading lines={3} />}
    {search.isError && <ErrorNotice error={search.error} />}
    {search.data?.results.length === 0 && <Empty title="Nothing found">Take fewer filters, or other words.</Empty>}
    {search.data?.results.map((result, at) => (
      <ResultCard key={result.id} indexId={indexId} result={result} rank={at + 1} />
    ))}
  </Stack>
);

export const SearchPage = () => {
  const { indexId } = useRouteIds();
  const [query, setQuery] = useState<Query>({
    text: '',
    topK: 10,
    filter: undefined,
    exact: false,
    rerank: true,
    fusion: 'default',
    denseWeight: 0.5,
  });
  const [view, setView] = useState<'modes' | 'branches'>('modes');
  const [mode, setMode] = useState<Mode>('hybrid');
  const [other, setOther] = useState<string | null>(null);
  const [searched, setSearched] = useState<Query | null>(null);
  const indexes = useAllIndexes();
  const [hybrid, dense, sparse, here, there] = [useSearch(), useSearch(), useSearch(), useSearch(), useSearch()];
  const change = (part: Partial<Query>): void => setQuery((before) => ({ ...before, ...part }));
  const byMode = { hybrid, dense, sparse };
  const run = (): void => {
    setSearched(query);
    if (view === 'modes') for (const each of modes) byMode[each].mutate({ indexId, mode: each, query });
    else {
      here.mutate({ indexId, mode, query });
      if (other !== null) there.mutate({ indexId: other, mode, query });
    }
  };
  return (
    <Stack>
      <Paper
        withBorder
        p="md"
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (query.text.trim() !== '') run();
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label="Query"
              placeholder="What do you want to find?"
              value={query.text}
              onChange={({ currentTarget }) => change({ text: currentTarget.value })}
            />
            <Button type="submit" disabled={query.text.trim() === ''}>
              Search
            </Button>
          </Group>
          <Group gap="md" align="flex-end">
            <SegmentedControl
              size="xs"
              aria-label="Compare"
              value={view}
              onChange={(next) => setView(next === 'branches' ? next : 'modes')}
              data={[
                { value: 'modes', label: 'Three modes' },
                { value: 'branches', label: 'Two indexes' },
              ]}
            />
            <NumberInput
              size="xs"
              w={90}
              label="Results"
              min={1}
              max={100}
              value={query.topK}
              onChange={(topK) => change({ topK: Number(topK) || 10 })}
            />
            <Select
              size="xs"
              w={150}
              label="Fusion"
              allowDeselect={false}
              value={query.fusion}
              onChange={(fusion) => change({ fusion: fusion === 'rrf' || fusion === 'weighted' ? fusion : 'default' })}
              data={[
                { value: 'default', label: 'Default' },
                { value: 'rrf', label: 'Ranks (RRF)' },
                { value: 'weighted', label: 'Weighted scores' },
              ]}
            />
            {query.fusion === 'weighted' && (
              <div style={{ width: 160 }}>
                <Text size="xs">Weight of meaning {query.denseWeight}</Text>
                <Slider
                  size="sm"
                  min={0}
                  max={1}
                  step={0.05}
                  label={null}
                  value={query.denseWeight}
                  onChange={(denseWeight) => change({ denseWeight })}
                  thumbLabel="Weight of meaning"
                />
              </div>
            )}
            <Checkbox
              size="xs"
              mb={7}
              label="Exact"
              checked={query.exact}
              onChange={({ currentTarget }) => change({ exact: currentTarget.checked })}
            />
            <Checkbox
              size="xs"
              mb={7}
              label="Rerank"
              checked={query.rerank}
              onChange={({ currentTarget }) => change({ rerank: currentTarget.checked })}
            />
            {view === 'branches' && (
              <>
                <Select
                  size="xs"
                  w={110}
                  label="Mode"
                  allowDeselect={false}
                  data={[...modes]}
                  value={mode}
                  onChange={(next) => setMode(modes.find((each) => each === next) ?? 'hybrid')}
                />
                <Select
                  size="xs"
                  w={200}
                  label="Other index"
                  searchable
                  data={(indexes.data ?? [])
                    .filter(({ id }) => id !== indexId)
                    .map(({ id, name }) => ({ value: id, label: name }))}
                  value={other}
                  onChange={setOther}
                />
              </>
            )}
          </Group>
          <FilterBuilder onChange={(filter) => change({ filter })} />
        </Stack>
      </Paper>
      {searched === null && (
        <Empty title="Search in three ways at once">
          Results by meaning, by words and by both are shown side by side, with the share of each in the score.
        </Empty>
      )}
      {searched !== null && view === 'modes' && (
        <Grid gap="md">
          {modes.map((each) => (
            <Grid.Col key={each} span={{ base: 12, md: 4 }}>
              <Results indexId={indexId} title={modeNames[each]} search={byMode[each]} />
            </Grid.Col>
          ))}
        </Grid>
      )}
      {searched !== null && view === 'branches' && (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Results indexId={indexId} title="This index" search={here} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            {other === null ? (
              <Empty title="Choose another index to compare" />
            ) : (
              <Results indexId={other} title="Other index" search={there} />
            )}
          </Grid.Col>
        </Grid>
      )}
      {searched !== null && (
        <Paper withBorder p="md">
          <Title order={2} size="h5" mb="xs">
            As code
          </Title>
          <CodeTabs codes={codesOf(indexId, view === 'modes' ? 'hybrid' : mode, searched)} />
        </Paper>
      )}
    </Stack>
  );
};
