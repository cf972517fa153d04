import { Badge, Button, Card, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationResponse, OrganizationMember, OrganizationRole } from '#client';
import { Dialog } from '../parts/dialogs.tsx';
import { Time } from '../parts/format.tsx';
import { Empty, ErrorNotice, PageTitle } from '../parts/notices.tsx';
import { PagedList, toPage, usePagedList } from '../parts/paged-list.tsx';
import { nameOf } from '../parts/words.ts';
import { useSession } from '../session.tsx';

const roles: readonly OrganizationRole[] = ['member', 'owner'];
const roleOf = (text: string | null): OrganizationRole => (text === 'owner' ? 'owner' : 'member');

const Members = () => {
  const { client, organization, isOwner, user } = useSession();
  const queries = useQueryClient();
  const key = [organization.organization_id, 'members'];
  const [removed, setRemoved] = useState<OrganizationMember | null>(null);
  const list = usePagedList<OrganizationMember>(key, async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/organization/members', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const change = useMutation({
    mutationFn: async ({ id, role }: { readonly id: string; readonly role: OrganizationRole }) => {
      await client.patch('/v1/organization/members/{user_id}', { params: { path: { user_id: id } }, body: { role } });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="xs">
        Members
      </Title>
      {change.isError && <ErrorNotice error={change.error} />}
      <PagedList
        query={list}
        label="Members"
        keyOf={({ user_id: id }) => id}
        height="40vh"
        empty={<Empty title="No members" />}
        columns={[
          {
            name: 'E-mail',
            width: 'minmax(180px, 2fr)',
            cell: ({ email, user_id: id }) => (
              <Text size="sm" truncate>
                {email ?? id}
                {id === user.id ? ' (you)' : ''}
              </Text>
            ),
          },
          {
            name: 'Role',
            width: '150px',
            cell: ({ user_id: id, role }) =>
              isOwner ? (
                <Select
                  size="xs"
                  aria-label="Role"
                  allowDeselect={false}
                  data={roles.map((value) => ({ value, label: nameOf(value) }))}
                  value={role}
                  onChange={(next) => change.mutate({ id, role: roleOf(next) })}
                />
              ) : (
                <Badge variant="default" tt="none">
                  {nameOf(role)}
                </Badge>
              ),
          },
          { name: 'Joined', width: '120px', cell: ({ joined_at: at }) => <Time at={at} /> },
          {
            name: 'Actions',
            width: '100px',
            cell: (member) =>
              isOwner || member.user_id === user.id ? (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => setRemoved(member)}>
                  {member.user_id === user.id ? 'Leave' : 'Remove'}
                </Button>
              ) : null,
          },
        ]}
      />
      <Dialog
        title="Remove the member"
        action="Remove"
        danger
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        run={async () => {
          await client.delete('/v1/organization/members/{user_id}', {
            params: { path: { user_id: removed?.user_id ?? '' } },
          });
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        <Text size="sm">
          {removed?.email ?? 'The person'} loses access at once. Keys that they created keep working only if they are
          allowed to.
        </Text>
      </Dialog>
    </Card>
  );
};

const Invitations = () => {
  const { client, organization, isOwner } = useSession();
  const queries = useQueryClient();
  const key = [organization.organization_id, 'invitations'];
  const [invites, invitation] = useDisclosure();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OrganizationRole>('member');
  const list = usePagedList<InvitationResponse>(key, async (cursor, signal) =>
    toPage(
      await client.api.GET('/v1/organization/invitations', {
        params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        signal,
      }),
    ),
  );
  const revoke = useMutation({
    mutationFn: async (id: string) => {
      await client.delete('/v1/organization/invitations/{invitation_id}', { params: { path: { invitation_id: id } } });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Invitations
        </Title>
        {isOwner && (
          <Button size="xs" onClick={invitation.open}>
            Invite
          </Button>
        )}
      </Group>
      {revoke.isError && <ErrorNotice error={revoke.error} />}
      <PagedList
        query={list}
        label="Invitations"
        keyOf={({ id }) => id}
        height="40vh"
        empty={<Empty title="Nobody is invited">An invited person signs in with this address and accepts.</Empty>}
        columns={[
          {
            name: 'E-mail',
            width: 'minmax(180px, 2fr)',
            cell: (each) => (
              <Text size="sm" truncate>
                {each.email}
              </Text>
            ),
          },
          { name: 'Role', width: '100px', cell: (each) => nameOf(each.role) },
          {
            name: 'State',
            width: '160px',
            cell: ({ accepted_at: accepted, expires_at: expires }) =>
              accepted === null ? (
                <>
                  Expires <Time at={expires} />
                </>
              ) : (
                <>
                  Accepted <Time at={accepted} />
                </>
              ),
          },
          {
            name: 'Actions',
            width: '100px',
            cell: ({ id, accepted_at: accepted }) =>
              isOwner && accepted === null ? (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => revoke.mutate(id)}>
                  Revoke
                </Button>
              ) : null,
          },
        ]}
      />
      <Dialog
        title="Invite a person"
        action="Invite"
        opened={invites}
        onClose={invitation.close}
        disabled={email.trim() === ''}
        run={async () => {
          await client.post('/v1/organization/invitations', { body: { email: email.trim(), role } });
          setEmail('');
          await queries.invalidateQueries({ queryKey: key });
        }}
      >
        {(errorOf) => (
          <>
            <TextInput
              type="email"
              label="E-mail"
              data-autofocus
              error={errorOf('email')}
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <Select
              label="Role"
              allowDeselect={false}
              data={roles.map((value) => ({ value, label: nameOf(value) }))}
              value={role}
              onChange={(next) => setRole(roleOf(next))}
            />
          </>
        )}
      </Dialog>
    </Card>
  );
};

const Accept = () => {
  const { client, invitations, reloadOrganizations } = useSession();
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const accept = useMutation({
    mutationFn: async (id: string) => {
      await client.post('/v1/organization/invitations/accept', { body: { invitation_id: id } });
      setAccepted([...accepted, id]);
      await reloadOrganizations();
    },
  });
  const open = invitations.filter(({ id }) => !accepted.includes(id));
  if (open.length === 0) return null;
  return (
    <Card withBorder>
      <Title order={2} size="h5" mb="xs">
        You are invited
      </Title>
      {accept.isError && <ErrorNotice error={accept.error} />}
      {open.map(({ id, organization_name: name, role }) => (
        <Group key={id} justify="space-between">
          <Text size="sm">
            {name}, as {role}
          </Text>
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate(id)}>
            Accept
          </Button>
        </Group>
      ))}
    </Card>
  );
};

export const TeamPage = () => (
  <Stack>
    <PageTitle>Team</PageTitle>
    <Accept />
    <Members />
    <Invitations />
  </Stack>
);
