import type { Endpoint } from '../endpoint.ts';
import { parameterNames, type PathParameterName } from '../path-parameters.ts';
import { toPascalCase } from '../../kernel/text.ts';
import type { Components } from './components.ts';
import type { Schema } from './schema.ts';

const organizationId: Schema = {
  name: 'x-service-organization-id',
  in: 'header',
  required: false,
  description:
    'Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own.',
  schema: { type: ['string', 'null'] },
};

const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const form = (prefix: string): string => `\`${prefix}_\` and 26 lower-case letters and digits`;

const pathTexts: Readonly<Record<PathParameterName, string>> = {
  index_id: `Id of an index: ${form('idx')}. Or an alias of it.`,
  name: 'Name of an alias.',
  job_id: `Id of a file job: ${form('job')}.`,
  crawl_id: `Id of a crawl job: ${form('crawl')}.`,
  schedule_id: `Id of a schedule of crawls: ${form('sched')}.`,
  export_id: `Id of an export: ${form('exp')}.`,
  erasure_id: `Id of an erasure: ${form('era')}.`,
  rebuild_id: `Id of a rebuild: ${form('reb')}.`,
  evaluation_id: `Id of an evaluation: ${form('eval')}.`,
  source_credentials: 'Name of stored credentials: lower-case letters, digits, `-` and `_`.',
  golden_set: 'Name of a golden set: lower-case letters, digits, `-` and `_`.',
  search_id: '`search_id` of the response to a search.',
  picture: 'Number of a page, from 1, and `.png`: `7.png`.',
  file: 'Name of a file.',
  provider:
    'Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`.',
  connection_id: `Id of a connector: ${form('conn')}.`,
  key_id: `Id of an API key: ${form('key')}.`,
  client_id: `Id of an OAuth client: ${form('oc')}.`,
  session_id: `Id of a session: ${form('sess')}.`,
  invitation_id: `Id of an invitation: ${form('inv')}.`,
  user_id: `Id of a user: ${form('usr')}.`,
  endpoint_id: `Id of a webhook endpoint: ${form('we')}.`,
  event_id: `Id of an event: ${form('evt')}.`,
  file_id: `Id of a file: ${form('file')}. Or of a file job.`,
  batch_id: `Id of a batch of files: ${form('vsfb')}.`,
  upload_id: `Id of an upload: ${form('upload')}.`,
  model_id: 'Name of an embedding model.',
};

const inPath = (path: string): readonly Schema[] =>
  parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathTexts[name],
    schema: { type: 'string' },
  }));

const inQuery = (endpoint: Endpoint, components: Components): readonly Schema[] => {
  if (endpoint.query === undefined) return [];
  const { properties = {}, required = [] } = components.of(endpoint.query, 'input') as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
};

/** Whether an operation is paginated. */
export const isPaged = (parameters: readonly Schema[]): boolean =>
  parameters.some(({ name, in: place }) => place === 'query' && name === 'cursor');

/** Returns the parameters of an operation. */
export const parametersOf = (endpoint: Endpoint, components: Components): readonly Schema[] => [
  ...inPath(endpoint.path),
  ...inQuery(endpoint, components),
  ...(endpoint.idempotent === true ? [idempotencyKey] : []),
  ...(endpoint.auth.needs === 'none' ? [] : [organizationId]),
];

/** Returns the component name of a parameter: `index_id` is `IndexId`, `x-service-organization-id` is `OrganizationId`. */
const componentName = ({ name }: Schema): string => toPascalCase(String(name).replace(/^x-service-/, ''));

/** Parameters of the document that several operations share. */
export interface SharedParameters {
  readonly components: Readonly<Record<string, Schema>>;
  /** Replaces shared parameters of an operation by references. */
  refer(parameters: readonly Schema[]): readonly Schema[];
}

/**
 * Creates a component of each parameter that several operations have. Of several parameters with one name, such as `limit`
 * with different bounds, the most frequent one is shared.
 */
export const shareParameters = (operations: readonly (readonly Schema[])[]): SharedParameters => {
  const uses = Map.groupBy(operations.flat(), (parameter) => JSON.stringify(parameter));
  const frequent = [...uses]
    .filter(([, { length }]) => length > 1)
    .toSorted(([, left], [, right]) => left.length - right.length);
  // The most frequent one of a name comes last, so it stays.
  const textByName = new Map(frequent.map(([text, [parameter = {}]]) => [componentName(parameter), text]));
  const nameByText = new Map([...textByName].map(([name, text]) => [text, name]));
  return {
    components: Object.fromEntries([...textByName].map(([name, text]) => [name, JSON.parse(text) as Schema])),
    refer: (parameters) =>
      parameters.map((parameter) => {
        const name = nameByText.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
  };
};
