import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  Select,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Logo } from './parts/logo.tsx';
import { PageIcon } from './parts/page-icon.tsx';
import { focusSearchField, isTyping } from './parts/search-keys.ts';
import { baseUrl } from './settings.ts';
import { useSession } from './session.tsx';

const pages = [
  { to: '/', name: 'Start' },
  { to: '/indexes', name: 'Indexes' },
  { to: '/aliases', name: 'Aliases' },
  { to: '/events', name: 'Events' },
  { to: '/keys', name: 'Keys and clients' },
  { to: '/team', name: 'Team' },
  { to: '/usage', name: 'Usage' },
  { to: '/audit', name: 'Audit log', isOwners: true },
  { to: '/settings', name: 'Settings' },
] as const satisfies readonly { readonly to: string; readonly name: string; readonly isOwners?: true }[];

const ColorScheme = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" color="gray">
          Theme
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} aria-current={scheme === colorScheme}>
            {scheme === 'auto' ? 'As the system' : scheme === 'light' ? 'Light' : 'Dark'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const OrganizationSwitch = () => {
  const { organizations, organization, selectOrganization } = useSession();
  if (organizations.length < 2)
    return (
      <Text size="sm" truncate>
        {organization.organization_name}
      </Text>
    );
  return (
    <Select
      size="xs"
      aria-label="Organization"
      allowDeselect={false}
      data={organizations.map(({ organization_id: value, organization_name: label }) => ({ value, label }))}
      value={organization.organization_id}
      onChange={(id) => {
        if (id !== null) selectOrganization(id);
      }}
    />
  );
};

/** Frame of all pages: navigation, organization, person. */
export const Shell = () => {
  const { user, signOut, isOwner } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    close();
    // A new page is announced, and the keyboard goes on from its beginning.
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname, close]);
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      const [, page, indexId] = pathname.split('/');
      const to = page === 'indexes' && indexId !== undefined ? `/indexes/${indexId}/search` : '/indexes';
      void Promise.resolve(pathname === to ? undefined : navigate({ to })).then(() => focusSearchField());
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, pathname]);
  const isCurrent = (to: string): boolean => (to === '/' ? pathname === '/' : pathname.startsWith(to));
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      {/* An address with another part after # is that of another page. */}
      <Anchor
        component="button"
        type="button"
        className="skip-link"
        onClick={() => {
          main.current?.focus();
        }}
      >
        Skip to the content
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Logo size={24} />
            <Text fw={700} visibleFrom="xs">
              Strata
            </Text>
            <OrganizationSwitch />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorScheme />
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="light" radius="xl" aria-label={`Account of ${user.email}`}>
                  {user.email.slice(0, 1).toUpperCase()}
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>{user.email}</Menu.Label>
                <Menu.Item component={Link} to="/settings">
                  Sessions
                </Menu.Item>
                <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {pages
          .filter((page) => isOwner || !('isOwners' in page))
          .map(({ to, name }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={name}
              leftSection={<PageIcon name={name} />}
              active={isCurrent(to)}
              aria-current={isCurrent(to) ? 'page' : undefined}
            />
          ))}
        <NavLink href={`${baseUrl}/guides`} target="_blank" label="Guides" mt="auto" />
        <NavLink href={`${baseUrl}/docs`} target="_blank" label="API reference" />
      </AppShell.Navbar>
      <AppShell.Main ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
};
