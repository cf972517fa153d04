import { endpoints } from '../functions/registry.ts';
import { authorizer } from '../shared/credentials/index.ts';
import { type Endpoint, needsPrincipal } from '../shared/http/endpoint.ts';
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
  expiresAt: null,
  role: null,
  creatorRole: null,
  credentialHash: '',
  email: null,
};

const person: Principal = { ...program, kind: 'session', subjectId: 'usr', role: 'member', email: 'a@example.com' };

/** Whoever may call, by the head of their column; null: no credential. */
const callers: Readonly<Record<string, Principal | null>> = {
  'no credential': null,
  '`read` key': { ...program, permissions: ['read'] },
  '`write` key': { ...program, permissions: ['write'] },
  'restricted key': { ...program, indexIds: [ownIndex] },
  'unrestricted key': program,
  'access token': { ...program, kind: 'access_token', subjectId: 'oc' },
  'member session': person,
  'owner session': { ...person, role: 'owner' },
};

/** It asks for no index: the one in question is the caller's own. */
const authorize = authorizer({ indexes: { get: () => Promise.resolve(null) } });

/** What `authorize` says to a caller, or what comes before it. */
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
  auth.unrestricted === true ? `${auth.needs}, unrestricted` : auth.needs;

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
const rows = await Promise.all((Object.values(endpoints) as readonly Endpoint[]).toSorted(byPath).map(rowOf));

const text = `# Who may call what

Made by \`npm run authorization\` from the definitions of the endpoints: each cell is what the service itself decides. \`✓\` means that the call goes on to validation and work; anything else is the code of the refusal. \`unauthenticated\` and \`invalid_client\` are a 401, all others a 403.

Keys have \`read\` and \`write\` unless the head of the column says otherwise. The restricted key has both, on some indexes; \`✓ its own\` means that it reaches these and gets \`index_not_allowed\` for every other index of its organization. The access token has all scopes and no restriction; with fewer scopes, or of a restricted client, it counts as the key with the same rights. Where a feature is named, an organization whose plan lacks it gets \`feature_not_in_plan\`.

${table(head, rows)}

## Rules

**none.** Nobody is asked, and a credential that is sent is not looked at.

**identity.** The bearer is an ID token of the configured identity provider. The endpoint verifies its signature, issuer, audience, times, use and e-mail address; whatever fails is \`unauthenticated\`.

**client.** An OAuth client proves itself by its id and secret, in the header by HTTP Basic or in the form, never in both. Refusals have the form of RFC 6749. Which of the two is wrong, or that the client is revoked, is not told.

**read.** The permission \`read\`: every GET but the event history, which is for persons, and webhook endpoints, which are for owners; every search and every fetch. A key that has \`write\` alone cannot search. Every session has it.

**write.** The permission \`write\`: every change of indexes, vectors, files, imports, crawls and connectors. Every session has it.

**unrestricted.** Credentials that are restricted to indexes are refused with \`index_not_allowed\`, since what the call makes would lie outside them.

**manage.** Making and revoking API keys and OAuth clients; their lists need \`read\`. A session must be an owner's. A key or an access token must have \`write\` and no restriction to indexes. Nobody grants more than they have: a permission that the caller lacks is \`forbidden\`, and an OAuth client has the permissions of its creator. A key that expires creates no key that outlives it, and no OAuth client, since these never expire. Indexes that the new credential is restricted to must be the organization's own.

**session.** A person: a key or an access token is \`forbidden\`, whatever it may do.

**owner.** An owner's session. Roles belong to persons, so no key or access token is an owner.

**Restriction to indexes.** A restricted credential sees its own indexes alone in lists. Every other index of its organization in a path is \`index_not_allowed\`; an index of another organization is a 404, the same as for an id that nobody has.

**Organization.** \`x-service-organization-id\` picks among the memberships of a session; without it the oldest counts. A key or an access token must name its own organization or none. Anything else is \`organization_not_allowed\`. What belongs to another organization is a 404, the same as for an id that nobody has.

**Validity.** Every request looks its credential up with strongly consistent reads, and nothing is cached. An unknown value is \`unauthenticated\`, a revoked one \`key_revoked\`, one whose time is over \`token_expired\`. An access token is good for an hour and ends at once when its client is revoked; a session lasts 12 hours. A revocation ends one key, or one client with its tokens: what these have created lives on until its own expiry or revocation.

**Order.** Who calls, the rate limit, the rule, the feature, the index of a restricted credential, and only then query and body: a caller without the right learns nothing from validation. Whether an index exists at all is told of to others after that: query or body that is not valid is a 422, whatever index the path names.
`;

await keepMade('docs/authorization.md', text, 'authorization');
