import type { RequestContext } from './policy-condition.ts';
import type { Principal, Statement } from './policy-document.ts';

/** One action on one resource by one principal, in the terms of IAM. */
export interface AccessRequest {
  readonly principal: Principal;
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** An ARN, or `*` for an action without a resource. */
  readonly resource: string;
  readonly context: RequestContext;
}

/** `implicit deny`: no statement allows the request. `explicit deny`: one denies it, even if others allow it. */
export type Decision = 'allow' | 'implicit deny' | 'explicit deny';

/**
 * Evaluates a request within one account: an explicit deny wins, and one policy that allows the request is enough.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export const evaluate = (statements: readonly Statement[], request: AccessRequest): Decision => {
  const { principal, resource, context } = request;
  const action = request.action.toLowerCase();
  const applying = statements.filter(
    (statement) =>
      statement.matchesAction(action) &&
      statement.matchesResource(resource) &&
      statement.matchesPrincipal(principal) &&
      statement.holds(context),
  );
  if (applying.some(({ effect }) => effect === 'Deny')) return 'explicit deny';
  return applying.length > 0 ? 'allow' : 'implicit deny';
};
