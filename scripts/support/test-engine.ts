/** Engine of the indexes that tests create, if a run of `npm run test:engines` names one. */
export const testEngine = process.env['STRATA_TEST_ENGINE'];

/** Shares of requests to the vector service that fail in such a run. */
export const engineFaults = { throttled: 0.3, lost: 0.05, seed: 76 };

/** Returns the body of a request that creates an index, with the engine of this run. */
export const withTestEngine = <Body extends object>(body: Body): Body =>
  testEngine === undefined ? body : { engine: testEngine, ...body };

/** Tests of a feature that the engine lacks, by title. The value is the feature, or the difference that the test is about. */
export const skippedOnVectors: Readonly<Record<string, string>> = {
  'an index is created with the documented defaults, announced, renamed, and gone when deleted': 'the default engine',
  'a branch and its parent do not see each other’s changes, at any depth, and a branch outlives its parent': 'branches',
  'Markdown, plain text and HTML are found by their content under their headings': 'phrases',
  'null counts as absent in the optional fields of a request': 'recall',
  'words with typographic apostrophes and invisible characters are found and returned as they were written':
    'the analyzer',
  'POST /v1/indexes/{index_id}/branches': 'branches',
  'an unknown field of the creation of an index, a branch or a file job is ignored': 'branches',
  'GET /v1/indexes/{index_id}/diff': 'branches',
  'POST /v1/indexes/{index_id}/promote': 'branches',
  'GET /v1/indexes/{index_id}/versions': 'versions',
  'POST /v1/indexes/{index_id}/restore': 'versions',
  'POST /v1/indexes/{index_id}/recall': 'recall',
  '422: measurements of recall on an index': 'recall',
  'a list of vectors by filter returns the matching rows page by page, and refuses an invalid filter':
    'pages with fewer rows than their limit',
  'DELETE /v1/indexes/{index_id}/exports/{export_id}': 'exports that end soon although requests fail',
  '413: a response above the payload limit, while a list returns fewer rows per page':
    'large writes that end soon although requests fail',
  'docs/handbook/04-branches.md': 'branches',
  'docs/search.md': 'recall',
};
