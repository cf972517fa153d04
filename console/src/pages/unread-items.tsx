import { Modal, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ConnectorResponse } from '#client';
import { ErrorNotice, Loading } from '../parts/notices.tsx';
import { useSession } from '../session.tsx';

/** Dialog with the items that a connector could not read. */
export const UnreadItems = ({
  indexId,
  connector,
  onClose,
}: {
  readonly indexId: string;
  readonly connector: ConnectorResponse | null;
  readonly onClose: () => void;
}) => {
  const { client } = useSession();
  const list = useQuery({
    queryKey: ['unread', connector?.id],
    enabled: connector !== null,
    queryFn: () =>
      client.get('/v1/indexes/{index_id}/connectors/{connection_id}/unread-items', {
        params: { path: { index_id: indexId, connection_id: connector?.id ?? '' }, query: { limit: 1000 } },
      }),
  });
  return (
    <Modal
      size="lg"
      opened={connector !== null}
      onClose={onClose}
      title={`What ${connector?.name ?? ''} could not read`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {list.isPending && <Loading />}
      {list.isError && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      <Table fz="sm">
        <Table.Tbody>
          {(list.data ?? []).map((item) => (
            <Table.Tr key={item.id}>
              <Table.Td>
                {item.name ?? item.document_id}
                <Text size="xs" c="dimmed">
                  {item.reason}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
};
