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
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ResultCard } from '../parts/chunk-card.tsx';
import { CodeTabs } from '../parts/copy.tsx';
import { FilterBuilder } from '../parts/filter-builder.tsx';
import { milliseconds } from '../parts/format.tsx';
import { Empty, ErrorNotice, Loading } from '../parts/notices.tsx';
import { pastQueries, rememberQuery } from '../parts/search-history.ts';
import { moveByArrow } from '../parts/search-keys.ts';
import { useRouteIds } from '../parts/route-ids.ts';
import {
  bodyOf,
  fusions,
  type Mode,
  modes,
  paramsOf,
  type SearchParams,
  type SearchState,
  stateOf,
} from '../parts/search-params.ts';
import { type Results, useResults } from '../parts/use-search.ts';
import { useIndexOptions } from '../parts/indexes.tsx';
import { useSession } from '../session.tsx';
import { baseUrl } from '../settings.ts';

const modeNames: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid',
  dense: 'Dense: by meaning',
  sparse: 'Sparse: by words',
};

const codesOf = (indexId: string, mode: Mode, query: SearchState): Readonly<Record<string, string>> => {
  const path = `/v1/indexes/${indexId}/search/${mode}`;
  const json = JSON.stringify(bodyOf(mode, query), null, 2);
  return {
    curl: `curl -X POST '${baseUrl}${path}' \\\n  -H "Authorization: Bearer $STRATA_API_KEY" \\\n  -H 'content-type: application/json' \\\n  -d '${json.replaceAll("'", String.raw`'\''`)}'`,
    TypeScript: `const { results } = await client.post('/v1/indexes/{index_id}/search/${mode}', {\n  params: { path: { index_id: '${indexId}' } },\n  body: ${json.replaceAll('\n', '\n  ')},\n});`,
    Python: `results = requests.post(\n    "${baseUrl}${path}",\n    headers={"Authorization": f"Bearer {os.environ['STRATA_API_KEY']}"},\n    json=json.loads(r'''${json}'''),\n).json()["results"]`,
  };
};

const ResultList = ({
  indexId,
  title,
  results,
  params,
}: {
  readonly indexId: string;
  readonly title: string;
  readonly results: Results;
  readonly params: SearchParams;
}) => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Group justify="space-between">
      <Title order={2} size="h5">
        {title}
      </Title>
      {results.data !== undefined && (
        <Text size="xs" c="dimmed">
          {results.data.results.length} in {milliseconds(results.data.took_ms)}
        </Text>
      )}
    </Group>
    {results.isFetching && results.data === undefined && <Loading lines={3} />}
    {results.isError && <ErrorNotice error={results.error} />}
    {results.data?.results.length === 0 && <Empty title="Nothing found">Take fewer filters, or other words.</Empty>}
    {results.data?.results.map((result, at) => (
      <ResultCard key={result.id} indexId={indexId} result={result} rank={at + 1} params={params} />
    ))}
  </Stack>
);

