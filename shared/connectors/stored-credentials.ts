import { AppError, notFound } from '../kernel/errors.ts';
import type { Deps } from '../kernel/capability.ts';
import type { CredentialsUser, storedCredentialsUse, storedCredentialsWrite } from '../source-credentials/index.ts';
import type { ConnectionReader } from './repository.ts';

/** Whether a connector uses stored credentials. */
const usesThem = async (
  connectors: Pick<ConnectionReader, 'get'>,
  organizationId: string,
  name: string,
  user: CredentialsUser,
): Promise<boolean> => (await connectors.get({ organizationId, ...user }))?.storedCredentials === name;

/** Deletes stored credentials. Throws 404, and 409 if a connector uses them. */
export const deleteStoredCredentials = async (
  deps: { readonly connectors: Pick<ConnectionReader, 'get'> } & Deps<{
    readonly stored: typeof storedCredentialsWrite;
  }>,
  organizationId: string,
  name: string,
): Promise<void> => {
  const exists = (user: CredentialsUser) => usesThem(deps.connectors, organizationId, name, user);
  const outcome = await deps.stored.delete(organizationId, name, exists);
  if (outcome === false) throw notFound('Source credentials');
  if (outcome === true) return;
  throw new AppError(
    'conflict',
    `The connector ${outcome.connectionId} of the index ${outcome.indexId} uses these credentials`,
  );
};

/**
 * Records that a connector uses stored credentials, around the request that stores it. If they are deleted meanwhile,
 * `undo` removes the connector again.
 */
export const withStoredCredentials = async <Result>(
  { stored }: Deps<{ readonly stored: typeof storedCredentialsUse }>,
  organizationId: string,
  { name, user }: { readonly name: string; readonly user: CredentialsUser },
  store: () => Promise<Result>,
  undo: () => Promise<unknown>,
): Promise<Result> => {
  const gone = (): AppError => new AppError('conflict', 'The stored credentials were deleted');
  if (!(await stored.use(organizationId, name, user))) throw gone();
  const result = await store();
  if (await stored.use(organizationId, name, user)) return result;
  await undo();
  throw gone();
};
