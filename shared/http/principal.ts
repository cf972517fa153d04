import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { Plan } from '../kernel/plans.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';

/** Permission of a caller on data. */
export type Permission = 'read' | 'write';

/** Authenticated caller, who acts for one organization. */
export interface Principal {
  readonly organizationId: string;
  readonly plan: Plan;
  /**
   * `access_token`: of an OAuth client. `grant`: an access token by which an application acts for a person. `user_token`: a
   * token that the holder of an API key has minted for an end user.
   */
  readonly kind: 'api_key' | 'access_token' | 'grant' | 'session' | 'user_token';
  /** Id of the API key, OAuth client, grant or user. That of a token of an end user is its API key. */
  readonly subjectId: string;
  /** Ids of the creators of the credential: a user, API keys and OAuth clients, first to last; none for a session. */
  readonly creators: readonly string[];
  readonly permissions: readonly Permission[];
  /** Indexes that the credential is restricted to; null for all indexes of the organization. */
  readonly indexIds: readonly string[] | null;
  /** Rows that the credential is bound to; null for all rows of its indexes. */
  readonly bounds: RowBounds | null;
  /** Limits of the credential besides those of the plan; null for none. */
  readonly limits: CredentialLimits | null;
  /** When the API key or grant expires; null for never. OAuth clients and users do not expire, but get new tokens. */
  readonly expiresAt: string | null;
  /** Role of the user of a session; null for other credentials. */
  readonly role: 'owner' | 'member' | null;
  /** Current role of the user among `creators`; null if there is none. */
  readonly creatorRole: 'owner' | 'member' | null;
  /** SHA-256 of the bearer value, under which the credential is stored. */
  readonly credentialHash: string;
  /** Verified e-mail address of the user of a session, normalized. */
  readonly email: string | null;
}
