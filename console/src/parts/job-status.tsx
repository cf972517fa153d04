import { Badge } from '@mantine/core';
import type { FileJobStatus } from '#client';

const colors: Readonly<Record<FileJobStatus, string>> = {
  awaiting_upload: 'gray',
  queued: 'gray',
  processing: 'blue',
  completed: 'teal',
  completed_with_warnings: 'yellow',
  failed: 'red',
  cancelled: 'gray',
  expired: 'gray',
  superseded: 'gray',
};

export const jobStatuses = Object.keys(colors) as readonly FileJobStatus[];

export const statusName = (status: string): string => status.replaceAll('_', ' ');

export const isOpenJob = (status: FileJobStatus): boolean => /^(?:awaiting_upload|queued|processing)$/.test(status);

export const JobBadge = ({ status }: { readonly status: FileJobStatus }) => (
  <Badge color={colors[status]} variant="dot" tt="none" fw={500}>
    {statusName(status)}
  </Badge>
);
