import type { OptionsFilter } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type IndexResponse, type StrataClient, StrataError } from '#client';
import { useSession } from '../session.tsx';

/** Options of a selection. The service finds more by their names. */
const maxOptions = 20;

/** Returns the query of an index by its id. */
const indexQuery = (client: StrataClient, organizationId: string, id: string) => ({
  queryKey: [organizationId, 'index', id],
  queryFn: () => client.get('/v1/indexes/{index_id}', { params: { path: { index_id: id } } }),
});

/** Keeps indexes that a list has loaded, so that their pages need not wait for them. */
export const keepIndexes = (queries: QueryClient, organizationId: string, indexes: readonly IndexResponse[]): void => {
  for (const index of indexes) queries.setQueryData([organizationId, 'index', index.id], index);
};

/** Loads an index; nothing for null. */
export const useIndex = (indexId: string | null) => {
  const { client, organization } = useSession();
  return useQuery({
    ...indexQuery(client, organization.organization_id, indexId ?? ''),
    enabled: indexId !== null,
  });
};

// The service has searched already.
const keepAll: OptionsFilter = ({ options }) => options;

/**
 * Finds indexes by their names, for a selection among any number.
 * @param selected Ids whose names are shown.
 * @returns Properties of the selection, the selected indexes, and whether one of them does not exist.
 */
export const useIndexOptions = (client: StrataClient, organizationId: string, selected: readonly string[]) => {
  const queries = useQueryClient();
  const [searchValue, onSearchChange] = useState('');
  const [text] = useDebouncedValue(searchValue.trim(), 200);
  const { chosen, isMissing } = useQueries({
    queries: selected.map((id) => ({ ...indexQuery(client, organizationId, id), staleTime: 60_000 })),
    combine: (results) => ({
      chosen: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
      isMissing: results.some(({ error }) => error instanceof StrataError && error.status === 404),
    }),
  });
  // A selection without several values shows the name of its value in place of a searched text.
  const searched = chosen.some(({ name }) => name === text) ? '' : text;
  const found = useQuery({
    queryKey: [organizationId, 'indexes', 'named', searched],
    queryFn: async () => {
      const query = { limit: maxOptions, ...(searched === '' ? {} : { q: searched }) };
      const indexes = await client.get('/v1/indexes', { params: { query } });
      keepIndexes(queries, organizationId, indexes);
      return indexes;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const shown = new Map<string, IndexResponse>([...(found.data ?? []), ...chosen].map((index) => [index.id, index]));
  const data = [...shown.values()].map(({ id: value, name: label }) => ({ value, label }));
  return {
    chosen,
    isMissing,
    error: found.error,
    props: { data, searchable: true, searchValue, onSearchChange, filter: keepAll, nothingFoundMessage: 'None' },
  };
};

/** Name of an index, or its id until that is loaded. */
export const IndexName = ({ id }: { readonly id: string }) => useIndex(id).data?.name ?? id;

/** Names that are shown of a list. */
const shownNames = 3;

/** Names of the indexes of a credential. */
export const IndexNames = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.slice(0, shownNames).map((id, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <IndexName id={id} />
      </span>
    ))}
    {ids.length > shownNames && ` and ${ids.length - shownNames} more`}
  </>
);
