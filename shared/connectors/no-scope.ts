import type { ConnectorScope } from './scope.ts';

/** Scope of a connection without one. Readers of records need no schemas. */
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
  attachments: false,
  sites: [],
  libraries: [],
  confluence_spaces: [],
  object_prefixes: [],
  include_patterns: [],
  exclude_patterns: [],
};
