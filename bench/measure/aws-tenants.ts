import type { Service } from '../peers/service.ts';
import { type AwsCost, measureCost } from './aws-cost.ts';
import { coolDown, rowMaker, searchOf } from './aws-operations.ts';

/** Indexes of tenants that are searched at the end of the same processes, each for the first time. */
interface TenantsSize {
  readonly tenants: number;
  readonly rows: number;
  readonly dimensions: number;
}

/**
 * Measures the first search of many small indexes, one after the other, in processes that have searched others. Kinds
 * take turns.
 */
export const measureTenants = async (
  service: Pick<Service, 'call' | 'organizationId'>,
  { tenants, rows, dimensions }: TenantsSize,
): Promise<readonly AwsCost[]> => {
  const make = rowMaker(dimensions);
  const ids: string[] = [];
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const settings = { name: `tenant ${tenant}`, dimensions };
    const { id } = (await service.call('POST', '/v1/indexes', settings)) as { readonly id: string };
    await service.call(
      'POST',
      `/v1/indexes/${id}/vectors`,
      Array.from({ length: rows }, (_, at) => make.row(at)),
    );
    ids.push(id);
  }
  await coolDown(service);
  const kinds = ['dense', 'sparse', 'hybrid'] as const;
  const costs: AwsCost[] = [];
  // The first search of each kind starts a process.
  for (const [at, id] of ids.entries()) {
    const search = searchOf(service, { id, organizationId: service.organizationId }, make);
    costs.push(await measureCost(service, search(kinds[at % kinds.length] ?? 'dense')));
  }
  return costs.slice(kinds.length);
};
