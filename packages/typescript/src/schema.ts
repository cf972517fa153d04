/* oxlint-disable */
// Generated from docs/openapi.json by `npm run client`: do not edit.

type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | {
      [key: string]: Json;
    };
export interface paths {
  '/v1/auth/bootstrap': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Open a session
     * @description Opens a session for an ID token of the configured identity provider, which is the bearer value. The first call of a user creates the user and an organization that they own. Later calls open further sessions and update the e-mail address and name from the provider. A user who belongs to no organization any more gets a new one, at most three a month; then the call returns 403. `pending_invitations` are the invitations that the user can accept now. The call counts against the rate limit of the first organization of the response.
     *
     *     **Authorization:** an ID token of the configured identity provider.
     */
    post: operations['openSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List sessions
     * @description Lists the open sessions of the user, newest first. The response never contains their tokens. A session with an `application` ends with all access of that application when it is ended.
     *
     *     **Authorization:** any session.
     */
    get: operations['listSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End the current session
     * @description Ends the session of the request. Every following request with its token returns 401. Other sessions of the user, and keys that they created, stay valid.
     *
     *     **Authorization:** any session.
     */
    delete: operations['endSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/auth/sessions/{session_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session
     * @description Ends one session of the user, such as that of a lost device. Every following request with its token is refused. Idempotent.
     *
     *     **Authorization:** any session.
     */
    delete: operations['endOneSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organizations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List organizations
     * @description Lists the organizations of the user of a session, oldest membership first. An API key or access token gets its own organization with the role `member`.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listOrganizations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the organization
     * @description Returns the organization of the request with the limits, features and rate limits of its plan. The role is `member` for an API key or access token.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getOrganization'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the organization
     * @description Changes the name and the spending limit. Absent fields stay.
     *
     *     **Authorization:** the session of an owner.
     */
    patch: operations['updateOrganization'];
    trace?: never;
  };
  '/v1/plans': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List plans
     * @description Lists all plans with their terms, cheapest first. The operator of the service can change the plan of an organization.
     *
     *     **Authorization:** none.
     */
    get: operations['listPlans'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/onboarding/complete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete onboarding
     * @description Sets the name, use case and default region of the organization. A repeat replaces all of them; existing indexes stay in their regions. Without the plan feature `multi_region` the call returns 403 for a region that is neither the current default nor that of an index.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['completeOnboarding'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/members': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List members
     * @description Lists the members of the organization, including owners, oldest membership first. A credential that is restricted to indexes gets an empty list.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/members/{user_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a member
     * @description The sessions of the user lose access to the organization, and the API keys and OAuth clients that they created are revoked. An owner can remove themselves. Returns 409 for the last owner.
     *
     *     **Authorization:** the session of an owner.
     */
    delete: operations['removeMember'];
    options?: never;
    head?: never;
    /**
     * Update the role of a member
     * @description Takes effect at once, also for open sessions. Returns 409 if the last owner would become a member.
     *
     *     **Authorization:** the session of an owner.
     */
    patch: operations['updateMember'];
    trace?: never;
  };
  '/v1/organization/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List invitations
     * @description Lists the latest invitation of each e-mail address, newest first, without revoked ones. Accepted and expired invitations are listed until 30 days after their expiry. A credential that is restricted to indexes gets an empty list.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listInvitations'];
    put?: never;
    /**
     * Create an invitation
     * @description Invites an e-mail address for seven days. A user who signs in with this verified address can accept. The service sends no e-mail: `POST /v1/auth/bootstrap` returns pending invitations. Inviting an address again renews its open invitation, which keeps its id and gets the new role and expiry. Returns 409 if the address belongs to a member, and 402 if members and open invitations together reach the limit `members` of the plan.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['createInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/invitations/{invitation_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an invitation
     * @description The invitation cannot be accepted any more. Returns 409 if it was accepted; remove the member instead.
     *
     *     **Authorization:** the session of an owner.
     */
    delete: operations['revokeInvitation'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/invitations/accept': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Accept an invitation
     * @description Makes the user of the session a member of the organization that invited their verified e-mail address. Returns 404 for an unknown or revoked invitation and for one of another address. Returns 409 for an invitation that has expired or was accepted before, and if the user is already a member.
     *
     *     **Authorization:** any session.
     */
    post: operations['acceptInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the usage of a month
     * @description Returns the usage of a calendar month in UTC, by default the current one. Each request and ended job counts once, even if it was retried. Usage of deleted indexes is included. The figures of a month are final an hour after its end. A month before the organization existed shows zeros. A credential that is restricted to indexes gets the usage of these indexes.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getOrganizationUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage/credentials': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the usage by credential
     * @description Lists credentials that are restricted to indexes, bound to rows or limited, ordered by id, with their usage of a calendar month in UTC. A file counts for the credential whose request created its job, and a token of an end user for its key. Storage, and files of connectors and crawls, count for none. A credential that is restricted to indexes or bound to rows gets only itself.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listCredentialUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage/values': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the usage by value
     * @description Lists the values of the usage keys of indexes with their usage of a calendar month in UTC, ordered by index and value, deleted indexes included. A search counts for the value that its filter or that of its credential requires, a written row and a file for the value in their metadata. Up to 10,000 values of an index are counted by themselves in a month, and the others together. Storage counts for none. A credential that is restricted to indexes gets the usage of these indexes.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listValueUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage/indexes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the usage by index
     * @description Lists the indexes that stored or used something in a calendar month in UTC, deleted indexes included: the highest estimated cost first, then the most searches. A credential that is restricted to indexes gets the usage of these indexes.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listIndexUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the usage by day
     * @description One point for each day until today (UTC), oldest first, with the figures of all indexes together: stored amounts at the end of the day, and usage of the day. A credential that is restricted to indexes gets the usage of these indexes.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listUsageHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/usage/daily': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the usage by day and index
     * @description One item for each day (UTC) and index with stored content or usage, ordered by day and then by index, deleted indexes included. The days of a month add up to its usage. A credential that is restricted to indexes gets the usage of these indexes.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listDailyUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the audit log
     * @description Lists who changed what from where, newest first, for a year. Every change but that of rows and files is recorded: credentials, members, indexes, exports, imports, settings, consents and sign-ins. A record stays if its resource is deleted.
     *
     *     **Authorization:** the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.
     */
    get: operations['listAuditRecords'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description Lists API keys, newest first, including revoked keys. The response never contains their values. A credential that is restricted to indexes or bound to rows gets only itself.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listApiKeys'];
    put?: never;
    /**
     * Create an API key
     * @description The response contains the key as `token`, which is returned only once. A key cannot have more permissions than its creator, and cannot outlive it. It ends with its creator: the membership of the user of the session, or the API key or OAuth client. With `filter`, the key is bound to rows: it can be given to one customer among the rows of many.
     *
     *     **Authorization:** the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.
     */
    post: operations['createApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys/{key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Every following request with the key is refused.
     *
     *     **Authorization:** the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.
     */
    delete: operations['revokeApiKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/clients': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List OAuth clients
     * @description Lists OAuth clients, newest first, including revoked clients. The response never contains their secrets. A credential that is restricted to indexes or bound to rows gets only its own client.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listOauthClients'];
    put?: never;
    /**
     * Create an OAuth client
     * @description The response contains the secret as `client_secret`, which is returned only once. The `scopes` of the client are the permissions of its creator, and `index_ids` restricts it to indexes. `filter` binds it to rows, with the scope `read` alone unless `id_prefix` is given. It never expires, so an API key with an expiry cannot create one. It ends with its creator: the membership of the user of the session, or the API key or OAuth client.
     *
     *     **Authorization:** the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.
     */
    post: operations['createOauthClient'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/clients/{client_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an OAuth client
     * @description The client gets no new tokens, and every following request with one of its tokens is refused. Idempotent.
     *
     *     **Authorization:** the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.
     */
    delete: operations['revokeOauthClient'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get an access token
     * @description Issues an access token by the grant `client_credentials` of RFC 6749. An application that a person connected gets one by `authorization_code` with PKCE, and the next ones by `refresh_token`, without a secret. A code that is used twice ends the grant. A refresh token that is used again within a minute returns the same tokens. Later it ends the grant. The client authenticates by HTTP Basic or by `client_id` and `client_secret` in the form. The token is valid for one hour, for the indexes of the client and the requested scopes. The call counts against the rate limit of the client’s organization.
     *
     *     **Authorization:** id and secret of an OAuth client.
     */
    post: operations['issueAccessToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/oauth-authorization-server': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metadata of the authorization server
     * @description Metadata of RFC 8414, from which OAuth clients learn how to get tokens of the service.
     *
     *     **Authorization:** none.
     */
    get: operations['getAuthorizationServer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/authorize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Ask a person for the access of an application
     * @description Page on which a person signs in at the configured identity provider and chooses what an application may use: organization, permissions and indexes. The application has no secret: `client_id` is the URL of its metadata document, or `strata-cli`, and PKCE with S256 is required. Nothing is read from the application before the person has signed in. The page shows errors, and returns to the application only if the person confirms it.
     *
     *     **Authorization:** none.
     */
    get: operations['getAuthorizationPage'];
    put?: never;
    /**
     * Grant an application access
     * @description Grants an application access to one organization of the person, as the page of `GET /v1/oauth/authorize` does. `redirect_to` contains a code that is valid once, for a minute. Access tokens of the application have at most the rights of the member at each request, and end with the session of this request and with the membership. If `resource` is the MCP server of one index, the access is for this index.
     *
     *     **Authorization:** any session.
     */
    post: operations['authorizeApplication'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/authorize/request': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the authorization request of an application
     * @description Returns which application asks for which access, for the page of `GET /v1/oauth/authorize`. Reads the metadata document of the application, at most every five minutes. If the application or its `redirect_uri` is not known, the response is a 400. If anything else is not valid, `problem` says what, and `refusal_url` returns it to the application.
     *
     *     **Authorization:** any session.
     */
    get: operations['getAuthorizationRequest'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/oauth/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke the access of an application
     * @description Ends the grant of an access token or refresh token of a connected application, by RFC 7009, with all tokens of that grant. An unknown or expired token is a success too. Tokens of OAuth clients with a secret end with their client.
     *
     *     **Authorization:** none.
     */
    post: operations['revokeToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List regions
     * @description The cloud regions in which an index may be created, the default first.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listRegions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/models': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List models
     * @description The models that an index may choose, the default first. Behind them the rerankers of searches.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listModels'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List indexes
     * @description Newest first. With `q`, the names of all indexes are read. Credentials that are restricted to some indexes see only those. Credentials that are bound to rows see those in their `index_ids`, and none without.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listIndexes'];
    put?: never;
    /**
     * Create an index
     * @description Returns at once. `index.created` reports that the index is ready. Earlier changes are queued and not lost.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['createIndex'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an index
     * @description **Authorization:** any credential with the `read` permission.
     */
    get: operations['getIndex'];
    put?: never;
    post?: never;
    /**
     * Delete an index
     * @description Callers do not see the index any more at once. Its branches stay as they are, and its storage is freed when none of them reads it. While an alias names the index, the response is a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteIndex'];
    options?: never;
    head?: never;
    /**
     * Update an index
     * @description Changes the name, what searches use by default, the key by which usage is counted, the default expiry, or the log of searches. Any other field is a 422. Emits `index.updated`.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    patch: operations['updateIndex'];
    trace?: never;
  };
  '/v1/indexes/{index_id}/branches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Branch an index
     * @description Creates a copy-on-write branch of the index as of all changes that were acknowledged before the call. Neither side sees later changes of the other. All rows of the branch count in `vectors_stored`, in the stored bytes and against the vectors of the plan, including the rows that it shares with its parent. If the plan has too few vectors left, the response is 402.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['branchIndex'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/diff': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare a branch with its parent
     * @description Ids of vectors that the branch has added, changed or deleted, compared with its parent as of the branch point, in order of id. A written vector counts as changed even if its content is the same. Later changes of the parent are not included. Counts as one search.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['diffIndex'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/promote': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Promote a branch
     * @description Makes the content of a branch the content of its parent, in one commit: a search sees all of it or nothing. For vectors that the branch has written or deleted, the branch wins. The branch stays as it is. With `require`, the branch must first prove itself by a golden set of the parent. If the parent has been deleted, the response is 409.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['promoteIndex'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List versions
     * @description Newest first. Every version is kept for 20 minutes. After that, those at the end of five minutes are kept for a day, and those at the end of an hour for the `version_days` of the index. A rebuild begins with a version of its own.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a version
     * @description Makes a kept version the content again, as one new version: a search sees all of it or nothing, and it can be undone by another restore. Rows keep their versions. Rows of files that were deleted or replaced since stay away, and so do expired ones. Files that were added since keep their jobs without rows, which a retry writes again.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['restoreIndex'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/erasures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List erasures
     * @description Newest first.
     *
     *     **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.
     */
    get: operations['listErasures'];
    put?: never;
    /**
     * Erase rows and files
     * @description Removes rows from every read, version and branch at once. Within 24 hours all that is left of them is removed: stored objects, former versions, exports, originals, texts, cached vectors and events. Each place is looked into afterwards. The receipt is signed, and does not name what was erased. Former versions from before are not readable any more, and branches become independent of their parent. A file is erased with its original if all of its rows are.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['createErasure'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/erasures/{erasure_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an erasure
     * @description Returns what was found by place, and the receipt once nothing is left. It ends with the index: keep the receipt.
     *
     *     **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.
     */
    get: operations['getErasure'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/receipt-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the keys of receipts
     * @description Public keys by which anyone can verify the receipt of an erasure.
     *
     *     **Authorization:** none.
     */
    get: operations['listReceiptKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/rebuilds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List rebuilds
     * @description Newest first.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listRebuilds'];
    put?: never;
    /**
     * Rebuild an index
     * @description Gives the index another embedding model, text language, engine or chunks of another size, under the same id and without a gap. A successor is filled beside the index, follows its changes, and takes over in one step. No answer mixes the two. Files are not read again: with `chunking`, the text that was read of them is cut again. With `golden_set` and `require`, it must first prove itself. Until `rollback_until` the former content is kept up to date, so that the takeover can be undone without loss. At most 2 rebuilds of an organization fill a successor at once.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['createRebuild'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/rebuilds/{rebuild_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a rebuild
     * @description Returns the rebuild with its progress and its price so far.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getRebuild'];
    put?: never;
    post?: never;
    /**
     * Cancel or close a rebuild
     * @description Cancels a rebuild that has not taken over: the index stays as it is. After the takeover, it ends the time in which that can be undone, and the former content is deleted. A rebuild that is taking over at this moment is a 409.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    delete: operations['deleteRebuild'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undo a rebuild
     * @description Makes the former content that of the index again, with all changes that were made since the takeover. Takes about a second, and returns with the status `rolling_back` if it takes longer. After `rollback_until` it is a 409.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    post: operations['rollBackRebuild'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/golden-sets/{golden_set}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a golden set
     * @description Returns the questions of a version.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getGoldenSet'];
    /**
     * Store a golden set
     * @description Stores questions with what they should find, as JSON Lines with one question per line, or as a JSON list. Other questions than those of the newest version become a new version; the 20 newest are kept. A set has at most 5,000 questions and 5 MiB, an index at most 100 sets. Problems of JSON Lines name their line.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    put: operations['putGoldenSet'];
    post?: never;
    /**
     * Delete a golden set
     * @description Deletes all versions of a golden set. Results of its evaluations stay.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteGoldenSet'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/golden-sets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List golden sets
     * @description Returns the newest version of each golden set of an index, in order of name.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listGoldenSets'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/golden-sets/{golden_set}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List versions of a golden set
     * @description Returns the kept versions of a golden set, newest first.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listGoldenSetVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/golden-sets/{golden_set}/from-log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Fill a golden set from the log
     * @description Adds logged questions with feedback to a golden set, which is created if there is none. A hit that people called good has grade 2, one that they opened 1, and one that more people called bad than good 0. Questions that the set has already stay as they are. Without a question to add, the response is 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['fillGoldenSetFromLog'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/searches/{search_id}/feedback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give feedback on a hit
     * @description Stores what a person did with a hit of a logged search, or what they called it. A repeat changes nothing. Golden sets can be made of it. Without a log of the index the response is 404.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['addSearchFeedback'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/query-log/questions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List logged questions
     * @description Returns the questions of the log of an index, the most frequent ones first. The newest 20,000 logged searches are counted. Without a log there are none.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listLoggedQuestions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/query-log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete the log of an index
     * @description Deletes all logged searches of an index and their feedback. Searches are logged further while `query_log` of the index says so. Searches of the last two seconds may be stored afterwards.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteQueryLog'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/evaluations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List evaluations
     * @description Newest first. An evaluation is listed for 30 days.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listEvaluations'];
    put?: never;
    /**
     * Evaluate an index
     * @description Searches with each question of a golden set as the search endpoints do, and measures what is found. With `compare_to`, the same searches are run on another index, a branch or the successor of a rebuild, and each difference is paired by question. All searches read one version of each. Each counts as a search in the usage. An evaluation has at most 20,000 searches, and at most 4 of an organization run at once; more are a 409. Results are kept for 30 days.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createEvaluation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/evaluations/{evaluation_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an evaluation
     * @description Returns the evaluation, and a URL for the results of each question once it is completed.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getEvaluation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/evaluations/{evaluation_id}/questions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the questions of an evaluation
     * @description Returns what each search has found for the questions of a completed evaluation, those with the largest losses first. The file of `questions_url` has all of them.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listEvaluatedQuestions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/exports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List exports
     * @description Newest first. An export is listed until its files are deleted.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listExports'];
    put?: never;
    /**
     * Export an index
     * @description Writes all rows with ids, texts, metadata, vectors and source files to files of JSON Lines or Parquet, as of one version of the index: the present one, or a former one by `as_of`. A credential that is bound to rows exports those. Reads every row, and counts as five searches. At most 4 exports of an organization run at once and 32 are stored, at most 8 of one index and 16 by one credential. More are a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createExport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/exports/{export_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an export
     * @description Returns the export, and a URL for each of its files once it is completed.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getExport'];
    put?: never;
    post?: never;
    /**
     * Delete an export
     * @description Ends the export if it runs, and deletes its files.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteExport'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aliases/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an alias
     * @description An alias of an index that the credentials may not use is a 404, like an unknown one.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getAlias'];
    /**
     * Create or move an alias
     * @description Paths accept the alias in place of an index id. A move is atomic: every request that begins after the response uses the new index. An organization has at most 1,000 aliases; more are a 409.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    put: operations['putAlias'];
    post?: never;
    /**
     * Delete an alias
     * @description Its index stays as it is.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    delete: operations['deleteAlias'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/aliases': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List aliases
     * @description In order of name. Credentials that are restricted to some indexes see only the aliases of those.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listAliases'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the figures of an index
     * @description Figures as of the last commit. `documents` counts the completed file jobs of this index itself. Searches of a large index compare `unindexed_vectors` one by one until the next maintenance.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getIndexStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/stats/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the daily figures of an index
     * @description One point for each day until today (UTC), oldest first: stored amounts at the end of the day, and usage of the day.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getIndexStatsHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metrics of an index
     * @description Returns size, changes, searches and search latency by day (UTC), and the last measurement of recall. Searches are counted exactly. The latency of the last search of a process may be missing.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getIndexMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List file jobs
     * @description Returns file jobs, newest first. With a filter, or a credential that is bound to rows, a page may have fewer jobs than `limit`, or none, although more follow: go on while there is an `x-next-cursor`.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listFiles'];
    put?: never;
    /**
     * Start a file job
     * @description Returns an upload URL. PUT the file to `upload_url` once, with exactly `upload_headers`. Processing begins when it has arrived. A repeat under the same `Idempotency-Key` returns the first response, and does not extend the validity of the URL. `on_duplicate` decides about files whose name exists in the index.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a file job
     * @description **Authorization:** any credential with the `read` permission.
     */
    get: operations['getFile'];
    put?: never;
    post?: never;
    /**
     * Delete a file job
     * @description Removes the file, the job, every row that it wrote, and the text of the file in its events. A job that has not ended is cancelled first. Returns when no search finds the rows. If the index does not commit the removal in time, returns 503: the job is no longer visible, and the deletion continues in the background.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteFile'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a file job
     * @description Cancels a job that has not ended, and removes the rows that it has written. A repeat returns the same response. Returns 409 if the job has ended otherwise, or is just replacing another.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['cancelFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/replace': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace the file of a job
     * @description Starts a job whose content atomically replaces that of a completed job when it completes. Until then, searches find the old content. A replacement that fails changes nothing. Of several replacements, the last one to complete wins. Returns 409 if the job is not completed. A repeat under the same `Idempotency-Key` returns the first response, and does not extend the validity of the URL.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['replaceFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Process a file again
     * @description Starts a job with a copy of the file of a failed or completed job, which it replaces when it completes. Until then, searches find the old content. Returns 409 if the job has not ended, if its file is no longer stored, or if a crawl or a connector owns it: the next run reads its file again.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['retryFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/text': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the text of a file
     * @description Returns what was read of a completed file, as a whole. `markdown` has headings, tables, and a comment such as `<!-- page 7 -->` before each page. `text` is plain, with a form feed before each further page: positions of citations refer to it. A text of more than 4 MB is returned as a URL. Returns 409 if there is no text: the job is not completed, or the file was read by an earlier release.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getFileText'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/pages/{picture}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the picture of a page
     * @description Returns a page of a completed PDF or image as a PNG of at most 4 MB. Boxes of citations are shares of its width and height. An image is its page 1, and a TIFF has a page for each of its images. `attachment` names a file within it, as the citation does. Returns 404 with the number of `pages` beyond the last one, and 409 for other formats. A picture counts as five requests.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getFilePage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/chunks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the chunks of a file
     * @description Returns the rows that a file job wrote, in the order of the file. Rows to which the file gave ids of its own are not among them: list or fetch those as vectors.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listFileChunks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/download': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a URL of the original file
     * @description Returns a URL from which the file can be downloaded as it was uploaded. Returns 409 if the file is not stored: the job waits for it, or was cancelled or replaced.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['downloadFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the tasks of a file job
     * @description Returns the tasks in the order of the file; all of them unless `limit` is given.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listFileTasks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/files/{job_id}/processing': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the processing detail of a file job
     * @description Returns the job, `processing` and trace data that webhook events contain. For a running job: its usage so far.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getFileProcessing'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/formats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the formats of files that can be read
     * @description The format of a file is detected by its content; name and declared type decide only between text formats. `refused` lists known formats that are not read, with the error of a job with such a file.
     *
     *     **Authorization:** none.
     */
    get: operations['listFormats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/imports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a file from object storage, a URL or an export
     * @description Queues a file job that copies one object and processes it. The object is in S3, Google Cloud Storage or Azure Blob Storage, or at a URL. `export` imports the rows of an export with their vectors. Without `credentials` the object must be public. Credentials are kept encrypted until the copy is done, for a day at most, and no response contains them.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createImport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List crawl jobs
     * @description Returns crawl jobs, newest first.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listCrawlJobs'];
    put?: never;
    /**
     * Crawl a site
     * @description Queues a crawl that starts at `url` and stays on its site. A page limit or a depth beyond the plan is a 402.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createCrawlJob'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a crawl job
     * @description Returns the crawl with the number of skipped addresses by reason.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getCrawlJob'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/skipped-pages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the addresses that a crawl skipped
     * @description Returns each address with its reason, in no particular order. Addresses are stored for 14 days after the crawl found them.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listSkippedPages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/source-credentials/{source_credentials}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Store or replace credentials of a storage
     * @description Imports and connectors of buckets use them by `stored_credentials`, from the next request after a replacement. They are stored encrypted and never returned. Another provider than before is a 409, and so are more than 100.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    put: operations['putSourceCredentials'];
    post?: never;
    /**
     * Delete stored credentials of a storage
     * @description A 409 names a connector that uses them: give it other credentials, or delete it. An import that still waits for its copy fails.
     *
     *     **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.
     */
    delete: operations['deleteSourceCredentials'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/source-credentials': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List stored credentials of storages
     * @description Returns names and providers of all stored credentials, in order of name, without their values.
     *
     *     **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.
     */
    get: operations['listSourceCredentials'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a crawl job
     * @description Safe to repeat. A crawl that has completed or failed is a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['cancelCrawlJob'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-schedules': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the schedules of crawls
     * @description Returns all schedules of the index, newest first.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listCrawlSchedules'];
    put?: never;
    /**
     * Schedule a crawl
     * @description Each run is an ordinary crawl job, which updates the pages of the runs before. If a run is still going on at the time of the next one, that one is left out. A page limit or a depth beyond the plan is a 402.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createCrawlSchedule'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/crawl-schedules/{schedule_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a schedule of crawls
     * @description Returns the schedule with its next time and its last crawl.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getCrawlSchedule'];
    put?: never;
    post?: never;
    /**
     * Delete a schedule of crawls
     * @description Starts no further crawl. Crawls that it has started, and their pages, stay.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteCrawlSchedule'];
    options?: never;
    head?: never;
    /**
     * Pause or change a schedule of crawls
     * @description Absent fields stay. A new interval, and that of a resumed schedule, counts from now. `starts_at` starts a crawl at another time, or at once. `headers` replaces all of them.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    patch: operations['updateCrawlSchedule'];
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List connectors
     * @description Returns the connectors of the index, newest first, and the available providers.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listConnectors'];
    put?: never;
    /**
     * Connect a provider
     * @description Reads its `scope`; without one, nothing until a scope is set. Credentials are stored encrypted and are never returned.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a connector
     * @description Returns a connector with the progress of its running sync.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['getConnector'];
    put?: never;
    post?: never;
    /**
     * Remove a connector
     * @description Deletes the credentials at once and hides the connector from every list. Its content is then removed from the index.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    delete: operations['deleteConnector'];
    options?: never;
    head?: never;
    /**
     * Change name, interval or metadata of a connector
     * @description Absent fields stay. A new interval counts from the last sync. New metadata starts a sync that processes every document again, each as a file job.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    patch: operations['updateConnector'];
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/custom-api': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Connect an API of your own
     * @description Describes the list, its pagination and the fields of an item, as JSON Pointers. All items are in scope. The description is stored encrypted with its credentials and is never returned.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['createCustomApiConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{provider}/authorize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a consent
     * @description Returns the URL at which a person grants access to `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`, within 15 minutes. The provider redirects them to a page with a code. Sending the code to `complete` creates the connector, which then waits for a scope. With a `connection_id`, that connector gets the new credentials instead. A 409 if that connector reads another provider, or if the deployment has no application at the provider.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['authorizeConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/connectors/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Return from a consent
     * @description Redirect target of a provider after a consent. It creates no connector: the page shows the organization, the index, the account and a code for `complete`. The state is valid once, for 15 minutes. If the provider is busy, a 503 says when to load the same address again. A client that accepts `text/html` gets errors as a page too.
     *
     *     **Authorization:** none.
     */
    get: operations['returnFromConsent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{provider}/complete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm a consent
     * @description Creates the connector of a consent, with the code that the page after the consent shows. Only the credential that called `authorize`, or any session of the same user, can complete it. The code is valid once, for 15 minutes. The connector then waits for a scope, or continues with its existing one.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['completeConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/choices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what a scope can contain
     * @description Asks the source for channels, pages, data sources, folders, files, sites and libraries that the connector can read, a page at a time. A 409 if the source has nothing to choose, such as a calendar, or no longer grants access. A 503 with `Retry-After` if it is busy.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    get: operations['listConnectorChoices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/syncs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the syncs of a connector
     * @description Returns ended syncs, newest first, with what they changed. They are kept for 30 days.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listConnectorSyncs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/unread-items': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what a connector could not read
     * @description Returns each document, channel, folder or other place that could not be read, with the reason, in no particular order. At most 1,000 are kept, the latest. Documents whose file job failed are among them from the next sync on.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listUnreadItems'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/scope': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set the scope of a connector
     * @description Replaces the whole scope and starts a sync, which removes documents that are out of scope. A paused connector stays paused.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    put: operations['updateConnectorScope'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/credentials': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Replace the credentials of a connector
     * @description Replaces credentials that no longer work; for a custom API its whole description. Scope and documents stay, and a sync reads everything in scope. A paused connector stays paused. A 409 if the connector reads another provider.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    put: operations['reconnectConnector'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/sync': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sync a connector now
     * @description Reads the changes since the last sync, before the next one is due. A running sync continues, and a connector that stopped with an error is resumed. A paused connector, or one without a scope, is a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['syncConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a connector
     * @description Syncs a paused connector, or one with an error, again and retries failed documents. Safe to repeat. A connector without a scope is a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['resumeConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/connectors/{connection_id}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pause a connector
     * @description Stops syncing until the connector is resumed; indexed documents stay. Safe to repeat. A connector without a scope is a 409.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['pauseConnector'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List vectors
     * @description Lists vectors in order of id, of all or of those that match `filter`, with their numbers if `include_vectors` is `true`. With `order_by` they are in the order of a metadata key, and all pages are of one version of the index, which is kept for at least 15 minutes. A page ends early if its rows would exceed the size of a response. With `filter` or `order_by`, which may read every row, it counts as one search.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    get: operations['listVectors'];
    put?: never;
    /**
     * Upsert vectors
     * @description Writes a list of items. Returns when all of them are durable and searchable. An item without a vector is embedded from its text. With `if_version`, all items are written or, if the version of one differs, none: the response is then a 409 whose `conflicts` are the first hundred such ids with their versions.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['upsertVectors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors/update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Update metadata
     * @description Merges metadata into existing vectors, without their numbers or text. Ids that do not exist change nothing; `missing` has the first hundred. With `if_version`, all vectors are changed or, if the version of one differs, none: the response is then a 409 with `conflicts`.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['updateVectors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors/fetch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Fetch vectors by id
     * @description Returns vectors in the order of the ids, without ids that do not exist and rows that do not match `filter`. A response is at most 6 MiB, about 200 vectors of 1,536 numbers. Use several requests for more.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['fetchVectors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors/delete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delete vectors
     * @description Deletes by ids, by filter, or all. Returns when no search finds the vectors any more. `deleted` counts those that existed.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['deleteVectors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors/count': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Count vectors
     * @description Returns the exact number of rows, of all or of those that match `filter`. Counts as one search.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['countVectors'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/vectors/update-by-filter': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Update metadata by filter
     * @description Merges metadata into all vectors that match, in one commit. Returns when searches see it. If the vectors are more than one commit can write, or the metadata of one would exceed 40 KiB, the response is a 409 and nothing is changed.
     *
     *     **Authorization:** any credential with the `write` permission.
     */
    post: operations['updateVectorsByFilter'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/metadata/values': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List the values of a metadata key
     * @description Returns the distinct values of a key with the number of rows that have each, of all rows or of those that match `filter`. A list counts with each of its members. Reads every matching row, and counts as five searches.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['listMetadataValues'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/metadata/describe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Describe metadata keys
     * @description Returns the types, the number of distinct values, and the lowest and highest number and text of metadata keys, over all rows or those that match `filter`. Reads every matching row, and counts as five searches.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['describeMetadata'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/search/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run several searches
     * @description Runs up to 16 searches of any kind on one version of the index, and returns their responses in order. An error of one does not fail the others. Each counts as a search.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['searchBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/search/dense': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search by meaning
     * @description Returns the nearest rows to a vector, or to the embedding of a text by the model of the index. A higher score is nearer: cosine similarity, or negative squared euclidean distance.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['denseSearch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/recall': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Measure recall
     * @description Measures which share of the exact hits the default dense search finds, with vectors drawn from the index or with given vectors. It measures once over all rows and once with a filter. Without a given filter, it derives one that about one row in a hundred matches. A drawn vector is not a hit of itself. No query begins after 12 seconds. Each search counts in usage as a dense search. The request counts as 12 searches for each query against the rate limit, and as 8 requests in flight.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['measureRecall'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/search/sparse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search by words
     * @description Returns the rows whose text matches best by BM25, after stemming and without stop words. Words in double quotes must occur next to each other in that order. `-"…"` excludes rows with that phrase.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['sparseSearch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/search/hybrid': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search by meaning and words
     * @description Runs a dense and a sparse search, and fuses them by weighted reciprocal ranks or by a weighted sum of normalized scores: BM25 as a share of the best hit, similarities from the last candidate to the best. Each hit has its rank and score on both sides; `include: ["explanation"]` adds the contribution of each side to the score.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['hybridSearch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhook events
     * @description Lists the events of the organization, newest first. The next page starts at `offset + limit`. `traces` and `telemetry` contain the processing data of the events on the page that end a file job. Deleting a job deletes its steps in `telemetry` and empties `sparse_text`. Very large events are shortened to fit the page. A page has at most 4,000 steps of telemetry.
     *
     *     **Authorization:** any session.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhook endpoints
     * @description Lists the endpoints of the organization, newest first.
     *
     *     **Authorization:** the session of an owner.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Create a webhook endpoint
     * @description The response contains the signing secret, which is returned only once.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/endpoints/{endpoint_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a webhook endpoint
     * @description Ends all deliveries to the endpoint, including pending retries.
     *
     *     **Authorization:** the session of an owner.
     */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Update, pause or resume a webhook endpoint
     * @description Changes the given fields. The signing secret stays the same.
     *
     *     **Authorization:** the session of an owner.
     */
    patch: operations['updateWebhookEndpoint'];
    trace?: never;
  };
  '/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the secret of a webhook endpoint
     * @description The response contains the new signing secret, which is returned only once. For 24 hours every delivery is signed with the old and the new secret, so receivers can verify either. Returns 409 after 4 rotations in 24 hours.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/endpoints/{endpoint_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test message to a webhook endpoint
     * @description Sends a message of type `webhook.test` to this endpoint. It is signed, retried and logged like an event, but the event history does not contain it. The delivery log shows the outcome. Returns 409 if the endpoint is disabled.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['testWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries to a webhook endpoint
     * @description Lists the events, replays and test messages of the last 30 days with their attempts, newest first.
     *
     *     **Authorization:** the session of an owner.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/events/{event_id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay an event
     * @description Sends an event again: to one endpoint, even if it does not subscribe to the type, or to all enabled endpoints that do. `hook-id` and body stay the same, except that the text of a file whose job was deleted is missing. Timestamp and signature are new. Returns 409 if the endpoint is disabled.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['replayOneEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/organization/webhooks/events/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay the events of a time range
     * @description Sends the events that are still in the history again, oldest first. Each endpoint receives the types that it subscribes to. A range may contain at most 10,000 events. Returns 404 if `endpoint_id` does not exist and 409 if that endpoint is disabled.
     *
     *     **Authorization:** the session of an owner.
     */
    post: operations['replayEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Serve agents by the Model Context Protocol
     * @description Serves one message of MCP 2026-07-28 or of the 2025 revisions, without sessions or streams. The tools search and read the indexes that the credential can use and, with the write permission, add and delete documents. A call counts as the search or write that it does. The response to a notification is a 202.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['mcp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/indexes/{index_id}/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Serve agents by the Model Context Protocol, for one index
     * @description Serves one message like `POST /v1/mcp`. The tools work on this index only, so they need no `index_id`.
     *
     *     **Authorization:** any credential with the `read` permission.
     */
    post: operations['indexMcp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/oauth-protected-resource': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metadata of the service as a protected resource
     * @description Metadata of RFC 9728, from which OAuth clients learn how to get a token for the service.
     *
     *     **Authorization:** none.
     */
    get: operations['getRootMetadata'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/oauth-protected-resource/v1/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metadata of the MCP server as a protected resource
     * @description Metadata of RFC 9728, from which OAuth clients learn how to get a token for `POST /v1/mcp`.
     *
     *     **Authorization:** none.
     */
    get: operations['getMcpMetadata'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/.well-known/oauth-protected-resource/v1/indexes/{index_id}/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metadata of the MCP server of an index as a protected resource
     * @description Metadata of RFC 9728, like those of `POST /v1/mcp`. They are the same whether the index exists or not.
     *
     *     **Authorization:** none.
     */
    get: operations['getIndexMcpMetadata'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/health/deep': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check all dependencies of the service
     * @description Sends one small request to each table, bucket and queue. In each region it embeds a word by each model and opens up to 20 indexes of the organization, and names those whose data is missing or damaged. Each check takes at most 10 seconds. The status is 200 even if checks fail.
     *
     *     **Authorization:** the session of an owner.
     */
    get: operations['getDeepHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check whether the API responds
     * @description Returns 200 if the API responds. It does not check dependencies. On one machine it returns 503 while the disk takes no data.
     *
     *     **Authorization:** none.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the API description
     * @description Returns the API description in OpenAPI 3.1.
     *
     *     **Authorization:** none.
     */
    get: operations['getOpenapi'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Open the console in a browser
     * @description Returns the page of the console, which signs in at the configured identity provider.
     *
     *     **Authorization:** none.
     */
    get: operations['getConsolePage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a script or style of the console
     * @description **Authorization:** none.
     */
    get: operations['getConsoleFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/guides': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Open the guides and the handbook in a browser
     * @description **Authorization:** none.
     */
    get: operations['getGuides'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/guides/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a page, script, style or the search index of the guides
     * @description **Authorization:** none.
     */
    get: operations['getGuidesFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the API description in a browser
     * @description Returns a page that documents the operations and sends requests. It does not store credentials.
     *
     *     **Authorization:** none.
     */
    get: operations['getDocs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a script or style of the documentation page
     * @description **Authorization:** none.
     */
    get: operations['getDocsFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description One element of the location of a problem: a key, or a position in a list, from 0. */
    LocationPart: string | number;
    /** @description One problem of a request. */
    ValidationError: {
      /** @description Location: `body`, `query`, `path` or `header`, then keys and positions. */
      loc: components['schemas']['LocationPart'][];
      /** @description Human-readable message. It may change. */
      msg: string;
      /** @description A pydantic error type, such as `missing` or `greater_than_equal`. */
      type: string;
    };
    /** @description All problems of a request. */
    HTTPValidationError: {
      /** @description Problems in the order of the request. */
      detail?: components['schemas']['ValidationError'][];
    };
    /** @description A row whose version differs from the expected one. */
    VersionConflict: {
      /** @description Id of the row. */
      id: string;
      /** @description Current version of the row; null if the row does not exist. */
      version: string | null;
    };
    /**
     * @description Stable error code. `ErrorResponse` explains each.
     * @enum {string}
     */
    ErrorCode:
      | 'bad_request'
      | 'unauthenticated'
      | 'token_expired'
      | 'key_revoked'
      | 'plan_limit_reached'
      | 'forbidden'
      | 'owner_required'
      | 'write_permission_required'
      | 'index_not_allowed'
      | 'organization_not_allowed'
      | 'feature_not_in_plan'
      | 'not_found'
      | 'method_not_allowed'
      | 'conflict'
      | 'idempotency_conflict'
      | 'name_taken'
      | 'index_not_ready'
      | 'index_full'
      | 'evaluation_running'
      | 'evaluation_failed'
      | 'golden_set_too_small'
      | 'search_too_large'
      | 'not_supported_by_engine'
      | 'cursor_expired'
      | 'version_not_kept'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'rate_limited'
      | 'headers_too_large'
      | 'internal'
      | 'unavailable';
    /**
     * @description Every error except 422. `code` is stable:
     *
     *     - 400 `bad_request`: The request is not valid HTTP.
     *     - 401 `unauthenticated`: The bearer value is missing or unknown.
     *     - 401 `token_expired`: The API key, access token or session has expired. Get a new one.
     *     - 401 `key_revoked`: The API key or OAuth client was revoked.
     *     - 402 `plan_limit_reached`: A limit of the plan is reached. `limit` is the limit, `current` the current number. Delete some resources, request less or change the plan.
     *     - 403 `forbidden`: The credential may not make this call.
     *     - 403 `owner_required`: The call needs the session of an owner.
     *     - 403 `write_permission_required`: The credential does not have the `write` permission, or is restricted to indexes and the call needs all.
     *     - 403 `index_not_allowed`: The credential is restricted to other indexes.
     *     - 403 `organization_not_allowed`: The credential does not belong to the organization in `x-service-organization-id`.
     *     - 403 `feature_not_in_plan`: The plan of the organization does not include this feature.
     *     - 404 `not_found`: The resource does not exist or belongs to another organization.
     *     - 405 `method_not_allowed`: The path does not support this method. The header `allow` lists the supported methods.
     *     - 409 `conflict`: The resource is in a state that does not allow this operation.
     *     - 409 `idempotency_conflict`: The `Idempotency-Key` was used with another request in the last 24 hours.
     *     - 409 `name_taken`: An index has this name, and the request asked for a new one. `index_id` is its id.
     *     - 409 `index_not_ready`: The branch is still being created. Retry after the seconds in `retry-after`.
     *     - 409 `index_full`: The index has reached a maximum of its `capacity`; `limit` and `current` contain the number. Nothing was written. Delete rows, or use a further index.
     *     - 409 `evaluation_running`: The evaluation that `require` asks for has not ended; `evaluation_id` is its id. Send the request again after the seconds in `retry-after`.
     *     - 409 `evaluation_failed`: The content finds less than `require` allows, and the interval of the loss excludes 0. `evaluation` has the figures. Nothing was changed.
     *     - 409 `golden_set_too_small`: The golden set has too few questions to find a loss of `max_loss`. `evaluation.detectable_loss` is the smallest one that it finds. Nothing was changed.
     *     - 409 `search_too_large`: An exact search or a measurement of recall could not read all rows in its time; a repeat takes as long.
     *     - 409 `not_supported_by_engine`: The engine of the index lacks the feature that `feature` names. `features` of an index lists those that it has.
     *     - 410 `cursor_expired`: The version of the index that a cursor reads is no longer kept, or the search defaults of the index have changed. Begin with the first page.
     *     - 410 `version_not_kept`: The index has no kept version as of the requested time, or not the requested version. `GET …/versions` lists them.
     *     - 413 `payload_too_large`: The body is larger than 512 KiB (5 MiB for vectors, ids or a filter), or the response would be larger than 6 MiB.
     *     - 415 `unsupported_media_type`: The media type of the body is not supported, or its `content-type` is missing.
     *     - 429 `rate_limited`: A rate limit of the plan is exceeded. Retry after the seconds in `retry-after`.
     *     - 431 `headers_too_large`: The request line and headers together exceed 10,240 bytes. Only on one machine: in AWS, API Gateway returns its own error.
     *     - 500 `internal`: The service failed. Its operator finds the cause by the request id.
     *     - 503 `unavailable`: The service is temporarily unavailable. A retry is safe, with the same `Idempotency-Key` if one was sent. Without `retry-after`, a retry does not help until the operator has fixed the cause.
     */
    ErrorResponse: {
      /** @description Human-readable message. It may change. */
      detail: string;
      /** @description Stable error code. `ErrorResponse` explains each. */
      code: components['schemas']['ErrorCode'];
      /** @description Id of the request, also in the header `x-request-id`. */
      request_id: string;
      /**
       * Format: int64
       * @description With `plan_limit_reached`: the limit of the plan.
       */
      limit?: number;
      /**
       * Format: int64
       * @description With `plan_limit_reached`: the current number, or the requested number if one request exceeds the limit.
       */
      current?: number;
      /** @description With `not_supported_by_engine`: the feature. */
      feature?: string;
      /** @description With `evaluation_running`, `evaluation_failed` and `golden_set_too_small`: the evaluation. */
      evaluation_id?: string;
      /** @description With `evaluation_failed` and `golden_set_too_small`: the figures of the evaluation. */
      evaluation?: components['schemas']['EvaluationProof'];
      /** @description With a `conflict` of `if_version`: the first 100 rows whose versions differ. */
      conflicts?: components['schemas']['VersionConflict'][];
    };
    /** @description The index of an alias. */
    AliasPut: {
      /** @description Id of the index. */
      index_id: string;
    };
    /** @description A name of an index. */
    AliasResponse: {
      /** @description The name, which paths accept in place of an index id. */
      name: string;
      /** @description Id of its index. */
      index_id: string;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Time of the last change of its index.
       */
      updated_at: string;
    };
    /** @description An API key to create. */
    ApiKeyCreate: {
      /** @description Display name. */
      name: string;
      /** @description Permissions of the key. */
      permissions?: components['schemas']['ApiKeyCreatePermissions'];
      /** @description Ids of the indexes that the credential is restricted to; null or absent for all indexes. */
      index_ids?: string[] | null;
      /** @description Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or absent for all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with it belong to the credential. End it with a separator, such as `acme:`. */
      id_prefix?: string | null;
      /** @description Limits of the credential by minute, within those of the organization. A request above one is a 429. */
      rate_limits?: components['schemas']['CredentialRateLimits'] | null;
      /** @description Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429. */
      in_flight?: number | null;
      /** @description Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests that run then are completed. */
      monthly_limits?: components['schemas']['CredentialMonthlyLimits'] | null;
      /** @description When the key expires; null or absent for never. */
      expires_at?: string | null;
    };
    /**
     * @description Permissions of the key.
     * @default [
     *       "read",
     *       "write"
     *     ]
     */
    ApiKeyCreatePermissions: components['schemas']['Permission'][];
    /** @description A created API key with its value. */
    ApiKeyCreated: {
      /** @description Id of the key. */
      id: string;
      /** @description Display name. */
      name: string;
      /** @description Permissions of the key: `read`, `write`. */
      permissions: string[];
      /** @description Ids of the indexes that the credential is restricted to; null for all indexes. */
      index_ids: string[] | null;
      /** @description Filter of the rows that the credential is bound to; null for all rows. */
      filter: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that it may write; null for any. */
      id_prefix: string | null;
      /** @description Its limits by minute; null for those of the plan. */
      rate_limits: components['schemas']['ShownRateLimits'] | null;
      /** @description Maximum of its requests at a time; null for that of the plan. */
      in_flight: number | null;
      /** @description Its limits by month; null for those of the plan. */
      monthly_limits: components['schemas']['ShownMonthlyLimits'] | null;
      /**
       * Format: date-time
       * @description When the key was created.
       */
      created_at: string;
      /** @description Value of the key, returned only once. */
      token: string;
      /** @description When the key expires; null for never. */
      expires_at: string | null;
    };
    /** @description An API key without its value. */
    ApiKeyResponse: {
      /** @description Id of the key. */
      id: string;
      /** @description Display name. */
      name: string;
      /** @description Permissions of the key: `read`, `write`. */
      permissions: string[];
      /** @description Ids of the indexes that the credential is restricted to; null for all indexes. */
      index_ids: string[] | null;
      /** @description Filter of the rows that the credential is bound to; null for all rows. */
      filter: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that it may write; null for any. */
      id_prefix: string | null;
      /** @description Its limits by minute; null for those of the plan. */
      rate_limits: components['schemas']['ShownRateLimits'] | null;
      /** @description Maximum of its requests at a time; null for that of the plan. */
      in_flight: number | null;
      /** @description Its limits by month; null for those of the plan. */
      monthly_limits: components['schemas']['ShownMonthlyLimits'] | null;
      /**
       * Format: date-time
       * @description When the key was created.
       */
      created_at: string;
      /** @description First 16 characters of the value, to recognize the key. */
      prefix: string;
      /** @description When the key expires; null for never. */
      expires_at: string | null;
      /** @description When the key was revoked; null if it was not. */
      revoked_at: string | null;
      /** @description When the key was last used, up to an hour too early: the first use of the last hour (UTC) with a use. Null if no use is known. */
      last_used_at: string | null;
      /** @description Id of the user, API key or OAuth client that created it. It ends with its creator. Null if unknown. */
      created_by: string | null;
    };
    /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
    AsOf: number | string;
    /**
     * @description Type of the changed resource, and what happened to it.
     * @enum {string}
     */
    AuditAction:
      | 'alias.deleted'
      | 'alias.set'
      | 'api_key.created'
      | 'api_key.revoked'
      | 'connector.connected'
      | 'connector.consent_started'
      | 'connector.created'
      | 'connector.credentials_replaced'
      | 'connector.deleted'
      | 'connector.paused'
      | 'connector.resumed'
      | 'connector.scope_updated'
      | 'connector.sync_requested'
      | 'connector.updated'
      | 'crawl_job.cancelled'
      | 'crawl_job.created'
      | 'crawl_schedule.created'
      | 'crawl_schedule.deleted'
      | 'crawl_schedule.updated'
      | 'erasure.created'
      | 'evaluation.created'
      | 'event.replayed'
      | 'export.created'
      | 'export.deleted'
      | 'golden_set.deleted'
      | 'golden_set.set'
      | 'grant.created'
      | 'grant.revoked'
      | 'import.created'
      | 'index.branched'
      | 'index.created'
      | 'index.deleted'
      | 'index.promoted'
      | 'index.restored'
      | 'index.updated'
      | 'invitation.accepted'
      | 'invitation.created'
      | 'invitation.revoked'
      | 'member.removed'
      | 'member.updated'
      | 'oauth_client.created'
      | 'oauth_client.revoked'
      | 'organization.updated'
      | 'source_credentials.deleted'
      | 'source_credentials.set'
      | 'query_log.deleted'
      | 'rebuild.closed'
      | 'rebuild.created'
      | 'rebuild.rolled_back'
      | 'session.created'
      | 'session.ended'
      | 'webhook_endpoint.created'
      | 'webhook_endpoint.deleted'
      | 'webhook_endpoint.secret_rotated'
      | 'webhook_endpoint.tested'
      | 'webhook_endpoint.updated';
    /** @description Who made a change. */
    AuditActor: {
      /** @description Kind of a credential. `session`: a user. */
      kind: components['schemas']['AuditActorKind'];
      /** @description Id of the API key, OAuth client, grant or user. */
      id: string;
      /** @description E-mail address of the user of a session; null for other credentials. */
      email: string | null;
      /** @description Creators of the credential, first to last: a user, API keys and OAuth clients. */
      creators: string[];
    };
    /**
     * @description Kind of a credential. `session`: a user.
     * @enum {string}
     */
    AuditActorKind: 'api_key' | 'access_token' | 'grant' | 'session' | 'user_token';
    /**
     * @description `succeeded`: the change was made. `unknown`: the request is running, or ended by an error of the service, and may have made the change.
     * @enum {string}
     */
    AuditOutcome: 'succeeded' | 'unknown';
    /** @description Record of one change. */
    AuditRecordResponse: {
      /** @description Id of the record. */
      id: string;
      /**
       * Format: date-time
       * @description When the request was made.
       */
      at: string;
      /** @description Type of the changed resource, and what happened to it. */
      action: components['schemas']['AuditAction'];
      /** @description `succeeded`: the change was made. `unknown`: the request is running, or ended by an error of the service, and may have made the change. */
      outcome: components['schemas']['AuditOutcome'];
      /** @description Who made a change. */
      actor: components['schemas']['AuditActor'];
      /** @description The changed resource. It may have been deleted since. */
      resource: components['schemas']['AuditedResource'];
      /** @description Index in the path of the request; null if there is none. */
      index_id: string | null;
      /** @description IP address of the client; null if it is unknown. */
      source_ip: string | null;
      /** @description `user-agent` header of the request; null if it had none. */
      user_agent: string | null;
      /** @description Id of the request, as in its response. */
      request_id: string;
      /** @description Fields of the request. No value is secret. The JSON of a value of more than 1,000 characters is cut. */
      details: {
        [key: string]: unknown;
      };
    };
    /** @description Body of a `audit.recorded` message. */
    AuditRecordedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'audit.recorded';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['AuditRecordedEventData'];
    };
    /** @description A change was recorded in the audit log. An endpoint receives it only if `event_types` names it, since the record contains e-mail and IP addresses of people. */
    AuditRecordedEventData: {
      /** @description The record. */
      record: components['schemas']['AuditRecordResponse'];
    };
    /** @description The changed resource. It may have been deleted since. */
    AuditedResource: {
      /** @description Type of the resource: the first part of the action. */
      type: string;
      /** @description Id of the resource; null if it has none. */
      id: string | null;
      /** @description Name of the resource at the time; null if it has none. */
      name: string | null;
    };
    /** @description Access that a person grants to an application, with its authorization request. */
    AuthorizationCreate: {
      /** @description `code` */
      response_type?: string;
      /** @description URL of the metadata document of the application, or `strata-cli`. */
      client_id: string;
      /** @description URL of the application to which the code is sent. */
      redirect_uri: string;
      /** @description SHA-256 of the code verifier, as base64url. */
      code_challenge?: string;
      /** @description `S256` */
      code_challenge_method?: string;
      /** @description URL of the MCP server, or of the service, for which tokens are requested. */
      resource?: string;
      /** @description Requested scopes, separated by spaces; `read` if absent. */
      scope?: string;
      /** @description Value that is returned to the application unchanged. */
      state?: string;
      /** @description Permissions that the person grants, among the requested ones. */
      permissions: components['schemas']['Permission'][];
      /** @description Ids of the indexes that the credential is restricted to; null or absent for all indexes. */
      index_ids?: string[] | null;
      /** @description Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or absent for all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with it belong to the credential. End it with a separator, such as `acme:`. */
      id_prefix?: string | null;
      /** @description Limits of the credential by minute, within those of the organization. A request above one is a 429. */
      rate_limits?: components['schemas']['CredentialRateLimits'] | null;
      /** @description Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429. */
      in_flight?: number | null;
      /** @description Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests that run then are completed. */
      monthly_limits?: components['schemas']['CredentialMonthlyLimits'] | null;
    };
    /** @description Where the browser of the person goes next. */
    AuthorizationCreated: {
      /** @description URL of the application, with its code. */
      redirect_to: string;
    };
    /** @description Authorization request of an application. */
    AuthorizationReview: {
      /** @description Name of the application, which it has chosen itself. */
      client_name: string;
      /** @description Host of its metadata document; null for a built-in application. */
      client_host: string | null;
      /** @description Host to which the access is sent. */
      redirect_host: string;
      /** @description URL for which access is requested; null if there is a problem. */
      resource: string | null;
      /** @description The only index of the resource; null for any index. */
      index_id: string | null;
      /** @description Permissions that the person may grant. */
      scopes: components['schemas']['Permission'][];
      /** @description Why the request cannot be granted; null if it can. */
      problem: string | null;
      /** @description URL of the application that reports the refusal or the problem to it. */
      refusal_url: string;
    };
    /** @description Metadata of an authorization server. Source: RFC 8414, 2. */
    AuthorizationServerMetadata: {
      /** @description Issuer of tokens: the origin of the service. */
      issuer: string;
      /** @description Page on which a person grants access. */
      authorization_endpoint: string;
      /** @description Where codes and refresh tokens are exchanged. */
      token_endpoint: string;
      /** @description Where tokens are revoked. */
      revocation_endpoint: string;
      /** @description Scopes of tokens. */
      scopes_supported: string[];
      /** @description Results of the authorization endpoint. */
      response_types_supported: string[];
      /** @description How results are returned. */
      response_modes_supported: string[];
      /** @description Grant types of the token endpoint. */
      grant_types_supported: string[];
      /** @description How clients authenticate. */
      token_endpoint_auth_methods_supported: string[];
      /** @description How clients authenticate. */
      revocation_endpoint_auth_methods_supported: string[];
      /** @description Methods of PKCE. */
      code_challenge_methods_supported: string[];
      /** @description Whether results contain `iss` (RFC 9207). */
      authorization_response_iss_parameter_supported: boolean;
      /** @description Whether `client_id` is the URL of a document. */
      client_id_metadata_document_supported: boolean;
      /** @description Page that documents the service. */
      service_documentation: string;
    };
    /** @description Consent of a person, in the format of Google tools. */
    AuthorizedUser: {
      /**
       * @description Always `authorized_user`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'authorized_user';
      /** @description Id of the OAuth client. */
      client_id: string;
      /** @description Secret of the OAuth client. */
      client_secret: string;
      /** @description Refresh token of the person. */
      refresh_token: string;
    };
    /** @description A provider that can be connected. */
    AvailableConnector: {
      /** @description The provider. */
      provider: components['schemas']['ConnectorProvider'];
      /** @description Display name of the provider. */
      name: string;
      /** @description Whether the index has a connection to it. */
      connected: boolean;
    };
    /** @description A connector to Azure Blob Storage to create. */
    AzureConnectorCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'azure_blob';
      /** @description Display name. */
      name?: components['schemas']['AzureConnectorCreateName'];
      /** @description Shared access signature with the permissions to read and list; null if the container is public. */
      credentials?: components['schemas']['AzureCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['AzureConnectorCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    AzureConnectorCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Azure Blob Storage
     */
    AzureConnectorCreateName: string;
    /** @description A shared access signature. */
    AzureCredentials: {
      /** @description Query string of a shared access signature: `sv=…&sig=…`. */
      sas_token: string;
    };
    /** @description Credentials of a storage to store under a name. */
    AzureCredentialsPut: {
      /**
       * @description Storage of the credentials. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'azure_blob';
      /** @description A shared access signature. */
      credentials: components['schemas']['AzureCredentials'];
    };
    /** @description A blob of Azure: `https://ACCOUNT.blob.core.windows.net/CONTAINER/NAME`. */
    AzureImport: {
      /**
       * @description Cloud provider that keeps the file. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'azure_blob';
      /** @description Address of the file. */
      uri: string;
      /** @description Credentials for the file; null if it is public. Kept encrypted until the copy is done. */
      credentials?: components['schemas']['AzureCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Name of the file; null: the last part of `uri`. */
      filename?: string | null;
      /** @description Media type of the file; null: detected from its content. */
      content_type?: string | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description New credentials of a connector to Azure Blob Storage. */
    AzureReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'azure_blob';
      /** @description Shared access signature with the permissions to read and list; null if the container is public. */
      credentials?: components['schemas']['AzureCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
    };
    /** @description Requests carry a user name and a password. */
    BasicAuth: {
      /**
       * @description Always `basic`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'basic';
      /** @description User name, without a colon. */
      username: string;
      /** @description Password. */
      password: string;
    };
    /** @description A search by meaning in a batch. */
    BatchDenseSearch: {
      /** @description Text to search for. The model of the index turns it into a vector. */
      text?: string | null;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['BatchDenseSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
      /**
       * @description Search by meaning. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'dense';
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    BatchDenseSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description A search by meaning and words in a batch. */
    BatchHybridSearch: {
      /** @description Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side. Required without `queries`. */
      text?: string;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Fusion of the dense and the sparse side. Null: not even by the defaults of the index. */
      fusion?: components['schemas']['SearchFusion'] | null;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['BatchHybridSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
      /**
       * @description Search by meaning and words. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'hybrid';
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    BatchHybridSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description Several searches of one version of an index. */
    BatchSearch: {
      /** @description The searches. */
      searches: components['schemas']['BatchSearchRequest'][];
    };
    /** @description Error of one search. */
    BatchSearchError: {
      /** @description Code of the error. */
      code: string;
      /** @description What went wrong. */
      detail: string;
    };
    /** @description Result of one search of a batch. */
    BatchSearchItem: {
      /**
       * Format: int64
       * @description Status of the search alone: 200, or that of its error.
       */
      status: number;
      /** @description Its response, with status 200. */
      response?: components['schemas']['SearchResponse'];
      /** @description Its error, with another status. */
      error?: components['schemas']['BatchSearchError'];
    };
    /** @description A search of a batch. */
    BatchSearchRequest:
      | components['schemas']['BatchDenseSearch']
      | components['schemas']['BatchSparseSearch']
      | components['schemas']['BatchHybridSearch'];
    /** @description Results of several searches. */
    BatchSearchResponse: {
      /** @description One for each search, in their order. */
      responses: components['schemas']['BatchSearchItem'][];
    };
    /** @description A search by words in a batch. */
    BatchSparseSearch: {
      /** @description Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side. Required without `queries`. */
      text?: string;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['BatchSparseSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
      /**
       * @description Search by words. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'sparse';
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    BatchSparseSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description Requests carry a bearer value. */
    BearerAuth: {
      /**
       * @description Always `bearer`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'bearer';
      /** @description Bearer value. */
      token: string;
    };
    /** @description Response to the acceptance of an invitation. */
    BillingActionResponse: {
      /** @description Always `accepted`. */
      status: string;
      /** @description Id of the organization that the user joined. */
      organization_id: string;
      /** @description Role of the user in the organization. */
      role: components['schemas']['OrganizationRole'];
    };
    /** @description Condition with a value between 0 and 1. A row without the key leaves it out. */
    BoostCondition: {
      /** @description Rows that match have 1, others 0. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Metadata key of `decay` or `saturate`. */
      key?: string | null;
      /** @description Boost that decreases with the distance from a value. */
      decay?: components['schemas']['BoostDecay'] | null;
      /** @description Boost that grows with a number: `x / (x + midpoint)`. */
      saturate?: components['schemas']['BoostSaturation'] | null;
      /** @description Weight among the conditions. A negative one demotes. */
      weight?: components['schemas']['BoostConditionWeight'];
    };
    /**
     * @description Weight among the conditions. A negative one demotes.
     * @default 1
     */
    BoostConditionWeight: number | null;
    /** @description Boost that decreases with the distance from a value. */
    BoostDecay: {
      /** @description Value at which the boost is 1: a number, a time or `now`. */
      origin: components['schemas']['DecayOrigin'];
      /** @description Distance at which the boost is one half: a number, or a duration such as `30d` or `12h`. */
      scale: components['schemas']['DecayLength'];
      /** @description Distance within which the boost stays 1. Default 0. */
      offset?: components['schemas']['DecayLength'] | null;
      /** @description Shape of the decay. */
      curve?: components['schemas']['BoostDecayCurve'];
    };
    /**
     * @description Shape of the decay.
     * @default exp
     */
    BoostDecayCurve: components['schemas']['DecayCurve'] | null;
    /** @description Boost that grows with a number: `x / (x + midpoint)`. */
    BoostSaturation: {
      /**
       * Format: double
       * @description Value that has one half.
       */
      midpoint: number;
    };
    /** @description An open session with its user. */
    BootstrapResponse: {
      /** @description The user of the session. */
      user: components['schemas']['User'];
      /** @description Bearer value of the session, returned only once. */
      session_token: string;
      /**
       * Format: date-time
       * @description When the session expires.
       */
      expires_at: string;
      /** @description Organizations of the user, oldest membership first. */
      organizations: components['schemas']['OrganizationWorkspace'][];
      /** @description Invitations that the user can accept now. */
      pending_invitations: components['schemas']['PendingInvitation'][];
    };
    /**
     * @description Change of a row in a branch.
     * @enum {string}
     */
    BranchChange: 'added' | 'changed' | 'deleted';
    /** @description A row that differs between a branch and its parent. */
    BranchDifference: {
      /** @description Id of the row. */
      id: string;
      /** @description Change of the row in the branch. */
      change: components['schemas']['BranchChange'];
    };
    /** @description Where a chunk of a file is in its text. */
    ChunkPosition: {
      /** @description Number of the chunk in its part of the file, from 1. */
      position: number | null;
      /** @description Offset of its first character in the text of that part. */
      start: number | null;
      /** @description Offset behind its last character in the text of that part. */
      end: number | null;
      /** @description Headings above the chunk, outermost first. */
      heading_path: string[];
    };
    /** @description Size of the chunks of files. */
    Chunking: {
      /**
       * Format: int64
       * @description Maximum characters of a chunk.
       */
      size: number;
      /**
       * Format: int64
       * @description Characters of the end of a chunk that the next one may repeat.
       */
      overlap: number;
    };
    /** @description Size of the chunks of files. */
    ChunkingChoice: {
      /**
       * Format: int32
       * @description Maximum characters of a chunk.
       */
      size: number;
      /**
       * Format: int64
       * @description Characters of the end of a chunk that the next one may repeat: less than half of the size. Default: an eighth.
       */
      overlap?: number;
    };
    /** @description The file that a result is from. */
    CitedFile: {
      /** @description Id of the file job. */
      job_id: string;
      /** @description Name of the file; null if it is not known. */
      filename: string | null;
      /** @description Name of a file within it that the text is from, such as an attachment of a mail. Pages are its pages. */
      attachment?: string;
      /** @description Address of the document at its source, if its metadata has one as `url`. */
      url?: string;
    };
    /** @description An export that completed. */
    CompletedExport: {
      /** @description Id of the export. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /**
       * Format: int64
       * @description Rows of the export.
       */
      rows: number;
      /**
       * Format: int64
       * @description Bytes of its files.
       */
      size_bytes: number;
      /**
       * Format: date-time
       * @description Time at which the files are deleted.
       */
      expires_at: string;
    };
    /** @description A file job that completed. */
    CompletedFileJob: {
      /** @description Id of the file job. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the file. */
      filename: string;
      /** @description How the job completed. */
      status: components['schemas']['CompletedFileStatus'];
      /**
       * Format: int64
       * @description Vectors that the job wrote to the index.
       */
      vectors_written: number;
      /** @description Beginning of the text of the file. */
      sparse_text: string;
      /** @description Whether the file has more text than `sparse_text`. */
      sparse_text_truncated: boolean;
    };
    /**
     * @description How a file job completed.
     * @enum {string}
     */
    CompletedFileStatus: 'completed' | 'completed_with_warnings';
    /** @description A rebuild that has taken over. */
    CompletedRebuild: {
      /** @description Id of the rebuild. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /**
       * Format: int64
       * @description Rows of the index after the takeover.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Rows that stayed out, because they could not be embedded or stored.
       */
      left_out: number;
      /**
       * Format: date-time
       * @description Time until which the takeover can be undone.
       */
      rollback_until: string;
    };
    /** @description A Confluence connector to create. */
    ConfluenceCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'confluence';
      /** @description Display name. */
      name?: components['schemas']['ConfluenceCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['ConfluenceCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['ConfluenceCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    ConfluenceCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Confluence
     */
    ConfluenceCreateName: string;
    /** @description An API token of an account at Atlassian. */
    ConfluenceCredentials: {
      /** @description Address of the site, such as `https://acme.atlassian.net`. */
      site_url: string;
      /**
       * Format: email
       * @description Address of the account that issued the token.
       */
      email: string;
      /** @description API token of the account. */
      token: string;
    };
    /** @description New credentials of a Confluence connector. */
    ConfluenceReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'confluence';
      /** @description Credentials of the source. */
      credentials: components['schemas']['ConfluenceCredentials'];
    };
    /** @description Response to a change: `connection_id` and `status`. */
    ConnectorChange: {
      [key: string]: string;
    };
    /** @description Something that the scope of a connector can contain. */
    ConnectorChoice: {
      /** @description Name at the source. */
      name: string;
      /** @description List of the scope; null: it only leads to others. */
      field:
        | (
            | 'folders'
            | 'files'
            | 'notion_pages'
            | 'notion_data_sources'
            | 'slack_channels'
            | 'sites'
            | 'libraries'
            | 'confluence_spaces'
            | 'object_prefixes'
          )
        | null;
      /** @description Entry for that list; null without `field`. */
      id: string | null;
      /** @description `parent` of the request that lists what is below; null: nothing. */
      parent: string | null;
      /** @description Whether the connector may read it. The app of Slack is invited to a channel first. */
      accessible: boolean;
    };
    /** @description The code that confirms a consent. */
    ConnectorConfirmation: {
      /** @description Code on the page to which the provider redirects. */
      confirmation_code: string;
    };
    /** @description Where a person consents. */
    ConnectorConsent: {
      /** @description Connector that the consent creates or changes. */
      connection_id: string;
      /** @description URL of the provider where the person consents. */
      authorize_url: string;
      /**
       * Format: int64
       * @description Seconds for which the address is valid.
       */
      expires_in_seconds: number;
    };
    /** @description A consent to start. */
    ConnectorConsentCreate: {
      /** @description Null: the name of the provider. */
      name?: string | null;
      /** @description Connector that gets the new credentials; it keeps its name. Null: the consent creates a connector. */
      connection_id?: string | null;
    };
    /** @description A connector to create. */
    ConnectorCreate:
      | components['schemas']['GoogleDriveCreate']
      | components['schemas']['NotionCreate']
      | components['schemas']['GmailCreate']
      | components['schemas']['GoogleCalendarCreate']
      | components['schemas']['SlackCreate']
      | components['schemas']['SharePointCreate']
      | components['schemas']['OneDriveCreate']
      | components['schemas']['ConfluenceCreate']
      | components['schemas']['S3ConnectorCreate']
      | components['schemas']['GoogleStorageConnectorCreate']
      | components['schemas']['AzureConnectorCreate'];
    /** @description Connectors of an index, and available providers. */
    ConnectorOverview: {
      /** @description Connectors of the index. */
      connectors: components['schemas']['ConnectorResponse'][];
      /** @description Providers that can be connected. */
      available: components['schemas']['AvailableConnector'][];
    };
    /**
     * @description Provider of a source.
     * @enum {string}
     */
    ConnectorProvider:
      | 'google_drive'
      | 'notion'
      | 'gmail'
      | 'google_calendar'
      | 'slack'
      | 'sharepoint'
      | 'one_drive'
      | 'confluence'
      | 'aws_s3'
      | 'gcs'
      | 'azure_blob'
      | 'custom_api';
    /** @description New credentials of the source. */
    ConnectorReconnect:
      | components['schemas']['GoogleDriveReconnect']
      | components['schemas']['NotionReconnect']
      | components['schemas']['GmailReconnect']
      | components['schemas']['GoogleCalendarReconnect']
      | components['schemas']['SlackReconnect']
      | components['schemas']['SharePointReconnect']
      | components['schemas']['OneDriveReconnect']
      | components['schemas']['ConfluenceReconnect']
      | components['schemas']['S3Reconnect']
      | components['schemas']['GoogleStorageReconnect']
      | components['schemas']['AzureReconnect']
      | components['schemas']['CustomApiReconnect'];
    /** @description A connector, without its credentials. */
    ConnectorResponse: {
      /** @description Id of the connector. */
      id: string;
      /** @description Provider of the source. */
      provider: components['schemas']['ConnectorProvider'];
      /** @description Display name. */
      name: string;
      /** @description State of the connector. */
      status: components['schemas']['ConnectorStatus'];
      /** @description What the connector reads. */
      scope: components['schemas']['ConnectorScope'];
      /** @description Name of the stored credentials that it uses; null: its own, or none. */
      stored_credentials: string | null;
      /** @description When the last sync ended; null: none has. */
      last_synced_at: string | null;
      /**
       * Format: int64
       * @description Documents of the source in the index.
       */
      documents: number;
      /**
       * Format: int64
       * @description Items and places that could not be read, up to 1,000. `unread-items` lists them.
       */
      unread_items: number;
      /** @description Why the connector stopped or waits, or a summary of what it could not read; null: nothing to report. */
      error: string | null;
      /** @description Metadata that every chunk of the connector has. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * Format: int64
       * @description Minutes between two syncs.
       */
      sync_interval_minutes: number;
      /** @description When the next sync or its next step is due; null: never. */
      next_sync_at: string | null;
      /** @description The running sync; null if none is. */
      sync: components['schemas']['ConnectorSyncProgress'] | null;
      /**
       * Format: date-time
       * @description When the connector was created.
       */
      created_at: string;
    };
    /** @description Scope of a connector. */
    ConnectorScope: {
      /** @description Folders of Google Drive, OneDrive or SharePoint. */
      folders: string[];
      /** @description Files of Google Drive, OneDrive or SharePoint. */
      files: string[];
      /** @description Display name of each folder, file, site and library. */
      folder_labels: {
        [key: string]: string;
      };
      /** @description Notion pages, each with the pages below it. */
      notion_pages: string[];
      /** @description Notion data sources. */
      notion_data_sources: string[];
      /** @description Display name of each page and data source. */
      notion_labels: {
        [key: string]: string;
      };
      /** @description Mail since this day or time; null: all. */
      gmail_after: string | null;
      /** @description Calendar entries since this day or time; null: all. */
      calendar_after: string | null;
      /** @description Slack channels. */
      slack_channels: string[];
      /** @description Whether files of Slack messages, Notion pages and Confluence pages are documents, too. */
      attachments: boolean;
      /** @description SharePoint sites. */
      sites: string[];
      /** @description Document libraries of SharePoint. */
      libraries: string[];
      /** @description Keys of Confluence spaces. */
      confluence_spaces: string[];
      /** @description Prefixes of buckets. */
      object_prefixes: string[];
      /** @description Patterns of the objects to read; empty: all. */
      include_patterns: string[];
      /** @description Patterns of the objects to leave out. */
      exclude_patterns: string[];
    };
    /** @description New scope of a connector. */
    ConnectorScopeUpdate: {
      /** @description Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`. */
      folders?: components['schemas']['ConnectorScopeUpdateFolders'];
      /** @description Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`. */
      files?: components['schemas']['ConnectorScopeUpdateFiles'];
      /** @description Display name of each folder, file, site and library. */
      folder_labels?: components['schemas']['ConnectorScopeUpdateFolderLabels'];
      /** @description Notion pages, each with the pages below it. */
      notion_pages?: components['schemas']['ConnectorScopeUpdateNotionPages'];
      /** @description Notion data sources. */
      notion_data_sources?: components['schemas']['ConnectorScopeUpdateNotionDataSources'];
      /** @description Display name of each page and data source. */
      notion_labels?: components['schemas']['ConnectorScopeUpdateNotionLabels'];
      /** @description Mail since this day or time, such as `2026-01-31`; null for all. */
      gmail_after?: string | null;
      /** @description Calendar entries since this day or time; null for all. */
      calendar_after?: string | null;
      /** @description Slack channels. */
      slack_channels?: components['schemas']['ConnectorScopeUpdateSlackChannels'];
      /** @description Whether files of Slack messages, Notion pages and Confluence pages are documents, too. */
      attachments?: components['schemas']['ConnectorScopeUpdateAttachments'];
      /** @description SharePoint sites, by id or address, each with all its libraries. */
      sites?: components['schemas']['ConnectorScopeUpdateSites'];
      /** @description Document libraries of SharePoint. */
      libraries?: components['schemas']['ConnectorScopeUpdateLibraries'];
      /** @description Keys of Confluence spaces. */
      confluence_spaces?: components['schemas']['ConnectorScopeUpdateConfluenceSpaces'];
      /** @description Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash. */
      object_prefixes?: components['schemas']['ConnectorScopeUpdateObjectPrefixes'];
      /** @description Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number of characters, slashes included, and `?` is one. Empty: all objects. */
      include_patterns?: components['schemas']['ConnectorScopeUpdateIncludePatterns'];
      /** @description Objects to leave out, in the same form. */
      exclude_patterns?: components['schemas']['ConnectorScopeUpdateExcludePatterns'];
    };
    /**
     * @description Whether files of Slack messages, Notion pages and Confluence pages are documents, too.
     * @default false
     */
    ConnectorScopeUpdateAttachments: boolean;
    /**
     * @description Keys of Confluence spaces.
     * @default []
     */
    ConnectorScopeUpdateConfluenceSpaces: string[];
    /**
     * @description Objects to leave out, in the same form.
     * @default []
     */
    ConnectorScopeUpdateExcludePatterns: string[];
    /**
     * @description Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`.
     * @default []
     */
    ConnectorScopeUpdateFiles: string[];
    /**
     * @description Display name of each folder, file, site and library.
     * @default {}
     */
    ConnectorScopeUpdateFolderLabels: {
      [key: string]: string;
    };
    /**
     * @description Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`.
     * @default []
     */
    ConnectorScopeUpdateFolders: string[];
    /**
     * @description Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number of characters, slashes included, and `?` is one. Empty: all objects.
     * @default []
     */
    ConnectorScopeUpdateIncludePatterns: string[];
    /**
     * @description Document libraries of SharePoint.
     * @default []
     */
    ConnectorScopeUpdateLibraries: string[];
    /**
     * @description Notion data sources.
     * @default []
     */
    ConnectorScopeUpdateNotionDataSources: string[];
    /**
     * @description Display name of each page and data source.
     * @default {}
     */
    ConnectorScopeUpdateNotionLabels: {
      [key: string]: string;
    };
    /**
     * @description Notion pages, each with the pages below it.
     * @default []
     */
    ConnectorScopeUpdateNotionPages: string[];
    /**
     * @description Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.
     * @default []
     */
    ConnectorScopeUpdateObjectPrefixes: string[];
    /**
     * @description SharePoint sites, by id or address, each with all its libraries.
     * @default []
     */
    ConnectorScopeUpdateSites: string[];
    /**
     * @description Slack channels.
     * @default []
     */
    ConnectorScopeUpdateSlackChannels: string[];
    /**
     * @description `pending_scope`, then `syncing`, then `active`. `error` and `paused` wait for a resume, which begins with another sync.
     * @enum {string}
     */
    ConnectorStatus: 'pending_scope' | 'syncing' | 'active' | 'paused' | 'error';
    /** @description An ended sync of a connector. */
    ConnectorSync: {
      /** @description Id of the sync. */
      id: string;
      /** @description How it ended. */
      status: components['schemas']['ConnectorSyncStatus'];
      /** @description What started it. */
      trigger: components['schemas']['ConnectorSyncTrigger'];
      /** @description Whether it read everything in scope, and not only changes. */
      full: boolean;
      /**
       * Format: int64
       * @description Items of the source that it compared.
       */
      items: number;
      /**
       * Format: int64
       * @description Bytes of these items, as far as the source states sizes.
       */
      bytes: number;
      /**
       * Format: int64
       * @description Documents that it added to the index.
       */
      documents_added: number;
      /**
       * Format: int64
       * @description Documents that it processed again.
       */
      documents_updated: number;
      /**
       * Format: int64
       * @description Documents that it removed.
       */
      documents_removed: number;
      /**
       * Format: int64
       * @description Documents of the connector at its end.
       */
      documents: number;
      /**
       * Format: int64
       * @description Items that could not be read at its end.
       */
      unread_items: number;
      /** @description Why it failed, or a summary of what it could not read; null: nothing. */
      error: string | null;
      /**
       * Format: date-time
       * @description When it began.
       */
      started_at: string;
      /**
       * Format: date-time
       * @description When it ended.
       */
      ended_at: string;
    };
    /** @description Progress of a running sync. */
    ConnectorSyncProgress: {
      /** @description Id of the sync. */
      id: string;
      /**
       * Format: date-time
       * @description When the sync began.
       */
      started_at: string;
      /**
       * Format: int64
       * @description Items of the source that the sync has compared so far.
       */
      items: number;
      /**
       * Format: int64
       * @description Bytes of these items, as far as the source states sizes.
       */
      bytes: number;
    };
    /**
     * @description `interrupted`: a request changed the connector, and another sync followed.
     * @enum {string}
     */
    ConnectorSyncStatus: 'completed' | 'failed' | 'interrupted';
    /**
     * @description What started a sync: its time, or a request.
     * @enum {string}
     */
    ConnectorSyncTrigger: 'schedule' | 'request';
    /** @description Changes of a connector; absent fields stay. */
    ConnectorUpdate: {
      /** @description Display name. */
      name?: string;
      /** @description New metadata of every chunk. All documents are processed again, each as a file job. */
      metadata?: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description Minutes between two syncs; null: the default. */
      sync_interval_minutes?: number | null;
    };
    /** @description The file, and the pages in it, that a text comes from. */
    ContextFile: {
      /** @description Id of the file job. */
      job_id: string;
      /** @description Name of the file; null if it is not known. */
      filename: string | null;
      /** @description First page of the text; null if the file has no pages. */
      page_start: number | null;
      /** @description Last page of the text; null if the file has no pages. */
      page_end: number | null;
    };
    /**
     * @description Unit in which the text around a result is counted.
     * @enum {string}
     */
    ContextUnit: 'chunk' | 'heading' | 'page' | 'file';
    /** @description A crawl to start. */
    CrawlJobCreate: {
      /** @description Where the crawl begins: an http or https address on the public internet; a fragment is left out. */
      url: string;
      /** @description Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first page is read for its links in any case. Empty: all paths. */
      include_paths?: components['schemas']['CrawlJobCreateIncludePaths'];
      /** @description Paths to leave out, in the same form. */
      exclude_paths?: components['schemas']['CrawlJobCreateExcludePaths'];
      /** @description Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the crawl. */
      metadata?: components['schemas']['CrawlJobCreateMetadata'];
      /** @description Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host. */
      headers?: components['schemas']['CrawlJobCreateHeaders'];
      /** @description Maximum number of pages to store. The plan limits it. */
      page_limit?: components['schemas']['CrawlJobCreatePageLimit'];
      /** @description Maximum number of links from the first page; 0 fetches that page alone. */
      max_depth?: components['schemas']['CrawlJobCreateMaxDepth'];
    };
    /**
     * @description Paths to leave out, in the same form.
     * @default []
     */
    CrawlJobCreateExcludePaths: string[];
    /**
     * @description Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host.
     * @default {}
     */
    CrawlJobCreateHeaders: {
      [key: string]: string;
    };
    /**
     * @description Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first page is read for its links in any case. Empty: all paths.
     * @default []
     */
    CrawlJobCreateIncludePaths: string[];
    /**
     * Format: int64
     * @description Maximum number of links from the first page; 0 fetches that page alone.
     * @default 1
     */
    CrawlJobCreateMaxDepth: number;
    /**
     * @description Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the crawl.
     * @default {}
     */
    CrawlJobCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * Format: int64
     * @description Maximum number of pages to store. The plan limits it.
     * @default 10
     */
    CrawlJobCreatePageLimit: number;
    /** @description A crawl of a public site, with the addresses that it skipped. */
    CrawlJobReport: {
      /** @description Id of the crawl job. */
      id: string;
      /** @description Where the crawl begins. */
      url: string;
      /**
       * Format: int64
       * @description Maximum number of pages.
       */
      page_limit: number;
      /**
       * Format: int64
       * @description Maximum number of links from the first page.
       */
      max_depth: number;
      /**
       * @description Patterns of the paths to read; empty: all.
       * @default []
       */
      include_paths: string[];
      /**
       * @description Patterns of the paths to leave out.
       * @default []
       */
      exclude_paths: string[];
      /**
       * @description Names of its headers, whose values are not returned.
       * @default []
       */
      header_names: string[];
      /** @description Metadata that every chunk of the pages has. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * @description Schedule that started the crawl; null: none.
       * @default null
       */
      schedule_id: string | null;
      /** @description Status of the crawl. */
      status: components['schemas']['CrawlJobStatus'];
      /**
       * Format: date-time
       * @description When the crawl was created.
       */
      created_at: string;
      /**
       * @description Id of the job at the external crawler; null if this deployment crawls.
       * @default null
       */
      provider_job_id: string | null;
      /**
       * Format: int64
       * @description Pages stored so far.
       * @default 0
       */
      pages_found: number;
      /**
       * @description Why the crawl failed; null if it did not.
       * @default null
       */
      error: string | null;
      /**
       * @description When the crawl began; null before.
       * @default null
       */
      started_at: string | null;
      /**
       * @description When the crawl ended; null before.
       * @default null
       */
      completed_at: string | null;
      /**
       * Format: int64
       * @description Number of addresses that were found and skipped; `…/skipped-pages` lists them.
       * @default 0
       */
      pages_skipped: number;
      /**
       * @description Number of skipped addresses by reason. For a running crawl, as of its last batch.
       * @default {}
       */
      skipped_reasons: {
        [key: string]: number;
      };
    };
    /** @description A crawl of a public site. */
    CrawlJobResponse: {
      /** @description Id of the crawl job. */
      id: string;
      /** @description Where the crawl begins. */
      url: string;
      /**
       * Format: int64
       * @description Maximum number of pages.
       */
      page_limit: number;
      /**
       * Format: int64
       * @description Maximum number of links from the first page.
       */
      max_depth: number;
      /**
       * @description Patterns of the paths to read; empty: all.
       * @default []
       */
      include_paths: string[];
      /**
       * @description Patterns of the paths to leave out.
       * @default []
       */
      exclude_paths: string[];
      /**
       * @description Names of its headers, whose values are not returned.
       * @default []
       */
      header_names: string[];
      /** @description Metadata that every chunk of the pages has. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * @description Schedule that started the crawl; null: none.
       * @default null
       */
      schedule_id: string | null;
      /** @description Status of the crawl. */
      status: components['schemas']['CrawlJobStatus'];
      /**
       * Format: date-time
       * @description When the crawl was created.
       */
      created_at: string;
      /**
       * @description Id of the job at the external crawler; null if this deployment crawls.
       * @default null
       */
      provider_job_id: string | null;
      /**
       * Format: int64
       * @description Pages stored so far.
       * @default 0
       */
      pages_found: number;
      /**
       * @description Why the crawl failed; null if it did not.
       * @default null
       */
      error: string | null;
      /**
       * @description When the crawl began; null before.
       * @default null
       */
      started_at: string | null;
      /**
       * @description When the crawl ended; null before.
       * @default null
       */
      completed_at: string | null;
    };
    /**
     * @description `queued`, then `running`, then `completed`, `failed` or `cancelled`.
     * @enum {string}
     */
    CrawlJobStatus: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    /** @description A crawl to repeat. */
    CrawlScheduleCreate: {
      /** @description Where the crawl begins: an http or https address on the public internet; a fragment is left out. */
      url: string;
      /** @description Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first page is read for its links in any case. Empty: all paths. */
      include_paths?: components['schemas']['CrawlScheduleCreateIncludePaths'];
      /** @description Paths to leave out, in the same form. */
      exclude_paths?: components['schemas']['CrawlScheduleCreateExcludePaths'];
      /** @description Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the crawl. */
      metadata?: components['schemas']['CrawlScheduleCreateMetadata'];
      /** @description Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host. */
      headers?: components['schemas']['CrawlScheduleCreateHeaders'];
      /** @description Maximum number of pages to store. The plan limits it. */
      page_limit?: components['schemas']['CrawlScheduleCreatePageLimit'];
      /** @description Maximum number of links from the first page; 0 fetches that page alone. */
      max_depth?: components['schemas']['CrawlScheduleCreateMaxDepth'];
      /** @description Hours between the starts of two crawls. */
      interval_hours?: components['schemas']['CrawlScheduleCreateIntervalHours'];
      /** @description When the first crawl starts; null: at once. */
      starts_at?: string | null;
    };
    /**
     * @description Paths to leave out, in the same form.
     * @default []
     */
    CrawlScheduleCreateExcludePaths: string[];
    /**
     * @description Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host.
     * @default {}
     */
    CrawlScheduleCreateHeaders: {
      [key: string]: string;
    };
    /**
     * @description Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first page is read for its links in any case. Empty: all paths.
     * @default []
     */
    CrawlScheduleCreateIncludePaths: string[];
    /**
     * Format: int32
     * @description Hours between the starts of two crawls.
     * @default 24
     */
    CrawlScheduleCreateIntervalHours: number;
    /**
     * Format: int64
     * @description Maximum number of links from the first page; 0 fetches that page alone.
     * @default 1
     */
    CrawlScheduleCreateMaxDepth: number;
    /**
     * @description Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the crawl.
     * @default {}
     */
    CrawlScheduleCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * Format: int64
     * @description Maximum number of pages to store. The plan limits it.
     * @default 10
     */
    CrawlScheduleCreatePageLimit: number;
    /** @description A crawl that is repeated. */
    CrawlScheduleResponse: {
      /** @description Id of the schedule. */
      id: string;
      /** @description Where each crawl begins. */
      url: string;
      /**
       * Format: int64
       * @description Maximum number of pages of each crawl.
       */
      page_limit: number;
      /**
       * Format: int64
       * @description Maximum number of links from the first page.
       */
      max_depth: number;
      /** @description Patterns of the paths to read; empty: all. */
      include_paths: string[];
      /** @description Patterns of the paths to leave out. */
      exclude_paths: string[];
      /** @description Names of its headers, whose values are not returned. */
      header_names: string[];
      /** @description Metadata that every chunk of the pages has. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * Format: int64
       * @description Hours between the starts of two crawls.
       */
      interval_hours: number;
      /** @description Whether no crawl starts. */
      paused: boolean;
      /** @description When the next crawl starts; null: paused. */
      next_run_at: string | null;
      /** @description The crawl that it started last; null: none yet. */
      last_crawl_id: string | null;
      /** @description Why the last crawl did not start; null if it did. */
      error: string | null;
      /**
       * Format: date-time
       * @description When the schedule was created.
       */
      created_at: string;
    };
    /** @description Changes of a schedule; absent fields stay. */
    CrawlScheduleUpdate: {
      /** @description Whether no crawl starts. */
      paused?: boolean;
      /**
       * Format: int32
       * @description Hours between the starts of two crawls.
       */
      interval_hours?: number;
      /**
       * Format: date-time
       * @description When the next crawl starts; a past time: at once. Later ones count from it.
       */
      starts_at?: string;
      /** @description Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host. */
      headers?: {
        [key: string]: string;
      };
    };
    /**
     * @description Why a crawl skipped an address.
     * @enum {string}
     */
    CrawlSkipReason:
      | 'http_status'
      | 'no_answer'
      | 'too_many_redirects'
      | 'redirected'
      | 'canonical'
      | 'duplicate'
      | 'robots_txt'
      | 'noindex'
      | 'out_of_scope'
      | 'excluded'
      | 'not_public'
      | 'unsupported_type'
      | 'too_large'
      | 'needs_javascript'
      | 'soft_404'
      | 'login_required'
      | 'empty'
      | 'unreadable'
      | 'max_depth'
      | 'too_many_alike'
      | 'page_limit'
      | 'unread';
    /** @description An index that was created. */
    CreatedIndex: {
      /** @description Id of the index. */
      id: string;
      /** @description Name of the index. */
      name: string;
      /** @description Region that stores the index. */
      region: string;
      /**
       * Format: int64
       * @description Number of dimensions of each vector.
       */
      dimensions: number;
    };
    /** @description Limits by calendar month in UTC. */
    CredentialMonthlyLimits: {
      /**
       * Format: int64
       * @description Searches.
       */
      searches?: number;
      /**
       * Format: int64
       * @description Vectors that its requests and files wrote.
       */
      vectors_written?: number;
      /**
       * Format: int64
       * @description File jobs.
       */
      file_jobs?: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens?: number;
      /**
       * Format: double
       * @description Estimated cost of its usage in USD, without storage.
       */
      cost_usd?: number;
    };
    /** @description Limits by minute. An absent one is that of the plan. */
    CredentialRateLimits: {
      /**
       * Format: int32
       * @description Requests of all kinds.
       */
      requests?: number;
      /**
       * Format: int32
       * @description Searches, by their weight.
       */
      searches?: number;
      /**
       * Format: int32
       * @description Requests that write or delete rows.
       */
      vector_writes?: number;
      /**
       * Format: int32
       * @description File jobs that requests create.
       */
      file_jobs?: number;
    };
    /** @description What a credential used in one month. */
    CredentialUsage: {
      /** @description Id of the API key, OAuth client or grant. */
      credential_id: string;
      /** @description Name of the API key or OAuth client; null for others. */
      name: string | null;
      /**
       * Format: int64
       * @description Vectors that files and requests wrote. A replaced vector counts again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted.
       */
      vectors_deleted: number;
      /** @description Searches by their kind. */
      searches: components['schemas']['SearchCounts'];
      /**
       * Format: int64
       * @description File jobs that its requests created.
       */
      file_jobs: number;
      /**
       * Format: int64
       * @description Pages of files that were read.
       */
      pages: number;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of rerankers: texts that an embedded one has scored, or units of its provider.
       */
      rerank_units: number;
      /**
       * Format: int64
       * @description Runs of the functions that process files, retries included.
       */
      serverless_invocations: number;
      /**
       * Format: double
       * @description Each figure times its unit price, without storage.
       */
      estimated_cost_usd: number;
    };
    /** @description How requests to a custom API authenticate. */
    CustomApiAuth:
      | components['schemas']['NoAuth']
      | components['schemas']['BearerAuth']
      | components['schemas']['BasicAuth']
      | components['schemas']['HeaderAuth']
      | components['schemas']['OauthClientCredentialsAuth'];
    /** @description A custom API to connect. */
    CustomApiCreate: {
      /** @description Display name. */
      name: string;
      /** @description An https address on the public internet, to which `list.path` is appended. */
      base_url: string;
      /** @description How requests authenticate. */
      auth: components['schemas']['CustomApiAuth'];
      /** @description How items are listed. */
      list: components['schemas']['CustomApiList'];
      /** @description Fields of an item. */
      item: components['schemas']['CustomApiItem'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['CustomApiCreateMetadata'];
      /** @description Minutes between two syncs. */
      sync_interval_minutes?: components['schemas']['CustomApiCreateSyncIntervalMinutes'];
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    CustomApiCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * Format: int32
     * @description Minutes between two syncs.
     * @default 60
     */
    CustomApiCreateSyncIntervalMinutes: number;
    /** @description Fields of an item of a custom API. */
    CustomApiItem: {
      /** @description JSON Pointer, within an item, to its permanent id. */
      id: string;
      /** @description JSON Pointer to the title. */
      title?: string | null;
      /** @description JSON Pointer to the text; either this or `file_url`. */
      text?: string | null;
      /** @description Format of the text; null to detect it for each item. */
      format?: components['schemas']['CustomApiTextFormat'] | null;
      /** @description JSON Pointer to the URL of a file. If the URL returns 404 or 410, its item is skipped. */
      file_url?: string | null;
      /** @description JSON Pointer to the URL at which people read the item. */
      url?: string | null;
      /** @description Keys of the metadata of chunks, each with a JSON Pointer to a text, number, boolean or list of texts in an item. Other values are left out. */
      metadata?: components['schemas']['CustomApiItemMetadata'];
      /** @description JSON Pointer to a value that changes with every change of a file. Without it, files are fetched at every sync. Texts are compared directly. */
      updated_at?: string | null;
    };
    /**
     * @description Keys of the metadata of chunks, each with a JSON Pointer to a text, number, boolean or list of texts in an item. Other values are left out.
     * @default {}
     */
    CustomApiItemMetadata: {
      [key: string]: string;
    };
    /** @description How to list the items of a custom API. */
    CustomApiList: {
      /** @description Path of the list. It begins with `/` and has no query. */
      path: string;
      /** @description Method of the requests. */
      method?: components['schemas']['CustomApiListMethod'];
      /** @description Query parameters of the requests. */
      query?: components['schemas']['CustomApiListQuery'];
      /** @description JSON Pointer to the list of items in a response. */
      items: string;
      /** @description JSON Pointer to the URL or cursor of the next page; the value is absent or null on the last page. */
      next?: string | null;
      /** @description Query parameter for the value at `next`; null if that value is the URL of the next page. */
      next_parameter?: string | null;
      /** @description How to get the next page if the response does not contain it; replaces `next`. By page number or offset, the list ends with a page without items. */
      pagination?: components['schemas']['CustomApiPagination'] | null;
      /** @description With it, a sync lists what has changed since the one before. Once a day the whole list is read, which also finds deletions. Null: every sync reads the whole list. */
      updated_since?: components['schemas']['CustomApiUpdatedSince'] | null;
    };
    /**
     * @description Method of the requests.
     * @default GET
     * @enum {string}
     */
    CustomApiListMethod: 'GET' | 'POST';
    /**
     * @description Query parameters of the requests.
     * @default {}
     */
    CustomApiListQuery: {
      [key: string]: string;
    };
    /** @description How to get the next page. */
    CustomApiPagination:
      | components['schemas']['LinkHeaderPagination']
      | components['schemas']['PageNumberPagination']
      | components['schemas']['OffsetPagination'];
    /** @description A new description of a custom API. */
    CustomApiReconnect: {
      /**
       * @description Always `custom_api`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'custom_api';
      /** @description An https address on the public internet, to which `list.path` is appended. */
      base_url: string;
      /** @description How requests authenticate. */
      auth: components['schemas']['CustomApiAuth'];
      /** @description How items are listed. */
      list: components['schemas']['CustomApiList'];
      /** @description Fields of an item. */
      item: components['schemas']['CustomApiItem'];
    };
    /**
     * @description Format of the text of an item.
     * @enum {string}
     */
    CustomApiTextFormat: 'text' | 'html' | 'markdown';
    /** @description How to list only what has changed. */
    CustomApiUpdatedSince: {
      /** @description Query parameter that takes the time. */
      parameter: string;
      /** @description Form of the time: `2026-01-31T12:00:00Z`, or seconds since 1970. */
      format?: components['schemas']['CustomApiUpdatedSinceFormat'];
    };
    /**
     * @description Form of the time: `2026-01-31T12:00:00Z`, or seconds since 1970.
     * @default rfc3339
     * @enum {string}
     */
    CustomApiUpdatedSinceFormat: 'rfc3339' | 'unix';
    /** @description Usage of an index on one day. */
    DailyUsage: {
      /**
       * Format: date
       * @description Day in UTC.
       */
      date: string;
      /** @description Id of the index, which may be deleted. */
      index_id: string;
      /**
       * Format: int64
       * @description Rows at the end of the day, or now.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Bytes of the vectors at the end of the day, or now.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the texts and their word index at the end of the day, or now.
       */
      sparse_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the original files at the end of the day, or now.
       */
      original_bytes: number;
      /**
       * Format: int64
       * @description Searches of all kinds.
       */
      searches: number;
      /**
       * Format: int64
       * @description File jobs that were created.
       */
      file_jobs: number;
      /**
       * Format: int64
       * @description Vectors that files and requests wrote. A replaced vector counts again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted.
       */
      vectors_deleted: number;
      /**
       * Format: int64
       * @description Pages of files that were read.
       */
      pages: number;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Web pages that crawls stored.
       */
      crawl_pages: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of rerankers: texts that an embedded one has scored, or units of its provider.
       */
      rerank_units: number;
      /**
       * Format: int64
       * @description Runs of the functions that process files, retries included.
       */
      serverless_invocations: number;
    };
    /**
     * @description Shape of a decay.
     * @enum {string}
     */
    DecayCurve: 'exp' | 'gauss' | 'linear';
    /** @description A number, or a duration such as `30d` or `12h`. */
    DecayLength: number | string;
    /** @description A number, a time or `now`. */
    DecayOrigin: number | string;
    /** @description Result of the dense side. */
    DenseExplanation: {
      /**
       * Format: int64
       * @description Rank of the dense side, from 1.
       */
      rank: number;
      /**
       * Format: double
       * @description Cosine distance, or squared euclidean distance.
       */
      distance: number;
      /**
       * Format: double
       * @description Contribution of this side to `score`.
       */
      share: number;
    };
    /** @description A `text`, a `vector`, or both. The vector has precedence. */
    DenseSearch: {
      /** @description Text to search for. The model of the index turns it into a vector. */
      text?: string | null;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['DenseSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    DenseSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description Whether the service reaches one of its dependencies. */
    DependencyHealth: {
      /** @description Kind, region (if any) and name of the dependency, such as `queue/us-east-1/plan`. */
      name: string;
      /** @description `skipped`: there was nothing to check, such as a region in which the organization has no index. */
      status: components['schemas']['DependencyStatus'];
      /**
       * Format: int64
       * @description Duration of the check in milliseconds.
       */
      ms: number;
      /** @description Name of the error, such as `AccessDeniedException`, or `DamagedIndex` with the ids of indexes; null if there is none. The log contains details. */
      error: string | null;
    };
    /**
     * @description Outcome of one check.
     * @enum {string}
     */
    DependencyStatus: 'ok' | 'failed' | 'timeout' | 'skipped';
    /** @description A webhook endpoint that was disabled. */
    DisabledEndpoint: {
      /** @description Id of the endpoint. */
      id: string;
      /** @description Why the endpoint was disabled. */
      reason: components['schemas']['EndpointDisabledReason'];
    };
    /**
     * @description Measure of the distance of two vectors.
     * @enum {string}
     */
    DistanceMetric: 'cosine' | 'euclidean';
    /** @description Model that turns text into vectors, or a reranker. */
    EmbeddingModel: {
      /** @description `embedding`: a model of indexes. `rerank`: a model of `rerank` in searches. */
      kind: components['schemas']['ModelKind'];
      /** @description Value of `embedding_model` of an index, or of `model` of a reranker. */
      id: string;
      /**
       * @description Service or runtime that runs the model.
       * @enum {string}
       */
      provider: 'bedrock' | 'openai' | 'embedded' | 'model-folder' | 'http';
      /** @description Default dimensions of its indexes; null: unknown, thus 1536. */
      dimensions: number | null;
      /** @description Dimensions that its indexes may have; empty: any. */
      supported_dimensions: number[];
      /** @description Longest text that it reads at once; null: unknown. */
      max_input_tokens: number | null;
      /** @description Languages and other notes. */
      notes: string | null;
      /** @description Whether it embeds queries and documents differently. */
      has_input_types: boolean;
      /** @description Whether indexes or searches that choose none have it. */
      is_default: boolean;
      /** @description Defaults of a reranker. */
      rerank?: components['schemas']['RerankDefaults'];
    };
    /** @description An erasure whose receipt is signed. */
    EndedErasure: {
      /** @description Id of the erasure. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
    };
    /**
     * @description Why the service disabled an endpoint.
     * @enum {string}
     */
    EndpointDisabledReason: 'gone' | 'failing';
    /**
     * @description A feature of some engines.
     * @enum {string}
     */
    EngineFeature:
      | 'branches'
      | 'conditional_writes'
      | 'exact_search'
      | 'ordered_lists'
      | 'phrases'
      | 'recall'
      | 'search_cursors'
      | 'text_ranges'
      | 'versions';
    /**
     * @description Engine that stores and searches an index. `lance`: LanceDB, for up to some hundred thousand rows, with all features. `s3_vectors`: Amazon S3 Vectors, for up to two billion rows.
     * @enum {string}
     */
    EngineName: 'lance' | 's3_vectors';
    /** @description What is erased. */
    ErasureCreate: {
      /** @description Ids of rows. */
      ids?: string[];
      /** @description Filter of rows, with at least one condition. */
      filter?: components['schemas']['MetadataFilter'];
      /** @description Id of a file job. */
      file?: string;
      /** @description Document, by the `document_id` of its rows. */
      document?: string;
      /** @description Rows and files with this value in their metadata. */
      subject?: components['schemas']['ErasureSubject'];
    };
    /**
     * @description Place that an erasure looks into.
     * @enum {string}
     */
    ErasurePlace:
      | 'rows'
      | 'branches'
      | 'segments'
      | 'versions'
      | 'files'
      | 'exports'
      | 'changes'
      | 'model_cache'
      | 'events'
      | 'dead_letters'
      | 'query_log';
    /** @description What an erasure has found in a place. */
    ErasurePlaceReport: {
      /** @description The place. */
      place: components['schemas']['ErasurePlace'];
      /**
       * Format: int64
       * @description What was removed there: rows, objects, files, exports, events or messages.
       */
      removed: number;
      /** @description Time of the last look, at which nothing was found. Null: something was found at the last one. */
      verified_at: string | null;
    };
    /** @description Signed proof of an erasure. */
    ErasureReceipt: {
      /** @description JSON text. Its bytes in UTF-8 are what is signed, so keep it as it is. It does not name what was erased. */
      text: string;
      /** @description Ed25519 signature, base64. */
      signature: string;
      /** @description Id of the key, of `GET /v1/receipt-keys`. */
      key_id: string;
    };
    /** @description An erasure. */
    ErasureResponse: {
      /** @description Id of the erasure. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description `completed` once nothing is left and the receipt is signed. */
      status: components['schemas']['ErasureStatus'];
      /** @description How the request has named what is erased. */
      selected_by: components['schemas']['ErasureSelector'];
      /**
       * Format: date-time
       * @description Time of the request.
       */
      requested_at: string;
      /** @description Time from which no read finds the rows, in no version and no branch. Null: branches are about to follow. */
      erased_at: string | null;
      /** @description Time at which nothing was left. Null: the erasure goes on. */
      completed_at: string | null;
      /** @description What was found, by place. */
      places: components['schemas']['ErasurePlaceReport'][];
      /** @description Files of which other rows are left. Their originals and texts stay: erase them by `file`. */
      kept_files: string[];
      /** @description Receipt. Null until the erasure is completed. */
      receipt: components['schemas']['ErasureReceipt'] | null;
    };
    /**
     * @description How an erasure names what is erased.
     * @enum {string}
     */
    ErasureSelector: 'ids' | 'filter' | 'file' | 'document' | 'subject';
    /**
     * @description Status of an erasure.
     * @enum {string}
     */
    ErasureStatus: 'running' | 'completed';
    /** @description A person or thing. */
    ErasureSubject: {
      /** @description Metadata key by which your rows name a person. */
      key: string;
      /** @description Value of that person. */
      value: components['schemas']['ErasureSubjectValue'];
    };
    /** @description Value of a metadata key. */
    ErasureSubjectValue: string | number | boolean;
    /**
     * @description What a search was run on.
     * @enum {string}
     */
    EvaluatedContent: 'index' | 'compared';
    /** @description A search by meaning, whose text is that of each question. */
    EvaluatedDenseSearch: {
      /**
       * @description Search by meaning. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'dense';
      /** @description Name of the search in the results. */
      name: string;
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
    };
    /** @description A hit of a question. */
    EvaluatedHit: {
      /** @description Id of the row. */
      id: string;
      /**
       * Format: double
       * @description Score of the hit.
       */
      score: number;
      /** @description Grade of the item that it matches; null: none. */
      grade: number | null;
    };
    /** @description A search by meaning and words, whose text is that of each question. */
    EvaluatedHybridSearch: {
      /**
       * @description Search by meaning and words. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'hybrid';
      /** @description Name of the search in the results. */
      name: string;
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Fusion of the dense and the sparse side. Null: not even by the defaults of the index. */
      fusion?: components['schemas']['SearchFusion'] | null;
    };
    /** @description Results of one question. */
    EvaluatedQuestion: {
      /** @description The question. */
      query: string;
      /** @description Positions of its relevant items that are left out. */
      left_out: number[];
      /** @description Change of nDCG; null without a difference. */
      change: number | null;
      /** @description The searches. */
      results: components['schemas']['EvaluatedQuestionRun'][];
    };
    /** @description What a search has found for a question. */
    EvaluatedQuestionRun: {
      /** @description Name of the search. */
      search: string;
      /** @description `compared`: what the index is compared to. */
      content: components['schemas']['EvaluatedContent'];
      /** @description Metrics of the question; null if nothing relevant is left of it. */
      metrics: components['schemas']['MetricNumbers'] | null;
      /** @description The first ten hits. */
      hits: components['schemas']['EvaluatedHit'][];
    };
    /** @description A search that is run for each question of a golden set. */
    EvaluatedSearch:
      | components['schemas']['EvaluatedDenseSearch']
      | components['schemas']['EvaluatedSparseSearch']
      | components['schemas']['EvaluatedHybridSearch'];
    /** @description A search by words, whose text is that of each question. */
    EvaluatedSparseSearch: {
      /**
       * @description Search by words. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      mode: 'sparse';
      /** @description Name of the search in the results. */
      name: string;
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
    };
    /** @description An evaluation of an index. */
    EvaluationCreate: {
      /** @description Name of a golden set of the index. */
      golden_set: string;
      /**
       * Format: int64
       * @description Version of it. Default: the newest one.
       */
      golden_set_version?: number;
      /** @description Searches that are run for each question. */
      searches: components['schemas']['EvaluatedSearch'][];
      /** @description Id of an index, such as a branch, or of a rebuild, in which the questions are searched too. */
      compare_to?: string;
      /** @description Hits among which recall is measured. */
      k?: components['schemas']['EvaluationCreateK'];
    };
    /**
     * @description Hits among which recall is measured.
     * @default 10
     */
    EvaluationCreateK: number | null;
    /** @description What a content has proved. */
    EvaluationProof: {
      /** @description Id of the evaluation. */
      evaluation_id: string;
      /** @description Name of the golden set. */
      golden_set: string;
      /**
       * Format: int64
       * @description Its version.
       */
      golden_set_version: number;
      /** @description Metric that was compared. */
      metric: components['schemas']['MetricName'];
      /**
       * Format: int64
       * @description Questions that were evaluated.
       */
      questions: number;
      /** @description Mean paired difference to the index with its 95 % interval. A loss is negative. */
      difference: components['schemas']['MetricEstimate'];
      /**
       * Format: double
       * @description Mean loss that was allowed.
       */
      max_loss: number;
      /**
       * Format: double
       * @description Smallest mean loss that the questions find with a probability of 80 %.
       */
      detectable_loss: number;
      /** @description All figures of the evaluation. */
      results: components['schemas']['EvaluationResults'];
    };
    /** @description An evaluation of an index, with the URL of the results of each question. */
    EvaluationReport: {
      /** @description Id of the evaluation. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the golden set. */
      golden_set: string;
      /**
       * Format: int64
       * @description Its version.
       */
      golden_set_version: number;
      /** @description Index or rebuild to which the index is compared; null: none. */
      compare_to: string | null;
      /**
       * Format: int64
       * @description Hits among which recall is measured.
       */
      k: number;
      /** @description Status of an evaluation. */
      status: components['schemas']['EvaluationStatus'];
      /**
       * Format: int64
       * @description Searches so far.
       */
      searches_done: number;
      /**
       * Format: int64
       * @description Searches of the evaluation. They count in the usage.
       */
      searches_total: number;
      /**
       * Format: int64
       * @description Tokens of the questions that were embedded.
       */
      embedding_tokens: number;
      /** @description The results; null before its completion. */
      results: components['schemas']['EvaluationResults'] | null;
      /** @description Why it failed; null if it did not. */
      error: string | null;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /** @description Time of the first search; null before. */
      started_at: string | null;
      /** @description Time of the end; null before. */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description Time at which the results are deleted.
       */
      expires_at: string;
      /** @description URL of the results of each question as JSON Lines, valid for an hour; null before its completion. */
      questions_url: string | null;
    };
    /** @description An evaluation of an index. */
    EvaluationResponse: {
      /** @description Id of the evaluation. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the golden set. */
      golden_set: string;
      /**
       * Format: int64
       * @description Its version.
       */
      golden_set_version: number;
      /** @description Index or rebuild to which the index is compared; null: none. */
      compare_to: string | null;
      /**
       * Format: int64
       * @description Hits among which recall is measured.
       */
      k: number;
      /** @description Status of an evaluation. */
      status: components['schemas']['EvaluationStatus'];
      /**
       * Format: int64
       * @description Searches so far.
       */
      searches_done: number;
      /**
       * Format: int64
       * @description Searches of the evaluation. They count in the usage.
       */
      searches_total: number;
      /**
       * Format: int64
       * @description Tokens of the questions that were embedded.
       */
      embedding_tokens: number;
      /** @description The results; null before its completion. */
      results: components['schemas']['EvaluationResults'] | null;
      /** @description Why it failed; null if it did not. */
      error: string | null;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /** @description Time of the first search; null before. */
      started_at: string | null;
      /** @description Time of the end; null before. */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description Time at which the results are deleted.
       */
      expires_at: string;
    };
    /** @description Results of an evaluation. */
    EvaluationResults: {
      /**
       * Format: int64
       * @description Questions that were evaluated.
       */
      questions: number;
      /**
       * Format: int64
       * @description Questions of which nothing relevant is left.
       */
      questions_left_out: number;
      /**
       * Format: int64
       * @description Relevant items that match no row of a content, and thus are left out of both.
       */
      relevant_left_out: number;
      /** @description Relevant items that match no row. */
      unmatched: components['schemas']['UnmatchedItems'];
      /** @description Results of each search on each content. */
      searches: components['schemas']['SearchEvaluation'][];
    };
    /**
     * @description Status of an evaluation.
     * @enum {string}
     */
    EvaluationStatus: 'queued' | 'running' | 'completed' | 'failed';
    /** @description One page of the event history. */
    EventHistory: {
      /** @description The events of the page, newest first. */
      events: components['schemas']['HistoryEvent'][];
      /**
       * Format: int64
       * @description Number of events that match at the time of the request. It may change between pages.
       */
      total: number;
      /**
       * Format: int64
       * @description `limit` of the request.
       */
      limit: number;
      /**
       * Format: int64
       * @description `offset` of the request.
       */
      offset: number;
      /** @description Processing data of each event on the page that ends a file job. */
      traces: components['schemas']['EventTrace'][];
      /** @description Timed phases of the tasks of each event on the page that ends a file job. */
      telemetry: components['schemas']['TelemetryStep'][];
    };
    /** @description Events to replay. */
    EventRangeReplay: {
      /**
       * Format: date-time
       * @description Start of the range, inclusive.
       */
      from: string;
      /**
       * Format: date-time
       * @description End of the range, exclusive.
       */
      to: string;
      /** @description Types to replay; null for every type. */
      event_types?: components['schemas']['EventType'][] | null;
      /** @description Endpoint to send to. If absent: all enabled endpoints. */
      endpoint_id?: string;
    };
    /** @description Target of the replay of an event. */
    EventReplay: {
      /** @description Endpoint to send to, even if it does not subscribe to the type. If absent: all enabled endpoints that subscribe to it. */
      endpoint_id?: string;
    };
    /**
     * @description `recorded`: stored, not yet accepted for delivery. `dispatched`: accepted for delivery. `failed`: could not be handed to the delivery service.
     * @enum {string}
     */
    EventStatus: 'recorded' | 'dispatched' | 'failed';
    /** @description Processing data of the file job of an event. */
    EventTrace: {
      /** @description Id of the event. */
      event_id: string;
      /** @description Id of the file job. */
      job_id: string;
      /** @description Duration and cost of the processing. */
      processing: components['schemas']['Processing'];
    };
    /**
     * @description Type of an event.
     * @enum {string}
     */
    EventType:
      | 'index.created'
      | 'index.updated'
      | 'index.capacity_warning'
      | 'index.erased'
      | 'index.rebuild.completed'
      | 'index.rebuild.failed'
      | 'file.processing.started'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'file.expired'
      | 'export.completed'
      | 'export.failed'
      | 'webhook.endpoint.disabled'
      | 'audit.recorded';
    /** @description A file job that has expired. */
    ExpiredFileJob: {
      /** @description Id of the file job. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the file. */
      filename: string;
      /**
       * Format: date-time
       * @description Time from which no read returns its rows.
       */
      expired_at: string;
    };
    /** @description Body of a `export.completed` message. */
    ExportCompletedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'export.completed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['ExportCompletedEventData'];
    };
    /** @description All files of an export can be downloaded. `GET` of the export returns their URLs. */
    ExportCompletedEventData: {
      /** @description The export. */
      export: components['schemas']['CompletedExport'];
    };
    /** @description How to export an index. */
    ExportCreate: {
      /** @description JSON Lines, or Parquet, which is smaller. */
      format?: components['schemas']['ExportCreateFormat'];
      /** @description `omit`: the files have no vectors, and an import embeds the texts. Rows without a text cannot be imported then. */
      vectors?: components['schemas']['ExportCreateVectors'];
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'];
    };
    /**
     * @description JSON Lines, or Parquet, which is smaller.
     * @default jsonl
     * @enum {string}
     */
    ExportCreateFormat: 'jsonl' | 'parquet';
    /**
     * @description `omit`: the files have no vectors, and an import embeds the texts. Rows without a text cannot be imported then.
     * @default include
     * @enum {string}
     */
    ExportCreateVectors: 'include' | 'omit';
    /** @description Body of a `export.failed` message. */
    ExportFailedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'export.failed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['ExportFailedEventData'];
    };
    /** @description An export failed and has no files. Another one can be started. */
    ExportFailedEventData: {
      /** @description The export. */
      export: components['schemas']['FailedExport'];
    };
    /**
     * @description File format of an export.
     * @enum {string}
     */
    ExportFormat: 'jsonl' | 'parquet';
    /** @description The rows of a completed export: `INDEX_ID/EXPORT_ID`. Creates a file job for each of its files and returns the first. Vectors of another embedding model than that of the index are a 409, unless `embed` is true. */
    ExportImport: {
      /**
       * @description Cloud provider that keeps the file. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'export';
      /** @description Address of the file. */
      uri: string;
      /** @description Credentials for the file; null if it is public. Kept encrypted until the copy is done. */
      credentials?: components['schemas']['NoCredentials'] | null;
      /** @description Name of the file; null: the last part of `uri`. */
      filename?: string | null;
      /** @description Media type of the file; null: detected from its content. */
      content_type?: string | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description A file of an export. */
    ExportPart: {
      /** @description Name of the file. */
      filename: string;
      /**
       * Format: int64
       * @description Rows in the file.
       */
      rows: number;
      /**
       * Format: int64
       * @description Bytes of the file.
       */
      size_bytes: number;
      /** @description URL to download it, valid for an hour. */
      url: string;
    };
    /** @description An export of an index with its files. */
    ExportReport: {
      /** @description Id of the export. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description File format of an export. */
      format: components['schemas']['ExportFormat'];
      /** @description Whether the files of an export have the vectors. */
      vectors: components['schemas']['ExportedVectors'];
      /** @description Embedding model of the index, and thus of the vectors; null if they are omitted. */
      embedding_model: string | null;
      /** @description Status of an export. */
      status: components['schemas']['ExportStatus'];
      /**
       * Format: int64
       * @description Rows so far.
       */
      rows: number;
      /**
       * Format: int64
       * @description Bytes of the files so far.
       */
      size_bytes: number;
      /** @description Why the export failed; null if it did not. */
      error: string | null;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /** @description Time of the first run; null before. */
      started_at: string | null;
      /** @description Time of the end; null before. */
      completed_at: string | null;
      /** @description Time at which the files are deleted; null before the end. */
      expires_at: string | null;
      /** @description Files of a completed export, in order of their rows; empty before. */
      parts: components['schemas']['ExportPart'][];
    };
    /** @description An export of an index. */
    ExportResponse: {
      /** @description Id of the export. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description File format of an export. */
      format: components['schemas']['ExportFormat'];
      /** @description Whether the files of an export have the vectors. */
      vectors: components['schemas']['ExportedVectors'];
      /** @description Embedding model of the index, and thus of the vectors; null if they are omitted. */
      embedding_model: string | null;
      /** @description Status of an export. */
      status: components['schemas']['ExportStatus'];
      /**
       * Format: int64
       * @description Rows so far.
       */
      rows: number;
      /**
       * Format: int64
       * @description Bytes of the files so far.
       */
      size_bytes: number;
      /** @description Why the export failed; null if it did not. */
      error: string | null;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /** @description Time of the first run; null before. */
      started_at: string | null;
      /** @description Time of the end; null before. */
      completed_at: string | null;
      /** @description Time at which the files are deleted; null before the end. */
      expires_at: string | null;
    };
    /**
     * @description Status of an export.
     * @enum {string}
     */
    ExportStatus: 'queued' | 'running' | 'completed' | 'failed';
    /**
     * @description Whether the files of an export have the vectors.
     * @enum {string}
     */
    ExportedVectors: 'include' | 'omit';
    /** @description Counts of the values of a key over all rows that match the filter. */
    FacetCounts: {
      /** @description The metadata key. */
      key: string;
      /** @description The most frequent values, of equal counts in the order of their JSON. */
      values: components['schemas']['FacetValue'][];
      /** @description Distinct values; null if there are more than 100,000, so that none are returned. */
      distinct: number | null;
    };
    /** @description A value and the number of rows that have it. */
    FacetValue: {
      /** @description The value. */
      value: components['schemas']['JsonValue'];
      /**
       * Format: int64
       * @description Rows that have it.
       */
      count: number;
    };
    /** @description An export that failed. */
    FailedExport: {
      /** @description Id of the export. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Human-readable reason of the failure. */
      error: string;
    };
    /** @description A file job that failed. */
    FailedFileJob: {
      /** @description Id of the file job. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the file. */
      filename: string;
      /** @description Human-readable reason of the failure. */
      error: string;
      /** @description Machine-readable reason of the failure. */
      error_code: components['schemas']['FileErrorCode'];
    };
    /** @description A rebuild that failed. */
    FailedRebuild: {
      /** @description Id of the rebuild. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Human-readable reason of the failure. */
      error: string;
    };
    /**
     * @description What a person did with a hit, or called it.
     * @enum {string}
     */
    FeedbackEvent: 'click' | 'good' | 'bad';
    /** @description Where the original of a file job can be downloaded. */
    FileDownload: {
      /** @description URL for a GET of the file. */
      url: string;
      /**
       * Format: int64
       * @description Seconds for which the URL is valid.
       */
      expires_in_seconds: number;
    };
    /**
     * @description Reason of a failed job: the file could not be processed, or the monthly credits for OCR or transcription are used up.
     * @enum {string}
     */
    FileErrorCode: 'processing_failed' | 'multimodal_credit_limit_reached';
    /** @description Body of a `file.expired` message. */
    FileExpiredEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'file.expired';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['FileExpiredEventData'];
    };
    /** @description A file has expired. The file, its job and its rows are removed, as if it had been deleted. */
    FileExpiredEventData: {
      /** @description The job. */
      job: components['schemas']['ExpiredFileJob'];
    };
    /** @description A format that is read. */
    FileFormat: {
      /** @description Id of the format. */
      id: string;
      /** @description Name, for people. */
      name: string;
      /** @description Media types of such files. */
      media_types: string[];
      /** @description Lower case, without the dot. */
      extensions: string[];
      /** @description Kind of position that a search result can refer to within the file. */
      unit: components['schemas']['FileFormatUnit'];
      /** @description Model that some or all files of the format need; each use of it costs a credit. */
      recognition: components['schemas']['Recognition'] | null;
    };
    /**
     * @description Kind of position that a search result can refer to within the file.
     * @enum {string}
     */
    FileFormatUnit: 'page' | 'slide' | 'sheet' | 'row' | 'section' | 'message' | 'lines' | 'time';
    /** @description Formats of files. */
    FileFormats: {
      /** @description Formats that are read. */
      formats: components['schemas']['FileFormat'][];
      /** @description Formats that are known and not read. */
      refused: components['schemas']['RefusedFormat'][];
    };
    /**
     * @description Reason of a failed or cancelled job: the file could not be processed, the monthly credits for OCR or transcription are used up, or the credential that requested the upload was revoked before the file arrived.
     * @enum {string}
     */
    FileJobErrorCode: 'processing_failed' | 'multimodal_credit_limit_reached' | 'key_revoked';
    /** @description A job that turns a file into rows of an index. */
    FileJobResponse: {
      /** @description Id of the job. */
      id: string;
      /** @description Id of the index that the file goes into. */
      index_id: string;
      /** @description Name of the file. */
      filename: string;
      /** @description Media type that was declared or detected. */
      content_type: string;
      /** @description Where the file came from. */
      source: components['schemas']['FileJobSource'];
      /** @description How far the job is. */
      status: components['schemas']['FileJobStatus'];
      /** @description Size of the file; null while it is not known. */
      size_bytes: number | null;
      /** @description SHA-256 of the file in base64; null while it is not known. */
      checksum_sha256: string | null;
      /** @description Key of the file in the object store. */
      object_key: string;
      /**
       * Format: int64
       * @description Tasks that the file was split into; 0 before it is planned.
       */
      tasks_total: number;
      /**
       * Format: int64
       * @description Tasks that have completed.
       */
      tasks_completed: number;
      /**
       * Format: int64
       * @description Chunks of text in the index.
       */
      chunks_written: number;
      /**
       * Format: int64
       * @description Vectors in the index.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Distinct function invocations that worked on the job, retries included. In a list, a running job does not include those of its tasks.
       */
      serverless_invocations: number;
      /** @description Job whose content this one replaces; null: none. */
      replaces_job_id: string | null;
      /** @description Job that has replaced the content of this one; null: none. */
      replaced_by_job_id: string | null;
      /** @description Why the job failed, or which content was not read, for people; null if there is nothing to report. */
      error: string | null;
      /** @description Why the job failed or was cancelled by the service; null otherwise. */
      error_code: components['schemas']['FileJobErrorCode'] | null;
      /** @description Metadata that every chunk of the file has. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * Format: date-time
       * @description When the job was created.
       */
      created_at: string;
      /** @description When processing began; null before. */
      started_at: string | null;
      /** @description When the job ended; null before. */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description When the file is removed with its rows, if it expires.
       */
      expires_at?: string;
    };
    /**
     * @description Where the file of a job came from.
     * @enum {string}
     */
    FileJobSource: 'upload' | 'import' | 'crawl' | 'connector';
    /**
     * @description `awaiting_upload`, `queued`, `processing`, then `completed`, `completed_with_warnings` or `failed`. `cancelled`: by a caller; `expired`: never uploaded; `superseded`: a replacement completed.
     * @enum {string}
     */
    FileJobStatus:
      | 'awaiting_upload'
      | 'queued'
      | 'processing'
      | 'completed'
      | 'completed_with_warnings'
      | 'failed'
      | 'cancelled'
      | 'expired'
      | 'superseded';
    /**
     * @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`.
     * @default {}
     */
    FileMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /** @description Body of a `file.processing.completed` message. */
    FileProcessingCompletedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'file.processing.completed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['FileProcessingCompletedEventData'];
    };
    /** @description Every task of the job is done. `status` is `completed`, or `completed_with_warnings` if nothing could be extracted. */
    FileProcessingCompletedEventData: {
      /** @description The job. */
      job: components['schemas']['CompletedFileJob'];
      /** @description Duration and cost of the processing. */
      processing: components['schemas']['Processing'];
    };
    /** @description Body of a `file.processing.failed` message. */
    FileProcessingFailedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'file.processing.failed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['FileProcessingFailedEventData'];
    };
    /** @description The job failed after all retries. `error_code` is `processing_failed` or `multimodal_credit_limit_reached`. */
    FileProcessingFailedEventData: {
      /** @description The job. */
      job: components['schemas']['FailedFileJob'];
      /** @description Duration and cost of the processing. */
      processing: components['schemas']['Processing'];
    };
    /** @description Body of a `file.processing.started` message. */
    FileProcessingStartedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'file.processing.started';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['FileProcessingStartedEventData'];
    };
    /** @description A file is planned and its processing starts. Sent once per job, however many tasks it has. */
    FileProcessingStartedEventData: {
      /** @description The job. */
      job: components['schemas']['StartedFileJob'];
    };
    /** @description A file that replaces that of a job. */
    FileReplacement: {
      /** @description Name of the file. Its extension may decide between text formats. */
      filename: string;
      /** @description Media type of the file, such as `application/pdf`. */
      content_type: string;
      /** @description SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL accepts no other file. */
      checksum_sha256?: string | null;
      /** @description Exact size of the file. If given, the upload URL accepts no other size, and a file larger than the plan allows is refused before it is sent. */
      size_bytes?: number | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description A task with its usage. */
    FileTaskDetail: {
      /** @description Id of the task. */
      id: string;
      /**
       * Format: int64
       * @description Number of the task in its job, from 1.
       */
      ordinal: number;
      /** @description How far the task is. */
      status: components['schemas']['FileTaskStatus'];
      /**
       * Format: date-time
       * @description When the task was created.
       */
      created_at: string;
      /**
       * @description First page of the task; null if the file has no pages.
       * @default null
       */
      page_start: number | null;
      /**
       * @description Last page of the task; null if the file has no pages.
       * @default null
       */
      page_end: number | null;
      /**
       * Format: int64
       * @description Chunks of text that the task wrote.
       * @default 0
       */
      chunks_written: number;
      /**
       * Format: int64
       * @description Vectors that the task wrote.
       * @default 0
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Attempts that were made.
       * @default 0
       */
      attempt_count: number;
      /**
       * @description Why the task failed; null if it did not.
       * @default null
       */
      error: string | null;
      /**
       * @description When the first attempt began; null before.
       * @default null
       */
      started_at: string | null;
      /**
       * @description When the task ended; null before.
       * @default null
       */
      completed_at: string | null;
      /** @description Timed phases of all attempts, in their order. */
      trace: components['schemas']['TraceStep'][];
      /**
       * Format: int64
       * @description Page images whose text was recognized.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Function invocations, retries included.
       */
      serverless_invocations: number;
    };
    /** @description A part of a file job. */
    FileTaskResponse: {
      /** @description Id of the task. */
      id: string;
      /**
       * Format: int64
       * @description Number of the task in its job, from 1.
       */
      ordinal: number;
      /** @description How far the task is. */
      status: components['schemas']['FileTaskStatus'];
      /**
       * Format: date-time
       * @description When the task was created.
       */
      created_at: string;
      /**
       * @description First page of the task; null if the file has no pages.
       * @default null
       */
      page_start: number | null;
      /**
       * @description Last page of the task; null if the file has no pages.
       * @default null
       */
      page_end: number | null;
      /**
       * Format: int64
       * @description Chunks of text that the task wrote.
       * @default 0
       */
      chunks_written: number;
      /**
       * Format: int64
       * @description Vectors that the task wrote.
       * @default 0
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Attempts that were made.
       * @default 0
       */
      attempt_count: number;
      /**
       * @description Why the task failed; null if it did not.
       * @default null
       */
      error: string | null;
      /**
       * @description When the first attempt began; null before.
       * @default null
       */
      started_at: string | null;
      /**
       * @description When the task ended; null before.
       * @default null
       */
      completed_at: string | null;
    };
    /**
     * @description `queued`, then `running`, then `completed`, `failed` or `cancelled`.
     * @enum {string}
     */
    FileTaskStatus: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    /** @description Text of a file as it was read. */
    FileText: {
      /** @description Format of the text. */
      format: components['schemas']['FileTextFormat'];
      /**
       * Format: int64
       * @description UTF-8 bytes of the text.
       */
      bytes: number;
      /** @description The text; null if it has more than 4 MB. */
      text: string | null;
      /** @description URL for a GET of a longer text; null if `text` has it. */
      url: string | null;
      /** @description Seconds for which the URL is valid; null without one. */
      expires_in_seconds: number | null;
    };
    /**
     * @description Format of the text of a file.
     * @enum {string}
     */
    FileTextFormat: 'markdown' | 'text';
    /** @description A file to upload. */
    FileUploadCreate: {
      /** @description Name of the file. Its extension may decide between text formats. */
      filename: string;
      /** @description Media type of the file, such as `application/pdf`. */
      content_type: string;
      /** @description SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL accepts no other file. */
      checksum_sha256?: string | null;
      /** @description Exact size of the file. If given, the upload URL accepts no other size, and a file larger than the plan allows is refused before it is sent. */
      size_bytes?: number | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
      /** @description If a file of the index has the same name: `keep`, the default, stores both. `skip` returns its job, with status 200, if the checksum is equal too. `replace` replaces the newest one, even if that is unfinished. `skip` and `replace` need `checksum_sha256`. */
      on_duplicate?: components['schemas']['OnDuplicate'];
    };
    /** @description A file job that waits for its upload. */
    FileUploadResponse: {
      /** @description Id of the file job. */
      id: string;
      /** @description URL for one PUT of the file. */
      upload_url: string;
      /** @description Exact headers of the PUT. */
      upload_headers: {
        [key: string]: string;
      };
      /** @description Key of the file in the object store. */
      object_key: string;
      /**
       * @description Job whose content the file replaces; null: none.
       * @default null
       */
      replaces_job_id: string | null;
      /**
       * Format: int64
       * @description Seconds for which the URL is valid, counted from when it was created. A repeat under the same `Idempotency-Key` returns the same URL.
       * @default 900
       */
      expires_in_seconds: number;
    };
    /**
     * @description Method of fusion.
     * @enum {string}
     */
    FusionMethod: 'rrf' | 'weighted';
    /** @description A Gmail connector to create. */
    GmailCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gmail';
      /** @description Display name. */
      name?: components['schemas']['GmailCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['GooglePersonalCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['GmailCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    GmailCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Gmail
     */
    GmailCreateName: string;
    /** @description New credentials of a Gmail connector. */
    GmailReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gmail';
      /** @description Credentials of the source. */
      credentials: components['schemas']['GooglePersonalCredentials'];
    };
    /** @description A question with what it should find. */
    GoldenQuestion: {
      /** @description The question. */
      query: string;
      /** @description Filter of the question, besides that of the search. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description What it should find. */
      relevant: components['schemas']['RelevantItem'][];
    };
    /** @description Questions of a golden set. */
    GoldenQuestions: components['schemas']['GoldenQuestion'][];
    /** @description Questions of the log for a golden set. */
    GoldenSetFromLog: {
      /** @description Days of the log that are read. */
      days?: components['schemas']['GoldenSetFromLogDays'];
      /** @description Questions that the set has at most afterwards. */
      max_questions?: components['schemas']['GoldenSetFromLogMaxQuestions'];
    };
    /**
     * Format: int32
     * @description Days of the log that are read.
     * @default 30
     */
    GoldenSetFromLogDays: number;
    /**
     * Format: int32
     * @description Questions that the set has at most afterwards.
     * @default 1000
     */
    GoldenSetFromLogMaxQuestions: number;
    /** @description A version of a golden set. */
    GoldenSetResponse: {
      /** @description Name of the golden set. */
      name: string;
      /**
       * Format: int64
       * @description Number of the version, from 1.
       */
      version: number;
      /**
       * Format: int64
       * @description Questions of the version.
       */
      questions: number;
      /**
       * Format: int64
       * @description What they should find, together.
       */
      relevant: number;
      /**
       * Format: int64
       * @description Bytes of the version.
       */
      size_bytes: number;
      /**
       * Format: date-time
       * @description Time of the version.
       */
      created_at: string;
    };
    /** @description A Google Calendar connector to create. */
    GoogleCalendarCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'google_calendar';
      /** @description Display name. */
      name?: components['schemas']['GoogleCalendarCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['GooglePersonalCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['GoogleCalendarCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    GoogleCalendarCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Google Calendar
     */
    GoogleCalendarCreateName: string;
    /** @description New credentials of a Google Calendar connector. */
    GoogleCalendarReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'google_calendar';
      /** @description Credentials of the source. */
      credentials: components['schemas']['GooglePersonalCredentials'];
    };
    /** @description The JSON key file of a service account, as it is. */
    GoogleCredentials: {
      /**
       * @description Always `service_account`.
       * @constant
       */
      type: 'service_account';
      /**
       * Format: email
       * @description Address of the service account.
       */
      client_email: string;
      /** @description Private RSA key in PEM form. */
      private_key: string;
      /** @description Id of the key. */
      private_key_id?: string;
      /** @description Project of the service account. */
      project_id?: string;
    };
    /** @description Credentials of a storage to store under a name. */
    GoogleCredentialsPut: {
      /**
       * @description Storage of the credentials. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gcs';
      /** @description The JSON key file of a service account, as it is. */
      credentials: components['schemas']['GoogleCredentials'];
    };
    /** @description A Google Drive connector to create. */
    GoogleDriveCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'google_drive';
      /** @description Display name. */
      name?: components['schemas']['GoogleDriveCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['GoogleDriveCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['GoogleDriveCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    GoogleDriveCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Google Drive
     */
    GoogleDriveCreateName: string;
    /** @description A consent of a person, or the key file of a service account. */
    GoogleDriveCredentials: components['schemas']['AuthorizedUser'] | components['schemas']['ServiceAccount'];
    /** @description New credentials of a Google Drive connector. */
    GoogleDriveReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'google_drive';
      /** @description Credentials of the source. */
      credentials: components['schemas']['GoogleDriveCredentials'];
    };
    /** @description An object of Google Cloud Storage: `gs://BUCKET/NAME`. */
    GoogleImport: {
      /**
       * @description Cloud provider that keeps the file. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gcs';
      /** @description Address of the file. */
      uri: string;
      /** @description Credentials for the file; null if it is public. Kept encrypted until the copy is done. */
      credentials?: components['schemas']['GoogleCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Name of the file; null: the last part of `uri`. */
      filename?: string | null;
      /** @description Media type of the file; null: detected from its content. */
      content_type?: string | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description A consent of a person, or the key file of a service account that impersonates a person. */
    GooglePersonalCredentials:
      | components['schemas']['AuthorizedUser']
      | components['schemas']['PersonalServiceAccount'];
    /** @description A connector to Google Cloud Storage to create. */
    GoogleStorageConnectorCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gcs';
      /** @description Display name. */
      name?: components['schemas']['GoogleStorageConnectorCreateName'];
      /** @description Key file of a service account that may list and read the bucket; null if it is public. */
      credentials?: components['schemas']['GoogleCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['GoogleStorageConnectorCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    GoogleStorageConnectorCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Google Cloud Storage
     */
    GoogleStorageConnectorCreateName: string;
    /** @description New credentials of a connector to Google Cloud Storage. */
    GoogleStorageReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'gcs';
      /** @description Key file of a service account that may list and read the bucket; null if it is public. */
      credentials?: components['schemas']['GoogleCredentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
    };
    /** @description Requests carry a header of their own. */
    HeaderAuth: {
      /**
       * @description Always `header`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'header';
      /** @description Name of the header. */
      name: string;
      /** @description Value of the header. */
      value: string;
    };
    /** @description Status of the API. */
    Health: {
      /**
       * @description Always `ok`.
       * @constant
       */
      status: 'ok';
    };
    /** @description One event of the history. */
    HistoryEvent: {
      /** @description Id of the event. */
      id: string;
      /** @description Type of the event. */
      event_type: components['schemas']['EventType'];
      /** @description Whether the event was accepted for delivery. */
      status: components['schemas']['EventStatus'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Index that the event is about; null if there is none. */
      index_id: string | null;
      /** @description File job that the event is about; null if there is none. */
      job_id: string | null;
      /** @description The message as webhook endpoints receive it. */
      payload: components['schemas']['WebhookMessage'];
    };
    /** @description A search by meaning and words. */
    HybridSearch: {
      /** @description Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side. Required without `queries`. */
      text?: string;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Fusion of the dense and the sparse side. Null: not even by the defaults of the index. */
      fusion?: components['schemas']['SearchFusion'] | null;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['HybridSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    HybridSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description A branch to create. */
    IndexBranchCreate: {
      /** @description Name of the branch, for people. */
      name: string;
    };
    /** @description Size of an index, and the maximum that one index takes. */
    IndexCapacity: {
      /**
       * Format: int64
       * @description Numbers of all vectors: rows times dimensions.
       */
      vector_numbers: number;
      /**
       * Format: int64
       * @description Numbers from which the index takes no more content.
       */
      max_vector_numbers: number;
      /**
       * Format: int64
       * @description Bytes of vectors and texts.
       */
      content_bytes: number;
      /**
       * Format: int64
       * @description Bytes from which the index takes no more content.
       */
      max_content_bytes: number;
      /**
       * Format: double
       * @description Larger share of the two maximums. From 1 on, the index is full.
       */
      ratio: number;
    };
    /** @description Body of a `index.capacity_warning` message. */
    IndexCapacityWarningEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.capacity_warning';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexCapacityWarningEventData'];
    };
    /** @description An index has passed 80 % of its maximum size. Sent each time that its content passes it. */
    IndexCapacityWarningEventData: {
      /** @description The index. */
      index: components['schemas']['NearlyFullIndex'];
      /** @description Size of the index. */
      capacity: components['schemas']['IndexCapacity'];
    };
    /** @description An index to create. */
    IndexCreate: {
      /** @description Name, for people. */
      name: string;
      /** @description Numbers of each vector. They never change. With `embedding_model`, the default is that of the model. */
      dimensions?: components['schemas']['IndexCreateDimensions'];
      /** @description Model that embeds texts: an `id` of `GET /v1/models`, or `default` for the default one with its own dimensions. A rebuild changes it. Null or absent: the default one with `dimensions`. If that is the embedded one, which is English, an index of another `text_language` gets `embedded-multilingual-e5-small`. */
      embedding_model?: string | null;
      /** @description Distance metric of the vectors. It never changes. */
      distance_metric?: components['schemas']['IndexCreateDistanceMetric'];
      /** @description Region that keeps the index: one of `GET /v1/regions`. Null or absent: that of the organization. */
      cloud_region?: string | null;
      /** @description Metadata keys that no filter may name. */
      non_filterable_metadata_keys?: components['schemas']['IndexCreateNonFilterableMetadataKeys'];
      /** @description Engine of the index. A rebuild changes it. Not every region has `s3_vectors`. */
      engine?: components['schemas']['IndexCreateEngine'];
      /** @description Language of the texts, for stemming and stop words of sparse search. `auto` detects the language of each text, for indexes of several languages. `korean` splits words into pairs of syllables, `none` leaves words as they are. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting. */
      text_language?: components['schemas']['IndexCreateTextLanguage'];
      /** @description What happens if an index has this name. `return`: the response is a 200 with the oldest one, or a 409 if its dimensions, metric, region or engine are others than requested. `conflict`: the response is a 409 `name_taken`. Of concurrent requests of both kinds, one creates the index. */
      if_exists?: components['schemas']['IndexCreateIfExists'];
      /** @description Metadata key by whose values usage is counted, such as the customer: see `GET /v1/organization/usage/values`. Null or absent: none. */
      usage_key?: string | null;
      /** @description Seconds after which rows and files expire that say nothing else. Null or absent: they never do. */
      ttl_seconds?: number | null;
      /**
       * Format: int32
       * @description Days for which former versions are kept, to be read or restored. Absent: 1. Removed rows leave the files of the index a day later.
       */
      version_days?: number;
    };
    /**
     * Format: int32
     * @description Numbers of each vector. They never change. With `embedding_model`, the default is that of the model.
     * @default 1536
     */
    IndexCreateDimensions: number;
    /**
     * @description Distance metric of the vectors. It never changes.
     * @default cosine
     * @enum {string}
     */
    IndexCreateDistanceMetric: 'cosine' | 'euclidean';
    /**
     * @description Engine of the index. A rebuild changes it. Not every region has `s3_vectors`.
     * @default lance
     * @enum {string}
     */
    IndexCreateEngine: 'lance' | 's3_vectors';
    /**
     * @description What happens if an index has this name. `return`: the response is a 200 with the oldest one, or a 409 if its dimensions, metric, region or engine are others than requested. `conflict`: the response is a 409 `name_taken`. Of concurrent requests of both kinds, one creates the index.
     * @default create
     * @enum {string}
     */
    IndexCreateIfExists: 'create' | 'return' | 'conflict';
    /**
     * @description Metadata keys that no filter may name.
     * @default []
     */
    IndexCreateNonFilterableMetadataKeys: string[];
    /**
     * @description Language of the texts, for stemming and stop words of sparse search. `auto` detects the language of each text, for indexes of several languages. `korean` splits words into pairs of syllables, `none` leaves words as they are. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting.
     * @default english
     * @enum {string}
     */
    IndexCreateTextLanguage:
      | 'arabic'
      | 'auto'
      | 'danish'
      | 'dutch'
      | 'english'
      | 'finnish'
      | 'french'
      | 'german'
      | 'greek'
      | 'hungarian'
      | 'italian'
      | 'korean'
      | 'none'
      | 'norwegian'
      | 'portuguese'
      | 'romanian'
      | 'russian'
      | 'spanish'
      | 'swedish'
      | 'tamil'
      | 'turkish';
    /** @description Body of a `index.created` message. */
    IndexCreatedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.created';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexCreatedEventData'];
    };
    /** @description An index is ready for writes, dense and sparse. `name` is the name at its creation. Region and dimensions never change. */
    IndexCreatedEventData: {
      /** @description The index. */
      index: components['schemas']['CreatedIndex'];
    };
    /** @description Body of a `index.erased` message. */
    IndexErasedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.erased';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexErasedEventData'];
    };
    /** @description Nothing is left of the rows and files of an erasure, and its receipt is signed. */
    IndexErasedEventData: {
      /** @description The erasure. */
      erasure: components['schemas']['EndedErasure'];
    };
    /** @description State of the work that keeps searches of an index fast. */
    IndexMaintenance: {
      /** @description `building`: maintenance is running. `failing`: the last one did not finish. */
      status: components['schemas']['IndexMaintenanceStatus'];
      /** @description Effect of the failure; null unless the status is `failing`. */
      reason: string | null;
      /**
       * Format: int64
       * @description Failures in a row.
       */
      failures: number;
      /** @description Time of the first of these failures; null unless the status is `failing`. */
      since: string | null;
    };
    /**
     * @description How the last maintenance of an index ended.
     * @enum {string}
     */
    IndexMaintenanceStatus: 'ok' | 'building' | 'failing';
    /** @description Figures of an index over a range of days. */
    IndexMetrics: {
      /** @description Id of the index. */
      index_id: string;
      /**
       * Format: date
       * @description First day of the range.
       */
      from: string;
      /**
       * Format: date
       * @description Last day of the range, inclusive.
       */
      to: string;
      /** @description Each day of the range until today, oldest first. */
      days: components['schemas']['IndexMetricsDay'][];
      /** @description Latency of the searches of all days. */
      search_latency: components['schemas']['SearchLatencies'];
      /** @description Last measurement of recall; null if there is none. */
      last_recall: components['schemas']['LastRecall'] | null;
    };
    /** @description Figures of an index on one day. */
    IndexMetricsDay: {
      /**
       * Format: date
       * @description Day in UTC.
       */
      date: string;
      /**
       * Format: int64
       * @description Rows at the end of the day, or now.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Bytes of the vectors at the end of the day, or now.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the texts and their word index at the end of the day, or now.
       */
      sparse_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the original files at the end of the day, or now.
       */
      original_bytes: number;
      /**
       * Format: int64
       * @description Vectors that were written on the day.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted on the day.
       */
      vectors_deleted: number;
      /**
       * Format: int64
       * @description Searches of the day, including those of recall measurements.
       */
      searches: number;
      /** @description Latency of the searches of the day; null if none is known. */
      search_latency: components['schemas']['SearchLatency'] | null;
    };
    /** @description Treatment of vectors that the parent has written since the branch point, and what the branch must prove. `keep`: vectors that the branch did not change stay as they are. `discard`: the parent has exactly the content of the branch. */
    IndexPromote: {
      /** @description Whether writes to the parent since the branch point are kept. */
      parent_changes?: components['schemas']['IndexPromoteParentChanges'];
      /** @description Whether texts are embedded again if the branch has another embedding model. If not, that is a 409. */
      embed?: components['schemas']['IndexPromoteEmbed'];
      /** @description What the branch must prove by a golden set of the parent. Without an evaluation of its present content from the last hour, one is started: 409 `evaluation_running` until it has ended. */
      require?: components['schemas']['PromotionRequirement'];
    };
    /**
     * @description Whether texts are embedded again if the branch has another embedding model. If not, that is a 409.
     * @default false
     */
    IndexPromoteEmbed: boolean;
    /**
     * @description Whether writes to the parent since the branch point are kept.
     * @default keep
     * @enum {string}
     */
    IndexPromoteParentChanges: 'keep' | 'discard';
    /** @description Body of a `index.rebuild.completed` message. */
    IndexRebuildCompletedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.rebuild.completed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexRebuildCompletedEventData'];
    };
    /** @description The successor of a rebuild has become the content of its index. No file was processed again. */
    IndexRebuildCompletedEventData: {
      /** @description The rebuild. */
      rebuild: components['schemas']['CompletedRebuild'];
    };
    /** @description Body of a `index.rebuild.failed` message. */
    IndexRebuildFailedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.rebuild.failed';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexRebuildFailedEventData'];
    };
    /** @description A rebuild failed. The index is as it was. */
    IndexRebuildFailedEventData: {
      /** @description The rebuild. */
      rebuild: components['schemas']['FailedRebuild'];
    };
    /** @description An index. */
    IndexResponse: {
      /** @description Id of the index. */
      id: string;
      /** @description Name, for people. */
      name: string;
      /**
       * Format: int64
       * @description Numbers of each vector.
       */
      dimensions: number;
      /** @description Distance metric of the vectors. */
      distance_metric: components['schemas']['DistanceMetric'];
      /** @description Region that keeps the index. */
      cloud_region: string;
      /** @description Metadata keys that no filter may name. */
      non_filterable_metadata_keys: string[];
      /** @description Language of the texts, for sparse search. */
      text_language: components['schemas']['TextLanguage'];
      /** @description Model that embeds the texts of the index. */
      embedding_model: string;
      /** @description Size of the chunks of its files, if a rebuild has set it. A file with sizes in its metadata is cut by those. */
      chunking?: components['schemas']['Chunking'];
      /** @description What searches use if they name nothing else, in the form of `SearchDefaults`, if it was set. */
      search_defaults?: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description Metadata key by whose values usage is counted, if there is one. */
      usage_key?: string;
      /**
       * Format: int64
       * @description Seconds after which its rows and files expire by default, if they do.
       */
      ttl_seconds?: number;
      /**
       * Format: int64
       * @description Days for which former versions are kept, if its engine has versions.
       */
      version_days?: number;
      /** @description Log of its searches, if there is one. */
      query_log?: components['schemas']['QueryLog'];
      /** @description Engine of the index. */
      engine: components['schemas']['EngineName'];
      /** @description Features of its engine that not every engine has. Other requests are 409 `not_supported_by_engine`. */
      features: components['schemas']['EngineFeature'][];
      /**
       * Format: date-time
       * @description When the index was created.
       */
      created_at: string;
      /**
       * @description Index that this one branched from; null: none.
       * @default null
       */
      parent_index_id: string | null;
      /**
       * Format: int64
       * @description Number of indexes above this one: 0 if it is no branch.
       * @default 0
       */
      branch_depth: number;
    };
    /** @description What to restore. */
    IndexRestore: {
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of: components['schemas']['AsOf'];
    };
    /** @description Figures of an index. */
    IndexStats: {
      /** @description Id of the index. */
      index_id: string;
      /**
       * Format: int64
       * @description Rows of the index.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Completed file jobs of this index itself.
       */
      documents: number;
      /**
       * Format: int64
       * @description Bytes of the vectors.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the texts and their word index.
       */
      sparse_bytes: number;
      /**
       * Format: int64
       * @description Rows of a large index that searches compare one by one until the next maintenance.
       */
      unindexed_vectors: number;
      /** @description When the index was last written; null: never. */
      last_written_at: string | null;
      /** @description Whether the index can be used. */
      status: components['schemas']['IndexStatus'];
      /** @description Size of the index, and its maximum; null: its engine has none. */
      capacity: components['schemas']['IndexCapacity'] | null;
      /** @description State of the work that adds recent rows to the table of a large index. */
      maintenance: components['schemas']['IndexMaintenance'];
    };
    /**
     * @description Whether an index can be used.
     * @enum {string}
     */
    IndexStatus: 'creating' | 'ready' | 'deleting';
    /** @description A change of an index. */
    IndexUpdate: {
      /** @description New name. */
      name?: string;
      /** @description What searches of the index use if they name nothing else. It replaces the former defaults; null removes them. */
      search_defaults?: components['schemas']['SearchDefaults'] | null;
      /** @description Metadata key by whose values usage is counted from now on; null ends that. */
      usage_key?: string | null;
      /** @description Seconds after which rows and files expire that are written from now on and say nothing else; null: they never do. */
      ttl_seconds?: number | null;
      /**
       * Format: int32
       * @description Days for which former versions are kept.
       */
      version_days?: number;
      /** @description Log of searches, for golden sets from real questions. Null: nothing is logged any more. Absent at first: nothing is. */
      query_log?: components['schemas']['QueryLogSettings'] | null;
    };
    /** @description Body of a `index.updated` message. */
    IndexUpdatedEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'index.updated';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['IndexUpdatedEventData'];
    };
    /** @description An index was renamed. Nothing else has changed. */
    IndexUpdatedEventData: {
      /** @description The index. */
      index: components['schemas']['UpdatedIndex'];
    };
    /** @description What an index used in one month. */
    IndexUsage: {
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the index; null if it is deleted. */
      name: string | null;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      vectors_stored: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      sparse_bytes: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      original_bytes: number;
      /**
       * Format: int64
       * @description Vectors that files and requests wrote. A replaced vector counts again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted.
       */
      vectors_deleted: number;
      /** @description Searches by their kind. */
      searches: components['schemas']['SearchCounts'];
      /**
       * Format: int64
       * @description File jobs that were created.
       */
      file_jobs: number;
      /**
       * Format: int64
       * @description Pages of files that were read.
       */
      pages: number;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Web pages that crawls stored.
       */
      crawl_pages: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of rerankers: texts that an embedded one has scored, or units of its provider.
       */
      rerank_units: number;
      /**
       * Format: int64
       * @description Runs of the functions that process files, retries included.
       */
      serverless_invocations: number;
      /**
       * Format: double
       * @description Each figure times its unit price, with storage.
       */
      estimated_cost_usd: number;
    };
    /** @description The invitation to accept. */
    InvitationAccept: {
      /** @description Id of the invitation. */
      invitation_id: string;
    };
    /** @description A person to invite. */
    InvitationCreate: {
      /** @description E-mail address in any script. It is not case-sensitive. */
      email: string;
      /** @description Role of the invited person. */
      role?: components['schemas']['InvitationCreateRole'];
    };
    /**
     * @description Role of the invited person.
     * @default member
     * @enum {string}
     */
    InvitationCreateRole: 'owner' | 'member';
    /** @description An invitation to an organization. */
    InvitationResponse: {
      /** @description Id of the invitation. */
      id: string;
      /** @description Invited e-mail address. */
      email: string;
      /** @description Role of the invited person. */
      role: components['schemas']['OrganizationRole'];
      /**
       * Format: date-time
       * @description When the invitation expires.
       */
      expires_at: string;
      /** @description When the invitation was accepted; null if it was not. */
      accepted_at: string | null;
      /**
       * Format: date-time
       * @description When the invitation was created.
       */
      created_at: string;
    };
    /** @description Error of a message that cannot be read. Source: JSON-RPC 2.0, 5. */
    JsonRpcError: {
      /**
       * @description Always `2.0`.
       * @constant
       */
      jsonrpc: '2.0';
      /** @description Id of the message; null if it cannot be read. */
      id: components['schemas']['JsonRpcId'];
      /** @description What is wrong with the message. */
      error: components['schemas']['JsonRpcProblem'];
    };
    /** @description Id that the sender gave a message. */
    JsonRpcId: string | number | null;
    /** @description What is wrong with the message. */
    JsonRpcProblem: {
      /**
       * Format: int64
       * @description `-32700` if the body is not JSON, `-32600` if it is no message of the protocol.
       */
      code: number;
      /** @description Human-readable description of the error. */
      message: string;
    };
    /** @description Any JSON value. */
    JsonValue: Json;
    /** @description Last measurement of recall of an index. */
    LastRecall: {
      /**
       * Format: date-time
       * @description When the measurement ended.
       */
      measured_at: string;
      /** @description Seed that drew the vectors; null if they were given. */
      seed: number | null;
      /**
       * Format: int64
       * @description Results of each query that were compared.
       */
      top_k: number;
      /**
       * Format: int64
       * @description Rows of the index.
       */
      vectors: number;
      /** @description Recall without a filter. */
      unfiltered: components['schemas']['RecallUnfiltered'];
      /** @description Recall with a filter; null if none was given and none could be derived from the metadata. */
      filtered: components['schemas']['LastRecallFiltered'] | null;
      /**
       * Format: int64
       * @description Number of searches. Each counts as a dense search.
       */
      searches: number;
      /**
       * Format: double
       * @description Milliseconds that the measurement took.
       */
      took_ms: number;
    };
    /** @description Last recall of searches with a filter. */
    LastRecallFiltered: {
      /** @description The filter that was used; null if it is longer than 4,096 characters. */
      filter: {
        [key: string]: components['schemas']['JsonValue'];
      } | null;
      /**
       * Format: int64
       * @description Rows that match the filter.
       */
      matches: number;
      /**
       * Format: int64
       * @description Queries that were compared.
       */
      queries: number;
      /** @description Mean share of the exact hits that the default search finds; null if there are no exact hits. */
      recall: number | null;
      /** @description Lowest recall of a query. */
      lowest: number | null;
      /** @description Latency of the default search. */
      default_search: components['schemas']['RecallLatencies'];
      /** @description Latency of the exact search. */
      exact_search: components['schemas']['RecallLatencies'];
    };
    /** @description The next page is in the `Link` header, as `rel="next"`. */
    LinkHeaderPagination: {
      /**
       * @description Always `link_header`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'link_header';
    };
    /** @description A question of the log. Case and spaces make no difference. */
    LoggedQuestion: {
      /** @description The question, as it was last asked. */
      query: string;
      /**
       * Format: int64
       * @description Logged searches with it.
       */
      searches: number;
      /**
       * Format: int64
       * @description Searches that found nothing.
       */
      empty: number;
      /**
       * Format: int64
       * @description Hits that people opened.
       */
      clicks: number;
      /**
       * Format: int64
       * @description Hits that people called good.
       */
      good: number;
      /**
       * Format: int64
       * @description Hits that people called bad.
       */
      bad: number;
      /**
       * Format: date-time
       * @description Time of the last search.
       */
      last_at: string;
      /** @description Ids of the first hits of the last search. */
      hits: string[];
    };
    /** @description A request or notification of the Model Context Protocol. */
    McpMessage: {
      /**
       * @description Always `2.0`.
       * @constant
       */
      jsonrpc: '2.0';
      /** @description Method of the protocol, such as `tools/call`. */
      method: string;
    } & {
      [key: string]: unknown;
    };
    /** @description A change of a member. */
    MemberUpdate: {
      /** @description New role of the member. */
      role: components['schemas']['OrganizationRole'];
    };
    /** @description Which metadata to describe. */
    MetadataDescribe: {
      /** @description Keys or paths to describe. Without them, the keys that rows have: the first 100 in order. */
      keys?: string[] | null;
      /** @description Only rows that match. Without it, all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
    };
    /** @description Types, ranges and numbers of values of metadata keys. */
    MetadataDescribeResponse: {
      /**
       * Format: int64
       * @description Rows that match the filter.
       */
      rows: number;
      /** @description The keys, in the order of the request, or by code point. */
      keys: components['schemas']['MetadataKeyDescription'][];
      /** @description Whether rows have further keys. */
      more: boolean;
    };
    /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
    MetadataFilter: { [key: string]: Json };
    /** @description Values of one key. */
    MetadataKeyDescription: {
      /** @description The key or path. */
      key: string;
      /**
       * Format: int64
       * @description Rows that have the key.
       */
      rows: number;
      /** @description Types of its values. */
      types: ('null' | 'boolean' | 'number' | 'text' | 'list' | 'object')[];
      /** @description Number of distinct values; null if there are more than 10000. */
      distinct: number | null;
      /** @description Lowest and highest number outside of lists; null if there is none. */
      numbers: components['schemas']['MetadataNumberRange'] | null;
      /** @description First and last text of up to 100 characters, by instant if all are times with an offset, else by code point; null if there is none. */
      texts: components['schemas']['MetadataTextRange'] | null;
    };
    /** @description Lowest and highest value. */
    MetadataNumberRange: {
      /**
       * Format: double
       * @description The lowest.
       */
      min: number;
      /**
       * Format: double
       * @description The highest.
       */
      max: number;
    };
    /** @description Lowest and highest value. */
    MetadataTextRange: {
      /** @description The lowest. */
      min: string;
      /** @description The highest. */
      max: string;
    };
    /** @description A value and the number of rows that have it. */
    MetadataValueCount: {
      /** @description Any JSON value. */
      value: components['schemas']['JsonValue'];
      /**
       * Format: int64
       * @description Rows that have the value.
       */
      count: number;
    };
    /** @description Whose values to list. */
    MetadataValues: {
      /** @description Key of the metadata, or a path to a member of objects, such as `author.name`. */
      key: string;
      /** @description Only rows that match. Without it, all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Only texts that contain this, in upper or lower case. */
      contains?: string | null;
      /** @description Maximum number of values. */
      limit?: components['schemas']['MetadataValuesLimit'];
      /** @description `next_cursor` of the previous page. */
      cursor?: string | null;
    };
    /**
     * Format: int32
     * @description Maximum number of values.
     * @default 100
     */
    MetadataValuesLimit: number;
    /** @description One page of the distinct values of a key. */
    MetadataValuesResponse: {
      /** @description Values in order: null, booleans, numbers, times with an offset by instant, other texts by code point, objects. Times of one instant are one value. */
      values: components['schemas']['MetadataValueCount'][];
      /** @description Number of values of all pages; null if there are more than 100000. */
      distinct: number | null;
      /** @description `cursor` of the next page; null if there is none. */
      next_cursor: string | null;
    };
    /** @description A mean with its 95 % interval, by a bootstrap over the questions. */
    MetricEstimate: {
      /**
       * Format: double
       * @description Mean over the questions.
       */
      mean: number;
      /**
       * Format: double
       * @description Lower bound of its 95 % interval.
       */
      low: number;
      /**
       * Format: double
       * @description Upper bound of its 95 % interval.
       */
      high: number;
    };
    /** @description Each metric with its interval. */
    MetricEstimates: {
      /** @description nDCG of the first ten hits. */
      ndcg_at_10: components['schemas']['MetricEstimate'];
      /** @description Recall among the first `k` hits. */
      recall_at_k: components['schemas']['MetricEstimate'];
      /** @description Reciprocal rank of the first relevant hit. */
      mrr: components['schemas']['MetricEstimate'];
      /** @description Whether the first hit is relevant. */
      hit_at_1: components['schemas']['MetricEstimate'];
    };
    /**
     * @description A metric of a search. `ndcg_at_10`: graded, of the first ten hits. `recall_at_k`: share of what is relevant among the first `k`. `mrr`: reciprocal rank of the first relevant hit. `hit_at_1`: whether the first hit is relevant.
     * @enum {string}
     */
    MetricName: 'ndcg_at_10' | 'recall_at_k' | 'mrr' | 'hit_at_1';
    /** @description A number of each metric. */
    MetricNumbers: {
      /**
       * Format: double
       * @description nDCG of the first ten hits.
       */
      ndcg_at_10: number;
      /**
       * Format: double
       * @description Recall among the first `k` hits.
       */
      recall_at_k: number;
      /**
       * Format: double
       * @description Reciprocal rank of the first relevant hit.
       */
      mrr: number;
      /**
       * Format: double
       * @description Whether the first hit is relevant.
       */
      hit_at_1: number;
    };
    /** @description An application of a directory at Microsoft. */
    MicrosoftApplication: {
      /** @description Directory (tenant) id of the application, or a domain of the directory. */
      tenant_id: string;
      /** @description Application (client) id. */
      client_id: string;
      /** @description Client secret of the application. */
      client_secret: string;
    };
    /**
     * @description Use of a model.
     * @enum {string}
     */
    ModelKind: 'embedding' | 'rerank';
    /** @description An index that is nearly full. */
    NearlyFullIndex: {
      /** @description Id of the index. */
      id: string;
      /** @description Name of the index. */
      name: string;
      /** @description Region that stores the index. */
      region: string;
    };
    /** @description Requests carry no credential. */
    NoAuth: {
      /**
       * @description Always `none`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'none';
    };
    /** @description An empty object. */
    NoCredentials: Record<string, never>;
    /** @description A Notion connector to create. */
    NotionCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'notion';
      /** @description Display name. */
      name?: components['schemas']['NotionCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['TokenCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['NotionCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    NotionCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Notion
     */
    NotionCreateName: string;
    /** @description New credentials of a Notion connector. */
    NotionReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'notion';
      /** @description Credentials of the source. */
      credentials: components['schemas']['TokenCredentials'];
    };
    /** @description An OAuth client to create. */
    OAuthClientCreate: {
      /** @description Display name. */
      name: string;
      /** @description Ids of the indexes that the credential is restricted to; null or absent for all indexes. */
      index_ids?: string[] | null;
      /** @description Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or absent for all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with it belong to the credential. End it with a separator, such as `acme:`. */
      id_prefix?: string | null;
      /** @description Limits of the credential by minute, within those of the organization. A request above one is a 429. */
      rate_limits?: components['schemas']['CredentialRateLimits'] | null;
      /** @description Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429. */
      in_flight?: number | null;
      /** @description Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests that run then are completed. */
      monthly_limits?: components['schemas']['CredentialMonthlyLimits'] | null;
    };
    /** @description A created OAuth client with its secret. */
    OAuthClientCreated: {
      /** @description Id of the client. */
      id: string;
      /** @description Display name. */
      name: string;
      /** @description Scopes of access tokens of the client: `read`, `write`. */
      scopes: string[];
      /** @description Ids of the indexes that the credential is restricted to; null for all indexes. */
      index_ids: string[] | null;
      /** @description Filter of the rows that the credential is bound to; null for all rows. */
      filter: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that it may write; null for any. */
      id_prefix: string | null;
      /** @description Its limits by minute; null for those of the plan. */
      rate_limits: components['schemas']['ShownRateLimits'] | null;
      /** @description Maximum of its requests at a time; null for that of the plan. */
      in_flight: number | null;
      /** @description Its limits by month; null for those of the plan. */
      monthly_limits: components['schemas']['ShownMonthlyLimits'] | null;
      /**
       * Format: date-time
       * @description When the client was created.
       */
      created_at: string;
      /** @description Id of the client, for token requests. */
      client_id: string;
      /** @description Secret of the client, returned only once. */
      client_secret: string;
    };
    /** @description An OAuth client without its secret. */
    OAuthClientResponse: {
      /** @description Id of the client. */
      id: string;
      /** @description Display name. */
      name: string;
      /** @description Scopes of access tokens of the client: `read`, `write`. */
      scopes: string[];
      /** @description Ids of the indexes that the credential is restricted to; null for all indexes. */
      index_ids: string[] | null;
      /** @description Filter of the rows that the credential is bound to; null for all rows. */
      filter: components['schemas']['MetadataFilter'] | null;
      /** @description Beginning of the ids that it may write; null for any. */
      id_prefix: string | null;
      /** @description Its limits by minute; null for those of the plan. */
      rate_limits: components['schemas']['ShownRateLimits'] | null;
      /** @description Maximum of its requests at a time; null for that of the plan. */
      in_flight: number | null;
      /** @description Its limits by month; null for those of the plan. */
      monthly_limits: components['schemas']['ShownMonthlyLimits'] | null;
      /**
       * Format: date-time
       * @description When the client was created.
       */
      created_at: string;
      /** @description First 16 characters of the secret, to recognize the client. */
      prefix: string;
      /** @description When the client was revoked; null if it was not. */
      revoked_at: string | null;
      /** @description Id of the user, API key or OAuth client that created it. It ends with its creator. Null if unknown. */
      created_by: string | null;
    };
    /** @description Error of a token request. Source: RFC 6749, 5.2. */
    OAuthError: {
      /** @description Error code of RFC 6749, 5.2, RFC 7009, 2.2.1, or RFC 8707, 2. */
      error: components['schemas']['OAuthErrorCode'];
      /** @description Human-readable description of the error. */
      error_description: string;
    };
    /**
     * @description Error code of RFC 6749, 5.2, RFC 7009, 2.2.1, or RFC 8707, 2.
     * @enum {string}
     */
    OAuthErrorCode:
      | 'invalid_request'
      | 'invalid_client'
      | 'unauthorized_client'
      | 'unsupported_grant_type'
      | 'invalid_scope'
      | 'invalid_grant'
      | 'invalid_target'
      | 'unsupported_token_type';
    /** @description Requests carry an access token that the service gets and renews (OAuth 2.0, client credentials). */
    OauthClientCredentialsAuth: {
      /**
       * @description Always `oauth_client_credentials`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'oauth_client_credentials';
      /** @description Token endpoint, an https address on the public internet. */
      token_url: string;
      /** @description Id of the OAuth client. */
      client_id: string;
      /** @description Secret of the OAuth client. */
      client_secret: string;
      /** @description Scopes, separated by spaces; null: none. */
      scope?: string | null;
      /** @description Where the token request has id and secret: in HTTP Basic, or in the body. */
      client_authentication?: components['schemas']['OauthClientCredentialsAuthClientAuthentication'];
    };
    /**
     * @description Where the token request has id and secret: in HTTP Basic, or in the body.
     * @default basic
     * @enum {string}
     */
    OauthClientCredentialsAuthClientAuthentication: 'basic' | 'body';
    /** @description The next page skips the items so far. */
    OffsetPagination: {
      /**
       * @description Always `offset`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'offset';
      /** @description Query parameter that takes the number of items to skip. */
      parameter?: components['schemas']['OffsetPaginationParameter'];
      /** @description Offset of the first item. */
      start?: components['schemas']['OffsetPaginationStart'];
    };
    /**
     * @description Query parameter that takes the number of items to skip.
     * @default offset
     */
    OffsetPaginationParameter: string;
    /**
     * Format: int32
     * @description Offset of the first item.
     * @default 0
     */
    OffsetPaginationStart: number;
    /**
     * @description What happens if a file of the index has the same name.
     * @enum {string}
     */
    OnDuplicate: 'keep' | 'skip' | 'replace';
    /** @description Onboarding of an organization. */
    OnboardingComplete: {
      /** @description Name of the organization. */
      organization_name: string;
      /** @description Use case of the organization. */
      use_case: string;
      /** @description Expected number of vectors as text, such as `1M-10M`. */
      expected_vectors: string;
      /** @description Region of indexes that are created without one: one of `GET /v1/regions`. If absent: us-east-1, or the first region if us-east-1 is not available. */
      default_region?: components['schemas']['OnboardingCompleteDefaultRegion'];
    };
    /**
     * @description Region of indexes that are created without one: one of `GET /v1/regions`. If absent: us-east-1, or the first region if us-east-1 is not available.
     * @default us-east-1
     */
    OnboardingCompleteDefaultRegion: string;
    /** @description A OneDrive connector to create. */
    OneDriveCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'one_drive';
      /** @description Display name. */
      name?: components['schemas']['OneDriveCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['PersonalMicrosoftApplication'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['OneDriveCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    OneDriveCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default OneDrive
     */
    OneDriveCreateName: string;
    /** @description New credentials of a OneDrive connector. */
    OneDriveReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'one_drive';
      /** @description Credentials of the source. */
      credentials: components['schemas']['PersonalMicrosoftApplication'];
    };
    /** @description An organization with the terms of its plan. */
    OrganizationDetail: {
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Name of the organization. */
      organization_name: string;
      /** @description Role of the user; `member` for an API key or access token. */
      role: components['schemas']['OrganizationRole'];
      /** @description State of the subscription, such as `active`. */
      subscription_status: string;
      /**
       * @description Whether onboarding is complete.
       * @default false
       */
      onboarded: boolean;
      /**
       * @description Plan of the organization.
       * @default developer
       */
      plan: components['schemas']['PlanName'];
      /** @description Whether the subscription ends with the current period. */
      cancel_at_period_end: boolean;
      /** @description End of the current period; null if there is none. */
      current_period_end: string | null;
      /** @description Spending limit by calendar month in USD; null if there is none. */
      spending_limit_usd: number | null;
      /** @description Maximum numbers, such as of indexes, bytes and credits. All are integers. */
      limits: {
        [key: string]: number;
      };
      /** @description Features that the plan includes. */
      features: {
        [key: string]: boolean;
      };
      /** @description Rate limits in requests per minute and organization. */
      rate_limits: {
        [key: string]: number;
      };
    };
    /** @description A user of an organization. */
    OrganizationMember: {
      /** @description Id of the user. */
      user_id: string;
      /** @description Role of the user in the organization. */
      role: components['schemas']['OrganizationRole'];
      /**
       * Format: date-time
       * @description When the user joined.
       */
      joined_at: string;
      /** @description E-mail address of the user; null if unknown. */
      email?: string | null;
    };
    /**
     * @description `member`: reads everything and changes data. `owner`: also manages members, API keys and webhooks.
     * @enum {string}
     */
    OrganizationRole: 'owner' | 'member';
    /** @description Changes of an organization. Absent fields stay. */
    OrganizationUpdate: {
      /** @description Name of the organization. */
      organization_name?: string;
      /** @description Estimated cost of a calendar month in UTC from which searches, writes of rows and new file jobs are a 402, those of crawls and connectors too. It is added up once a minute. Storage goes on. Null for no limit. */
      spending_limit_usd?: number | null;
    };
    /** @description What an organization used in one month. */
    OrganizationUsage: {
      /**
       * Format: date-time
       * @description Beginning of the month in UTC.
       */
      period_start: string;
      /**
       * Format: date-time
       * @description End of the month in UTC, exclusive.
       */
      period_end: string;
      /**
       * Format: int64
       * @description Current month: number of indexes. Past month: indexes that held vectors at its end.
       */
      indexes: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      vectors_stored: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description At the end of the month, or now for the current month.
       */
      sparse_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the original files of completed and failed jobs and of files without an index, at the end of the month, or now for the current month. An original file is deleted with its job.
       */
      original_bytes: number;
      /**
       * Format: int64
       * @description Vectors that files and requests wrote. A replaced vector counts again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted.
       */
      vectors_deleted: number;
      /** @description Searches by their kind. */
      searches: components['schemas']['SearchCounts'];
      /**
       * Format: int64
       * @description File jobs that were created.
       */
      file_jobs: number;
      /**
       * Format: int64
       * @description Pages of files that were read.
       */
      pages: number;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Web pages that crawls stored.
       */
      crawl_pages: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of rerankers: texts that an embedded one has scored, or units of its provider.
       */
      rerank_units: number;
      /**
       * Format: int64
       * @description Runs of the functions that process files, retries included.
       */
      serverless_invocations: number;
      /**
       * Format: double
       * @description Each figure times its unit price. Storage counts by the day. A past day counts with the bytes at its end, the elapsed part of today with the bytes of now, each as its part of the month.
       */
      estimated_cost_usd: number;
    };
    /** @description An organization in a list. */
    OrganizationWorkspace: {
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Name of the organization. */
      organization_name: string;
      /** @description Role of the user; `member` for an API key or access token. */
      role: components['schemas']['OrganizationRole'];
      /** @description State of the subscription, such as `active`. */
      subscription_status: string;
      /**
       * @description Whether onboarding is complete.
       * @default false
       */
      onboarded: boolean;
      /**
       * @description Plan of the organization.
       * @default developer
       */
      plan: components['schemas']['PlanName'];
    };
    /** @description The next page has the next number. */
    PageNumberPagination: {
      /**
       * @description Always `page`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'page';
      /** @description Query parameter that takes the number of the page. */
      parameter?: components['schemas']['PageNumberPaginationParameter'];
      /** @description Number of the first page. */
      start?: components['schemas']['PageNumberPaginationStart'];
    };
    /**
     * @description Query parameter that takes the number of the page.
     * @default page
     */
    PageNumberPaginationParameter: string;
    /**
     * Format: int32
     * @description Number of the first page.
     * @default 1
     */
    PageNumberPaginationStart: number;
    /** @description A box on a page, in shares of its width and height. */
    PageRegion: {
      /**
       * Format: int64
       * @description Page, from 1.
       */
      page: number;
      /**
       * Format: double
       * @description Distance from the left edge.
       */
      left: number;
      /**
       * Format: double
       * @description Distance from the top edge.
       */
      top: number;
      /**
       * Format: double
       * @description Width.
       */
      width: number;
      /**
       * Format: double
       * @description Height.
       */
      height: number;
    };
    /** @description An invitation that the user can accept. */
    PendingInvitation: {
      /** @description Id of the invitation. */
      id: string;
      /** @description Invited e-mail address. */
      email: string;
      /** @description Role of the invited person. */
      role: components['schemas']['OrganizationRole'];
      /**
       * Format: date-time
       * @description When the invitation expires.
       */
      expires_at: string;
      /** @description When the invitation was accepted; null if it was not. */
      accepted_at: string | null;
      /**
       * Format: date-time
       * @description When the invitation was created.
       */
      created_at: string;
      /** @description Name of the organization. */
      organization_name: string;
    };
    /**
     * @description `read`: every GET and search. `write`: every change of data.
     * @enum {string}
     */
    Permission: 'read' | 'write';
    /** @description An application of a directory at Microsoft, and a person of that directory. */
    PersonalMicrosoftApplication: {
      /** @description Directory (tenant) id of the application, or a domain of the directory. */
      tenant_id: string;
      /** @description Application (client) id. */
      client_id: string;
      /** @description Client secret of the application. */
      client_secret: string;
      /**
       * Format: email
       * @description Person whose OneDrive is read.
       */
      user: string;
    };
    /** @description Key file of a service account that impersonates a person. */
    PersonalServiceAccount: {
      /**
       * @description Always `service_account`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'service_account';
      /**
       * Format: email
       * @description Address of the service account.
       */
      client_email: string;
      /** @description Private RSA key in PEM form. */
      private_key: string;
      /** @description Id of the key. */
      private_key_id?: string;
      /** @description Project of the service account. */
      project_id?: string;
      /**
       * Format: email
       * @description Person whose mail or calendar is read.
       */
      subject: string;
    };
    /**
     * @description Id of a plan.
     * @enum {string}
     */
    PlanName: 'developer' | 'scale' | 'enterprise';
    /** @description A plan with its terms. */
    PlanResponse: {
      /** @description Id of the plan. */
      id: components['schemas']['PlanName'];
      /** @description Display name. */
      name: string;
      /** @description Price in USD per month; null if on request. */
      price_usd_per_month: number | null;
      /** @description Maximum numbers, such as of indexes, bytes and credits. All are integers. */
      limits: {
        [key: string]: number;
      };
      /** @description Features that the plan includes. */
      features: {
        [key: string]: boolean;
      };
      /** @description Rate limits in requests per minute and organization. */
      rate_limits: {
        [key: string]: number;
      };
      /** @description Prices in USD per unit, from which the cost of usage is estimated. */
      unit_prices: components['schemas']['UnitPrices'];
    };
    /** @description Resources that processing a file took. */
    Processing: {
      /** @description Id of the file job. */
      job_id: string;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Distinct runs of functions that worked on the job, retries included.
       */
      serverless_invocations: number;
      /**
       * Format: int64
       * @description Milliseconds from the arrival of the file to the end of the job, or to now.
       */
      end_to_end_latency_ms: number;
      /** @description The phases of all tasks, in their order. */
      path: components['schemas']['ProcessingStep'][];
    };
    /** @description A file job with its tasks and their usage. */
    ProcessingDetail: {
      /** @description The job. */
      job: components['schemas']['FileJobResponse'];
      /** @description Usage of the job so far. */
      processing: components['schemas']['Processing'];
      /** @description The tasks of the job. */
      tasks: components['schemas']['FileTaskDetail'][];
    };
    /** @description One timed phase of processing. */
    ProcessingStep: {
      /** @description Name of the phase, such as `content.extract`. */
      phase: string;
      /**
       * Format: int64
       * @description Milliseconds that the phase took.
       */
      duration_ms: number;
      /** @description Figures of the phase, such as pages or vectors. */
      attributes: {
        [key: string]: components['schemas']['JsonValue'];
      };
    };
    /** @description Changes that a promotion made to the parent. */
    PromoteResponse: {
      /** @description Id of the parent. */
      index_id: string;
      /**
       * Format: int64
       * @description Vectors that were written into the parent.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted from the parent.
       */
      vectors_deleted: number;
      /** @description What the branch has proved, with `require`. */
      evaluation?: components['schemas']['EvaluationProof'];
    };
    /** @description What a branch must prove before it is promoted. */
    PromotionRequirement: {
      /** @description Name of a golden set of the parent. */
      golden_set: string;
      /** @description Metric that is compared. */
      metric?: components['schemas']['PromotionRequirementMetric'];
      /**
       * Format: double
       * @description Mean loss that is allowed. A larger one is refused if its 95 % interval excludes 0.
       */
      max_loss: number;
      /** @description Search that is compared. Default: a hybrid one by the defaults of the index. */
      search?: components['schemas']['EvaluatedSearch'];
    };
    /**
     * @description Metric that is compared.
     * @default ndcg_at_10
     * @enum {string}
     */
    PromotionRequirementMetric: 'ndcg_at_10' | 'recall_at_k' | 'mrr' | 'hit_at_1';
    /** @description Metadata of a protected resource. Source: RFC 9728, 2. */
    ProtectedResourceMetadata: {
      /** @description URL of the resource. */
      resource: string;
      /** @description Name of the service, for people. */
      resource_name: string;
      /** @description Issuers of tokens for the resource. */
      authorization_servers: string[];
      /** @description How a token is sent: in the header `Authorization`. */
      bearer_methods_supported: string[];
      /** @description Scopes of tokens for the resource. */
      scopes_supported: string[];
      /** @description Page that documents the service. */
      resource_documentation: string;
    };
    /**
     * @description How hits of several queries are joined.
     * @enum {string}
     */
    QueryFusion: 'rrf' | 'max';
    /** @description Log of the searches of an index. */
    QueryLog: {
      /**
       * Format: double
       * @description Share of the searches that are logged.
       */
      sample: number;
      /**
       * Format: int64
       * @description Days for which entries are kept.
       */
      keep_days: number;
    };
    /** @description Log of the searches of an index: questions, modes, shapes of filters, hits, durations and credentials. */
    QueryLogSettings: {
      /**
       * Format: double
       * @description Share of the searches that are logged. 1: all.
       */
      sample: number;
      /**
       * Format: int32
       * @description Days for which entries are kept.
       */
      keep_days: number;
    };
    /** @description What the content of an index changes to: at least one of model, language, engine and chunking. */
    RebuildCreate: {
      /** @description Model of the successor: an `id` of `GET /v1/models`, or `default`. Absent: the present one. */
      embedding_model?: string;
      /** @description Language of the texts of the successor. Absent: the present one. */
      text_language?: components['schemas']['TextLanguage'];
      /** @description Engine of the successor. Absent: the present one. */
      engine?: components['schemas']['EngineName'];
      /** @description Size of the chunks of files, which are cut again. Null: the size in the metadata of each file, or the default. Absent: the present one. */
      chunking?: components['schemas']['ChunkingChoice'] | null;
      /** @description Treatment of rows without a text, whose vectors a new model cannot make. `refuse`: the rebuild fails. `skip`: they stay out. */
      foreign_vectors?: components['schemas']['RebuildCreateForeignVectors'];
      /** @description Hours after the takeover in which it can be undone. */
      window_hours?: components['schemas']['RebuildCreateWindowHours'];
      /** @description Whether only the estimate is returned, and nothing begins. */
      dry_run?: components['schemas']['RebuildCreateDryRun'];
      /** @description Name of a golden set by which the successor must prove itself. */
      golden_set?: string;
      /** @description What the successor must prove by `golden_set` before it takes over. If it falls short, the rebuild fails and the index stays as it is. */
      require?: components['schemas']['Requirement'];
    };
    /**
     * @description Whether only the estimate is returned, and nothing begins.
     * @default false
     */
    RebuildCreateDryRun: boolean;
    /**
     * @description Treatment of rows without a text, whose vectors a new model cannot make. `refuse`: the rebuild fails. `skip`: they stay out.
     * @default refuse
     * @enum {string}
     */
    RebuildCreateForeignVectors: 'refuse' | 'skip';
    /**
     * Format: int32
     * @description Hours after the takeover in which it can be undone.
     * @default 168
     */
    RebuildCreateWindowHours: number;
    /** @description Estimate of a rebuild, from up to 200 rows of the index. */
    RebuildEstimate: {
      /**
       * Format: int64
       * @description Rows of the index.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Rows that the successor would have.
       */
      vectors_after: number;
      /**
       * Format: int64
       * @description Rows that would stay out, because they could not be embedded or stored.
       */
      left_out: number;
      /**
       * Format: int64
       * @description Files that would be cut again or kept; 0 if `chunking` does not change.
       */
      files: number;
      /**
       * Format: int64
       * @description Files of which all or a part keeps its chunks although `chunking` changes: rows were edited or deleted by hand, or an earlier release has read the file.
       */
      kept_files: number;
      /**
       * Format: int64
       * @description Rows of these.
       */
      kept_rows: number;
      /**
       * Format: int64
       * @description Tokens of the texts that would be embedded.
       */
      embedding_tokens: number;
      /**
       * Format: double
       * @description Estimated price of filling the successor.
       */
      estimated_cost_usd: number;
      /**
       * Format: int64
       * @description Estimated duration.
       */
      seconds: number;
    };
    /** @description A rebuild of an index. */
    RebuildResponse: {
      /** @description Id of the rebuild. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Status. `completed`: the successor serves. */
      status: components['schemas']['RebuildStatus'];
      /** @description Content before. */
      from: components['schemas']['RebuildSettings'];
      /** @description Content after. */
      to: components['schemas']['RebuildSettings'];
      /**
       * Format: int64
       * @description Rows of the content that does not serve. It grows to those of the index.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Rows that were written so far, repeats included. They count in the usage.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Tokens of the texts that were embedded so far.
       */
      embedding_tokens: number;
      /**
       * Format: double
       * @description Estimated price so far.
       */
      estimated_cost_usd: number;
      /**
       * Format: int64
       * @description Rows that stayed out of the successor when it took over.
       */
      left_out: number;
      /**
       * Format: int64
       * @description Files of which all or a part keeps its chunks although `chunking` changes: rows were edited or deleted by hand, or an earlier release has read the file.
       */
      kept_files: number;
      /**
       * Format: int64
       * @description Rows of these.
       */
      kept_rows: number;
      /** @description Evaluation that the successor must pass, once it has begun; null without one. */
      evaluation_id: string | null;
      /** @description Why it failed, or why it cannot be undone; null if neither. */
      error: string | null;
      /**
       * Format: date-time
       * @description Creation time.
       */
      created_at: string;
      /** @description Time of the takeover or failure; null before. */
      completed_at: string | null;
      /** @description Time until which the takeover can be undone; null before it. */
      rollback_until: string | null;
    };
    /** @description How a content stores and finds rows. */
    RebuildSettings: {
      /** @description Engine of the content. */
      engine: components['schemas']['EngineName'];
      /** @description Model of its vectors. */
      embedding_model: string;
      /** @description Language of its texts. */
      text_language: components['schemas']['TextLanguage'];
      /** @description Size of the chunks of its files. Null: that in the metadata of each file, or the default. */
      chunking: components['schemas']['Chunking'] | null;
    };
    /** @description A rebuild that has begun, or the estimate of one. */
    RebuildStart: {
      /** @description The rebuild; null for a dry run. */
      rebuild: components['schemas']['RebuildResponse'] | null;
      /** @description The estimate of a dry run; null otherwise. */
      estimate: components['schemas']['RebuildEstimate'] | null;
    };
    /**
     * @description Status of a rebuild.
     * @enum {string}
     */
    RebuildStatus: 'queued' | 'running' | 'completed' | 'rolling_back' | 'rolled_back' | 'cancelled' | 'failed';
    /** @description Recall measurement to run. */
    RecallBody: {
      /** @description Results of each query that are compared. */
      top_k?: components['schemas']['RecallBodyTopK'];
      /** @description Stored vectors to draw. Ignored if `vectors` are given. */
      queries?: components['schemas']['RecallBodyQueries'];
      /** @description The same seed draws the same vectors as long as the index is unchanged. */
      seed?: components['schemas']['RecallBodySeed'];
      /** @description Vectors to search with instead, such as those of real queries. */
      vectors?: components['schemas']['VectorInput'][] | null;
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
    };
    /**
     * @description Stored vectors to draw. Ignored if `vectors` are given.
     * @default 20
     */
    RecallBodyQueries: number | null;
    /**
     * @description The same seed draws the same vectors as long as the index is unchanged.
     * @default 1
     */
    RecallBodySeed: number | null;
    /**
     * @description Results of each query that are compared.
     * @default 10
     */
    RecallBodyTopK: number | null;
    /** @description Recall of searches with a filter. */
    RecallFiltered: {
      /** @description The filter that was used. */
      filter: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /**
       * Format: int64
       * @description Rows that match the filter.
       */
      matches: number;
      /**
       * Format: int64
       * @description Queries that were compared.
       */
      queries: number;
      /** @description Mean share of the exact hits that the default search finds; null if there are no exact hits. */
      recall: number | null;
      /** @description Lowest recall of a query. */
      lowest: number | null;
      /** @description Latency of the default search. */
      default_search: components['schemas']['RecallLatencies'];
      /** @description Latency of the exact search. */
      exact_search: components['schemas']['RecallLatencies'];
    };
    /** @description Latency of searches. */
    RecallLatencies: {
      /**
       * Format: double
       * @description Median in milliseconds.
       */
      p50_ms: number;
      /**
       * Format: double
       * @description 95th percentile in milliseconds.
       */
      p95_ms: number;
    };
    /** @description Comparison of the default search with an exact search. */
    RecallResponse: {
      /**
       * Format: int64
       * @description Results of each query that were compared.
       */
      top_k: number;
      /**
       * Format: int64
       * @description Rows of the index.
       */
      vectors: number;
      /** @description Recall without a filter. */
      unfiltered: components['schemas']['RecallUnfiltered'];
      /** @description Recall with a filter; null if none was given and none could be derived from the metadata. */
      filtered: components['schemas']['RecallFiltered'] | null;
      /**
       * Format: int64
       * @description Number of searches. Each counts as a dense search.
       */
      searches: number;
      /**
       * Format: double
       * @description Milliseconds that the measurement took.
       */
      took_ms: number;
    };
    /** @description Recall of searches without a filter. */
    RecallUnfiltered: {
      /**
       * Format: int64
       * @description Queries that were compared.
       */
      queries: number;
      /** @description Mean share of the exact hits that the default search finds; null if there are no exact hits. */
      recall: number | null;
      /** @description Lowest recall of a query. */
      lowest: number | null;
      /** @description Latency of the default search. */
      default_search: components['schemas']['RecallLatencies'];
      /** @description Latency of the exact search. */
      exact_search: components['schemas']['RecallLatencies'];
    };
    /** @description Key by which receipts are verified. */
    ReceiptKey: {
      /** @description Id of the key. */
      id: string;
      /**
       * @description Signature algorithm.
       * @constant
       */
      algorithm: 'Ed25519';
      /** @description Public key in PEM. */
      public_key: string;
    };
    /**
     * @description Kind of model that reads images or audio.
     * @enum {string}
     */
    Recognition: 'ocr' | 'transcription';
    /** @description A format that is not read. */
    RefusedFormat: {
      /** @description Id of the format. */
      id: string;
      /** @description Name, for people. */
      name: string;
      /** @description Media types of such files. */
      media_types: string[];
      /** @description Lower case, without the dot. */
      extensions: string[];
      /** @description Why it is not read, and what to do instead. */
      reason: string;
    };
    /** @description What a question should find, by one of id, document and text. */
    RelevantItem: {
      /** @description Id of a row. */
      id?: string;
      /** @description Id of a file job, or name of its file: any row of it. */
      document?: string;
      /** @description Text of a passage: the row whose text has 80 % of its words. */
      text?: string;
      /** @description Relevance: 0 is none. Default 1. */
      grade?: components['schemas']['RelevantItemGrade'];
    };
    /**
     * Format: int32
     * @description Relevance: 0 is none. Default 1.
     * @default 1
     */
    RelevantItemGrade: number;
    /** @description A file to copy from a cloud provider. */
    RemoteFileImport:
      | components['schemas']['S3Import']
      | components['schemas']['GoogleImport']
      | components['schemas']['AzureImport']
      | components['schemas']['UrlImport']
      | components['schemas']['ExportImport'];
    /** @description What a replay sends. */
    ReplayAccepted: {
      /**
       * Format: int64
       * @description Number of events that are sent again.
       */
      events: number;
      /**
       * Format: int64
       * @description Number of endpoints. Each receives the types that it subscribes to.
       */
      endpoints: number;
    };
    /** @description What a content must prove. */
    Requirement: {
      /** @description Metric that is compared. */
      metric?: components['schemas']['RequirementMetric'];
      /**
       * Format: double
       * @description Mean loss that is allowed. A larger one is refused if its 95 % interval excludes 0.
       */
      max_loss: number;
      /** @description Search that is compared. Default: a hybrid one by the defaults of the index. */
      search?: components['schemas']['EvaluatedSearch'];
    };
    /**
     * @description Metric that is compared.
     * @default ndcg_at_10
     * @enum {string}
     */
    RequirementMetric: 'ndcg_at_10' | 'recall_at_k' | 'mrr' | 'hit_at_1';
    /** @description Defaults of a reranker. */
    RerankDefaults: {
      /**
       * Format: int64
       * @description Hits that it scores by default.
       */
      candidates: number;
      /**
       * Format: double
       * @description Share of its scores by default.
       */
      blend: number;
    };
    /**
     * @description What follows if a reranker fails.
     * @enum {string}
     */
    RerankOnError: 'skip' | 'fail';
    /** @description What the reranker has done. */
    RerankReport: {
      /** @description `skipped`: the order is that of the first stage. */
      status: components['schemas']['RerankStatus'];
      /** @description Why the hits were not reranked; null if they were. */
      reason: components['schemas']['RerankSkipReason'] | null;
      /** @description Id of the reranker. */
      model: string;
      /**
       * Format: int64
       * @description Hits that were sent to it.
       */
      candidates: number;
      /**
       * Format: double
       * @description Milliseconds that it took.
       */
      took_ms: number;
      /**
       * Format: int64
       * @description Units by which it is billed: for most models, one for each hit.
       */
      units: number;
    };
    /**
     * @description Why hits were not reranked.
     * @enum {string}
     */
    RerankSkipReason: 'unavailable' | 'timeout' | 'invalid_response' | 'no_text' | 'no_candidates';
    /**
     * @description Whether the hits were reranked.
     * @enum {string}
     */
    RerankStatus: 'done' | 'skipped';
    /** @description What a restore changed. */
    RestoreResponse: {
      /**
       * Format: int64
       * @description Version that was restored.
       */
      version: number;
      /**
       * Format: int64
       * @description Rows that the index has again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Rows that the index had before, and the restored version not.
       */
      vectors_deleted: number;
      /**
       * Format: int64
       * @description Rows that stay away, because their files were deleted or replaced since.
       */
      left_out: number;
    };
    /** @description Text of a file around one or more results. */
    ResultContext: {
      /** @description The text. What two chunks share is written once. */
      text: string;
      /** @description Rows that it consists of, in the order of the file. */
      ids: string[];
      /** @description Results among them, best first. */
      hits: string[];
      /** @description The file. */
      file: components['schemas']['ContextFile'];
    };
    /** @description Token that is no longer needed. Source: RFC 7009, 2.1. */
    RevocationRequest: {
      /** @description Access token or refresh token of a connected application. */
      token: string;
      /** @description Ignored, since the value shows its type. */
      token_type_hint?: string;
      /** @description Id of the application. If present, it must be that of the token. */
      client_id?: string;
    };
    /** @description The token is not accepted any more. */
    Revoked: Record<string, never>;
    /** @description A connector to Amazon S3 to create. */
    S3ConnectorCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'aws_s3';
      /** @description Display name. */
      name?: components['schemas']['S3ConnectorCreateName'];
      /** @description Credentials that may list and read the bucket; null if it is public. Stored encrypted. */
      credentials?: components['schemas']['S3Credentials'] | null;
      /** @description Address of another storage with the protocol of S3, such as MinIO, R2 or Wasabi; null: Amazon S3. */
      endpoint?: string | null;
      /** @description Region of `endpoint`, such as `auto` for R2; null: the region of the service. */
      region?: string | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['S3ConnectorCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    S3ConnectorCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Amazon S3
     */
    S3ConnectorCreateName: string;
    /** @description `access_key_id` and `secret_access_key`, with `session_token` for temporary ones; or `role_arn`, of a role whose trust policy names the import function and, as external id, the id of the organization. */
    S3Credentials: {
      /** @description Id of the access key. */
      access_key_id?: string;
      /** @description Secret of the access key. */
      secret_access_key?: string;
      /** @description Session token of temporary keys. */
      session_token?: string;
      /** @description Role that the service assumes, in place of keys. */
      role_arn?: string;
    };
    /** @description Credentials of a storage to store under a name. */
    S3CredentialsPut: {
      /**
       * @description Storage of the credentials. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'aws_s3';
      /** @description `access_key_id` and `secret_access_key`, with `session_token` for temporary ones; or `role_arn`, of a role whose trust policy names the import function and, as external id, the id of the organization. */
      credentials: components['schemas']['S3Credentials'];
    };
    /** @description An object of Amazon S3: `s3://BUCKET/KEY`. */
    S3Import: {
      /**
       * @description Cloud provider that keeps the file. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'aws_s3';
      /** @description Address of the file. */
      uri: string;
      /** @description Credentials for the file; null if it is public. Kept encrypted until the copy is done. */
      credentials?: components['schemas']['S3Credentials'] | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
      /** @description Name of the file; null: the last part of `uri`. */
      filename?: string | null;
      /** @description Media type of the file; null: detected from its content. */
      content_type?: string | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description New credentials of a connector to Amazon S3. */
    S3Reconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'aws_s3';
      /** @description Credentials that may list and read the bucket; null if it is public. Stored encrypted. */
      credentials?: components['schemas']['S3Credentials'] | null;
      /** @description Address of another storage with the protocol of S3, such as MinIO, R2 or Wasabi; null: Amazon S3. */
      endpoint?: string | null;
      /** @description Region of `endpoint`, such as `auto` for R2; null: the region of the service. */
      region?: string | null;
      /** @description Name of credentials that are stored for the organization, in place of `credentials`; null: none. */
      stored_credentials?: string | null;
    };
    /** @description Mixes a boost by metadata with the scores, which are scaled to 0…1: `(1 - weight) × score + weight × boost`. The boost is `Σ wᵢvᵢ / Σ|wᵢ|` over the conditions. */
    SearchBoost: {
      /** @description Share of the boost in the score. */
      weight?: components['schemas']['SearchBoostWeight'];
      /** @description Conditions, whose values are averaged by weight. */
      conditions: components['schemas']['BoostCondition'][];
    };
    /**
     * @description Share of the boost in the score.
     * @default 0.3
     */
    SearchBoostWeight: number | null;
    /** @description Place of the text of a result in its file. */
    SearchCitation: {
      /** @description The file. */
      file: components['schemas']['CitedFile'];
      /** @description Pages that the text is on; empty if the file has none. */
      pages: number[];
      /** @description Boxes of the text on its pages, one for each run of lines; empty if they are not known. */
      regions: components['schemas']['PageRegion'][];
      /** @description Headings above the text, outermost first. */
      heading_path: string[];
      /** @description Position of the first character in the text of the file, in code points, as `GET …/files/{job_id}/text` returns it; null if it is not known. */
      start: number | null;
      /** @description Position behind the last character; null if it is not known. */
      end: number | null;
      /**
       * Format: double
       * @description Second of a recording or of subtitles at which the text begins.
       */
      time_start?: number;
      /**
       * Format: double
       * @description Second at which the text ends.
       */
      time_end?: number;
    };
    /** @description Adds the text of the file around each of up to 50 results. */
    SearchContext: {
      /** @description Units before the result. Default 1 with `chunk`, else 0. */
      before?: number | null;
      /** @description Units behind the result. Default 1 with `chunk`, else 0. */
      after?: number | null;
      /** @description `chunk`: neighbours. `heading`: the text under the same headings. `page`: the pages of the result. `file`: the whole file. */
      unit?: components['schemas']['SearchContextUnit'];
      /** @description Maximum length of the text around a result, in code points. The result itself is always whole. */
      max_chars?: components['schemas']['SearchContextMaxChars'];
    };
    /**
     * @description Maximum length of the text around a result, in code points. The result itself is always whole.
     * @default 8000
     */
    SearchContextMaxChars: number | null;
    /**
     * @description `chunk`: neighbours. `heading`: the text under the same headings. `page`: the pages of the result. `file`: the whole file.
     * @default chunk
     */
    SearchContextUnit: components['schemas']['ContextUnit'] | null;
    /** @description Searches by their kind. */
    SearchCounts: {
      /**
       * Format: int64
       * @description Dense searches.
       */
      dense: number;
      /**
       * Format: int64
       * @description Sparse searches.
       */
      sparse: number;
      /**
       * Format: int64
       * @description Hybrid searches.
       */
      hybrid: number;
    };
    /** @description What searches of an index use if they name nothing else. Null in a search switches one off. */
    SearchDefaults: {
      /** @description Fusion of hybrid searches. */
      fusion?: components['schemas']['SearchFusion'] | null;
      /** @description Reranker of the best candidates. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Boost by metadata. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Groups of hits. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Text around the results. */
      context?: components['schemas']['SearchContext'] | null;
    };
    /** @description Results of one search. */
    SearchEvaluation: {
      /** @description Name of the search. */
      search: string;
      /** @description `compared`: what the index is compared to. */
      content: components['schemas']['EvaluatedContent'];
      /** @description Metrics of the search. */
      metrics: components['schemas']['MetricEstimates'];
      /** @description Paired difference to the same search on the index, or of further searches on the index to the first one; null for that one. */
      difference: components['schemas']['MetricEstimates'] | null;
      /** @description Smallest mean loss that the questions find with a probability of 80 %; null without a difference. */
      detectable_loss: components['schemas']['MetricNumbers'] | null;
      /**
       * Format: int64
       * @description Questions with a higher nDCG than in the other.
       */
      gains: number;
      /**
       * Format: int64
       * @description Questions with a lower one.
       */
      losses: number;
    };
    /**
     * @description Compare with every row instead of using the vector index.
     * @default false
     */
    SearchExact: boolean | null;
    /** @description Why a row was found. */
    SearchExplanation: {
      /** @description The dense side; null if it did not find the row. */
      dense: components['schemas']['DenseExplanation'] | null;
      /** @description The sparse side; null if it did not find the row. */
      sparse: components['schemas']['SparseExplanation'] | null;
      /** @description The index whose own table holds the row: this one, or one it branched from. */
      index_id: string;
      /**
       * Format: int64
       * @description 0 for this index, 1 for its parent, and so on.
       */
      branch_distance: number;
      /** @description Where the chunk is in its file; null for a row that no file wrote. */
      chunk: components['schemas']['ChunkPosition'] | null;
    };
    /** @description Key whose values are counted. */
    SearchFacet: {
      /** @description Metadata key, or a path to a member of objects. */
      key: string;
      /** @description Maximum values, most frequent first. */
      limit?: components['schemas']['SearchFacetLimit'];
    };
    /**
     * @description Maximum values, most frequent first.
     * @default 10
     */
    SearchFacetLimit: number | null;
    /** @description Feedback on a hit. */
    SearchFeedback: {
      /** @description Id of a hit. */
      id: string;
      /** @description `click`: opened it. `good`, `bad`: judged it. */
      event: components['schemas']['FeedbackEvent'];
    };
    /**
     * @description A part of a result that a search can return.
     * @enum {string}
     */
    SearchField: 'text' | 'metadata' | 'vector' | 'scores' | 'explanation' | 'usage' | 'citation';
    /** @description Fusion of the dense and the sparse side. */
    SearchFusion: {
      /** @description `rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1. */
      method?: components['schemas']['SearchFusionMethod'];
      /** @description Constant of `rrf`. A larger value gives the first ranks less weight. */
      k?: components['schemas']['SearchFusionK'];
      /** @description Weight of the dense side; the sparse side has the rest. Default: 0.5. If the embedded model embeds the text: 0.1 if the index is not `english`, or if most letters of the text are not Latin. */
      dense_weight?: number | null;
    };
    /**
     * @description Constant of `rrf`. A larger value gives the first ranks less weight.
     * @default 10
     */
    SearchFusionK: number | null;
    /**
     * @description `rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1.
     * @default weighted
     */
    SearchFusionMethod: components['schemas']['FusionMethod'] | null;
    /** @description Groups hits. `top_k` and `offset` then count groups, and hits of one group stand together. */
    SearchGroup: {
      /** @description `file`, `document` or a metadata key. A list has the group of its first value. */
      by: string;
      /** @description Maximum hits of a group. */
      size?: components['schemas']['SearchGroupSize'];
    };
    /** @description Place of a result in its group. */
    SearchGroupPlace: {
      /** @description Value that the hits of the group share; null: the row has none, and is a group of its own. */
      value: components['schemas']['SearchGroupValue'] | null;
      /**
       * Format: int64
       * @description Position among the hits of the group, from 1.
       */
      position: number;
      /**
       * Format: int64
       * @description Further hits of the group among the candidates.
       */
      hidden: number;
    };
    /**
     * @description Maximum hits of a group.
     * @default 1
     */
    SearchGroupSize: number | null;
    /** @description Value of a group. */
    SearchGroupValue: string | number | boolean;
    /** @description Marks what the text index matches of the queries in the texts of the results. */
    SearchHighlight: {
      /** @description Maximum highlights of a result. */
      fragments?: components['schemas']['SearchHighlightFragments'];
      /** @description Maximum length of a highlight, in code points. */
      max_chars?: components['schemas']['SearchHighlightMaxChars'];
    };
    /**
     * @description Maximum highlights of a result.
     * @default 3
     */
    SearchHighlightFragments: number | null;
    /**
     * @description Maximum length of a highlight, in code points.
     * @default 160
     */
    SearchHighlightMaxChars: number | null;
    /**
     * @description Parts that each result has besides `id`, `score` and `file`.
     * @default [
     *       "text",
     *       "metadata",
     *       "scores"
     *     ]
     */
    SearchInclude: components['schemas']['SearchField'][] | null;
    /** @description Latency of searches by their kind; null if none is known. */
    SearchLatencies: {
      /** @description All searches. */
      all: components['schemas']['SearchLatency'] | null;
      /** @description Dense searches. */
      dense: components['schemas']['SearchLatency'] | null;
      /** @description Sparse searches. */
      sparse: components['schemas']['SearchLatency'] | null;
      /** @description Hybrid searches. */
      hybrid: components['schemas']['SearchLatency'] | null;
    };
    /** @description Latency of searches, which is `took_ms` of their responses. It is derived from a histogram, whose buckets have a relative width of 26 %. */
    SearchLatency: {
      /**
       * Format: int64
       * @description Searches whose latency is known.
       */
      measured: number;
      /**
       * Format: double
       * @description Median in milliseconds.
       */
      p50_ms: number;
      /**
       * Format: double
       * @description 95th percentile in milliseconds.
       */
      p95_ms: number;
      /**
       * Format: double
       * @description 99th percentile in milliseconds.
       */
      p99_ms: number;
    };
    /** @description One lowest score, or one for each side and the reranker. */
    SearchMinScore: number | components['schemas']['SearchMinScores'];
    /** @description Lowest scores. A hit without one of these scores is left out. */
    SearchMinScores: {
      /** @description Lowest similarity of the dense side. */
      dense?: number | null;
      /** @description Lowest BM25 score. */
      sparse?: number | null;
      /** @description Lowest score of the reranker, between 0 and 1. */
      rerank?: number | null;
    };
    /** @description One of several queries. */
    SearchQuery: {
      /** @description Text to search for. */
      text?: string | null;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Weight of the query. */
      weight?: components['schemas']['SearchQueryWeight'];
    };
    /**
     * @description Weight of the query.
     * @default 1
     */
    SearchQueryWeight: number | null;
    /** @description Rank of a result on each side. */
    SearchRanks: {
      /** @description Rank of the dense side, from 1; null if it did not find the row. */
      dense: number | null;
      /** @description Rank of the sparse side, from 1; null if it did not find the row. */
      sparse: number | null;
    };
    /** @description Scores the best candidates again by a reranker. */
    SearchRerank: {
      /** @description Id of a reranker of `GET /v1/models`. Default: the first of them. */
      model?: string | null;
      /** @description Hits that are scored again. Default: that of the model. Others follow in their order. */
      candidates?: number | null;
      /** @description Share of the reranker in the score. 1 replaces the score; with less, both are scaled to 0…1 and mixed. Default: that of the model. */
      blend?: number | null;
      /** @description Question for the reranker. Default: `text`. */
      query?: string | null;
      /** @description `skip` keeps the order of the first stage. `fail` is a 503. */
      on_error?: components['schemas']['SearchRerankOnError'];
    };
    /**
     * @description `skip` keeps the order of the first stage. `fail` is a 503.
     * @default skip
     */
    SearchRerankOnError: components['schemas']['RerankOnError'] | null;
    /** @description The results of a search. */
    SearchResponse: {
      /** @description The results, best first. */
      results: components['schemas']['SearchResult'][];
      /**
       * Format: double
       * @description Milliseconds that the service took.
       */
      took_ms: number;
      /** @description Texts around the results, with `context`. Results whose texts meet share one. */
      contexts?: components['schemas']['ResultContext'][];
      /** @description What the reranker has done, with `rerank`. */
      rerank?: components['schemas']['RerankReport'];
      /**
       * Format: int64
       * @description Hits below `min_score`.
       */
      dropped_by_min_score?: number;
      /** @description Whether every group with a matching row is among the candidates, with `group`. */
      groups_exhausted?: boolean;
      /** @description Cursor of the next page, with any stage; null if no candidates follow, or if a remote reranker would score them again. */
      next_cursor?: string | null;
      /** @description Counts of values, with `facets`. */
      facets?: components['schemas']['FacetCounts'][];
      /** @description The stages, with `explanation` in `include`. */
      stages?: components['schemas']['SearchStageReport'][];
      /** @description Usage of this search, with `usage` in `include`. */
      usage?: components['schemas']['SearchUsage'];
      /** @description Id of the search in the log of the index, for feedback; absent if it is not logged. */
      search_id?: string;
    };
    /** @description A row that a search found. */
    SearchResult: {
      /** @description Id of the row. */
      id: string;
      /**
       * Format: double
       * @description Score of the result: higher is better. Scores of different searches cannot be compared.
       */
      score: number;
      /** @description Text of the row; null if it has none. */
      text?: string | null;
      /** @description Metadata of the row. */
      metadata?: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description The numbers of the vector. */
      vector?: number[];
      /** @description The file that the row comes from; null if no file wrote it. */
      file: components['schemas']['SourceFile'] | null;
      /** @description Rank on each side, with `scores` in `include`. */
      ranks?: components['schemas']['SearchRanks'];
      /** @description Score on each side, with `scores` in `include`. */
      scores?: components['schemas']['SearchScores'];
      /** @description Place in its group, with `group` in the request. */
      group?: components['schemas']['SearchGroupPlace'];
      /** @description Why the row was found, with `explanation` in `include`. */
      explanation?: components['schemas']['SearchExplanation'];
      /** @description Parts of the text with what the queries match, with `highlight` in the request. */
      highlights?: components['schemas']['TextHighlight'][];
      /** @description Its text in `contexts`, from 0, with `context` in the request; null if it is no chunk of a file. */
      context?: number | null;
      /** @description Place of the text in its file, with `citation` in `include`; null if no file wrote the row. */
      citation?: components['schemas']['SearchCitation'] | null;
    };
    /** @description Score of a result on each side. */
    SearchScores: {
      /** @description Similarity of the dense side; null if it did not find the row. */
      dense: number | null;
      /** @description BM25 score of the sparse side; null if it did not find the row. */
      sparse: number | null;
      /**
       * Format: double
       * @description Score before the boost and the reranker.
       */
      first_stage?: number;
      /**
       * Format: double
       * @description Boost by metadata, between -1 and 1.
       */
      boost?: number;
      /** @description Score of the reranker, between 0 and 1; null if it did not score the row. */
      rerank?: number | null;
    };
    /**
     * @description A stage of a search. `candidates`: The best rows of each side, fused into one order. `refill`: More candidates, if these have too few groups. `boost`: Scores scaled to 0…1 and mixed with the boost of their rows. `rerank`: Scores of the best candidates by a reranker. `min_score`: Hits below the lowest score are left out. `group`: Hits of one group stand together, and only its best are kept. `diversity`: Maximal marginal relevance: hits that resemble better ones come later. `page`: The requested page of the hits.
     * @enum {string}
     */
    SearchStage: 'candidates' | 'refill' | 'boost' | 'rerank' | 'min_score' | 'group' | 'diversity' | 'page';
    /** @description What a stage of a search has done. */
    SearchStageReport: {
      /** @description The stage. */
      stage: components['schemas']['SearchStage'];
      /**
       * Format: int64
       * @description Hits, or groups of hits, that it received.
       */
      in: number;
      /**
       * Format: int64
       * @description Hits, or groups of hits, that it returned.
       */
      out: number;
      /**
       * Format: double
       * @description Milliseconds that it took.
       */
      took_ms: number;
    };
    /**
     * @description Maximum number of results.
     * @default 10
     */
    SearchTopK: number | null;
    /** @description Usage of one search. */
    SearchUsage: {
      /**
       * Format: int64
       * @description Searches that were run.
       */
      searches: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of the reranker.
       */
      rerank_units: number;
      /**
       * Format: double
       * @description Searches, tokens and units by the unit prices of the plans.
       */
      estimated_cost_usd: number;
    };
    /** @description Key file of a service account. */
    ServiceAccount: {
      /**
       * @description Always `service_account`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'service_account';
      /**
       * Format: email
       * @description Address of the service account.
       */
      client_email: string;
      /** @description Private RSA key in PEM form. */
      private_key: string;
      /** @description Id of the key. */
      private_key_id?: string;
      /** @description Project of the service account. */
      project_id?: string;
      /**
       * Format: email
       * @description Person whom the service account impersonates.
       */
      subject?: string;
    };
    /** @description An open session. */
    SessionResponse: {
      /** @description Id of the session. */
      id: string;
      /**
       * Format: date-time
       * @description When the session was opened.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the session expires.
       */
      expires_at: string;
      /** @description Whether this is the session of the request. */
      current: boolean;
      /** @description `user-agent` header of the client that opened the session. */
      user_agent: string | null;
      /** @description Name of the application that was connected with the session; null if there is none. */
      application: string | null;
    };
    /** @description A SharePoint connector to create. */
    SharePointCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'sharepoint';
      /** @description Display name. */
      name?: components['schemas']['SharePointCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['MicrosoftApplication'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['SharePointCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    SharePointCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default SharePoint
     */
    SharePointCreateName: string;
    /** @description New credentials of a SharePoint connector. */
    SharePointReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'sharepoint';
      /** @description Credentials of the source. */
      credentials: components['schemas']['MicrosoftApplication'];
    };
    /** @description Limits by calendar month in UTC. */
    ShownMonthlyLimits: {
      /**
       * Format: int64
       * @description Searches.
       */
      searches?: number;
      /**
       * Format: int64
       * @description Vectors that its requests and files wrote.
       */
      vectors_written?: number;
      /**
       * Format: int64
       * @description File jobs.
       */
      file_jobs?: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens?: number;
      /**
       * Format: double
       * @description Estimated cost of its usage in USD, without storage.
       */
      cost_usd?: number;
    };
    /** @description Limits by minute. An absent one is that of the plan. */
    ShownRateLimits: {
      /**
       * Format: int32
       * @description Requests of all kinds.
       */
      requests?: number;
      /**
       * Format: int32
       * @description Searches, by their weight.
       */
      searches?: number;
      /**
       * Format: int32
       * @description Requests that write or delete rows.
       */
      vector_writes?: number;
      /**
       * Format: int32
       * @description File jobs that requests create.
       */
      file_jobs?: number;
    };
    /** @description An address that a crawl skipped. */
    SkippedPageResponse: {
      /** @description The address. */
      url: string;
      /** @description Why the crawl skipped it. */
      reason: components['schemas']['CrawlSkipReason'];
      /**
       * @description A status, a content type, or the address that has the content; at most 500 characters.
       * @default null
       */
      detail: string | null;
    };
    /** @description A Slack connector to create. */
    SlackCreate: {
      /**
       * @description Provider of the source. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'slack';
      /** @description Display name. */
      name?: components['schemas']['SlackCreateName'];
      /** @description Credentials of the source. Stored encrypted. */
      credentials: components['schemas']['TokenCredentials'];
      /** @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win. */
      metadata?: components['schemas']['SlackCreateMetadata'];
      /** @description Minutes between two syncs; null: 30, and 60 for a custom API. */
      sync_interval_minutes?: number | null;
      /** @description What the connector reads. Null: nothing, until a scope is set. */
      scope?: components['schemas']['ConnectorScopeUpdate'] | null;
    };
    /**
     * @description Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.
     * @default {}
     */
    SlackCreateMetadata: {
      [key: string]: components['schemas']['JsonValue'];
    };
    /**
     * @description Display name.
     * @default Slack
     */
    SlackCreateName: string;
    /** @description New credentials of a Slack connector. */
    SlackReconnect: {
      /**
       * @description Provider of the connector. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'slack';
      /** @description Credentials of the source. */
      credentials: components['schemas']['TokenCredentials'];
    };
    /** @description Credentials of a storage to store under a name. */
    SourceCredentialsPut:
      | components['schemas']['S3CredentialsPut']
      | components['schemas']['GoogleCredentialsPut']
      | components['schemas']['AzureCredentialsPut'];
    /** @description Stored credentials of a storage, without their values. */
    SourceCredentialsResponse: {
      /** @description Name of the credentials. */
      name: string;
      /**
       * @description Storage of the credentials.
       * @enum {string}
       */
      provider: 'aws_s3' | 'gcs' | 'azure_blob';
      /**
       * Format: date-time
       * @description When they were first stored.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When they were last replaced.
       */
      replaced_at: string;
    };
    /** @description The file, and the pages in it, that a row comes from. */
    SourceFile: {
      /** @description Id of the file job. */
      job_id: string;
      /** @description Name of the file; null if it is not known. */
      filename: string | null;
      /** @description First page of the file that the row comes from; null if the file has no pages. */
      page_start: number | null;
      /** @description Last page of the file that the row comes from; null if the file has no pages. */
      page_end: number | null;
    };
    /** @description Result of the sparse side. */
    SparseExplanation: {
      /**
       * Format: int64
       * @description Rank of the sparse side, from 1.
       */
      rank: number;
      /**
       * Format: double
       * @description BM25.
       */
      score: number;
      /**
       * Format: double
       * @description Contribution of this side to `score`.
       */
      share: number;
    };
    /** @description A search by words. */
    SparseSearch: {
      /** @description Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side. Required without `queries`. */
      text?: string;
      /** @description Maximum number of results. */
      top_k?: components['schemas']['SearchTopK'];
      /** @description Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Parts that each result has besides `id`, `score` and `file`. */
      include?: components['schemas']['SearchInclude'];
      /** @description Compare with every row instead of using the vector index. */
      exact?: components['schemas']['SearchExact'];
      /** @description Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`. */
      depth?: number | null;
      /** @description Several queries in place of `text` and `vector`, whose hits are joined into one list. */
      queries?: components['schemas']['SearchQuery'][] | null;
      /** @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score. */
      fuse?: components['schemas']['SparseSearchFuse'];
      /** @description Boost by metadata. Null: not even by the defaults of the index. */
      boost?: components['schemas']['SearchBoost'] | null;
      /** @description Reranker of the best candidates. Null: not even by the defaults of the index. */
      rerank?: components['schemas']['SearchRerank'] | null;
      /** @description Marks what the text index matches of the queries in the texts of the results. */
      highlight?: components['schemas']['SearchHighlight'] | null;
      /** @description Text around the results. Null: not even by the defaults of the index. */
      context?: components['schemas']['SearchContext'] | null;
      /** @description Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without a reranker needs an object, because fused scores depend on the other hits. */
      min_score?: components['schemas']['SearchMinScore'] | null;
      /** @description Groups of hits. Null: not even by the defaults of the index. */
      group?: components['schemas']['SearchGroup'] | null;
      /** @description Share of diversity in the order of hits, by maximal marginal relevance. 0: none. */
      diversity?: number | null;
      /** @description Results before the first returned one, within the candidates. */
      offset?: number | null;
      /** @description `next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and time of `now` are those of the first page. */
      cursor?: string | null;
      /** @description Rebuild whose successor is searched in place of the index, before or after it takes over. */
      rebuild?: string | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Keys whose values are counted over all rows that match `filter`. */
      facets?: components['schemas']['SearchFacet'][] | null;
    };
    /**
     * @description How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
     * @default rrf
     */
    SparseSearchFuse: components['schemas']['QueryFusion'] | null;
    /** @description A file job that starts. */
    StartedFileJob: {
      /** @description Id of the file job. */
      id: string;
      /** @description Id of the index. */
      index_id: string;
      /** @description Name of the file. */
      filename: string;
      /** @description Region that processes the file. */
      region: string;
    };
    /** @description A question of a golden set. */
    StoredQuestion: {
      /** @description The question. */
      query: string;
      /** @description Filter of the question, if it has one. */
      filter?: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description What it should find. */
      relevant: components['schemas']['StoredRelevantItem'][];
    };
    /** @description What a question should find, by one of id, document and text. */
    StoredRelevantItem: {
      /** @description Id of a row. */
      id?: string;
      /** @description Id of a file job, or name of its file. */
      document?: string;
      /** @description Text of a passage. */
      text?: string;
      /**
       * Format: int64
       * @description Relevance: 0 is none.
       */
      grade: number;
    };
    /** @description One timed phase of one attempt of one task. */
    TelemetryStep: {
      /** @description Id of the event. */
      event_id: string;
      /** @description Id of the file job. */
      job_id: string;
      /** @description Id of the task. */
      task_id: string;
      /**
       * Format: int64
       * @description Number of the attempt, from 1.
       */
      attempt: number;
      /** @description Name of the phase, such as `content.extract`. */
      phase: string;
      /**
       * Format: date-time
       * @description When the phase started.
       */
      started_at: string;
      /**
       * Format: int64
       * @description Duration of the phase in milliseconds.
       */
      duration_ms: number;
      /** @description Figures of the phase, such as pages or vectors. */
      attributes: {
        [key: string]: unknown;
      };
    };
    /** @description The endpoint that is tested. */
    TestedEndpoint: {
      /** @description Id of the endpoint. */
      id: string;
    };
    /** @description A part of a text with what the queries match. */
    TextHighlight: {
      /** @description Part of the text of the result. */
      text: string;
      /**
       * Format: int64
       * @description Its first position in the text of the result, in code points.
       */
      start: number;
      /**
       * Format: int64
       * @description Position behind its last one.
       */
      end: number;
      /** @description Matches in it: positions `[start, end)` in the text of the result. A phrase is one match. */
      marks: number[][];
    };
    /**
     * @description Language of texts, for sparse search.
     * @enum {string}
     */
    TextLanguage:
      | 'arabic'
      | 'auto'
      | 'danish'
      | 'dutch'
      | 'english'
      | 'finnish'
      | 'french'
      | 'german'
      | 'greek'
      | 'hungarian'
      | 'italian'
      | 'korean'
      | 'none'
      | 'norwegian'
      | 'portuguese'
      | 'romanian'
      | 'russian'
      | 'spanish'
      | 'swedish'
      | 'tamil'
      | 'turkish';
    /** @description A token of the provider. */
    TokenCredentials: {
      /** @description Token that the provider issued. */
      token: string;
    };
    /** @description Access token request. Sources: RFC 6749, 4.1.3, 4.4.2 and 6, and RFC 8707, 2.2. */
    TokenRequest: {
      /** @description `client_credentials`, `authorization_code` or `refresh_token` */
      grant_type: string;
      /** @description Requested scopes of the client, separated by spaces. If absent: all of them. */
      scope?: string;
      /** @description Id of the client, here or by HTTP Basic. For a connected application: the URL of its metadata. */
      client_id?: string;
      /** @description Secret of the client, here or by HTTP Basic, not both. */
      client_secret?: string;
      /** @description Authorization code, for `authorization_code`. */
      code?: string;
      /** @description As in the authorization request. */
      redirect_uri?: string;
      /** @description Secret whose SHA-256 is the `code_challenge`. */
      code_verifier?: string;
      /** @description Last refresh token, for `refresh_token`. */
      refresh_token?: string;
      /** @description If present, as in the authorization request. */
      resource?: string;
    };
    /** @description An access token. Source: RFC 6749, 5.1. */
    TokenResponse: {
      /** @description Bearer value for requests of the client. */
      access_token: string;
      /**
       * @description Always `Bearer`.
       * @constant
       */
      token_type: 'Bearer';
      /**
       * Format: int64
       * @description Lifetime of the token in seconds.
       */
      expires_in: number;
      /** @description Scopes of the token, separated by spaces. */
      scope: string;
      /** @description Value for the next access token, used once, and again within a minute for the same response; only for an application that a person connected. */
      refresh_token?: string;
    };
    /** @description One timed phase of one attempt. */
    TraceStep: {
      /**
       * Format: int64
       * @description Number of the attempt, from 1.
       */
      attempt: number;
      /** @description Name of the phase, such as `content.extract`. */
      phase: string;
      /**
       * Format: date-time
       * @description When the phase began.
       */
      started_at: string;
      /**
       * Format: int64
       * @description Milliseconds that the phase took.
       */
      duration_ms: number;
      /** @description Figures of the phase, such as pages or vectors. */
      attributes: {
        [key: string]: components['schemas']['JsonValue'];
      };
    };
    /** @description Prices in USD per unit, from which the cost of usage is estimated. */
    UnitPrices: {
      /**
       * Format: double
       * @description One GiB of dense and sparse data kept for a month.
       */
      storage_gib_month: number;
      /**
       * Format: double
       * @description One GiB of original files that jobs keep for a month.
       */
      original_gib_month: number;
      /**
       * Format: double
       * @description A million vectors that were written, by files or directly; an upsert counts.
       */
      million_vectors_written: number;
      /**
       * Format: double
       * @description A thousand dense, sparse or hybrid searches.
       */
      thousand_searches: number;
      /**
       * Format: double
       * @description A thousand units of rerankers: texts that an embedded one has scored, or units of its provider, who bills them too.
       */
      thousand_rerank_units: number;
      /**
       * Format: double
       * @description A thousand pages of files that were read.
       */
      thousand_pages: number;
      /**
       * Format: double
       * @description One page image whose text was recognized.
       */
      ocr_credit: number;
      /**
       * Format: double
       * @description One started minute of audio that was transcribed.
       */
      audio_credit: number;
      /**
       * Format: double
       * @description A million tokens of text that were turned into vectors.
       */
      million_embedding_tokens: number;
      /**
       * Format: double
       * @description A thousand runs of the functions that process files, repeats included.
       */
      thousand_invocations: number;
    };
    /** @description Relevant items that match no row. */
    UnmatchedItems: {
      /**
       * Format: int64
       * @description Relevant items that match no row of the index.
       */
      index: number;
      /** @description Those that match no row of what it is compared to; null without one. */
      compared: number | null;
    };
    /** @description An item or place that a connector could not read. */
    UnreadItem: {
      /** @description Id of the entry. */
      id: string;
      /** @description Id of the document, as in the metadata of chunks; null for a place such as a channel or folder. */
      document_id: string | null;
      /** @description Name at the source; null if it has none. */
      name: string | null;
      /** @description Why it could not be read, for people. */
      reason: string;
      /** @description Whether it is read again soon. Others are read again when they change, or within a day. */
      retried: boolean;
      /**
       * Format: date-time
       * @description When it last could not be read.
       */
      noted_at: string;
    };
    /** @description An index that was renamed. */
    UpdatedIndex: {
      /** @description Id of the index. */
      id: string;
      /** @description Name of the index. */
      name: string;
      /** @description Region that stores the index. */
      region: string;
    };
    /** @description An `https` URL, such as a presigned one. Its server supports ranges. */
    UrlImport: {
      /**
       * @description Cloud provider that keeps the file. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      provider: 'url';
      /** @description Address of the file. */
      uri: string;
      /** @description Credentials for the file; null if it is public. Kept encrypted until the copy is done. */
      credentials?: components['schemas']['NoCredentials'] | null;
      /** @description Name of the file; null: the last part of `uri`. */
      filename?: string | null;
      /** @description Media type of the file; null: detected from its content. */
      content_type?: string | null;
      /** @description Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`. */
      metadata?: components['schemas']['FileMetadata'];
      /** @description For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model. */
      embed?: boolean;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description Figures of an index, or of an organization, on one day. */
    UsageHistoryPoint: {
      /**
       * Format: date
       * @description Day in UTC.
       */
      date: string;
      /**
       * Format: int64
       * @description Rows at the end of the day, or now.
       */
      vectors: number;
      /**
       * Format: int64
       * @description Vectors that were written on the day.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted on the day.
       */
      vectors_deleted: number;
      /**
       * Format: int64
       * @description Searches of the day.
       */
      searches: number;
      /**
       * Format: int64
       * @description Bytes of the vectors at the end of the day, or now.
       */
      dense_bytes: number;
      /**
       * Format: int64
       * @description Bytes of the texts and their word index at the end of the day, or now.
       */
      sparse_bytes: number;
    };
    /** @description Value of a usage key. */
    UsageValue: string | number | boolean;
    /** @description A user. */
    User: {
      /** @description Id of the user. */
      id: string;
      /** @description Verified e-mail address. */
      email: string;
      /** @description Name from the identity provider. */
      name: string;
    };
    /** @description What was used in one month for a value of the usage key of an index. */
    ValueUsage: {
      /** @description Id of the index, which may be deleted. */
      index_id: string;
      /** @description Value of the usage key; null for the values that are counted together. */
      value: components['schemas']['UsageValue'] | null;
      /**
       * Format: int64
       * @description Vectors that files and requests wrote. A replaced vector counts again.
       */
      vectors_written: number;
      /**
       * Format: int64
       * @description Vectors that were deleted.
       */
      vectors_deleted: number;
      /** @description Searches by their kind. */
      searches: components['schemas']['SearchCounts'];
      /**
       * Format: int64
       * @description File jobs that ended.
       */
      file_jobs: number;
      /**
       * Format: int64
       * @description Pages of files that were read.
       */
      pages: number;
      /**
       * Format: int64
       * @description Page images that OCR has read.
       */
      ocr_credits: number;
      /**
       * Format: int64
       * @description Started minutes of audio that were transcribed.
       */
      audio_credits: number;
      /**
       * Format: int64
       * @description Seconds of audio that were transcribed.
       */
      audio_seconds: number;
      /**
       * Format: int64
       * @description Tokens of text that were turned into vectors.
       */
      embedding_tokens: number;
      /**
       * Format: int64
       * @description Units of rerankers: texts that an embedded one has scored, or units of its provider.
       */
      rerank_units: number;
      /**
       * Format: int64
       * @description Runs of the functions that process files, retries included.
       */
      serverless_invocations: number;
      /**
       * Format: double
       * @description Each figure times its unit price, without storage.
       */
      estimated_cost_usd: number;
    };
    /** @description Which rows to count. */
    VectorCount: {
      /** @description Only rows that match. Without it, all rows. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
    };
    /** @description Number of rows. */
    VectorCountResponse: {
      /**
       * Format: int64
       * @description Number of rows.
       */
      count: number;
    };
    /** @description Either `ids`, `filter` or `all`. A filter needs a condition: one that every row matches is refused. */
    VectorDelete: {
      /** @description Ids of the rows to delete. */
      ids?: string[] | null;
      /** @description Deletes every row that matches. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Deletes every row. */
      all?: true | null;
    };
    /** @description Result of a deletion. */
    VectorDeleteResponse: {
      /**
       * Format: int64
       * @description Rows that were deleted.
       */
      deleted: number;
    };
    /** @description Which rows to fetch. */
    VectorFetch: {
      /** @description Ids of the rows. Those without a row are left out of the response. */
      ids: string[];
      /** @description Leaves out rows that do not match. */
      filter?: components['schemas']['MetadataFilter'] | null;
      /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
      as_of?: components['schemas']['AsOf'] | null;
      /** @description Whether the response has the numbers of the vectors. */
      include_vectors?: components['schemas']['VectorFetchIncludeVectors'];
    };
    /**
     * @description Whether the response has the numbers of the vectors.
     * @default true
     */
    VectorFetchIncludeVectors: boolean;
    /** @description The rows that were found. */
    VectorFetchResponse: {
      /** @description The rows that were found. */
      vectors: components['schemas']['VectorRecord'][];
    };
    /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
    VectorInput: number[] | string;
    /** @description One row of an index. */
    VectorRecord: {
      /** @description Id of the row. */
      id: string;
      /** @description The numbers of the vector, if they were asked for. */
      vector?: number[];
      /** @description Text of the row; null if it has none. */
      text: string | null;
      /** @description Metadata of the row. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description The file that the row comes from; null if no file wrote it. */
      file: components['schemas']['SourceFile'] | null;
      /** @description Version of the row, for `if_version`. It changes with every write that changes the row. */
      version: string;
      /**
       * Format: date-time
       * @description Time from which no read returns the row, if it expires.
       */
      expires_at?: string;
      /** @description Place of the text in its file, if a list of chunks was asked for it. */
      citation?: components['schemas']['SearchCitation'];
    };
    /** @description Changes to the metadata of rows. */
    VectorUpdate: components['schemas']['VectorUpdateItem'][];
    /** @description One change to the metadata of all rows that match. The filter needs a condition. */
    VectorUpdateByFilter: {
      /** @description Updates every row that matches. */
      filter: components['schemas']['MetadataFilter'];
      /** @description JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all other keys stay. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description New time, with an offset, from which no read returns it. Null: it never expires. */
      expires_at?: string | null;
    };
    /** @description Result of an update by filter. */
    VectorUpdateByFilterResponse: {
      /**
       * Format: int64
       * @description Rows that were updated.
       */
      updated: number;
      /** @description Version that the written rows have. */
      version: string;
    };
    /** @description Changes to the metadata of one row. */
    VectorUpdateItem: {
      /** @description Id of the row. */
      id: string;
      /** @description JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all other keys stay. */
      metadata: {
        [key: string]: components['schemas']['JsonValue'];
      };
      /** @description Expected version of the row, from a fetch. Null: there must be no row with this id. */
      if_version?: string | null;
      /** @description New time, with an offset, from which no read returns it. Null: it never expires. */
      expires_at?: string | null;
    };
    /** @description Result of an update. */
    VectorUpdateResponse: {
      /**
       * Format: int64
       * @description Rows that were updated.
       */
      updated: number;
      /** @description Ids for which there is no row. */
      missing: string[];
      /** @description Version that the written rows have. */
      version: string;
    };
    /** @description The rows to write. */
    VectorUpsert: components['schemas']['VectorUpsertItem'][];
    /** @description One row to write: a vector, a text, or both. */
    VectorUpsertItem: {
      /** @description Id of the vector, chosen by the caller. A vector with the same id is replaced. */
      id: string;
      /** @description A vector: numbers, or base64 of little-endian 32-bit floats. */
      vector?: components['schemas']['VectorInput'] | null;
      /** @description Text of the row. Without `vector` it is embedded; sparse search finds its words. */
      text?: string | null;
      /** @description At most 40 KiB as JSON. Numbers are 64-bit floats: digits alone beyond ±(2^53 - 1) are a 422, because they would be rounded. Write such ids as strings. No filter can name a key that begins with `$`. */
      metadata?: {
        [key: string]: components['schemas']['JsonValue'];
      } | null;
      /** @description Expected version of the row, from a fetch. Null: there must be no row with this id. */
      if_version?: string | null;
      /** @description Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says. */
      expires_at?: string | null;
      /** @description Seconds from now until it expires, in place of `expires_at`. */
      ttl_seconds?: number | null;
    };
    /** @description Result of an upsert. */
    VectorUpsertResponse: {
      /**
       * Format: int64
       * @description Rows that were written.
       */
      upserted: number;
      /** @description Version that the written rows have. */
      version: string;
    };
    /** @description A kept version of an index. */
    VersionResponse: {
      /**
       * Format: int64
       * @description Number of the version.
       */
      version: number;
      /**
       * Format: date-time
       * @description Time from which it was the newest.
       */
      created_at: string;
      /** @description Rows of the version; null if it has just been removed. */
      vectors: number | null;
    };
    /** @description One attempt at a delivery. */
    WebhookAttempt: {
      /**
       * Format: int64
       * @description Number of the attempt, from 1.
       */
      attempt: number;
      /**
       * Format: date-time
       * @description When the attempt was made.
       */
      at: string;
      /** @description Status of the response; null if there was no complete response. */
      status_code: number | null;
      /** @description Why there was no complete response. `interrupted`: the service failed. `endpoint_unresponsive`: nothing was sent, because the receiver timed out at its last attempt and another attempt was in progress. */
      error: components['schemas']['WebhookAttemptError'] | null;
      /** @description Milliseconds from the DNS lookup to the end of the response or of the attempt; null if nothing was sent. */
      duration_ms: number | null;
    };
    /**
     * @description Why an attempt received no complete response.
     * @enum {string}
     */
    WebhookAttemptError:
      | 'timeout'
      | 'address_not_allowed'
      | 'connection_failed'
      | 'interrupted'
      | 'endpoint_unresponsive';
    /** @description Delivery of one message to one endpoint. */
    WebhookDelivery: {
      /** @description Id of the delivery. */
      id: string;
      /** @description Id of the event. Receivers get it as the header `hook-id`. */
      event_id: string;
      /** @description Type of the message. */
      event_type: components['schemas']['WebhookMessageType'];
      /** @description Cause of the delivery. */
      trigger: components['schemas']['WebhookDeliveryTrigger'];
      /** @description `dropped`: the endpoint was disabled or deleted, or the event has expired. */
      status: components['schemas']['WebhookDeliveryStatus'];
      /** @description Attempts so far, oldest first. */
      attempts: components['schemas']['WebhookAttempt'][];
      /** @description When the next attempt is made. During an attempt: when the next one is made if the outcome of this one is lost. Null if the delivery has ended. */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the delivery was created.
       */
      created_at: string;
    };
    /**
     * @description `pending` until an attempt succeeds, the last attempt fails, or the endpoint is disabled or deleted.
     * @enum {string}
     */
    WebhookDeliveryStatus: 'pending' | 'delivered' | 'failed' | 'dropped';
    /**
     * @description Cause of a delivery.
     * @enum {string}
     */
    WebhookDeliveryTrigger: 'event' | 'replay' | 'test';
    /**
     * @description Why an endpoint is disabled.
     * @enum {string}
     */
    WebhookDisabledReason: 'paused' | 'gone' | 'failing';
    /** @description An endpoint to create. */
    WebhookEndpointCreate: {
      /** @description URL of the receiver: an https address on the public internet. */
      url: string;
      /** @description Event types that the endpoint subscribes to; null for all but `audit.recorded`, including future types. */
      event_types?: components['schemas']['EventType'][] | null;
      /** @description Purpose of the endpoint. */
      description?: string | null;
    };
    /** @description A created endpoint with its secret. */
    WebhookEndpointCreated: {
      /** @description Id of the endpoint. */
      id: string;
      /** @description URL of the receiver. */
      url: string;
      /** @description Event types that the endpoint subscribes to; null for all but `audit.recorded`. */
      event_types: components['schemas']['EventType'][] | null;
      /** @description Purpose of the endpoint; null if there is none. */
      description: string | null;
      /** @description Whether the endpoint receives events. */
      enabled: boolean;
      /** @description Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned 410. `failing`: five days without a success. */
      disabled_reason: components['schemas']['WebhookDisabledReason'] | null;
      /** @description Time of the first failed attempt since the last success; null after a success. */
      failing_since: string | null;
      /**
       * Format: date-time
       * @description When the endpoint was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the endpoint was last changed.
       */
      updated_at: string;
      /** @description Signing secret, returned only once. */
      secret: string;
    };
    /** @description Body of a `webhook.endpoint.disabled` message. */
    WebhookEndpointDisabledEvent: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook.endpoint.disabled';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['WebhookEndpointDisabledEventData'];
    };
    /** @description The service disabled a webhook endpoint of the organization. It receives nothing until an owner resumes it. `reason` is `gone` (its receiver returned 410) or `failing` (five days without a success). The event does not contain the URL, which may contain secrets. */
    WebhookEndpointDisabledEventData: {
      /** @description The endpoint. */
      endpoint: components['schemas']['DisabledEndpoint'];
    };
    /** @description A webhook endpoint. */
    WebhookEndpointResponse: {
      /** @description Id of the endpoint. */
      id: string;
      /** @description URL of the receiver. */
      url: string;
      /** @description Event types that the endpoint subscribes to; null for all but `audit.recorded`. */
      event_types: components['schemas']['EventType'][] | null;
      /** @description Purpose of the endpoint; null if there is none. */
      description: string | null;
      /** @description Whether the endpoint receives events. */
      enabled: boolean;
      /** @description Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned 410. `failing`: five days without a success. */
      disabled_reason: components['schemas']['WebhookDisabledReason'] | null;
      /** @description Time of the first failed attempt since the last success; null after a success. */
      failing_since: string | null;
      /**
       * Format: date-time
       * @description When the endpoint was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the endpoint was last changed.
       */
      updated_at: string;
    };
    /** @description A change of an endpoint. */
    WebhookEndpointUpdate: {
      /** @description URL of the receiver: an https address on the public internet. */
      url?: string;
      /** @description Event types that the endpoint subscribes to; null for all but `audit.recorded`, including future types. */
      event_types?: components['schemas']['EventType'][] | null;
      /** @description Purpose of the endpoint. */
      description?: string | null;
      /** @description False pauses the endpoint. Deliveries that become due during a pause are dropped. */
      enabled?: boolean;
    };
    /** @description Any message to a webhook endpoint. */
    WebhookMessage:
      | components['schemas']['IndexCreatedEvent']
      | components['schemas']['IndexUpdatedEvent']
      | components['schemas']['IndexCapacityWarningEvent']
      | components['schemas']['IndexErasedEvent']
      | components['schemas']['IndexRebuildCompletedEvent']
      | components['schemas']['IndexRebuildFailedEvent']
      | components['schemas']['FileProcessingStartedEvent']
      | components['schemas']['FileProcessingCompletedEvent']
      | components['schemas']['FileProcessingFailedEvent']
      | components['schemas']['FileExpiredEvent']
      | components['schemas']['ExportCompletedEvent']
      | components['schemas']['ExportFailedEvent']
      | components['schemas']['WebhookEndpointDisabledEvent']
      | components['schemas']['AuditRecordedEvent']
      | components['schemas']['WebhookTestMessage'];
    /**
     * @description Type of a message to an endpoint.
     * @enum {string}
     */
    WebhookMessageType:
      | 'index.created'
      | 'index.updated'
      | 'index.capacity_warning'
      | 'index.erased'
      | 'index.rebuild.completed'
      | 'index.rebuild.failed'
      | 'file.processing.started'
      | 'file.processing.completed'
      | 'file.processing.failed'
      | 'file.expired'
      | 'export.completed'
      | 'export.failed'
      | 'webhook.endpoint.disabled'
      | 'audit.recorded'
      | 'webhook.test';
    /** @description An endpoint with its new secret. */
    WebhookSecretRotated: {
      /** @description Id of the endpoint. */
      id: string;
      /** @description URL of the receiver. */
      url: string;
      /** @description Event types that the endpoint subscribes to; null for all but `audit.recorded`. */
      event_types: components['schemas']['EventType'][] | null;
      /** @description Purpose of the endpoint; null if there is none. */
      description: string | null;
      /** @description Whether the endpoint receives events. */
      enabled: boolean;
      /** @description Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned 410. `failing`: five days without a success. */
      disabled_reason: components['schemas']['WebhookDisabledReason'] | null;
      /** @description Time of the first failed attempt since the last success; null after a success. */
      failing_since: string | null;
      /**
       * Format: date-time
       * @description When the endpoint was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the endpoint was last changed.
       */
      updated_at: string;
      /** @description Signing secret, returned only once. */
      secret: string;
      /**
       * Format: date-time
       * @description Until when deliveries are also signed with the old secret.
       */
      previous_secret_expires_at: string;
    };
    /** @description Data of a `webhook.test` message. */
    WebhookTestData: {
      /** @description The endpoint that is tested. */
      endpoint: components['schemas']['TestedEndpoint'];
    };
    /** @description Body of a `webhook.test` message. */
    WebhookTestMessage: {
      /**
       * @description Type of the message. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook.test';
      /**
       * Format: date-time
       * @description When the event happened.
       */
      created_at: string;
      /** @description Id of the organization. */
      organization_id: string;
      /** @description Data of the event. Its schema depends on the type. */
      data: components['schemas']['WebhookTestData'];
    };
  };
  responses: {
    /** @description Success without a body. */
    NoContent: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: {
    /** @description Id of a user: `usr_` and 26 lower-case letters and digits. */
    UserId: string;
    /** @description Days that the history goes back. */
    Days: number;
    /** @description First day (UTC). Default: 29 days before `to`. */
    From: string;
    /** @description Last day (UTC), inclusive: at most 92 days in total. Default: today. */
    To: string;
    /** @description `code` */
    ResponseType: string;
    /** @description URL of the metadata document of the application, or `strata-cli`. */
    ClientId: string;
    /** @description URL of the application to which the code is sent. */
    RedirectUri: string;
    /** @description SHA-256 of the code verifier, as base64url. */
    CodeChallenge: string;
    /** @description `S256` */
    CodeChallengeMethod: string;
    /** @description URL of the MCP server, or of the service, for which tokens are requested. */
    Resource: string;
    /** @description Requested scopes, separated by spaces; `read` if absent. */
    Scope: string;
    /** @description Value that is returned to the application unchanged. */
    State: string;
    /** @description Id of an evaluation: `eval_` and 26 lower-case letters and digits. */
    EvaluationId: string;
    /** @description Id of an export: `exp_` and 26 lower-case letters and digits. */
    ExportId: string;
    /** @description Name of stored credentials: lower-case letters, digits, `-` and `_`. */
    SourceCredentials: string;
    /** @description Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`. */
    Provider: string;
    /** @description Id of a rebuild: `reb_` and 26 lower-case letters and digits. */
    RebuildId: string;
    /** @description Name of an alias. */
    Name: string;
    /** @description Id of a crawl job: `crawl_` and 26 lower-case letters and digits. */
    CrawlId: string;
    /** @description Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits. */
    ScheduleId: string;
    /** @description Name of a file. */
    File: string;
    /** @description A month, `YYYY-MM` in UTC, that has begun. Default: the current month. */
    Month: string;
    /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
    GoldenSet: string;
    /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
    EndpointId: string;
    /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
    JobId: string;
    /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
    ConnectionId: string;
    /** @description Maximum number of items on the page. */
    Limit: number;
    /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
    IdempotencyKey: string;
    /** @description Value of the header `x-next-cursor` of the previous page. */
    Cursor: string;
    /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
    IndexId: string;
    /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
    OrganizationId: string | null;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type LocationPart = components['schemas']['LocationPart'];
export type ValidationError = components['schemas']['ValidationError'];
export type HttpValidationError = components['schemas']['HTTPValidationError'];
export type VersionConflict = components['schemas']['VersionConflict'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type AliasPut = components['schemas']['AliasPut'];
export type AliasResponse = components['schemas']['AliasResponse'];
export type ApiKeyCreate = components['schemas']['ApiKeyCreate'];
export type ApiKeyCreatePermissions = components['schemas']['ApiKeyCreatePermissions'];
export type ApiKeyCreated = components['schemas']['ApiKeyCreated'];
export type ApiKeyResponse = components['schemas']['ApiKeyResponse'];
export type AsOf = components['schemas']['AsOf'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditActorKind = components['schemas']['AuditActorKind'];
export type AuditOutcome = components['schemas']['AuditOutcome'];
export type AuditRecordResponse = components['schemas']['AuditRecordResponse'];
export type AuditRecordedEvent = components['schemas']['AuditRecordedEvent'];
export type AuditRecordedEventData = components['schemas']['AuditRecordedEventData'];
export type AuditedResource = components['schemas']['AuditedResource'];
export type AuthorizationCreate = components['schemas']['AuthorizationCreate'];
export type AuthorizationCreated = components['schemas']['AuthorizationCreated'];
export type AuthorizationReview = components['schemas']['AuthorizationReview'];
export type AuthorizationServerMetadata = components['schemas']['AuthorizationServerMetadata'];
export type AuthorizedUser = components['schemas']['AuthorizedUser'];
export type AvailableConnector = components['schemas']['AvailableConnector'];
export type AzureConnectorCreate = components['schemas']['AzureConnectorCreate'];
export type AzureConnectorCreateMetadata = components['schemas']['AzureConnectorCreateMetadata'];
export type AzureConnectorCreateName = components['schemas']['AzureConnectorCreateName'];
export type AzureCredentials = components['schemas']['AzureCredentials'];
export type AzureCredentialsPut = components['schemas']['AzureCredentialsPut'];
export type AzureImport = components['schemas']['AzureImport'];
export type AzureReconnect = components['schemas']['AzureReconnect'];
export type BasicAuth = components['schemas']['BasicAuth'];
export type BatchDenseSearch = components['schemas']['BatchDenseSearch'];
export type BatchDenseSearchFuse = components['schemas']['BatchDenseSearchFuse'];
export type BatchHybridSearch = components['schemas']['BatchHybridSearch'];
export type BatchHybridSearchFuse = components['schemas']['BatchHybridSearchFuse'];
export type BatchSearch = components['schemas']['BatchSearch'];
export type BatchSearchError = components['schemas']['BatchSearchError'];
export type BatchSearchItem = components['schemas']['BatchSearchItem'];
export type BatchSearchRequest = components['schemas']['BatchSearchRequest'];
export type BatchSearchResponse = components['schemas']['BatchSearchResponse'];
export type BatchSparseSearch = components['schemas']['BatchSparseSearch'];
export type BatchSparseSearchFuse = components['schemas']['BatchSparseSearchFuse'];
export type BearerAuth = components['schemas']['BearerAuth'];
export type BillingActionResponse = components['schemas']['BillingActionResponse'];
export type BoostCondition = components['schemas']['BoostCondition'];
export type BoostConditionWeight = components['schemas']['BoostConditionWeight'];
export type BoostDecay = components['schemas']['BoostDecay'];
export type BoostDecayCurve = components['schemas']['BoostDecayCurve'];
export type BoostSaturation = components['schemas']['BoostSaturation'];
export type BootstrapResponse = components['schemas']['BootstrapResponse'];
export type BranchChange = components['schemas']['BranchChange'];
export type BranchDifference = components['schemas']['BranchDifference'];
export type ChunkPosition = components['schemas']['ChunkPosition'];
export type Chunking = components['schemas']['Chunking'];
export type ChunkingChoice = components['schemas']['ChunkingChoice'];
export type CitedFile = components['schemas']['CitedFile'];
export type CompletedExport = components['schemas']['CompletedExport'];
export type CompletedFileJob = components['schemas']['CompletedFileJob'];
export type CompletedFileStatus = components['schemas']['CompletedFileStatus'];
export type CompletedRebuild = components['schemas']['CompletedRebuild'];
export type ConfluenceCreate = components['schemas']['ConfluenceCreate'];
export type ConfluenceCreateMetadata = components['schemas']['ConfluenceCreateMetadata'];
export type ConfluenceCreateName = components['schemas']['ConfluenceCreateName'];
export type ConfluenceCredentials = components['schemas']['ConfluenceCredentials'];
export type ConfluenceReconnect = components['schemas']['ConfluenceReconnect'];
export type ConnectorChange = components['schemas']['ConnectorChange'];
export type ConnectorChoice = components['schemas']['ConnectorChoice'];
export type ConnectorConfirmation = components['schemas']['ConnectorConfirmation'];
export type ConnectorConsent = components['schemas']['ConnectorConsent'];
export type ConnectorConsentCreate = components['schemas']['ConnectorConsentCreate'];
export type ConnectorCreate = components['schemas']['ConnectorCreate'];
export type ConnectorOverview = components['schemas']['ConnectorOverview'];
export type ConnectorProvider = components['schemas']['ConnectorProvider'];
export type ConnectorReconnect = components['schemas']['ConnectorReconnect'];
export type ConnectorResponse = components['schemas']['ConnectorResponse'];
export type ConnectorScope = components['schemas']['ConnectorScope'];
export type ConnectorScopeUpdate = components['schemas']['ConnectorScopeUpdate'];
export type ConnectorScopeUpdateAttachments = components['schemas']['ConnectorScopeUpdateAttachments'];
export type ConnectorScopeUpdateConfluenceSpaces = components['schemas']['ConnectorScopeUpdateConfluenceSpaces'];
export type ConnectorScopeUpdateExcludePatterns = components['schemas']['ConnectorScopeUpdateExcludePatterns'];
export type ConnectorScopeUpdateFiles = components['schemas']['ConnectorScopeUpdateFiles'];
export type ConnectorScopeUpdateFolderLabels = components['schemas']['ConnectorScopeUpdateFolderLabels'];
export type ConnectorScopeUpdateFolders = components['schemas']['ConnectorScopeUpdateFolders'];
export type ConnectorScopeUpdateIncludePatterns = components['schemas']['ConnectorScopeUpdateIncludePatterns'];
export type ConnectorScopeUpdateLibraries = components['schemas']['ConnectorScopeUpdateLibraries'];
export type ConnectorScopeUpdateNotionDataSources = components['schemas']['ConnectorScopeUpdateNotionDataSources'];
export type ConnectorScopeUpdateNotionLabels = components['schemas']['ConnectorScopeUpdateNotionLabels'];
export type ConnectorScopeUpdateNotionPages = components['schemas']['ConnectorScopeUpdateNotionPages'];
export type ConnectorScopeUpdateObjectPrefixes = components['schemas']['ConnectorScopeUpdateObjectPrefixes'];
export type ConnectorScopeUpdateSites = components['schemas']['ConnectorScopeUpdateSites'];
export type ConnectorScopeUpdateSlackChannels = components['schemas']['ConnectorScopeUpdateSlackChannels'];
export type ConnectorStatus = components['schemas']['ConnectorStatus'];
export type ConnectorSync = components['schemas']['ConnectorSync'];
export type ConnectorSyncProgress = components['schemas']['ConnectorSyncProgress'];
export type ConnectorSyncStatus = components['schemas']['ConnectorSyncStatus'];
export type ConnectorSyncTrigger = components['schemas']['ConnectorSyncTrigger'];
export type ConnectorUpdate = components['schemas']['ConnectorUpdate'];
export type ContextFile = components['schemas']['ContextFile'];
export type ContextUnit = components['schemas']['ContextUnit'];
export type CrawlJobCreate = components['schemas']['CrawlJobCreate'];
export type CrawlJobCreateExcludePaths = components['schemas']['CrawlJobCreateExcludePaths'];
export type CrawlJobCreateHeaders = components['schemas']['CrawlJobCreateHeaders'];
export type CrawlJobCreateIncludePaths = components['schemas']['CrawlJobCreateIncludePaths'];
export type CrawlJobCreateMaxDepth = components['schemas']['CrawlJobCreateMaxDepth'];
export type CrawlJobCreateMetadata = components['schemas']['CrawlJobCreateMetadata'];
export type CrawlJobCreatePageLimit = components['schemas']['CrawlJobCreatePageLimit'];
export type CrawlJobReport = components['schemas']['CrawlJobReport'];
export type CrawlJobResponse = components['schemas']['CrawlJobResponse'];
export type CrawlJobStatus = components['schemas']['CrawlJobStatus'];
export type CrawlScheduleCreate = components['schemas']['CrawlScheduleCreate'];
export type CrawlScheduleCreateExcludePaths = components['schemas']['CrawlScheduleCreateExcludePaths'];
export type CrawlScheduleCreateHeaders = components['schemas']['CrawlScheduleCreateHeaders'];
export type CrawlScheduleCreateIncludePaths = components['schemas']['CrawlScheduleCreateIncludePaths'];
export type CrawlScheduleCreateIntervalHours = components['schemas']['CrawlScheduleCreateIntervalHours'];
export type CrawlScheduleCreateMaxDepth = components['schemas']['CrawlScheduleCreateMaxDepth'];
export type CrawlScheduleCreateMetadata = components['schemas']['CrawlScheduleCreateMetadata'];
export type CrawlScheduleCreatePageLimit = components['schemas']['CrawlScheduleCreatePageLimit'];
export type CrawlScheduleResponse = components['schemas']['CrawlScheduleResponse'];
export type CrawlScheduleUpdate = components['schemas']['CrawlScheduleUpdate'];
export type CrawlSkipReason = components['schemas']['CrawlSkipReason'];
export type CreatedIndex = components['schemas']['CreatedIndex'];
export type CredentialMonthlyLimits = components['schemas']['CredentialMonthlyLimits'];
export type CredentialRateLimits = components['schemas']['CredentialRateLimits'];
export type CredentialUsage = components['schemas']['CredentialUsage'];
export type CustomApiAuth = components['schemas']['CustomApiAuth'];
export type CustomApiCreate = components['schemas']['CustomApiCreate'];
export type CustomApiCreateMetadata = components['schemas']['CustomApiCreateMetadata'];
export type CustomApiCreateSyncIntervalMinutes = components['schemas']['CustomApiCreateSyncIntervalMinutes'];
export type CustomApiItem = components['schemas']['CustomApiItem'];
export type CustomApiItemMetadata = components['schemas']['CustomApiItemMetadata'];
export type CustomApiList = components['schemas']['CustomApiList'];
export type CustomApiListMethod = components['schemas']['CustomApiListMethod'];
export type CustomApiListQuery = components['schemas']['CustomApiListQuery'];
export type CustomApiPagination = components['schemas']['CustomApiPagination'];
export type CustomApiReconnect = components['schemas']['CustomApiReconnect'];
export type CustomApiTextFormat = components['schemas']['CustomApiTextFormat'];
export type CustomApiUpdatedSince = components['schemas']['CustomApiUpdatedSince'];
export type CustomApiUpdatedSinceFormat = components['schemas']['CustomApiUpdatedSinceFormat'];
export type DailyUsage = components['schemas']['DailyUsage'];
export type DecayCurve = components['schemas']['DecayCurve'];
export type DecayLength = components['schemas']['DecayLength'];
export type DecayOrigin = components['schemas']['DecayOrigin'];
export type DenseExplanation = components['schemas']['DenseExplanation'];
export type DenseSearch = components['schemas']['DenseSearch'];
export type DenseSearchFuse = components['schemas']['DenseSearchFuse'];
export type DependencyHealth = components['schemas']['DependencyHealth'];
export type DependencyStatus = components['schemas']['DependencyStatus'];
export type DisabledEndpoint = components['schemas']['DisabledEndpoint'];
export type DistanceMetric = components['schemas']['DistanceMetric'];
export type EmbeddingModel = components['schemas']['EmbeddingModel'];
export type EndedErasure = components['schemas']['EndedErasure'];
export type EndpointDisabledReason = components['schemas']['EndpointDisabledReason'];
export type EngineFeature = components['schemas']['EngineFeature'];
export type EngineName = components['schemas']['EngineName'];
export type ErasureCreate = components['schemas']['ErasureCreate'];
export type ErasurePlace = components['schemas']['ErasurePlace'];
export type ErasurePlaceReport = components['schemas']['ErasurePlaceReport'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type ErasureResponse = components['schemas']['ErasureResponse'];
export type ErasureSelector = components['schemas']['ErasureSelector'];
export type ErasureStatus = components['schemas']['ErasureStatus'];
export type ErasureSubject = components['schemas']['ErasureSubject'];
export type ErasureSubjectValue = components['schemas']['ErasureSubjectValue'];
export type EvaluatedContent = components['schemas']['EvaluatedContent'];
export type EvaluatedDenseSearch = components['schemas']['EvaluatedDenseSearch'];
export type EvaluatedHit = components['schemas']['EvaluatedHit'];
export type EvaluatedHybridSearch = components['schemas']['EvaluatedHybridSearch'];
export type EvaluatedQuestion = components['schemas']['EvaluatedQuestion'];
export type EvaluatedQuestionRun = components['schemas']['EvaluatedQuestionRun'];
export type EvaluatedSearch = components['schemas']['EvaluatedSearch'];
export type EvaluatedSparseSearch = components['schemas']['EvaluatedSparseSearch'];
export type EvaluationCreate = components['schemas']['EvaluationCreate'];
export type EvaluationCreateK = components['schemas']['EvaluationCreateK'];
export type EvaluationProof = components['schemas']['EvaluationProof'];
export type EvaluationReport = components['schemas']['EvaluationReport'];
export type EvaluationResponse = components['schemas']['EvaluationResponse'];
export type EvaluationResults = components['schemas']['EvaluationResults'];
export type EvaluationStatus = components['schemas']['EvaluationStatus'];
export type EventHistory = components['schemas']['EventHistory'];
export type EventRangeReplay = components['schemas']['EventRangeReplay'];
export type EventReplay = components['schemas']['EventReplay'];
export type EventStatus = components['schemas']['EventStatus'];
export type EventTrace = components['schemas']['EventTrace'];
export type EventType = components['schemas']['EventType'];
export type ExpiredFileJob = components['schemas']['ExpiredFileJob'];
export type ExportCompletedEvent = components['schemas']['ExportCompletedEvent'];
export type ExportCompletedEventData = components['schemas']['ExportCompletedEventData'];
export type ExportCreate = components['schemas']['ExportCreate'];
export type ExportCreateFormat = components['schemas']['ExportCreateFormat'];
export type ExportCreateVectors = components['schemas']['ExportCreateVectors'];
export type ExportFailedEvent = components['schemas']['ExportFailedEvent'];
export type ExportFailedEventData = components['schemas']['ExportFailedEventData'];
export type ExportFormat = components['schemas']['ExportFormat'];
export type ExportImport = components['schemas']['ExportImport'];
export type ExportPart = components['schemas']['ExportPart'];
export type ExportReport = components['schemas']['ExportReport'];
export type ExportResponse = components['schemas']['ExportResponse'];
export type ExportStatus = components['schemas']['ExportStatus'];
export type ExportedVectors = components['schemas']['ExportedVectors'];
export type FacetCounts = components['schemas']['FacetCounts'];
export type FacetValue = components['schemas']['FacetValue'];
export type FailedExport = components['schemas']['FailedExport'];
export type FailedFileJob = components['schemas']['FailedFileJob'];
export type FailedRebuild = components['schemas']['FailedRebuild'];
export type FeedbackEvent = components['schemas']['FeedbackEvent'];
export type FileDownload = components['schemas']['FileDownload'];
export type FileErrorCode = components['schemas']['FileErrorCode'];
export type FileExpiredEvent = components['schemas']['FileExpiredEvent'];
export type FileExpiredEventData = components['schemas']['FileExpiredEventData'];
export type FileFormat = components['schemas']['FileFormat'];
export type FileFormatUnit = components['schemas']['FileFormatUnit'];
export type FileFormats = components['schemas']['FileFormats'];
export type FileJobErrorCode = components['schemas']['FileJobErrorCode'];
export type FileJobResponse = components['schemas']['FileJobResponse'];
export type FileJobSource = components['schemas']['FileJobSource'];
export type FileJobStatus = components['schemas']['FileJobStatus'];
export type FileMetadata = components['schemas']['FileMetadata'];
export type FileProcessingCompletedEvent = components['schemas']['FileProcessingCompletedEvent'];
export type FileProcessingCompletedEventData = components['schemas']['FileProcessingCompletedEventData'];
export type FileProcessingFailedEvent = components['schemas']['FileProcessingFailedEvent'];
export type FileProcessingFailedEventData = components['schemas']['FileProcessingFailedEventData'];
export type FileProcessingStartedEvent = components['schemas']['FileProcessingStartedEvent'];
export type FileProcessingStartedEventData = components['schemas']['FileProcessingStartedEventData'];
export type FileReplacement = components['schemas']['FileReplacement'];
export type FileTaskDetail = components['schemas']['FileTaskDetail'];
export type FileTaskResponse = components['schemas']['FileTaskResponse'];
export type FileTaskStatus = components['schemas']['FileTaskStatus'];
export type FileText = components['schemas']['FileText'];
export type FileTextFormat = components['schemas']['FileTextFormat'];
export type FileUploadCreate = components['schemas']['FileUploadCreate'];
export type FileUploadResponse = components['schemas']['FileUploadResponse'];
export type FusionMethod = components['schemas']['FusionMethod'];
export type GmailCreate = components['schemas']['GmailCreate'];
export type GmailCreateMetadata = components['schemas']['GmailCreateMetadata'];
export type GmailCreateName = components['schemas']['GmailCreateName'];
export type GmailReconnect = components['schemas']['GmailReconnect'];
export type GoldenQuestion = components['schemas']['GoldenQuestion'];
export type GoldenQuestions = components['schemas']['GoldenQuestions'];
export type GoldenSetFromLog = components['schemas']['GoldenSetFromLog'];
export type GoldenSetFromLogDays = components['schemas']['GoldenSetFromLogDays'];
export type GoldenSetFromLogMaxQuestions = components['schemas']['GoldenSetFromLogMaxQuestions'];
export type GoldenSetResponse = components['schemas']['GoldenSetResponse'];
export type GoogleCalendarCreate = components['schemas']['GoogleCalendarCreate'];
export type GoogleCalendarCreateMetadata = components['schemas']['GoogleCalendarCreateMetadata'];
export type GoogleCalendarCreateName = components['schemas']['GoogleCalendarCreateName'];
export type GoogleCalendarReconnect = components['schemas']['GoogleCalendarReconnect'];
export type GoogleCredentials = components['schemas']['GoogleCredentials'];
export type GoogleCredentialsPut = components['schemas']['GoogleCredentialsPut'];
export type GoogleDriveCreate = components['schemas']['GoogleDriveCreate'];
export type GoogleDriveCreateMetadata = components['schemas']['GoogleDriveCreateMetadata'];
export type GoogleDriveCreateName = components['schemas']['GoogleDriveCreateName'];
export type GoogleDriveCredentials = components['schemas']['GoogleDriveCredentials'];
export type GoogleDriveReconnect = components['schemas']['GoogleDriveReconnect'];
export type GoogleImport = components['schemas']['GoogleImport'];
export type GooglePersonalCredentials = components['schemas']['GooglePersonalCredentials'];
export type GoogleStorageConnectorCreate = components['schemas']['GoogleStorageConnectorCreate'];
export type GoogleStorageConnectorCreateMetadata = components['schemas']['GoogleStorageConnectorCreateMetadata'];
export type GoogleStorageConnectorCreateName = components['schemas']['GoogleStorageConnectorCreateName'];
export type GoogleStorageReconnect = components['schemas']['GoogleStorageReconnect'];
export type HeaderAuth = components['schemas']['HeaderAuth'];
export type Health = components['schemas']['Health'];
export type HistoryEvent = components['schemas']['HistoryEvent'];
export type HybridSearch = components['schemas']['HybridSearch'];
export type HybridSearchFuse = components['schemas']['HybridSearchFuse'];
export type IndexBranchCreate = components['schemas']['IndexBranchCreate'];
export type IndexCapacity = components['schemas']['IndexCapacity'];
export type IndexCapacityWarningEvent = components['schemas']['IndexCapacityWarningEvent'];
export type IndexCapacityWarningEventData = components['schemas']['IndexCapacityWarningEventData'];
export type IndexCreate = components['schemas']['IndexCreate'];
export type IndexCreateDimensions = components['schemas']['IndexCreateDimensions'];
export type IndexCreateDistanceMetric = components['schemas']['IndexCreateDistanceMetric'];
export type IndexCreateEngine = components['schemas']['IndexCreateEngine'];
export type IndexCreateIfExists = components['schemas']['IndexCreateIfExists'];
export type IndexCreateNonFilterableMetadataKeys = components['schemas']['IndexCreateNonFilterableMetadataKeys'];
export type IndexCreateTextLanguage = components['schemas']['IndexCreateTextLanguage'];
export type IndexCreatedEvent = components['schemas']['IndexCreatedEvent'];
export type IndexCreatedEventData = components['schemas']['IndexCreatedEventData'];
export type IndexErasedEvent = components['schemas']['IndexErasedEvent'];
export type IndexErasedEventData = components['schemas']['IndexErasedEventData'];
export type IndexMaintenance = components['schemas']['IndexMaintenance'];
export type IndexMaintenanceStatus = components['schemas']['IndexMaintenanceStatus'];
export type IndexMetrics = components['schemas']['IndexMetrics'];
export type IndexMetricsDay = components['schemas']['IndexMetricsDay'];
export type IndexPromote = components['schemas']['IndexPromote'];
export type IndexPromoteEmbed = components['schemas']['IndexPromoteEmbed'];
export type IndexPromoteParentChanges = components['schemas']['IndexPromoteParentChanges'];
export type IndexRebuildCompletedEvent = components['schemas']['IndexRebuildCompletedEvent'];
export type IndexRebuildCompletedEventData = components['schemas']['IndexRebuildCompletedEventData'];
export type IndexRebuildFailedEvent = components['schemas']['IndexRebuildFailedEvent'];
export type IndexRebuildFailedEventData = components['schemas']['IndexRebuildFailedEventData'];
export type IndexResponse = components['schemas']['IndexResponse'];
export type IndexRestore = components['schemas']['IndexRestore'];
export type IndexStats = components['schemas']['IndexStats'];
export type IndexStatus = components['schemas']['IndexStatus'];
export type IndexUpdate = components['schemas']['IndexUpdate'];
export type IndexUpdatedEvent = components['schemas']['IndexUpdatedEvent'];
export type IndexUpdatedEventData = components['schemas']['IndexUpdatedEventData'];
export type IndexUsage = components['schemas']['IndexUsage'];
export type InvitationAccept = components['schemas']['InvitationAccept'];
export type InvitationCreate = components['schemas']['InvitationCreate'];
export type InvitationCreateRole = components['schemas']['InvitationCreateRole'];
export type InvitationResponse = components['schemas']['InvitationResponse'];
export type JsonRpcError = components['schemas']['JsonRpcError'];
export type JsonRpcId = components['schemas']['JsonRpcId'];
export type JsonRpcProblem = components['schemas']['JsonRpcProblem'];
export type JsonValue = components['schemas']['JsonValue'];
export type LastRecall = components['schemas']['LastRecall'];
export type LastRecallFiltered = components['schemas']['LastRecallFiltered'];
export type LinkHeaderPagination = components['schemas']['LinkHeaderPagination'];
export type LoggedQuestion = components['schemas']['LoggedQuestion'];
export type McpMessage = components['schemas']['McpMessage'];
export type MemberUpdate = components['schemas']['MemberUpdate'];
export type MetadataDescribe = components['schemas']['MetadataDescribe'];
export type MetadataDescribeResponse = components['schemas']['MetadataDescribeResponse'];
export type MetadataFilter = components['schemas']['MetadataFilter'];
export type MetadataKeyDescription = components['schemas']['MetadataKeyDescription'];
export type MetadataNumberRange = components['schemas']['MetadataNumberRange'];
export type MetadataTextRange = components['schemas']['MetadataTextRange'];
export type MetadataValueCount = components['schemas']['MetadataValueCount'];
export type MetadataValues = components['schemas']['MetadataValues'];
export type MetadataValuesLimit = components['schemas']['MetadataValuesLimit'];
export type MetadataValuesResponse = components['schemas']['MetadataValuesResponse'];
export type MetricEstimate = components['schemas']['MetricEstimate'];
export type MetricEstimates = components['schemas']['MetricEstimates'];
export type MetricName = components['schemas']['MetricName'];
export type MetricNumbers = components['schemas']['MetricNumbers'];
export type MicrosoftApplication = components['schemas']['MicrosoftApplication'];
export type ModelKind = components['schemas']['ModelKind'];
export type NearlyFullIndex = components['schemas']['NearlyFullIndex'];
export type NoAuth = components['schemas']['NoAuth'];
export type NoCredentials = components['schemas']['NoCredentials'];
export type NotionCreate = components['schemas']['NotionCreate'];
export type NotionCreateMetadata = components['schemas']['NotionCreateMetadata'];
export type NotionCreateName = components['schemas']['NotionCreateName'];
export type NotionReconnect = components['schemas']['NotionReconnect'];
export type OAuthClientCreate = components['schemas']['OAuthClientCreate'];
export type OAuthClientCreated = components['schemas']['OAuthClientCreated'];
export type OAuthClientResponse = components['schemas']['OAuthClientResponse'];
export type OAuthError = components['schemas']['OAuthError'];
export type OAuthErrorCode = components['schemas']['OAuthErrorCode'];
export type OauthClientCredentialsAuth = components['schemas']['OauthClientCredentialsAuth'];
export type OauthClientCredentialsAuthClientAuthentication =
  components['schemas']['OauthClientCredentialsAuthClientAuthentication'];
export type OffsetPagination = components['schemas']['OffsetPagination'];
export type OffsetPaginationParameter = components['schemas']['OffsetPaginationParameter'];
export type OffsetPaginationStart = components['schemas']['OffsetPaginationStart'];
export type OnDuplicate = components['schemas']['OnDuplicate'];
export type OnboardingComplete = components['schemas']['OnboardingComplete'];
export type OnboardingCompleteDefaultRegion = components['schemas']['OnboardingCompleteDefaultRegion'];
export type OneDriveCreate = components['schemas']['OneDriveCreate'];
export type OneDriveCreateMetadata = components['schemas']['OneDriveCreateMetadata'];
export type OneDriveCreateName = components['schemas']['OneDriveCreateName'];
export type OneDriveReconnect = components['schemas']['OneDriveReconnect'];
export type OrganizationDetail = components['schemas']['OrganizationDetail'];
export type OrganizationMember = components['schemas']['OrganizationMember'];
export type OrganizationRole = components['schemas']['OrganizationRole'];
export type OrganizationUpdate = components['schemas']['OrganizationUpdate'];
export type OrganizationUsage = components['schemas']['OrganizationUsage'];
export type OrganizationWorkspace = components['schemas']['OrganizationWorkspace'];
export type PageNumberPagination = components['schemas']['PageNumberPagination'];
export type PageNumberPaginationParameter = components['schemas']['PageNumberPaginationParameter'];
export type PageNumberPaginationStart = components['schemas']['PageNumberPaginationStart'];
export type PageRegion = components['schemas']['PageRegion'];
export type PendingInvitation = components['schemas']['PendingInvitation'];
export type Permission = components['schemas']['Permission'];
export type PersonalMicrosoftApplication = components['schemas']['PersonalMicrosoftApplication'];
export type PersonalServiceAccount = components['schemas']['PersonalServiceAccount'];
export type PlanName = components['schemas']['PlanName'];
export type PlanResponse = components['schemas']['PlanResponse'];
export type Processing = components['schemas']['Processing'];
export type ProcessingDetail = components['schemas']['ProcessingDetail'];
export type ProcessingStep = components['schemas']['ProcessingStep'];
export type PromoteResponse = components['schemas']['PromoteResponse'];
export type PromotionRequirement = components['schemas']['PromotionRequirement'];
export type PromotionRequirementMetric = components['schemas']['PromotionRequirementMetric'];
export type ProtectedResourceMetadata = components['schemas']['ProtectedResourceMetadata'];
export type QueryFusion = components['schemas']['QueryFusion'];
export type QueryLog = components['schemas']['QueryLog'];
export type QueryLogSettings = components['schemas']['QueryLogSettings'];
export type RebuildCreate = components['schemas']['RebuildCreate'];
export type RebuildCreateDryRun = components['schemas']['RebuildCreateDryRun'];
export type RebuildCreateForeignVectors = components['schemas']['RebuildCreateForeignVectors'];
export type RebuildCreateWindowHours = components['schemas']['RebuildCreateWindowHours'];
export type RebuildEstimate = components['schemas']['RebuildEstimate'];
export type RebuildResponse = components['schemas']['RebuildResponse'];
export type RebuildSettings = components['schemas']['RebuildSettings'];
export type RebuildStart = components['schemas']['RebuildStart'];
export type RebuildStatus = components['schemas']['RebuildStatus'];
export type RecallBody = components['schemas']['RecallBody'];
export type RecallBodyQueries = components['schemas']['RecallBodyQueries'];
export type RecallBodySeed = components['schemas']['RecallBodySeed'];
export type RecallBodyTopK = components['schemas']['RecallBodyTopK'];
export type RecallFiltered = components['schemas']['RecallFiltered'];
export type RecallLatencies = components['schemas']['RecallLatencies'];
export type RecallResponse = components['schemas']['RecallResponse'];
export type RecallUnfiltered = components['schemas']['RecallUnfiltered'];
export type ReceiptKey = components['schemas']['ReceiptKey'];
export type Recognition = components['schemas']['Recognition'];
export type RefusedFormat = components['schemas']['RefusedFormat'];
export type RelevantItem = components['schemas']['RelevantItem'];
export type RelevantItemGrade = components['schemas']['RelevantItemGrade'];
export type RemoteFileImport = components['schemas']['RemoteFileImport'];
export type ReplayAccepted = components['schemas']['ReplayAccepted'];
export type Requirement = components['schemas']['Requirement'];
export type RequirementMetric = components['schemas']['RequirementMetric'];
export type RerankDefaults = components['schemas']['RerankDefaults'];
export type RerankOnError = components['schemas']['RerankOnError'];
export type RerankReport = components['schemas']['RerankReport'];
export type RerankSkipReason = components['schemas']['RerankSkipReason'];
export type RerankStatus = components['schemas']['RerankStatus'];
export type RestoreResponse = components['schemas']['RestoreResponse'];
export type ResultContext = components['schemas']['ResultContext'];
export type RevocationRequest = components['schemas']['RevocationRequest'];
export type Revoked = components['schemas']['Revoked'];
export type S3ConnectorCreate = components['schemas']['S3ConnectorCreate'];
export type S3ConnectorCreateMetadata = components['schemas']['S3ConnectorCreateMetadata'];
export type S3ConnectorCreateName = components['schemas']['S3ConnectorCreateName'];
export type S3Credentials = components['schemas']['S3Credentials'];
export type S3CredentialsPut = components['schemas']['S3CredentialsPut'];
export type S3Import = components['schemas']['S3Import'];
export type S3Reconnect = components['schemas']['S3Reconnect'];
export type SearchBoost = components['schemas']['SearchBoost'];
export type SearchBoostWeight = components['schemas']['SearchBoostWeight'];
export type SearchCitation = components['schemas']['SearchCitation'];
export type SearchContext = components['schemas']['SearchContext'];
export type SearchContextMaxChars = components['schemas']['SearchContextMaxChars'];
export type SearchContextUnit = components['schemas']['SearchContextUnit'];
export type SearchCounts = components['schemas']['SearchCounts'];
export type SearchDefaults = components['schemas']['SearchDefaults'];
export type SearchEvaluation = components['schemas']['SearchEvaluation'];
export type SearchExact = components['schemas']['SearchExact'];
export type SearchExplanation = components['schemas']['SearchExplanation'];
export type SearchFacet = components['schemas']['SearchFacet'];
export type SearchFacetLimit = components['schemas']['SearchFacetLimit'];
export type SearchFeedback = components['schemas']['SearchFeedback'];
export type SearchField = components['schemas']['SearchField'];
export type SearchFusion = components['schemas']['SearchFusion'];
export type SearchFusionK = components['schemas']['SearchFusionK'];
export type SearchFusionMethod = components['schemas']['SearchFusionMethod'];
export type SearchGroup = components['schemas']['SearchGroup'];
export type SearchGroupPlace = components['schemas']['SearchGroupPlace'];
export type SearchGroupSize = components['schemas']['SearchGroupSize'];
export type SearchGroupValue = components['schemas']['SearchGroupValue'];
export type SearchHighlight = components['schemas']['SearchHighlight'];
export type SearchHighlightFragments = components['schemas']['SearchHighlightFragments'];
export type SearchHighlightMaxChars = components['schemas']['SearchHighlightMaxChars'];
export type SearchInclude = components['schemas']['SearchInclude'];
export type SearchLatencies = components['schemas']['SearchLatencies'];
export type SearchLatency = components['schemas']['SearchLatency'];
export type SearchMinScore = components['schemas']['SearchMinScore'];
export type SearchMinScores = components['schemas']['SearchMinScores'];
export type SearchQuery = components['schemas']['SearchQuery'];
export type SearchQueryWeight = components['schemas']['SearchQueryWeight'];
export type SearchRanks = components['schemas']['SearchRanks'];
export type SearchRerank = components['schemas']['SearchRerank'];
export type SearchRerankOnError = components['schemas']['SearchRerankOnError'];
export type SearchResponse = components['schemas']['SearchResponse'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchScores = components['schemas']['SearchScores'];
export type SearchStage = components['schemas']['SearchStage'];
export type SearchStageReport = components['schemas']['SearchStageReport'];
export type SearchTopK = components['schemas']['SearchTopK'];
export type SearchUsage = components['schemas']['SearchUsage'];
export type ServiceAccount = components['schemas']['ServiceAccount'];
export type SessionResponse = components['schemas']['SessionResponse'];
export type SharePointCreate = components['schemas']['SharePointCreate'];
export type SharePointCreateMetadata = components['schemas']['SharePointCreateMetadata'];
export type SharePointCreateName = components['schemas']['SharePointCreateName'];
export type SharePointReconnect = components['schemas']['SharePointReconnect'];
export type ShownMonthlyLimits = components['schemas']['ShownMonthlyLimits'];
export type ShownRateLimits = components['schemas']['ShownRateLimits'];
export type SkippedPageResponse = components['schemas']['SkippedPageResponse'];
export type SlackCreate = components['schemas']['SlackCreate'];
export type SlackCreateMetadata = components['schemas']['SlackCreateMetadata'];
export type SlackCreateName = components['schemas']['SlackCreateName'];
export type SlackReconnect = components['schemas']['SlackReconnect'];
export type SourceCredentialsPut = components['schemas']['SourceCredentialsPut'];
export type SourceCredentialsResponse = components['schemas']['SourceCredentialsResponse'];
export type SourceFile = components['schemas']['SourceFile'];
export type SparseExplanation = components['schemas']['SparseExplanation'];
export type SparseSearch = components['schemas']['SparseSearch'];
export type SparseSearchFuse = components['schemas']['SparseSearchFuse'];
export type StartedFileJob = components['schemas']['StartedFileJob'];
export type StoredQuestion = components['schemas']['StoredQuestion'];
export type StoredRelevantItem = components['schemas']['StoredRelevantItem'];
export type TelemetryStep = components['schemas']['TelemetryStep'];
export type TestedEndpoint = components['schemas']['TestedEndpoint'];
export type TextHighlight = components['schemas']['TextHighlight'];
export type TextLanguage = components['schemas']['TextLanguage'];
export type TokenCredentials = components['schemas']['TokenCredentials'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type TraceStep = components['schemas']['TraceStep'];
export type UnitPrices = components['schemas']['UnitPrices'];
export type UnmatchedItems = components['schemas']['UnmatchedItems'];
export type UnreadItem = components['schemas']['UnreadItem'];
export type UpdatedIndex = components['schemas']['UpdatedIndex'];
export type UrlImport = components['schemas']['UrlImport'];
export type UsageHistoryPoint = components['schemas']['UsageHistoryPoint'];
export type UsageValue = components['schemas']['UsageValue'];
export type User = components['schemas']['User'];
export type ValueUsage = components['schemas']['ValueUsage'];
export type VectorCount = components['schemas']['VectorCount'];
export type VectorCountResponse = components['schemas']['VectorCountResponse'];
export type VectorDelete = components['schemas']['VectorDelete'];
export type VectorDeleteResponse = components['schemas']['VectorDeleteResponse'];
export type VectorFetch = components['schemas']['VectorFetch'];
export type VectorFetchIncludeVectors = components['schemas']['VectorFetchIncludeVectors'];
export type VectorFetchResponse = components['schemas']['VectorFetchResponse'];
export type VectorInput = components['schemas']['VectorInput'];
export type VectorRecord = components['schemas']['VectorRecord'];
export type VectorUpdate = components['schemas']['VectorUpdate'];
export type VectorUpdateByFilter = components['schemas']['VectorUpdateByFilter'];
export type VectorUpdateByFilterResponse = components['schemas']['VectorUpdateByFilterResponse'];
export type VectorUpdateItem = components['schemas']['VectorUpdateItem'];
export type VectorUpdateResponse = components['schemas']['VectorUpdateResponse'];
export type VectorUpsert = components['schemas']['VectorUpsert'];
export type VectorUpsertItem = components['schemas']['VectorUpsertItem'];
export type VectorUpsertResponse = components['schemas']['VectorUpsertResponse'];
export type VersionResponse = components['schemas']['VersionResponse'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookAttemptError = components['schemas']['WebhookAttemptError'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryStatus = components['schemas']['WebhookDeliveryStatus'];
export type WebhookDeliveryTrigger = components['schemas']['WebhookDeliveryTrigger'];
export type WebhookDisabledReason = components['schemas']['WebhookDisabledReason'];
export type WebhookEndpointCreate = components['schemas']['WebhookEndpointCreate'];
export type WebhookEndpointCreated = components['schemas']['WebhookEndpointCreated'];
export type WebhookEndpointDisabledEvent = components['schemas']['WebhookEndpointDisabledEvent'];
export type WebhookEndpointDisabledEventData = components['schemas']['WebhookEndpointDisabledEventData'];
export type WebhookEndpointResponse = components['schemas']['WebhookEndpointResponse'];
export type WebhookEndpointUpdate = components['schemas']['WebhookEndpointUpdate'];
export type WebhookMessage = components['schemas']['WebhookMessage'];
export type WebhookMessageType = components['schemas']['WebhookMessageType'];
export type WebhookSecretRotated = components['schemas']['WebhookSecretRotated'];
export type WebhookTestData = components['schemas']['WebhookTestData'];
export type WebhookTestMessage = components['schemas']['WebhookTestMessage'];
export type ResponseNoContent = components['responses']['NoContent'];
export type ParameterUserId = components['parameters']['UserId'];
export type ParameterDays = components['parameters']['Days'];
export type ParameterFrom = components['parameters']['From'];
export type ParameterTo = components['parameters']['To'];
export type ParameterResponseType = components['parameters']['ResponseType'];
export type ParameterClientId = components['parameters']['ClientId'];
export type ParameterRedirectUri = components['parameters']['RedirectUri'];
export type ParameterCodeChallenge = components['parameters']['CodeChallenge'];
export type ParameterCodeChallengeMethod = components['parameters']['CodeChallengeMethod'];
export type ParameterResource = components['parameters']['Resource'];
export type ParameterScope = components['parameters']['Scope'];
export type ParameterState = components['parameters']['State'];
export type ParameterEvaluationId = components['parameters']['EvaluationId'];
export type ParameterExportId = components['parameters']['ExportId'];
export type ParameterSourceCredentials = components['parameters']['SourceCredentials'];
export type ParameterProvider = components['parameters']['Provider'];
export type ParameterRebuildId = components['parameters']['RebuildId'];
export type ParameterName = components['parameters']['Name'];
export type ParameterCrawlId = components['parameters']['CrawlId'];
export type ParameterScheduleId = components['parameters']['ScheduleId'];
export type ParameterFile = components['parameters']['File'];
export type ParameterMonth = components['parameters']['Month'];
export type ParameterGoldenSet = components['parameters']['GoldenSet'];
export type ParameterEndpointId = components['parameters']['EndpointId'];
export type ParameterJobId = components['parameters']['JobId'];
export type ParameterConnectionId = components['parameters']['ConnectionId'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIndexId = components['parameters']['IndexId'];
export type ParameterOrganizationId = components['parameters']['OrganizationId'];
export type $defs = Record<string, never>;
export interface operations {
  openSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BootstrapResponse'];
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionResponse'][];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  endOneSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a session: `sess_` and 26 lower-case letters and digits. */
        session_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listOrganizations: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationWorkspace'][];
        };
      };
    };
  };
  getOrganization: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationDetail'];
        };
      };
    };
  };
  updateOrganization: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationDetail'];
        };
      };
    };
  };
  listPlans: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PlanResponse'][];
        };
      };
    };
  };
  completeOnboarding: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OnboardingComplete'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationDetail'];
        };
      };
    };
  };
  listMembers: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationMember'][];
        };
      };
    };
  };
  removeMember: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a user: `usr_` and 26 lower-case letters and digits. */
        user_id: components['parameters']['UserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  updateMember: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a user: `usr_` and 26 lower-case letters and digits. */
        user_id: components['parameters']['UserId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MemberUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationMember'];
        };
      };
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InvitationResponse'][];
        };
      };
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['InvitationCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InvitationResponse'];
        };
      };
    };
  };
  revokeInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an invitation: `inv_` and 26 lower-case letters and digits. */
        invitation_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['InvitationAccept'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BillingActionResponse'];
        };
      };
    };
  };
  getOrganizationUsage: {
    parameters: {
      query?: {
        /** @description A month, `YYYY-MM` in UTC, that has begun. Default: the current month. */
        month?: components['parameters']['Month'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrganizationUsage'];
        };
      };
    };
  };
  listCredentialUsage: {
    parameters: {
      query?: {
        /** @description A month, `YYYY-MM` in UTC, that has begun. Default: the current month. */
        month?: components['parameters']['Month'];
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CredentialUsage'][];
        };
      };
    };
  };
  listValueUsage: {
    parameters: {
      query?: {
        /** @description A month, `YYYY-MM` in UTC, that has begun. Default: the current month. */
        month?: components['parameters']['Month'];
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Id of the only index to list. Default: all indexes. */
        index_id?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValueUsage'][];
        };
      };
    };
  };
  listIndexUsage: {
    parameters: {
      query?: {
        /** @description A month, `YYYY-MM` in UTC, that has begun. Default: the current month. */
        month?: components['parameters']['Month'];
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexUsage'][];
        };
      };
    };
  };
  listUsageHistory: {
    parameters: {
      query?: {
        /** @description Days that the history goes back. */
        days?: components['parameters']['Days'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageHistoryPoint'][];
        };
      };
    };
  };
  listDailyUsage: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description First day (UTC). Default: 29 days before `to`. */
        from?: components['parameters']['From'];
        /** @description Last day (UTC), inclusive: at most 92 days in total. Default: today. */
        to?: components['parameters']['To'];
        /** @description Id of the only index to list. Default: all indexes. */
        index_id?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DailyUsage'][];
        };
      };
    };
  };
  listAuditRecords: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Only records of this action. */
        action?: components['schemas']['AuditAction'];
        /** @description Only changes by this actor, or by a credential that it created: an id, or the e-mail address of a user. */
        actor?: string;
        /** @description Only changes of this resource, or within this index. */
        resource_id?: string;
        /** @description Only changes at this time or later. */
        from?: string;
        /** @description Only changes before this time. */
        to?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditRecordResponse'][];
        };
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyResponse'][];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeyCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyCreated'];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an API key: `key_` and 26 lower-case letters and digits. */
        key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listOauthClients: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OAuthClientResponse'][];
        };
      };
    };
  };
  createOauthClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OAuthClientCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OAuthClientCreated'];
        };
      };
    };
  };
  revokeOauthClient: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an OAuth client: `oc_` and 26 lower-case letters and digits. */
        client_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  issueAccessToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TokenResponse'];
        };
      };
    };
  };
  getAuthorizationServer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuthorizationServerMetadata'];
        };
      };
    };
  };
  getAuthorizationPage: {
    parameters: {
      query: {
        /** @description `code` */
        response_type?: components['parameters']['ResponseType'];
        /** @description URL of the metadata document of the application, or `strata-cli`. */
        client_id: components['parameters']['ClientId'];
        /** @description URL of the application to which the code is sent. */
        redirect_uri: components['parameters']['RedirectUri'];
        /** @description SHA-256 of the code verifier, as base64url. */
        code_challenge?: components['parameters']['CodeChallenge'];
        /** @description `S256` */
        code_challenge_method?: components['parameters']['CodeChallengeMethod'];
        /** @description URL of the MCP server, or of the service, for which tokens are requested. */
        resource?: components['parameters']['Resource'];
        /** @description Requested scopes, separated by spaces; `read` if absent. */
        scope?: components['parameters']['Scope'];
        /** @description Value that is returned to the application unchanged. */
        state?: components['parameters']['State'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
    };
  };
  authorizeApplication: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AuthorizationCreate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuthorizationCreated'];
        };
      };
    };
  };
  getAuthorizationRequest: {
    parameters: {
      query: {
        /** @description `code` */
        response_type?: components['parameters']['ResponseType'];
        /** @description URL of the metadata document of the application, or `strata-cli`. */
        client_id: components['parameters']['ClientId'];
        /** @description URL of the application to which the code is sent. */
        redirect_uri: components['parameters']['RedirectUri'];
        /** @description SHA-256 of the code verifier, as base64url. */
        code_challenge?: components['parameters']['CodeChallenge'];
        /** @description `S256` */
        code_challenge_method?: components['parameters']['CodeChallengeMethod'];
        /** @description URL of the MCP server, or of the service, for which tokens are requested. */
        resource?: components['parameters']['Resource'];
        /** @description Requested scopes, separated by spaces; `read` if absent. */
        scope?: components['parameters']['Scope'];
        /** @description Value that is returned to the application unchanged. */
        state?: components['parameters']['State'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuthorizationReview'];
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['RevocationRequest'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Revoked'];
        };
      };
    };
  };
  listRegions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': string[];
        };
      };
    };
  };
  listModels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EmbeddingModel'][];
        };
      };
    };
  };
  listIndexes: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Only indexes whose name contains this text, in any case. */
        q?: string;
        /** @description Only branches of this index. */
        parent_index_id?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'][];
        };
      };
    };
  };
  createIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IndexCreate'];
      };
    };
    responses: {
      /** @description The existing index of this name, with `if_exists: return`. Nothing was created. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'];
        };
      };
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'];
        };
      };
    };
  };
  getIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'];
        };
      };
    };
  };
  deleteIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  updateIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IndexUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'];
        };
      };
    };
  };
  branchIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IndexBranchCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexResponse'];
        };
      };
    };
  };
  diffIndex: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BranchDifference'][];
        };
      };
    };
  };
  promoteIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['IndexPromote'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PromoteResponse'];
        };
      };
    };
  };
  listVersions: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VersionResponse'][];
        };
      };
    };
  };
  restoreIndex: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IndexRestore'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestoreResponse'];
        };
      };
    };
  };
  listErasures: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasureResponse'][];
        };
      };
    };
  };
  createErasure: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ErasureCreate'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasureResponse'];
        };
      };
    };
  };
  getErasure: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of an erasure: `era_` and 26 lower-case letters and digits. */
        erasure_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasureResponse'];
        };
      };
    };
  };
  listReceiptKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReceiptKey'][];
        };
      };
    };
  };
  listRebuilds: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RebuildResponse'][];
        };
      };
    };
  };
  createRebuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RebuildCreate'];
      };
    };
    responses: {
      /** @description The estimate of a dry run. Nothing has changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RebuildStart'];
        };
      };
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RebuildStart'];
        };
      };
    };
  };
  getRebuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a rebuild: `reb_` and 26 lower-case letters and digits. */
        rebuild_id: components['parameters']['RebuildId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RebuildResponse'];
        };
      };
    };
  };
  deleteRebuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a rebuild: `reb_` and 26 lower-case letters and digits. */
        rebuild_id: components['parameters']['RebuildId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  rollBackRebuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a rebuild: `reb_` and 26 lower-case letters and digits. */
        rebuild_id: components['parameters']['RebuildId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RebuildResponse'];
        };
      };
    };
  };
  getGoldenSet: {
    parameters: {
      query?: {
        /** @description Number of the version. Default: the newest one. */
        version?: number;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
        golden_set: components['parameters']['GoldenSet'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredQuestion'][];
        };
      };
    };
  };
  putGoldenSet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
        golden_set: components['parameters']['GoldenSet'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GoldenQuestions'];
        'application/x-ndjson': string;
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GoldenSetResponse'];
        };
      };
    };
  };
  deleteGoldenSet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
        golden_set: components['parameters']['GoldenSet'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listGoldenSets: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GoldenSetResponse'][];
        };
      };
    };
  };
  listGoldenSetVersions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
        golden_set: components['parameters']['GoldenSet'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GoldenSetResponse'][];
        };
      };
    };
  };
  fillGoldenSetFromLog: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Name of a golden set: lower-case letters, digits, `-` and `_`. */
        golden_set: components['parameters']['GoldenSet'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['GoldenSetFromLog'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GoldenSetResponse'];
        };
      };
    };
  };
  addSearchFeedback: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description `search_id` of the response to a search. */
        search_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SearchFeedback'];
      };
    };
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listLoggedQuestions: {
    parameters: {
      query?: {
        /** @description `unanswered`: only questions whose searches find nothing, or whose hits people call bad. */
        kind?: 'frequent' | 'unanswered';
        /** @description Days that are looked at. */
        days?: number;
        /** @description Maximum number of questions. */
        limit?: number;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LoggedQuestion'][];
        };
      };
    };
  };
  deleteQueryLog: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listEvaluations: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EvaluationResponse'][];
        };
      };
    };
  };
  createEvaluation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluationCreate'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EvaluationResponse'];
        };
      };
    };
  };
  getEvaluation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of an evaluation: `eval_` and 26 lower-case letters and digits. */
        evaluation_id: components['parameters']['EvaluationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EvaluationReport'];
        };
      };
    };
  };
  listEvaluatedQuestions: {
    parameters: {
      query?: {
        /** @description Name of the search. Default: the first one. */
        search?: string;
        /** @description `losses`, `gains`: by the change of nDCG, the largest first, and only those. `set`: as in the set. */
        sort?: 'losses' | 'gains' | 'set';
        /** @description Maximum number of questions. */
        limit?: number;
        /** @description Questions before the first returned one. */
        offset?: number;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of an evaluation: `eval_` and 26 lower-case letters and digits. */
        evaluation_id: components['parameters']['EvaluationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EvaluatedQuestion'][];
        };
      };
    };
  };
  listExports: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExportResponse'][];
        };
      };
    };
  };
  createExport: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ExportCreate'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExportResponse'];
        };
      };
    };
  };
  getExport: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of an export: `exp_` and 26 lower-case letters and digits. */
        export_id: components['parameters']['ExportId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExportReport'];
        };
      };
    };
  };
  deleteExport: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of an export: `exp_` and 26 lower-case letters and digits. */
        export_id: components['parameters']['ExportId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  getAlias: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Name of an alias. */
        name: components['parameters']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AliasResponse'];
        };
      };
    };
  };
  putAlias: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Name of an alias. */
        name: components['parameters']['Name'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AliasPut'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AliasResponse'];
        };
      };
    };
  };
  deleteAlias: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Name of an alias. */
        name: components['parameters']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listAliases: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AliasResponse'][];
        };
      };
    };
  };
  getIndexStats: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexStats'];
        };
      };
    };
  };
  getIndexStatsHistory: {
    parameters: {
      query?: {
        /** @description Days that the history goes back. */
        days?: components['parameters']['Days'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageHistoryPoint'][];
        };
      };
    };
  };
  getIndexMetrics: {
    parameters: {
      query?: {
        /** @description First day (UTC). Default: 29 days before `to`. */
        from?: components['parameters']['From'];
        /** @description Last day (UTC), inclusive: at most 92 days in total. Default: today. */
        to?: components['parameters']['To'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IndexMetrics'];
        };
      };
    };
  };
  listFiles: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Only jobs in one of these states, separated by commas. */
        status?: string;
        /** @description Only jobs whose file came from there. */
        source?: components['schemas']['FileJobSource'];
        /** @description Only jobs whose file name contains this text, in any case. */
        q?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'][];
        };
      };
    };
  };
  createFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FileUploadCreate'];
      };
    };
    responses: {
      /** @description Job of the file with the same name and checksum, with `on_duplicate: skip`. Nothing was created. If that job still awaits its upload, the response is a 201 with its id and another URL. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'];
        };
      };
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileUploadResponse'];
        };
      };
    };
  };
  getFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'];
        };
      };
    };
  };
  deleteFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  cancelFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'];
        };
      };
    };
  };
  replaceFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FileReplacement'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileUploadResponse'];
        };
      };
    };
  };
  retryFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'];
        };
      };
    };
  };
  getFileText: {
    parameters: {
      query?: {
        /** @description Format of the text. Default `markdown`. */
        format?: components['schemas']['FileTextFormat'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileText'];
        };
      };
    };
  };
  getFilePage: {
    parameters: {
      query?: {
        /** @description Name of a file within the file, such as an attachment of a mail, whose page is returned. */
        attachment?: string;
        /** @description Width of the picture in pixels. It is less for a page with much detail, and for an image that has less. Default 1200. */
        width?: number;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
        /** @description Number of a page, from 1, and `.png`: `7.png`. */
        picture: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/png': string;
        };
      };
    };
  };
  listFileChunks: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Id of a chunk. Half of the first page are chunks before it. Without effect with `cursor`. */
        around?: string;
        /** @description Whether chunks have their places in the file. */
        include_citations?: boolean;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorRecord'][];
        };
      };
    };
  };
  downloadFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileDownload'];
        };
      };
    };
  };
  listFileTasks: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. If absent: all items. */
        limit?: number;
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileTaskResponse'][];
        };
      };
    };
  };
  getFileProcessing: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a file job: `job_` and 26 lower-case letters and digits. */
        job_id: components['parameters']['JobId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProcessingDetail'];
        };
      };
    };
  };
  listFormats: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileFormats'];
        };
      };
    };
  };
  createImport: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RemoteFileImport'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileJobResponse'];
        };
      };
    };
  };
  listCrawlJobs: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Only the crawls that this schedule has started. */
        schedule_id?: string;
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlJobResponse'][];
        };
      };
    };
  };
  createCrawlJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CrawlJobCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlJobResponse'];
        };
      };
    };
  };
  getCrawlJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a crawl job: `crawl_` and 26 lower-case letters and digits. */
        crawl_id: components['parameters']['CrawlId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlJobReport'];
        };
      };
    };
  };
  listSkippedPages: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a crawl job: `crawl_` and 26 lower-case letters and digits. */
        crawl_id: components['parameters']['CrawlId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SkippedPageResponse'][];
        };
      };
    };
  };
  putSourceCredentials: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Name of stored credentials: lower-case letters, digits, `-` and `_`. */
        source_credentials: components['parameters']['SourceCredentials'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SourceCredentialsPut'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceCredentialsResponse'];
        };
      };
    };
  };
  deleteSourceCredentials: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Name of stored credentials: lower-case letters, digits, `-` and `_`. */
        source_credentials: components['parameters']['SourceCredentials'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  listSourceCredentials: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceCredentialsResponse'][];
        };
      };
    };
  };
  cancelCrawlJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a crawl job: `crawl_` and 26 lower-case letters and digits. */
        crawl_id: components['parameters']['CrawlId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlJobResponse'];
        };
      };
    };
  };
  listCrawlSchedules: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlScheduleResponse'][];
        };
      };
    };
  };
  createCrawlSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CrawlScheduleCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlScheduleResponse'];
        };
      };
    };
  };
  getCrawlSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits. */
        schedule_id: components['parameters']['ScheduleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlScheduleResponse'];
        };
      };
    };
  };
  deleteCrawlSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits. */
        schedule_id: components['parameters']['ScheduleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  updateCrawlSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits. */
        schedule_id: components['parameters']['ScheduleId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CrawlScheduleUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlScheduleResponse'];
        };
      };
    };
  };
  listConnectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorOverview'];
        };
      };
    };
  };
  createConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectorCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorResponse'];
        };
      };
    };
  };
  getConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorResponse'];
        };
      };
    };
  };
  deleteConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  updateConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectorUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorResponse'];
        };
      };
    };
  };
  createCustomApiConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CustomApiCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorResponse'];
        };
      };
    };
  };
  authorizeConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`. */
        provider: components['parameters']['Provider'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ConnectorConsentCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorConsent'];
        };
      };
    };
  };
  returnFromConsent: {
    parameters: {
      query: {
        /** @description State of the consent, as the service gave it to the provider. */
        state: string;
        /** @description Authorization code of the provider; absent if the person refused. */
        code?: string;
        /** @description Error code of the provider; absent if there is a code. */
        error?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
    };
  };
  completeConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`. */
        provider: components['parameters']['Provider'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectorConfirmation'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  listConnectorChoices: {
    parameters: {
      query?: {
        /** @description `parent` of an earlier choice, to list what is below it, or the address of a bucket. If absent: the top. */
        parent?: string;
        /** @description Part of a name. Notion, SharePoint at the top and Google Drive search all that they give. */
        q?: string;
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChoice'][];
        };
      };
    };
  };
  listConnectorSyncs: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorSync'][];
        };
      };
    };
  };
  listUnreadItems: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UnreadItem'][];
        };
      };
    };
  };
  updateConnectorScope: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectorScopeUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  reconnectConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConnectorReconnect'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  syncConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  resumeConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  pauseConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
        /** @description Id of a connector: `conn_` and 26 lower-case letters and digits. */
        connection_id: components['parameters']['ConnectionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorChange'];
        };
      };
    };
  };
  listVectors: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
        /** @description Only rows that match this metadata filter: JSON, as `filter` of a search. */
        filter?: string;
        /** @description Whether rows have the numbers of their vectors. */
        include_vectors?: boolean;
        /** @description Whether rows have only their id and version. Text and file are null then, and metadata is empty. */
        ids_only?: boolean;
        /** @description Metadata key, or a path to a member of objects. Of a list, its first value counts. Null comes before booleans, numbers, times, other texts and objects. Rows without the key come last. */
        order_by?: string;
        /** @description Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent. */
        as_of?: string;
        /** @description Direction of `order_by`. Rows with equal values are in order of id. */
        direction?: 'asc' | 'desc';
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorRecord'][];
        };
      };
    };
  };
  upsertVectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VectorUpsert'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorUpsertResponse'];
        };
      };
    };
  };
  updateVectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VectorUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorUpdateResponse'];
        };
      };
    };
  };
  fetchVectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VectorFetch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorFetchResponse'];
        };
      };
    };
  };
  deleteVectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VectorDelete'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorDeleteResponse'];
        };
      };
    };
  };
  countVectors: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VectorCount'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorCountResponse'];
        };
      };
    };
  };
  updateVectorsByFilter: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VectorUpdateByFilter'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VectorUpdateByFilterResponse'];
        };
      };
    };
  };
  listMetadataValues: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MetadataValues'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MetadataValuesResponse'];
        };
      };
    };
  };
  describeMetadata: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['MetadataDescribe'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MetadataDescribeResponse'];
        };
      };
    };
  };
  searchBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BatchSearch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchSearchResponse'];
        };
      };
    };
  };
  denseSearch: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DenseSearch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResponse'];
        };
      };
    };
  };
  measureRecall: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RecallBody'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecallResponse'];
        };
      };
    };
  };
  sparseSearch: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SparseSearch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResponse'];
        };
      };
    };
  };
  hybridSearch: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HybridSearch'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResponse'];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Maximum number of events on the page. */
        limit?: number;
        /** @description Events to skip. */
        offset?: number;
        /** @description Only events of this type. */
        event_type?: components['schemas']['EventType'];
        /** @description Only events of this status. */
        status?: components['schemas']['EventStatus'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventHistory'];
        };
      };
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointResponse'][];
        };
      };
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookEndpointCreate'];
      };
    };
    responses: {
      /** @description Success. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointCreated'];
        };
      };
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
        endpoint_id: components['parameters']['EndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
    };
  };
  updateWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
        endpoint_id: components['parameters']['EndpointId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookEndpointUpdate'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointResponse'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
        endpoint_id: components['parameters']['EndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookSecretRotated'];
        };
      };
    };
  };
  testWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
        endpoint_id: components['parameters']['EndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Maximum number of items on the page. */
        limit?: components['parameters']['Limit'];
        /** @description Value of the header `x-next-cursor` of the previous page. */
        cursor?: components['parameters']['Cursor'];
      };
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of a webhook endpoint: `we_` and 26 lower-case letters and digits. */
        endpoint_id: components['parameters']['EndpointId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDelivery'][];
        };
      };
    };
  };
  replayOneEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an event: `evt_` and 26 lower-case letters and digits. */
        event_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['EventReplay'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayAccepted'];
        };
      };
    };
  };
  replayEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe. For 24 hours a repeat of the request with the same key returns the stored response. Another request with the same key returns 409 `idempotency_conflict`. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventRangeReplay'];
      };
    };
    responses: {
      /** @description Success. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayAccepted'];
        };
      };
    };
  };
  mcp: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['McpMessage'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      /** @description The message is a notification. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  indexMcp: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['McpMessage'];
      };
    };
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      /** @description The message is a notification. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getRootMetadata: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata'];
        };
      };
    };
  };
  getMcpMetadata: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata'];
        };
      };
    };
  };
  getIndexMcpMetadata: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it. */
        index_id: components['parameters']['IndexId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata'];
        };
      };
    };
  };
  getDeepHealth: {
    parameters: {
      query?: never;
      header?: {
        /** @description Organization of the request. A session may select any organization of its user; the default is the oldest membership. An API key or access token may only name its own. */
        'x-service-organization-id'?: components['parameters']['OrganizationId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DependencyHealth'][];
        };
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
    };
  };
  getOpenapi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
    };
  };
  getConsolePage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
    };
  };
  getConsoleFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of a file. */
        file: components['parameters']['File'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/*': string;
        };
      };
    };
  };
  getGuides: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
    };
  };
  getGuidesFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of a file. */
        file: components['parameters']['File'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/*': string;
        };
      };
    };
  };
  getDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
    };
  };
  getDocsFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of a file. */
        file: components['parameters']['File'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/*': string;
        };
      };
    };
  };
}
