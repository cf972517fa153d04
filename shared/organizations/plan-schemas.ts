import * as z from 'zod';
import { planIds, plans, unitPrices, type UnitPriceKey } from '../kernel/plans.ts';

export const PlanName = z.enum(planIds).meta({ id: 'PlanName', description: 'Id of a plan.' });

/** Limits, features and rate limits of a plan. */
export const planTerms = {
  limits: z
    .record(z.string(), z.number().int())
    .describe('Maximum numbers, such as of indexes, bytes and credits. All are integers.'),
  features: z.record(z.string(), z.boolean()).describe('Features that the plan includes.'),
  rate_limits: z.record(z.string(), z.number().int()).describe('Rate limits in requests per minute and organization.'),
};

const { limits, features, rateLimits } = plans.developer;

/** Terms of the developer plan. */
export const termsExample = { limits, features, rate_limits: rateLimits };

const UnitPrices = z
  .object(
    Object.fromEntries(Object.entries(unitPrices).map(([key, { unit }]) => [key, z.number().describe(unit)])) as Record<
      UnitPriceKey,
      z.ZodNumber
    >,
  )
  .meta({ id: 'UnitPrices', description: 'Prices in USD per unit, from which the cost of usage is estimated.' });

export const PlanResponse = z
  .object({
    id: PlanName.describe('Id of the plan.'),
    name: z.string().describe('Display name.'),
    price_usd_per_month: z.number().nullable().describe('Price in USD per month; null if on request.'),
    ...planTerms,
    unit_prices: UnitPrices.describe('Prices in USD per unit, from which the cost of usage is estimated.'),
  })
  .meta({
    id: 'PlanResponse',
    description: 'A plan with its terms.',
    examples: [
      {
        id: 'developer',
        name: plans.developer.name,
        price_usd_per_month: plans.developer.priceUsdPerMonth,
        ...termsExample,
        unit_prices: Object.fromEntries(Object.entries(unitPrices).map(([key, { usd }]) => [key, usd])),
      },
    ],
  });
