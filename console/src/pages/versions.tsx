import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionResponse } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { useIndex } from '../parts/indexes.tsx';
import { Empty } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useRouteIds } from '../parts/route-ids.ts';
import { useSession } from '../session.tsx';

const maxDays = 30;

/** Dialog that sets for how many days former versions are kept. */
const KeepDialog = ({
  days: present,
  opened,
  onClose,
}: {
  readonly days: number;
  readonly opened: boolean;
  readonly onClose: () => void;
}) => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const { indexId } = useRouteIds();
  const [days, setDays] = useState(present);
  return (
    <Dialog
      title="Keep versions"
      action="Save"
      opened={opened}
      onClose={onClose}
      run={async () => {
        const params = { path: { index_id: indexId } };
        await client.patch('/v1/indexes/{index_id}', { params, body: { version_days: days } });
        await queries.invalidateQueries({ queryKey: [organization.organization_id] });
      }}
    >
      {(errorOf) => (
        <NumberInput
          label="Days"
          description="0 keeps versions for 20 minutes. Deleted rows leave the storage a day after the versions that have them."
          min={0}
          max={maxDays}
          allowDecimal={false}
          error={errorOf('version_days')}
          value={days}
          onChange={(value) => setDays(Number(value))}
        />
      )}
    </Dialog>
  );
};

export const VersionsPage = () => {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const { indexId } = useRouteIds();
  const index = useIndex(indexId);
  const [restored, setRestored] = useState<VersionResponse | null>(null);
  const [keeps, keeping] = useDisclosure();
  const hasVersions = index.data?.features.includes('versions') ?? false;
  const list = usePagedList<VersionResponse>(
    [organization.organization_id, 'versions', indexId],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/versions', {
          params: {
            path: { index_id: indexId },
            query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      ),
    { enabled: hasVersions },
  );
  if (index.data !== undefined && !hasVersions)
    return <Empty title="No versions">The engine of this index keeps no former versions.</Empty>;
  const days = index.data?.version_days ?? 0;
  const newest = list.data?.pages[0]?.items[0]?.version;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Each change makes a version. Some are kept for {days === 1 ? 'a day' : `${days} days`}, to be searched by{' '}
        <code>as_of</code> or restored.{' '}
        <Button size="compact-xs" variant="default" onClick={keeping.open}>
          Change
        </Button>
      </Text>
      <PagedList
        query={list}
        label="Versions"
        keyOf={({ version }) => String(version)}
        empty={<Empty title="There is no version yet">Write a row or upload a file first.</Empty>}
        columns={[
          { name: 'Version', width: 'minmax(80px, 1fr)', cell: ({ version }) => number(version) },
          { name: 'Since', width: 'minmax(120px, 2fr)', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            name: 'Rows',
            width: 'minmax(80px, 1fr)',
            cell: ({ vectors }) => (vectors === null ? '–' : number(vectors)),
          },
          {
            name: 'Actions',
            width: '120px',
            cell: (version) =>
              version.version === newest ? (
                'Current'
              ) : (
                <Button size="compact-xs" variant="default" onClick={() => setRestored(version)}>
                  Restore…
                </Button>
              ),
          },
        ]}
      />
      {index.data !== undefined && <KeepDialog days={days} opened={keeps} onClose={keeping.close} />}
      <Dialog
        title={`Restore version ${restored?.version ?? ''}`}
        action="Restore"
        opened={restored !== null}
        onClose={() => setRestored(null)}
        run={async () => {
          await client.post('/v1/indexes/{index_id}/restore', {
            params: { path: { index_id: indexId } },
            body: { as_of: restored?.version ?? 0 },
          });
          await queries.invalidateQueries({ queryKey: [organization.organization_id] });
        }}
      >
        <Text size="sm">
          The index has the rows of this version again, and none that were written since. Rows of files that were
          deleted or replaced since stay away. Another restore undoes this one.
        </Text>
      </Dialog>
    </Stack>
  );
};
