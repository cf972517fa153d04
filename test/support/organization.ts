import type { Attributes } from '../../shared/db/contracts.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Runtime } from '../../shared/kernel/capability.ts';

/** Puts the record of an organization on the smallest plan; `differs` says what is other than that. */
export const putOrganization = async (
  runtime: Runtime,
  organizationId: string,
  differs: Attributes = {},
): Promise<void> => {
  await openTable(runtime, 'organizations').put({
    pk: `ORG#${organizationId}`,
    sk: 'ORGANIZATION',
    id: organizationId,
    name: 'test',
    plan: 'developer',
    onboarded: true,
    subscription_status: 'active',
    created_at: runtime.clock.now().toISOString(),
    // The person of `call.ts`, without whom no key of theirs would work.
    members: new Set(['usr_test']),
    owners: new Set(['usr_test']),
    members_revision: 0,
    ...differs,
  });
};
