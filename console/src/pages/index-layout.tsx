import { Anchor, Badge, Breadcrumbs, Group, Tabs } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Id } from '../parts/copy.tsx';
import { IndexName, useIndex } from '../parts/indexes.tsx';
import { Fullness, useIndexStats } from '../parts/index-stats.tsx';
import { ErrorNotice, Loading, PageTitle } from '../parts/notices.tsx';
import { useRouteIds } from '../parts/route-ids.ts';

const tabs = [
  'search',
  'rows',
  'files',
  'branches',
  'relevance',
  'rebuilds',
  'versions',
  'erasures',
  'sources',
  'exports',
  'metrics',
] as const;

/** Frame of the pages of one index. */
export const IndexLayout = () => {
  const { indexId } = useRouteIds();
  const index = useIndex(indexId);
  const stats = useIndexStats(indexId);
  const navigate = useNavigate();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const current = pathname.split('/')[3] ?? 'search';
  if (index.isPending) return <Loading />;
  if (index.isError) return <ErrorNotice error={index.error} retry={() => void index.refetch()} />;
  const { name, cloud_region: region, dimensions, distance_metric: metric, parent_index_id: parent } = index.data;
  const { embedding_model: model } = index.data;
  return (
    <>
      <Breadcrumbs mb={4} fz="sm">
        <Anchor component={Link} to="/indexes" size="sm">
          Indexes
        </Anchor>
        {parent != null && (
          <Anchor component={Link} to={`/indexes/${parent}`} size="sm">
            <IndexName id={parent} />
          </Anchor>
        )}
      </Breadcrumbs>
      <PageTitle
        note={
          <Group gap="xs" component="span">
            <Badge variant="default" component="span" tt="none" fw={500}>
              {region}
            </Badge>
            <span>
              {dimensions} dimensions, {metric}, {model}
            </span>
            <Fullness ratio={stats.data?.capacity?.ratio ?? 0} />
            <Id id={indexId} />
          </Group>
        }
      >
        {name}
      </PageTitle>
      <Tabs value={current} onChange={(to) => void navigate({ to: `/indexes/${indexId}/${to ?? 'search'}` })} mb="md">
        <Tabs.List aria-label="Parts of the index">
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {tab.slice(0, 1).toUpperCase() + tab.slice(1)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Outlet />
    </>
  );
};
