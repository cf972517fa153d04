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
  /** Ids of the user, keys and clients that it ends with, the first to the last; none for a session. */
  readonly creators: readonly string[];
  readonly permissions: readonly Permission[];
  /** Null: every index of the organization. */
  readonly indexIds: readonly string[] | null;
  /** When the API key ends; null: never, as OAuth clients and users, whose tokens are given anew. */
  readonly expiresAt: string | null;
  /** Only a session has a role. */
  readonly role: 'owner' | 'member' | null;
  /** The role that the user among `creators` has now; null where there is none. */
  readonly creatorRole: 'owner' | 'member' | null;
  /** SHA-256 of the bearer value, under which the credential is stored. */
  readonly credentialHash: string;
  /** The verified address of a session's user, lower case. */
  readonly email: string | null;
}
