/**
 * Stacks of the API beside the first one, by the entities whose endpoints they have. An entity is a directory under
 * `functions/`. Entities that are not named here are in the first stack, and those that were deployed there stay: a
 * function has a name of its own in the account, so CloudFormation cannot move it to another stack.
 */
export type FurtherApiStacks = Readonly<Record<string, readonly string[]>>;

/** One stack has room for about 100 endpoints. The first one has all entities that are not named here. */
export const furtherApiStacks: FurtherApiStacks = {
  more: ['mcp', 'authorization', 'metadata', 'aliases', 'openai', 'exports'],
};

/** Returns the further stack of an entity; null for the first stack. */
export const furtherStackOf = (stacks: FurtherApiStacks, entity: string): string | null =>
  Object.entries(stacks).find(([, entities]) => entities.includes(entity))?.[0] ?? null;
