/** The bundle that parses what sites answer in a process of its own: its id, and its name beside the bundle of a function. */
export const siteReaderProcess = { id: 'read-sites', file: 'read-sites.cjs' } as const;