const SearchForm = ({
  indexId,
  initial,
  onSearch,
}: {
  readonly indexId: string;
  readonly initial: SearchState;
  readonly onSearch: (state: SearchState) => void;
}) => {
  const [state, setState] = useState(initial);
  const [shown, setShown] = useState(initial);
  // On the way back, the form shows the search of the address again.
  if (JSON.stringify(shown) !== JSON.stringify(initial)) {
    setShown(initial);
    setState(initial);
  }
  const { client, organization } = useSession();
  const options = useIndexOptions(client, organization.organization_id, state.other === null ? [] : [state.other]);
  const change = (part: Partial<SearchState>): void => setState((before) => ({ ...before, ...part }));
  return (
    <Paper
      withBorder
      p="md"
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (state.q.trim() !== '') onSearch(state);
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            label="Query"
            placeholder="What do you want to find?"
            data-search
            list="past-queries"
            autoComplete="off"
            value={state.q}
            onChange={({ currentTarget }) => change({ q: currentTarget.value })}
          />
          <datalist id="past-queries">
            {pastQueries(indexId).map((query) => (
              <option key={query} value={query} />
            ))}
          </datalist>
          <Button type="submit" disabled={state.q.trim() === ''}>
            Search
          </Button>
        </Group>
        <Group gap="md" align="flex-end">
          <SegmentedControl
            size="xs"
            aria-label="Compare"
            value={state.view}
            onChange={(next) => change({ view: next === 'branches' ? next : 'modes' })}
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
            value={state.k}
            onChange={(k) => change({ k: Number(k) || 10 })}
          />
          <Select
            size="xs"
            w={150}
            label="Fusion"
            allowDeselect={false}
            value={state.fusion}
            onChange={(next) => change({ fusion: fusions.find((each) => each === next) ?? 'default' })}
            data={[
              { value: 'default', label: 'Default' },
              { value: 'rrf', label: 'Ranks (RRF)' },
              { value: 'weighted', label: 'Weighted scores' },
            ]}
          />
          {state.fusion === 'weighted' && (
            <div style={{ width: 160 }}>
              <Text size="xs">Weight of meaning {state.weight}</Text>
              <Slider
                size="sm"
                min={0}
                max={1}
                step={0.05}
                label={null}
                value={state.weight}
                onChange={(weight) => change({ weight })}
                thumbLabel="Weight of meaning"
              />
            </div>
          )}
          <Checkbox
            size="xs"
            mb={7}
            label="Exact"
            checked={state.exact}
            onChange={({ currentTarget }) => change({ exact: currentTarget.checked })}
          />
          <Checkbox
            size="xs"
            mb={7}
            label="Rerank"
            checked={state.rerank}
            onChange={({ currentTarget }) => change({ rerank: currentTarget.checked })}
          />
          {state.view === 'branches' && (
            <>
              <Select
                size="xs"
                w={110}
                label="Mode"
                allowDeselect={false}
                data={[...modes]}
                value={state.mode}
                onChange={(next) => change({ mode: modes.find((each) => each === next) ?? 'hybrid' })}
              />
              <Select
                size="xs"
                w={200}
                label="Other index"
                {...options.props}
                data={options.props.data.filter((option) => option.value !== indexId)}
                value={state.other}
                onChange={(other) => change({ other })}
              />
            </>
          )}
        </Group>
        <FilterBuilder
          key={JSON.stringify(initial.filter)}
          indexId={indexId}
          initial={initial.filter}
          onChange={(filter) => change({ filter })}
        />
      </Stack>
    </Paper>
  );
};

/** Search whose whole state is in the address, so that links and the way back show the same. */
export const SearchPage = () => {
  const { indexId } = useRouteIds();
  const state = stateOf(useSearch({ strict: false }));
  const params = paramsOf(state);
  const navigate = useNavigate();
  const { view, mode, other } = state;
  const [isByMode, isSearched] = [view === 'modes', state.q.trim() !== ''];
  const byMode = {
    hybrid: useResults(indexId, 'hybrid', state, isByMode),
    dense: useResults(indexId, 'dense', state, isByMode),
    sparse: useResults(indexId, 'sparse', state, isByMode),
  };
  const here = useResults(indexId, mode, state, !isByMode);
  const there = useResults(other ?? indexId, mode, state, !isByMode && other !== null);
  const shown = isByMode ? Object.values(byMode) : [here, ...(other === null ? [] : [there])];
  const search = (next: SearchState): void => {
    rememberQuery(indexId, next.q.trim());
    if (JSON.stringify(paramsOf(next)) === JSON.stringify(params)) for (const each of shown) void each.refetch();
    else void navigate({ to: `/indexes/${indexId}/search`, search: paramsOf(next) });
  };
  return (
    <Stack
      onKeyDown={(event) => {
        if (moveByArrow(event.key, event.target as Element, event.currentTarget)) event.preventDefault();
      }}
    >
      <SearchForm indexId={indexId} initial={state} onSearch={search} />
      {!isSearched &&
        (isByMode ? (
          <Empty title="Search in three ways at once">
            Results by meaning, by words and by both are shown side by side, with the share of each in the score. Press
            / to come here, and the arrow keys to go through results.
          </Empty>
        ) : (
          <Empty title="Search in two indexes at once">
            The same query is sent to this index and another one, such as a branch of it.
          </Empty>
        ))}
      {isSearched && isByMode && (
        <Grid gap="md">
          {modes.map((each) => (
            <Grid.Col key={each} span={{ base: 12, md: 4 }}>
              <ResultList
                indexId={indexId}
                title={modeNames[each]}
                results={byMode[each]}
                params={paramsOf({ ...state, mode: each })}
              />
            </Grid.Col>
          ))}
        </Grid>
      )}
      {isSearched && !isByMode && (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ResultList indexId={indexId} title="This index" results={here} params={params} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            {other === null ? (
              <Empty title="Choose another index to compare" />
            ) : (
              <ResultList indexId={other} title="Other index" results={there} params={params} />
            )}
          </Grid.Col>
        </Grid>
      )}
      {isSearched && (
        <Paper withBorder p="md">
          <Title order={2} size="h5" mb="xs">
            As code
          </Title>
          <CodeTabs codes={codesOf(indexId, isByMode ? 'hybrid' : mode, state)} />
        </Paper>
      )}
    </Stack>
  );
};
