import { Badge } from '@mantine/core';
import type { FileJobStatus } from '#client';
import { statusColors } from './job-statuses.ts';
import { nameOf } from './words.ts';

export const JobBadge = ({ status }: { readonly status: FileJobStatus }) => (
  <Badge color={statusColors[status]} variant="dot" tt="none" fw={500}>
    {nameOf(status)}
  </Badge>
);
