import { toCamelCase, toPascalCase } from '../../kernel/text.ts';
import type { Schema } from './schema.ts';

/** Endpoint that takes something from a response, and the expression that gives each of its parameters. */
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
  link('get-file', 'Get the job. Repeat until its status is final.', { ...ofIndex, job_id: id }),
  link('list-file-tasks', 'List the tasks of the job.', { ...ofIndex, job_id: id }),
  link('get-file-processing', 'Get what the processing of the job took.', { ...ofIndex, job_id: id }),
  link('cancel-file', 'Cancel the job.', { ...ofIndex, job_id: id }),
  link('replace-file', 'Replace the content of the job by another file.', { ...ofIndex, job_id: id }),
  link('delete-file', 'Delete the job with its rows.', { ...ofIndex, job_id: id }),
];

const crawlLinks = (id: string): readonly Link[] => [
  link('get-crawl-job', 'Get the crawl job. Repeat until its status is final.', { ...ofIndex, crawl_id: id }),
  link('cancel-crawl-job', 'Cancel the crawl job.', { ...ofIndex, crawl_id: id }),
];

const connectorLinks = (id: string): readonly Link[] => [
  link('update-connector-scope', 'Choose what the connector reads.', { ...ofIndex, connection_id: id }),
  link('resume-connector', 'Start a sync of the connector.', { ...ofIndex, connection_id: id }),
  link('delete-connector', 'Delete the connector with its rows.', { ...ofIndex, connection_id: id }),
];

const webhookLinks = (id: string): readonly Link[] => [
  link('test-webhook-endpoint', 'Send a test message to the endpoint.', { endpoint_id: id }),
  link('list-webhook-deliveries', 'List what was sent to the endpoint.', { endpoint_id: id }),
  link('update-webhook-endpoint', 'Change or pause the endpoint.', { endpoint_id: id }),
  link('delete-webhook-endpoint', 'Delete the endpoint.', { endpoint_id: id }),
];

const bodyId = '$response.body#/id';

/** The first result of a search leads to the file that it came from. */
const resultLinks: readonly Link[] = [
  link('get-file', 'Get the file job that wrote the first result; its `file` is null if no file wrote it.', {
    ...ofIndex,
    job_id: '$response.body#/results/0/file/job_id',
  }),
];

/** Where the response of each endpoint leads to. */
const linksByEndpoint: Readonly<Record<string, readonly Link[]>> = {
  bootstrap: [
    link('list-indexes', 'List the indexes of the organization.', {
      'x-service-organization-id': '$response.body#/organizations/0/organization_id',
    }),
  ],
  'create-index': indexLinks(bodyId),
  'branch-index': [
    ...indexLinks(bodyId),
    link('diff-index', 'List how the branch differs from its parent.', { index_id: bodyId }),
    link('promote-index', 'Write the changes of the branch into its parent.', { index_id: bodyId }),
  ],
  'get-index': [link('get-index-stats', 'Get the figures of the index.', ofIndex)],
  'promote-index': [link('get-index', 'Get the parent.', { index_id: '$response.body#/index_id' })],
  'create-file': jobLinks(bodyId),
  'replace-file': jobLinks(bodyId),
  'create-import': jobLinks(bodyId),
  'get-file': jobLinks(bodyId),
  'create-crawl-job': crawlLinks(bodyId),
  'get-crawl-job': crawlLinks(bodyId),
  'create-connector': connectorLinks(bodyId),
  'create-custom-api-connector': connectorLinks(bodyId),
  'authorize-connector': [
    link('complete-connector', 'Confirm the consent with the code that the page of the service shows.', {
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
    link('replay-one-event', 'Send the newest event of the page again.', { event_id: '$response.body#/events/0/id' }),
  ],
};

/** The links of the response of an endpoint, by name; empty if it has none. */
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
