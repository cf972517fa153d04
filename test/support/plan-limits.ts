import { type LimitKey, plans } from '../../shared/kernel/plans.ts';

/** Changes limits of the plan `developer`, and restores them at the end of the test or suite of `context`. */
export const changeLimits = (context: {
  after(hook: () => void): void;
}): ((changed: Partial<Record<LimitKey, number>>) => void) => {
  const { limits } = plans.developer;
  const usual = { ...limits };
  context.after(() => {
    Object.assign(limits, usual);
  });
  return (changed) => {
    Object.assign(limits, changed);
  };
};
