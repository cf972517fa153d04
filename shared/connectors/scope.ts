import * as z from 'zod';
import { boundedMap } from '../http/schema-helpers.ts';
import { DateOrTimestamp } from '../http/timestamp.ts';

const maxEntries = 1000;
const maxScopeBytes = 40 * 1024;

const SourceId = z.string().min(1).max(1024);
const SourceIds = z.array(SourceId).max(maxEntries).default([]);
const Labels = boundedMap(z.record(SourceId, z.string().max(255)), 2 * maxEntries).default({});

const After = DateOrTimestamp.nullable().default(null);

/** Scope of a connection. An update replaces it as a whole: what it omits is out of scope. */
export const ConnectorScopeUpdate = z
  .strictObject({
    folders: SourceIds.describe('Google Drive folders.'),
    files: SourceIds.describe('Google Drive files.'),
    folder_labels: Labels.describe('Display name of each folder.'),
    notion_pages: SourceIds.describe('Notion pages, each with the pages below it.'),
    notion_data_sources: SourceIds.describe('Notion data sources.'),
    notion_labels: Labels.describe('Display name of each page and data source.'),
    gmail_after: After.describe('Mail since this day or time, such as `2026-01-31`; null for all.'),
    calendar_after: After.describe('Calendar entries since this day or time; null for all.'),
    slack_channels: SourceIds.describe('Slack channels.'),
  })
  .refine((scope) => Buffer.byteLength(JSON.stringify(scope)) <= maxScopeBytes, {
    error: 'a scope may have at most 40 KiB as JSON',
  })
  .meta({
    id: 'ConnectorScopeUpdate',
    description: 'New scope of a connector.',
    examples: [{ folders: ['1q2w3e4r5t6y'], folder_labels: { '1q2w3e4r5t6y': 'Handbook' } }],
  });
export type ConnectorScope = z.output<typeof ConnectorScopeUpdate>;

/** API representation of a scope. */
export const ScopeResponse = z
  .object({
    folders: z.array(z.string()).describe('Google Drive folders.'),
    files: z.array(z.string()).describe('Google Drive files.'),
    folder_labels: z.record(z.string(), z.string()).describe('Display name of each folder.'),
    notion_pages: z.array(z.string()).describe('Notion pages, each with the pages below it.'),
    notion_data_sources: z.array(z.string()).describe('Notion data sources.'),
    notion_labels: z.record(z.string(), z.string()).describe('Display name of each page and data source.'),
    gmail_after: z.string().nullable().describe('Mail since this day or time; null: all.'),
    calendar_after: z.string().nullable().describe('Calendar entries since this day or time; null: all.'),
    slack_channels: z.array(z.string()).describe('Slack channels.'),
  })
  .meta({ id: 'ConnectorScope', description: 'Scope of a connector.' });

/** Scope of a connection without one. */
export const noScope: ConnectorScope = {
  folders: [],
  files: [],
  folder_labels: {},
  notion_pages: [],
  notion_data_sources: [],
  notion_labels: {},
  gmail_after: null,
  calendar_after: null,
  slack_channels: [],
};
