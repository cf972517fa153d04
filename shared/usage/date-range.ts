import * as z from 'zod';
import { invalid } from '../kernel/errors.ts';
import { addDays, type DateRange, dateOf } from './history.ts';

/** Maximum days of a range. */
const maxDays = 92;
const defaultDays = 30;

const day = () => z.iso.date().optional();

/** Query parameters of a range of days. */
export const dateRangeQuery = {
  from: day().describe(`First day (UTC). Default: ${defaultDays - 1} days before \`to\`.`),
  to: day().describe(`Last day (UTC), inclusive: at most ${maxDays} days in total. Default: today.`),
};

/** Returns the range of a query. Throws 422 if it ends before it begins, or is too long. */
export const dateRangeOf = (
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): DateRange => {
  const to = query.to ?? dateOf(now);
  const from = query.from ?? addDays(to, 1 - defaultDays);
  if (from > to) throw invalid(['query', 'from'], `the first day is after the last day, ${to}`);
  if (addDays(from, maxDays - 1) < to)
    throw invalid(['query', 'from'], `the range until ${to} has more than ${maxDays} days`);
  return { from, to };
};
