import type { Deps } from '../kernel/capability.ts';
import type { Principal } from '../http/principal.ts';
import { idPattern } from '../kernel/ids.ts';
import { type Alias, aliasesRead } from './repository.ts';

/** Capabilities to resolve the alias in a path. */
export const aliasUses = { aliases: aliasesRead };

const indexId = idPattern('idx');

/** Whether a caller may know the name of an index. Names may contain those of customers, which ids do not. */
export const isVisibleTo = ({ indexIds }: Pick<Principal, 'indexIds'>, alias: Pick<Alias, 'indexId'>): boolean =>
  indexIds?.includes(alias.indexId) ?? true;

/**
 * Returns the id of an index that is named by its id or an alias. An id costs no read. The alias is read for each
 * request, so the first request after a change finds the new index. An alias that is unknown or hidden from the caller is
 * returned itself, and no index has it as its id.
 */
export const resolveIndex = async (
  aliases: Deps<typeof aliasUses>['aliases'],
  caller: Pick<Principal, 'organizationId' | 'indexIds'>,
  named: string,
): Promise<string> => {
  const alias = indexId.test(named) ? null : await aliases.get(caller.organizationId, named);
  return alias !== null && isVisibleTo(caller, alias) ? alias.indexId : named;
};

/** Returns a function that replaces an alias in a path by the id of its index, whether or not the caller may use it. */
export const aliasResolver =
  ({ aliases }: Deps<typeof aliasUses>) =>
  async (organizationId: string, path: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> => {
    const { index_id: named } = path;
    return named === undefined
      ? path
      : { ...path, index_id: await resolveIndex(aliases, { organizationId, indexIds: null }, named) };
  };
