import type { Deps } from '../kernel/capability.ts';
import { idPattern } from '../kernel/ids.ts';
import { aliasesRead } from './repository.ts';

/** Capabilities to resolve the alias in a path. */
export const aliasUses = { aliases: aliasesRead };

const indexId = idPattern('idx');

/**
 * Returns the id of an index that is named by its id or an alias. An id costs no read. The alias is read for each
 * request, so the first request after a change finds the new index. An unknown alias is returned itself, and no index has
 * it as its id.
 */
export const resolveIndex = async (
  aliases: Deps<typeof aliasUses>['aliases'],
  organizationId: string,
  named: string,
): Promise<string> => (indexId.test(named) ? named : ((await aliases.get(organizationId, named))?.indexId ?? named));

/** Returns a function that replaces an alias in a path by the id of its index. */
export const aliasResolver =
  ({ aliases }: Deps<typeof aliasUses>) =>
  async (organizationId: string, path: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> => {
    const { index_id: named } = path;
    return named === undefined ? path : { ...path, index_id: await resolveIndex(aliases, organizationId, named) };
  };
