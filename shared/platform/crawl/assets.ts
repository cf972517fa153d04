/** Bundle of the process that parses responses of sites: its id, and its file name beside the bundle of a function. */
export const siteReaderProcess = { id: 'read-sites', file: 'read-sites.cjs' } as const;
