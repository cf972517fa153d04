import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readAuditFilter } from './parts/audit-filter.ts';
import {
  readEventsParams,
  readFilesParams,
  readRelevanceParams,
  readRowsParams,
  readUsageParams,
} from './parts/list-params.ts';
import { readPassageParams, readSearchParams } from './parts/search-params.ts';
import { Shell } from './shell.tsx';
import { IndexLayout } from './pages/index-layout.tsx';
import { Empty, ErrorNotice, Loading } from './parts/notices.tsx';

const root = createRootRoute({ component: Shell });

const page = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const indexRoute = createRoute({ getParentRoute: () => root, path: '/indexes/$indexId', component: IndexLayout });

const tab = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => indexRoute, path, component });

const routes = root.addChildren([
  page(
    '/',
    lazyRouteComponent(() => import('./pages/start.tsx'), 'StartPage'),
  ),
  page(
    '/indexes',
    lazyRouteComponent(() => import('./pages/indexes.tsx'), 'IndexesPage'),
  ),
  page(
    '/aliases',
    lazyRouteComponent(() => import('./pages/aliases.tsx'), 'AliasesPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/events',
    validateSearch: readEventsParams,
    component: lazyRouteComponent(() => import('./pages/events.tsx'), 'EventsPage'),
  }),
  page(
    '/keys',
    lazyRouteComponent(() => import('./pages/keys.tsx'), 'KeysPage'),
  ),
  page(
    '/team',
    lazyRouteComponent(() => import('./pages/team.tsx'), 'TeamPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/usage',
    validateSearch: readUsageParams,
    component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: readAuditFilter,
    component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'AuditPage'),
  }),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
  ),
  indexRoute.addChildren([
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/',
      beforeLoad: ({ params }) => {
        // oxlint-disable-next-line typescript/only-throw-error -- the router takes a redirect as a response
        throw redirect({ to: '/indexes/$indexId/search', params, replace: true });
      },
    }),
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/search',
      validateSearch: readSearchParams,
      component: lazyRouteComponent(() => import('./pages/search.tsx'), 'SearchPage'),
    }),
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/rows',
      validateSearch: readRowsParams,
      component: lazyRouteComponent(() => import('./pages/rows.tsx'), 'RowsPage'),
    }),
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/files',
      validateSearch: readFilesParams,
      component: lazyRouteComponent(() => import('./pages/files.tsx'), 'FilesPage'),
    }),
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/files/$jobId',
      validateSearch: readPassageParams,
      component: lazyRouteComponent(() => import('./pages/file.tsx'), 'FilePage'),
    }),
    tab(
      '/branches',
      lazyRouteComponent(() => import('./pages/branches.tsx'), 'BranchesPage'),
    ),
    createRoute({
      getParentRoute: () => indexRoute,
      path: '/relevance',
      validateSearch: readRelevanceParams,
      component: lazyRouteComponent(() => import('./pages/relevance.tsx'), 'RelevancePage'),
    }),
    tab(
      '/rebuilds',
      lazyRouteComponent(() => import('./pages/rebuilds.tsx'), 'RebuildsPage'),
    ),
    tab(
      '/versions',
      lazyRouteComponent(() => import('./pages/versions.tsx'), 'VersionsPage'),
    ),
    tab(
      '/erasures',
      lazyRouteComponent(() => import('./pages/erasures.tsx'), 'ErasuresPage'),
    ),
    tab(
      '/sources',
      lazyRouteComponent(() => import('./pages/sources.tsx'), 'SourcesPage'),
    ),
    tab(
      '/exports',
      lazyRouteComponent(() => import('./pages/exports.tsx'), 'ExportsPage'),
    ),
    tab(
      '/metrics',
      lazyRouteComponent(() => import('./pages/metrics.tsx'), 'MetricsPage'),
    ),
  ]),
]);

export const router = createRouter({
  routeTree: routes,
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error }) => <ErrorNotice error={error} title="The page could not be shown" />,
  defaultNotFoundComponent: () => <Empty title="There is no such page" />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Promotion that led to the page. */
    readonly promotion?: {
      readonly id: string;
      readonly name: string;
      readonly written: number;
      readonly deleted: number;
    };
  }
}
