import { endpoints } from '../functions/registry.ts';
import { authorizer } from '../shared/credentials/index.ts';
import { type Endpoint, needsPrincipal, withRoutes } from '../shared/http/endpoint.ts';
import type { Principal } from '../shared/http/principal.ts';
import { AppError } from '../shared/kernel/errors.ts';
import { keepMade } from './support/made-file.ts';

const ownIndex = 'idx_of_the_key';

const program: Principal = {
  organizationId: 'org',
  plan: 'enterprise',
  kind: 'api_key',
  subjectId: 'key',
  creators: [],
  permissions: ['read', 'write'],
  indexIds: null,
  bounds: null,
  limits: null,
  expiresAt: null,
  role: null,
  creatorRole: null,
  credentialHash: '',
  email: null,
};

const person: Principal = { ...program, kind: 'session', subjectId: 'usr', role: 'member', email: 'a@example.com' };

/** Callers by the head of their column. Null has no credential. */
const callers: Readonly<Record<string, Principal | null>> = {
  'no credential': null,
  '`read` key': { ...program, permissions: ['read'] },
  '`write` key': { ...program, permissions: ['write'] },
  'restricted key': { ...program, indexIds: [ownIndex] },
  'bound key': { ...program, bounds: { filter: { tenant: 'acme' }, idPrefix: 'acme:' } },
  'unrestricted key': program,
  'access token': { ...program, kind: 'access_token', subjectId: 'oc' },
  'member session': person,
  'owner session': { ...person, role: 'owner' },
};

/** Reads no index, because the index of the path is the caller's own. */
const authorize = authorizer({ indexes: { get: () => Promise.resolve(null) } });

/** Decision of `authorize`, or of the authentication before it. */
const verdict = async (endpoint: Endpoint, caller: Principal | null): Promise<string> => {
  const { needs } = endpoint.auth;
  if (needs === 'none') return '✓';
  if (needs === 'client') return '`invalid_client`';
  if (!needsPrincipal(needs) || caller === null) return '`unauthenticated`';
  try {
    await authorize(endpoint, caller, { index_id: ownIndex });
    return caller.indexIds !== null && endpoint.path.includes('{index_id}') ? '✓ its own' : '✓';
  } catch (error) {
    if (error instanceof AppError) return `\`${error.code}\``;
    throw error;
  }
};

const needed = ({ auth }: Endpoint): string =>
  [
    auth.needs,
    ...(auth.alsoReads === true ? ['read'] : []),
    ...(auth.unrestricted === true ? ['unrestricted'] : []),
  ].join(', ');

const rowOf = async (endpoint: Endpoint): Promise<readonly string[]> => [
  `${endpoint.method} ${endpoint.path}`,
  needed(endpoint),
  ...(await Promise.all(Object.values(callers).map((caller) => verdict(endpoint, caller)))),
  endpoint.feature === undefined ? '' : `\`${endpoint.feature}\``,
];

const byPath = (a: Endpoint, b: Endpoint): number =>
  a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path);

/** A table as the formatter leaves it: columns as wide as their widest cell. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

const head = ['Endpoint', 'Needs', ...Object.keys(callers), 'Feature'];
const rows = await Promise.all(withRoutes(Object.values(endpoints)).toSorted(byPath).map(rowOf));

const text = `# Permissions

\`npm run authorization\` generates this page from the definitions of the endpoints. Each cell is the decision of the service itself. \`✓\` means that the request continues with validation. Any other value is the code of the refusal. \`unauthenticated\` and \`invalid_client\` are a 401, all others a 403.

Keys have \`read\` and \`write\`, unless the head of the column states otherwise. The restricted key has both, for some indexes. \`✓ its own\` means that it can access these, and gets \`index_not_allowed\` for every other index of its organization. The bound key has both, for the rows of a filter. The access token has all scopes and no restriction. With fewer scopes, or of a restricted client, it counts as the key with the same permissions. If a feature is named, an organization whose plan lacks it gets \`feature_not_in_plan\`.

${table(head, rows)}

## Rules

**none.** No credential is required, and a sent credential is ignored.

**identity.** The bearer token is an ID token of the configured identity provider. The endpoint verifies its signature, issuer, audience, times, use and e-mail address. Every failure is \`unauthenticated\`.

**client.** An OAuth client authenticates by its id and secret, either by HTTP Basic or in the form, never by both. Refusals have the form of RFC 6749. They do not reveal which of the two is wrong, or whether the client is revoked.

**read.** The permission \`read\`: every GET, every search and every fetch. Exceptions are the event history, which requires a session, and webhook endpoints, which require an owner. A key with only \`write\` cannot search. Every session has this permission.

**write.** The permission \`write\`: every change of indexes, vectors, files, imports, exports, crawls and connectors. Every session has it.

**unrestricted.** Credentials that are restricted to indexes are refused with \`index_not_allowed\`, because the created resource would be outside of these indexes.

**manage.** Creating and revoking API keys and OAuth clients. Their lists need \`read\`. A session must be an owner's. The token of a connected application is \`forbidden\`, also for these lists and those of members and invitations. A key or an access token must have \`write\` and no restriction to indexes. A credential cannot grant more than it has: a missing permission is \`forbidden\`, and an OAuth client has the permissions of its creator. A key that expires creates no key that outlives it, and no OAuth client, since these never expire. The indexes of a restricted credential must belong to the organization.

**session.** A user. A key or an access token is \`forbidden\`, regardless of its permissions.

**owner.** An owner's session. Only users have roles, so no key or access token is an owner.

**Restriction to indexes.** A restricted credential sees only its own indexes in lists. Every other index of its organization in a path is \`index_not_allowed\`, if the path contains its id. Its alias is a 404, like an unknown one. An index of another organization is a 404, like an unknown id.

**Bound to rows.** A credential with \`filter\` is \`forbidden\` wherever a request concerns more than the rows and files that match ([tenants.md](tenants.md)). What does not match is absent: a 404, or left out of lists and counts.

**Organization.** \`x-service-organization-id\` selects one of the memberships of a session. The default is the oldest. A key or an access token must name its own organization or none. Anything else is \`organization_not_allowed\`. A resource of another organization is a 404, like an unknown id.

**Validity.** Every request looks its credential up with strongly consistent reads, and nothing is cached. An unknown value is \`unauthenticated\`, a revoked one \`key_revoked\`, an expired one \`token_expired\`. An access token is valid for an hour and ends with the revocation of its client. A session lasts 12 hours. The token of a connected application counts as a key with its permissions and indexes, below its \`resource\` only, and ends with the session and the membership of its person. A credential also ends with the credential or membership that created it.

**Order.** Authentication, rate limit, permission, feature, the index of a restricted credential, then query and body. A caller without permission therefore learns nothing from the validation. The existence of an index is checked last: an invalid query or body is a 422 for any index in the path.
`;

await keepMade('docs/authorization.md', text, 'authorization');
