import { useParams } from '@tanstack/react-router';

/** Ids in the address of a page: those of the index and of the file job. Empty if the page has none. */
export const useRouteIds = (): { readonly indexId: string; readonly jobId: string } => {
  const parameters: unknown = useParams({ strict: false });
  const { indexId = '', jobId = '' } = parameters as { readonly indexId?: string; readonly jobId?: string };
  return { indexId, jobId };
};
