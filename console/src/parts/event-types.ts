import type { EventStatus, EventType } from '#client';

const types: Readonly<Record<EventType, true>> = {
  'index.created': true,
  'index.updated': true,
  'index.capacity_warning': true,
  'index.erased': true,
  'index.rebuild.completed': true,
  'index.rebuild.failed': true,
  'file.processing.started': true,
  'file.processing.completed': true,
  'file.processing.failed': true,
  'file.expired': true,
  'export.completed': true,
  'export.failed': true,
  'webhook.endpoint.disabled': true,
  'audit.recorded': true,
};

export const eventTypes = Object.keys(types) as readonly EventType[];

export const eventStatuses: readonly EventStatus[] = ['recorded', 'dispatched', 'failed'];
