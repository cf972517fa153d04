import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSession } from '../session.tsx';

/** Each request reads all rows and counts as five searches, so its response is kept. */
const keptMs = 10 * 60_000;

/** Returns the metadata keys of an index with the number of rows that have each, once they are needed. */
export const useMetadataKeys = (indexId: string | null, isNeeded: boolean) => {
  const { client } = useSession();
  return useQuery({
    queryKey: ['metadata keys', indexId],
    enabled: indexId !== null && isNeeded,
    staleTime: keptMs,
    gcTime: keptMs,
    queryFn: async () => {
      const params = { path: { index_id: indexId ?? '' } };
      return (await client.post('/v1/indexes/{index_id}/metadata/describe', { params, body: {} })).keys;
    },
  });
};

/** Returns values of a metadata key that contain a text, with the number of rows that have each. */
export const useMetadataValues = (indexId: string | null, key: string, typed: string, isNeeded: boolean) => {
  const { client } = useSession();
  const [contains] = useDebouncedValue(typed.trim(), 300);
  return useQuery({
    queryKey: ['metadata values', indexId, key, contains],
    enabled: indexId !== null && key !== '' && isNeeded,
    staleTime: keptMs,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const params = { path: { index_id: indexId ?? '' } };
      const body = { key, limit: 20, ...(contains === '' ? {} : { contains }) };
      return (await client.post('/v1/indexes/{index_id}/metadata/values', { params, body })).values;
    },
  });
};
