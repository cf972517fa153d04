import { Text } from '@mantine/core';
import type { ConnectorResponse, ConnectorSync } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { number, Time } from '../parts/format.tsx';
import { Empty } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { State } from '../parts/source-state.tsx';
import { useSession } from '../session.tsx';

/** Dialog with the ended syncs of a connector. */
export const SyncHistory = ({
  indexId,
  connector,
  onClose,
}: {
  readonly indexId: string;
  readonly connector: ConnectorResponse | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const list = usePagedList<ConnectorSync>(
    ['syncs', connector?.id],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/indexes/{index_id}/connectors/{connection_id}/syncs', {
          params: {
            path: { index_id: indexId, connection_id: connector?.id ?? '' },
            query: { limit: 50, ...(cursor === undefined ? {} : { cursor }) },
          },
          signal,
        }),
      ),
    { enabled: connector !== null },
  );
  return (
    <Dialog
      title={`Syncs of ${connector?.name ?? ''}`}
      action="Close"
      opened={connector !== null}
      onClose={onClose}
      run={async () => {}}
    >
      <PagedList
        query={list}
        label="Syncs"
        keyOf={({ id }) => id}
        height="50vh"
        empty={<Empty title="No sync has ended yet" />}
        columns={[
          { name: 'Ended', width: '1fr', cell: ({ ended_at: at }) => <Time at={at} /> },
          { name: 'State', width: '1fr', cell: ({ status }) => <State state={status} /> },
          {
            name: 'Documents',
            width: '2fr',
            cell: ({
              documents_added: added,
              documents_updated: updated,
              documents_removed: removed,
              unread_items: unread,
              error,
            }) => (
              <Text size="xs">
                {`${number(added)} added, ${number(updated)} updated, ${number(removed)} removed, ${number(unread)} unread`}
                {error === null ? '' : `: ${error}`}
              </Text>
            ),
          },
        ]}
      />
    </Dialog>
  );
};
