/**
 * Stacks of the endpoints, and the entities that each has. An entity is a directory under `functions/`, so an endpoint is
 * deployed with its entity. A function has a name of its own in the account, so an entity that moves to another stack is
 * deleted before it is created again.
 */
const apiStacks = {
  indexes: ['aliases', 'erasures', 'indexes', 'metadata', 'rebuilds', 'search', 'vectors', 'versions'],
  files: ['connectors', 'crawls', 'evaluations', 'exports', 'files', 'formats', 'golden-sets', 'imports', 'query-log'],
  organizations: [
    'api-keys',
    'auth',
    'authorization',
    'invitations',
    'members',
    'oauth',
    'onboarding',
    'organization',
    'organizations',
    'plans',
    'source-credentials',
  ],
  events: ['events', 'services', 'webhooks'],
  interfaces: ['console', 'guides', 'mcp', 'meta', 'openai'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ApiStackName = keyof typeof apiStacks;

export const apiStackNames = Object.keys(apiStacks) as readonly ApiStackName[];

/** Returns the stack of an entity's endpoints. Throws if no stack has the entity. */
export const apiStackOf = (entity: string): ApiStackName => {
  const found = apiStackNames.find((name) => (apiStacks[name] as readonly string[]).includes(entity));
  if (found === undefined) throw new Error(`functions/${entity} is in no stack: add "${entity}" to lib/api-stacks.ts`);
  return found;
};
