import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session.tsx';

/** All indexes of the organization, for names and lists to choose from. */
export const useAllIndexes = () => {
  const { client, organization } = useSession();
  return useQuery({
    queryKey: [organization.organization_id, 'all indexes'],
    queryFn: () => Array.fromAsync(client.pages('/v1/indexes', {})),
    staleTime: 60_000,
  });
};
