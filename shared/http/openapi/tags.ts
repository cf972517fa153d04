/** What the groups of the description hold, in the order in which they are shown. */
export const tagTexts: Readonly<Record<string, string>> = {
  Authentication: 'Sessions and access tokens.',
  Organizations: 'Who works together, on which plan, and what it has used.',
  'API keys': 'Keys for programs, with permissions and, where wanted, for some indexes alone.',
  OAuth: 'Clients, which trade a secret for access tokens of one hour.',
  Indexes: 'Dense vectors and the text beside them, under one number of dimensions and one metric, in one region.',
  Vectors: 'Rows that are written directly: durable and found by the next search once answered.',
  Search: 'By meaning, by words, or by both.',
  Files: 'Jobs that turn a file into rows: one that is uploaded, or one that a cloud provider keeps.',
  'Crawl jobs': 'Jobs that read pages of the internet.',
  Connectors: 'Sources that are kept in step: drives, pages, mail, calendars, channels and APIs of your own.',
  Webhooks: 'Signed events of indexes and file jobs, where they go, and their history.',
  Service: 'The service itself.',
};
