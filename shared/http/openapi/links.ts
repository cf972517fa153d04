import { toCamelCase, toPascalCase } from '../../kernel/text.ts';
import type { Schema } from './schema.ts';

/** Link from a response to an endpoint, with the expression of each of its parameters. */
interface Link {
  readonly to: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const fromPath = (name: string): string => `$request.path.${name}`;

const ofIndex = { index_id: fromPath('index_id') };

const link = (to: string, description: string, parameters: Readonly<Record<string, string>>): Link => ({
  to,
  description,
  parameters,
});

/** Links to operations on the index whose id is at `id`. */
const indexLinks = (id: string): readonly Link[] => [
  link('get-index', 'Get the index.', { index_id: id }),
  link('create-file', 'Upload a file to the index.', { index_id: id }),
  link('upsert-vectors', 'Write vectors to the index.', { index_id: id }),
  link('hybrid-search', 'Search the index.', { index_id: id }),
  link('branch-index', 'Create a branch of the index.', { index_id: id }),
  link('delete-index', 'Delete the index.', { index_id: id }),
];

/** Links to operations on the file job whose id is at `id`. */
const jobLinks = (id: string): readonly Link[] => [
  link('get-file', 'Get the job. Poll until its status is final.', { ...ofIndex, job_id: id }),
  link('list-file-tasks', 'List the tasks of the job.', { ...ofIndex, job_id: id }),
  link('get-file-processing', 'Get the duration and cost of the processing of the job.', { ...ofIndex, job_id: id }),
  link('cancel-file', 'Cancel the job.', { ...ofIndex, job_id: id }),
  link('replace-file', 'Replace the content of the job with another file.', { ...ofIndex, job_id: id }),
  link('delete-file', 'Delete the job with its rows.', { ...ofIndex, job_id: id }),
];

const crawlLinks = (id: string): readonly Link[] => [
  link('get-crawl-job', 'Get the crawl job. Poll until its status is final.', { ...ofIndex, crawl_id: id }),
  link('cancel-crawl-job', 'Cancel the crawl job.', { ...ofIndex, crawl_id: id }),
];

const connectorLinks = (id: string): readonly Link[] => [
  link('update-connector-scope', 'Select the content that the connector reads.', { ...ofIndex, connection_id: id }),
  link('resume-connector', 'Start a sync of the connector.', { ...ofIndex, connection_id: id }),
  link('delete-connector', 'Delete the connector with its rows.', { ...ofIndex, connection_id: id }),
];

const webhookLinks = (id: string): readonly Link[] => [
  link('test-webhook-endpoint', 'Send a test message to the endpoint.', { endpoint_id: id }),
  link('list-webhook-deliveries', 'List the deliveries to the endpoint.', { endpoint_id: id }),
  link('update-webhook-endpoint', 'Update or pause the endpoint.', { endpoint_id: id }),
  link('delete-webhook-endpoint', 'Delete the endpoint.', { endpoint_id: id }),
];

const bodyId = '$response.body#/id';

/** Links from the first result of a search to its file. */
const resultLinks: readonly Link[] = [
  link('get-file', 'Get the file job that wrote the first result; its `file` is null for a row without a file.', {
    ...ofIndex,
    job_id: '$response.body#/results/0/file/job_id',
  }),
];

/** Links of the response of each endpoint. */
const linksByEndpoint: Readonly<Record<string, readonly Link[]>> = {
  bootstrap: [
    link('list-indexes', 'List the indexes of the organization.', {
      'x-service-organization-id': '$response.body#/organizations/0/organization_id',
    }),
  ],
  'create-index': indexLinks(bodyId),
  'branch-index': [
    ...indexLinks(bodyId),
    link('diff-index', 'List the differences between the branch and its parent.', { index_id: bodyId }),
    link('promote-index', 'Merge the changes of the branch into its parent.', { index_id: bodyId }),
  ],
  'get-index': [link('get-index-stats', 'Get the statistics of the index.', ofIndex)],
  'promote-index': [link('get-index', 'Get the parent.', { index_id: '$response.body#/index_id' })],
  'create-file': jobLinks(bodyId),
  'replace-file': jobLinks(bodyId),
  'retry-file': jobLinks(bodyId),
  'create-import': jobLinks(bodyId),
  'get-file': jobLinks(bodyId),
  'create-crawl-job': crawlLinks(bodyId),
  'get-crawl-job': crawlLinks(bodyId),
  'create-connector': connectorLinks(bodyId),
  'create-custom-api-connector': connectorLinks(bodyId),
  'authorize-connector': [
    link('complete-connector', 'Confirm the consent with the code on the page of the service.', {
      ...ofIndex,
      provider: fromPath('provider'),
    }),
  ],
  'upsert-vectors': [
    link('fetch-vectors', 'Fetch the vectors.', ofIndex),
    link('dense-search', 'Search the index.', ofIndex),
  ],
  'dense-search': resultLinks,
  'sparse-search': resultLinks,
  'hybrid-search': resultLinks,
  'create-api-key': [link('revoke-api-key', 'Revoke the key.', { key_id: bodyId })],
  'create-oauth-client': [
    link('issue-access-token', 'Get an access token with the id and secret of the client.', {}),
    link('revoke-oauth-client', 'Revoke the client.', { client_id: '$response.body#/client_id' }),
  ],
  'create-invitation': [link('revoke-invitation', 'Revoke the invitation.', { invitation_id: bodyId })],
  'accept-invitation': [
    link('get-organization', 'Get the organization.', {
      'x-service-organization-id': '$response.body#/organization_id',
    }),
  ],
  'create-webhook-endpoint': webhookLinks(bodyId),
  'list-events': [
    link('replay-one-event', 'Replay the newest event of the page.', { event_id: '$response.body#/events/0/id' }),
  ],
};

/** Returns the links of the response of an endpoint, by name; empty if there are none. */
export const linksOf = (endpointId: string): Schema => {
  const links = linksByEndpoint[endpointId] ?? [];
  if (links.length === 0) return {};
  return {
    links: Object.fromEntries(
      links.map(({ to, description, parameters }) => [
        toPascalCase(to),
        { operationId: toCamelCase(to), description, ...(Object.keys(parameters).length > 0 ? { parameters } : {}) },
      ]),
    ),
  };
};
