import { Badge } from '@mantine/core';

const stateColors: Readonly<Record<string, string>> = {
  active: 'teal',
  completed: 'teal',
  syncing: 'blue',
  running: 'blue',
  queued: 'gray',
  paused: 'gray',
  pending_scope: 'yellow',
  cancelled: 'gray',
  error: 'red',
  failed: 'red',
};

/** State of a connector or crawl. */
export const State = ({ state }: { readonly state: string }) => (
  <Badge color={stateColors[state] ?? 'gray'} variant="dot" tt="none">
    {state.replaceAll('_', ' ')}
  </Badge>
);
