/** Descriptions of the tags, in the order of the document. */
export const tagTexts: Readonly<Record<string, string>> = {
  Authentication: 'Sessions and access tokens.',
  Organizations: 'Organizations with their members, plan and usage.',
  'API keys': 'Keys for programs, with permissions and an optional restriction to indexes.',
  OAuth: 'OAuth clients, which exchange a secret for access tokens of one hour.',
  Indexes: 'Collections of vectors and text with a fixed number of dimensions, metric and region.',
  Versions: 'Former versions of an index: read and restored.',
  Rebuilds: 'Another model, language or engine of an index, under the same id and without a gap.',
  Vectors: 'Rows that are written directly. They are durable and searchable once the response is sent.',
  Search: 'Dense, sparse and hybrid search.',
  Files: 'Jobs that convert a file to rows: an uploaded file, or an object of a cloud provider.',
  Exports: 'All rows of an index as files, to move or keep them.',
  'Crawl jobs': 'Jobs that read web pages.',
  Connectors: 'Sources that are synchronized: drives, pages, mail, calendars, channels and custom APIs.',
  MCP: 'Tools for agents by the Model Context Protocol.',
  Webhooks: 'Signed events of indexes and file jobs, their endpoints, deliveries and history.',
  Service: 'Health and documentation of the service.',
};
