import type { FileJobStatus } from '#client';

/** States of a file job with their colors. */
export const statusColors: Readonly<Record<FileJobStatus, string>> = {
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

export const jobStatuses = Object.keys(statusColors) as readonly FileJobStatus[];

export const isOpenJob = (status: FileJobStatus): boolean => /^(?:awaiting_upload|queued|processing)$/.test(status);
