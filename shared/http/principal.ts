import type { Plan } from '../kernel/plans.ts';

/** What a caller may do with data. */
export type Permission = 'read' | 'write';

/** An authenticated caller, acting for one organization. */
export interface Principal {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly kind: 'api_key' | 'access_token' | 'session';
  /** Id of the key, OAuth client or user. */
  readonly subjectId: string;
  readonly permissions: readonly Permission[];
  /** Null: every index of the organization. */
  readonly indexIds: readonly string[] | null;
  /** When the API key ends; null: never, as OAuth clients and users, whose tokens are given anew. */
  readonly expiresAt: string | null;
  /** Only a session has a role. */
  readonly role: 'owner' | 'member' | null;
  /** The verified address of a session's user, lower case. */
  readonly email: string | null;
}
