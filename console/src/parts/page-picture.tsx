import { ActionIcon, Box, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SearchCitation, StrataError } from '#client';
import { useSession } from '../session.tsx';
import { ErrorNotice } from './notices.tsx';

/** Width of a picture in pixels: twice that of its place, for screens of high resolution. */
const pictureWidth = 1_400;

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture could not be read')));
    reader.readAsDataURL(blob);
  });

/** Whether a file has no pictures of its pages, which is no failure. */
const hasNone = (error: unknown): boolean => error instanceof StrataError && error.status === 409;

/** Picture of a page with boxes over the places of a text. */
export const PagePicture = ({
  indexId,
  jobId,
  page,
  pages,
  attachment,
  regions,
  onPage,
}: {
  readonly indexId: string;
  readonly jobId: string;
  readonly page: number;
  /** Number of pages; undefined if it is not known. */
  readonly pages: number | undefined;
  /** Name of a file within the file whose page it is. */
  readonly attachment: string | undefined;
  readonly regions: SearchCitation['regions'];
  readonly onPage: (page: number) => void;
}) => {
  const { client } = useSession();
  const picture = useQuery({
    queryKey: ['page', indexId, jobId, attachment, page],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const { data = new Blob() } = await client.api.GET('/v1/indexes/{index_id}/files/{job_id}/pages/{picture}', {
        params: {
          path: { index_id: indexId, job_id: jobId, picture: `${page}.png` },
          query: { width: pictureWidth, ...(attachment === undefined ? {} : { attachment }) },
        },
        parseAs: 'blob',
        signal,
      });
      return toDataUrl(data);
    },
  });
  if (hasNone(picture.error))
    return (
      <Text size="sm" c="dimmed">
        {(picture.error as StrataError).detail}
      </Text>
    );
  return (
    <>
      <Group justify="space-between" mb={4}>
        <Text size="sm">
          Page {page}
          {pages === undefined ? '' : ` of ${pages}`}
        </Text>
        <Group gap={4}>
          <ActionIcon variant="default" aria-label="Page before" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            ‹
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label="Next page"
            disabled={pages !== undefined && page >= pages}
            onClick={() => onPage(page + 1)}
          >
            ›
          </ActionIcon>
        </Group>
      </Group>
      {picture.isPending && <Skeleton height={480} aria-busy="true" />}
      {picture.isError && <ErrorNotice error={picture.error} retry={() => void picture.refetch()} />}
      {picture.data !== undefined && (
        <Box className="page-picture">
          <img src={picture.data} alt={`Page ${page}`} />
          {regions
            .filter((region) => region.page === page)
            .map(({ left, top, width, height }) => (
              <div
                key={`${left} ${top}`}
                data-region
                style={{
                  left: `${left * 100}%`,
                  top: `${top * 100}%`,
                  width: `${width * 100}%`,
                  height: `${height * 100}%`,
                }}
              />
            ))}
        </Box>
      )}
    </>
  );
};
