import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectorChoice, ConnectorResponse } from '#client';
import { Empty } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useSession } from '../session.tsx';

/** Providers whose sources list what a scope can contain. */
export const choosable: ReadonlySet<string> = new Set([
  'slack',
  'notion',
  'google_drive',
  'sharepoint',
  'one_drive',
  'confluence',
  'aws_s3',
  'gcs',
  'azure_blob',
]);

/** Providers whose scope can include files of messages and pages. */
export const withAttachments: ReadonlySet<string> = new Set(['slack', 'notion', 'confluence']);

type Place = { readonly name: string; readonly parent: string };

/** Lists the choices of a source for a scope, level by level. */
export const ScopeChoices = ({
  indexId,
  connector,
  isChosen,
  onChoose,
}: {
  readonly indexId: string;
  readonly connector: ConnectorResponse;
  readonly isChosen: (choice: ConnectorChoice) => boolean;
  readonly onChoose: (choice: ConnectorChoice) => void;
}) => {
  const { client } = useSession();
  const [path, setPath] = useState<readonly Place[]>([]);
  const parent = path.at(-1)?.parent;
  const list = usePagedList<ConnectorChoice>(['choices', connector.id, parent ?? ''], async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/indexes/{index_id}/connectors/{connection_id}/choices', {
        params: {
          path: { index_id: indexId, connection_id: connector.id },
          query: { ...(parent === undefined ? {} : { parent }), ...(cursor === undefined ? {} : { cursor }) },
        },
        signal,
      }),
    ),
  );
  return (
    <>
      <Breadcrumbs>
        <Anchor component="button" type="button" size="xs" onClick={() => setPath([])}>
          {connector.name}
        </Anchor>
        {path.map(({ name, parent: at }, depth) => (
          <Anchor key={at} component="button" type="button" size="xs" onClick={() => setPath(path.slice(0, depth + 1))}>
            {name}
          </Anchor>
        ))}
      </Breadcrumbs>
      <PagedList
        query={list}
        label="Choices"
        keyOf={({ field, id, parent: below }) => `${field} ${id} ${below}`}
        height="30vh"
        empty={<Empty title="The source lists nothing here" />}
        columns={[
          {
            name: 'Name',
            width: '2fr',
            cell: ({ name, parent: below, accessible }) => (
              <>
                {below === null ? (
                  <Text size="xs">{name}</Text>
                ) : (
                  <Anchor
                    component="button"
                    type="button"
                    size="xs"
                    onClick={() => setPath([...path, { name, parent: below }])}
                  >
                    {name}
                  </Anchor>
                )}
                {!accessible && (
                  <Text size="xs" c="dimmed">
                    Invite the app first
                  </Text>
                )}
              </>
            ),
          },
          {
            name: 'In the scope',
            width: '1fr',
            cell: (choice) =>
              choice.field !== null && (
                <Group>
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={isChosen(choice)}
                    aria-label={`${isChosen(choice) ? 'Added' : 'Add'} ${choice.name}`}
                    onClick={() => onChoose(choice)}
                  >
                    {isChosen(choice) ? 'Added' : 'Add'}
                  </Button>
                </Group>
              ),
          },
        ]}
      />
    </>
  );
};
