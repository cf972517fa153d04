import { Button, Code, Drawer, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditRecordResponse } from '#client';
import { auditActions } from '../../../shared/http/audit-actions.ts';
import { type AuditFilter, type auditFilterTexts, readAuditFilter } from '../parts/audit-filter.ts';
import { Id } from '../parts/copy.tsx';
import { Time } from '../parts/format.tsx';
import { Empty, PageTitle } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { useSession } from '../session.tsx';

const startOf = (day: string, later = 0): string | undefined => {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

const queryOf = ({ action, actor, resource, from, to }: AuditFilter) => {
  const [start, end] = [startOf(from ?? ''), startOf(to ?? '', 1)];
  return {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(resource === undefined ? {} : { resource_id: resource }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
  };
};

const actorOf = ({ actor }: AuditRecordResponse): string => actor.email ?? actor.id;

const Filters = ({ filter }: { readonly filter: AuditFilter }) => {
  const navigate = useNavigate();
  const [edited, setEdited] = useState(filter);
  const field = (name: (typeof auditFilterTexts)[number], label: string, type: 'text' | 'date') => (
    <TextInput
      size="xs"
      label={label}
      type={type}
      value={edited[name] ?? ''}
      onChange={({ currentTarget }) => setEdited({ ...edited, [name]: currentTarget.value })}
    />
  );
  return (
    <Group
      component="form"
      align="flex-end"
      gap="xs"
      onSubmit={(event: React.SyntheticEvent) => {
        event.preventDefault();
        void navigate({ to: '/audit', search: readAuditFilter({ ...edited }) });
      }}
    >
      <Select
        size="xs"
        label="Action"
        placeholder="All"
        clearable
        searchable
        data={[...auditActions]}
        value={edited.action ?? null}
        onChange={(action) => setEdited(({ action: _before, ...rest }) => readAuditFilter({ ...rest, action }))}
      />
      {field('actor', 'Actor', 'text')}
      {field('resource', 'Id of a resource', 'text')}
      {field('from', 'From', 'date')}
      {field('to', 'To', 'date')}
      <Button size="xs" type="submit" variant="default">
        Apply
      </Button>
    </Group>
  );
};

const Record = ({ record }: { readonly record: AuditRecordResponse }) => {
  const { actor, resource, details } = record;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Time', record.at],
    ['Outcome', record.outcome],
    ['Actor', actorOf(record)],
    ['Credential', `${actor.kind} ${actor.id}`],
    ['Created by', actor.creators.join(' → ')],
    ['Resource', resource.name],
    ['Id', resource.id],
    ['Index', record.index_id],
    ['Address', record.source_ip],
    ['Client', record.user_agent],
    ['Request', record.request_id],
  ];
  return (
    <Stack>
      <Table fz="sm">
        <Table.Tbody>
          {facts
            .filter(([, value]) => value !== null && value !== '')
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {Object.keys(details).length > 0 && <Code block>{JSON.stringify(details, null, 2)}</Code>}
    </Stack>
  );
};

export const AuditPage = () => {
  const { client, organization } = useSession();
  const filter = readAuditFilter(useSearch({ strict: false }));
  const [opened, setOpened] = useState<AuditRecordResponse | null>(null);
  const list = usePagedList<AuditRecordResponse>(
    [organization.organization_id, 'audit', filter],
    async (cursor, signal) =>
      toPage(
        await client.api.GET('/v1/organization/audit', {
          params: { query: { limit: 100, ...queryOf(filter), ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      ),
  );
  return (
    <Stack>
      <PageTitle note="Who changed what from where, for a year.">Audit log</PageTitle>
      <Filters key={JSON.stringify(filter)} filter={filter} />
      <PagedList
        query={list}
        label="Audit log"
        keyOf={({ id }) => id}
        onOpen={setOpened}
        minWidth={760}
        empty={<Empty title="No change matches">Changes of keys, members, indexes and settings appear here.</Empty>}
        columns={[
          { name: 'At', width: '130px', cell: ({ at }) => <Time at={at} /> },
          {
            name: 'Action',
            width: 'minmax(150px, 1.5fr)',
            cell: ({ action, outcome }) => (outcome === 'succeeded' ? action : `${action} (${outcome})`),
          },
          {
            name: 'Resource',
            width: 'minmax(140px, 2fr)',
            cell: ({ resource }) =>
              resource.name !== null ? (
                <Text size="sm" truncate>
                  {resource.name}
                </Text>
              ) : resource.id === null ? (
                '–'
              ) : (
                <Id id={resource.id} />
              ),
          },
          {
            name: 'Actor',
            width: 'minmax(140px, 2fr)',
            cell: (record) =>
              record.actor.email === null ? (
                <Id id={record.actor.id} />
              ) : (
                <Text size="sm" truncate>
                  {record.actor.email}
                </Text>
              ),
          },
          { name: 'Address', width: '130px', cell: ({ source_ip: address }) => address ?? '–' },
        ]}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened?.action}
        position="right"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && <Record record={opened} />}
      </Drawer>
    </Stack>
  );
};
