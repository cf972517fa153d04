import { Badge } from '@mantine/core';
import { nameOf } from './words.ts';

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
    {nameOf(state)}
  </Badge>
);
