import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { planIds } from '../../shared/kernel/plans.ts';
import { PlanResponse, toPlan } from '../../shared/organizations/index.ts';

export const listPlans = endpoint({
  id: 'list-plans',
  method: 'GET',
  path: '/v1/plans',
  tag: 'Organizations',
  summary: 'List plans',
  description:
    'Lists all plans with their terms, cheapest first. The operator of the service can change the plan of an organization.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: z.array(PlanResponse),
  handle: () => Promise.resolve(planIds.map(toPlan)),
});
