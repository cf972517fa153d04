import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session.tsx';

/** Loads the figures of an index, at most every half a minute. */
export const useIndexStats = (indexId: string) => {
  const { client } = useSession();
  return useQuery({
    queryKey: ['stats', indexId],
    queryFn: () => client.get('/v1/indexes/{index_id}/stats', { params: { path: { index_id: indexId } } }),
    staleTime: 30_000,
  });
};

/** Badge of an index that is nearly full or full. */
export const Fullness = ({ ratio }: { readonly ratio: number }) => {
  if (ratio < 0.8) return null;
  return ratio < 1 ? (
    <Badge component="span" color="yellow">
      {Math.floor(100 * ratio)} % full
    </Badge>
  ) : (
    <Badge component="span" color="red">
      Full
    </Badge>
  );
};
