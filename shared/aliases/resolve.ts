import type { Deps } from '../kernel/capability.ts';
import { idPattern } from '../kernel/ids.ts';
import { aliasesRead } from './repository.ts';

/** Capabilities to resolve the alias in a path. */
export const aliasUses = { aliases: aliasesRead };

const indexId = idPattern('idx');

/**
 * Returns a function that replaces an alias in a path by the id of its index. An id costs no read. The alias is read for
 * each request, so the first request after a change finds the new index. An unknown alias stays in the path, where no
 * index has it as its id.
 */
export const aliasResolver =
  ({ aliases }: Deps<typeof aliasUses>) =>
  async (organizationId: string, path: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> => {
    const name = path['index_id'];
    if (name === undefined || indexId.test(name)) return path;
    const alias = await aliases.get(organizationId, name);
    return alias === null ? path : { ...path, index_id: alias.indexId };
  };
