# Generated from docs/openapi.json by `npm run client`: do not edit.
"""Every operation of the API, for the synchronous and the asynchronous client."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any, Literal, cast

from ._base import OMIT, AsyncCaller, AsyncPages, Caller, Off, Omit, Pages
from .models import (
    AliasResponse,
    ApiKeyCreated,
    ApiKeyResponse,
    AuditAction,
    AuditRecordResponse,
    AuthorizationCreated,
    AuthorizationReview,
    BatchSearchResponse,
    BillingActionResponse,
    BootstrapResponse,
    BranchDifference,
    ConnectorChange,
    ConnectorChoice,
    ConnectorConsent,
    ConnectorOverview,
    ConnectorResponse,
    ConnectorSync,
    CrawlJobReport,
    CrawlJobResponse,
    CrawlScheduleResponse,
    CredentialUsage,
    DailyUsage,
    DependencyHealth,
    EmbeddingModel,
    EngineName,
    ErasureResponse,
    EvaluatedQuestion,
    EvaluationReport,
    EvaluationResponse,
    EventHistory,
    EventStatus,
    EventType,
    ExportReport,
    ExportResponse,
    FileDownload,
    FileFormats,
    FileJobResponse,
    FileJobSource,
    FileTaskResponse,
    FileText,
    FileTextFormat,
    FileUploadResponse,
    GoldenSetResponse,
    Health,
    IndexMetrics,
    IndexResponse,
    IndexStats,
    IndexUsage,
    InvitationResponse,
    LoggedQuestion,
    MetadataDescribeResponse,
    MetadataFilter,
    MetadataValuesResponse,
    OAuthClientCreated,
    OAuthClientResponse,
    OrganizationDetail,
    OrganizationMember,
    OrganizationRole,
    OrganizationUsage,
    OrganizationWorkspace,
    Permission,
    PlanResponse,
    ProcessingDetail,
    PromoteResponse,
    RebuildResponse,
    RebuildStart,
    RecallResponse,
    ReceiptKey,
    ReplayAccepted,
    RestoreResponse,
    Revoked,
    SearchResponse,
    SessionResponse,
    SkippedPageResponse,
    SourceCredentialsResponse,
    StoredQuestion,
    TextLanguage,
    TokenResponse,
    UnreadItem,
    UsageHistoryPoint,
    ValueUsage,
    VectorCountResponse,
    VectorDeleteResponse,
    VectorFetchResponse,
    VectorRecord,
    VectorUpdateByFilterResponse,
    VectorUpdateResponse,
    VectorUpsertResponse,
    VersionResponse,
    WebhookDelivery,
    WebhookEndpointCreated,
    WebhookEndpointResponse,
    WebhookSecretRotated,
)
from .params import (
    ApiKeyCreatePermissions,
    AsOf,
    BatchSearchRequest,
    ChunkingChoice,
    ConnectorCreate,
    ConnectorReconnect,
    ConnectorScopeUpdateAttachments,
    ConnectorScopeUpdateConfluenceSpaces,
    ConnectorScopeUpdateExcludePatterns,
    ConnectorScopeUpdateFiles,
    ConnectorScopeUpdateFolderLabels,
    ConnectorScopeUpdateFolders,
    ConnectorScopeUpdateIncludePatterns,
    ConnectorScopeUpdateLibraries,
    ConnectorScopeUpdateNotionDataSources,
    ConnectorScopeUpdateNotionLabels,
    ConnectorScopeUpdateNotionPages,
    ConnectorScopeUpdateObjectPrefixes,
    ConnectorScopeUpdateSites,
    ConnectorScopeUpdateSlackChannels,
    CrawlJobCreateExcludePaths,
    CrawlJobCreateHeaders,
    CrawlJobCreateIncludePaths,
    CrawlJobCreateMaxDepth,
    CrawlJobCreateMetadata,
    CrawlJobCreatePageLimit,
    CrawlScheduleCreateExcludePaths,
    CrawlScheduleCreateHeaders,
    CrawlScheduleCreateIncludePaths,
    CrawlScheduleCreateIntervalHours,
    CrawlScheduleCreateMaxDepth,
    CrawlScheduleCreateMetadata,
    CrawlScheduleCreatePageLimit,
    CredentialMonthlyLimits,
    CredentialRateLimits,
    CustomApiAuth,
    CustomApiCreateMetadata,
    CustomApiCreateSyncIntervalMinutes,
    CustomApiItem,
    CustomApiList,
    DenseSearchFuse,
    ErasureSubject,
    EvaluatedSearch,
    EvaluationCreateK,
    ExportCreateFormat,
    ExportCreateVectors,
    FeedbackEvent,
    FileMetadata,
    GoldenQuestions,
    GoldenSetFromLogDays,
    GoldenSetFromLogMaxQuestions,
    HybridSearchFuse,
    IndexCreateDimensions,
    IndexCreateDistanceMetric,
    IndexCreateEngine,
    IndexCreateIfExists,
    IndexCreateNonFilterableMetadataKeys,
    IndexCreateTextLanguage,
    IndexPromoteEmbed,
    IndexPromoteParentChanges,
    InvitationCreateRole,
    MetadataValuesLimit,
    OnDuplicate,
    OnboardingCompleteDefaultRegion,
    PromotionRequirement,
    QueryLogSettings,
    RebuildCreateDryRun,
    RebuildCreateForeignVectors,
    RebuildCreateWindowHours,
    RecallBodyQueries,
    RecallBodySeed,
    RecallBodyTopK,
    RemoteFileImport,
    Requirement,
    SearchBoost,
    SearchContext,
    SearchDefaults,
    SearchExact,
    SearchFacet,
    SearchFusion,
    SearchGroup,
    SearchHighlight,
    SearchInclude,
    SearchMinScore,
    SearchQuery,
    SearchRerank,
    SearchTopK,
    SourceCredentialsPut,
    SparseSearchFuse,
    VectorFetchIncludeVectors,
    VectorInput,
    VectorUpdate,
    VectorUpsert,
)


class Operations(Caller):
    """Operations of the synchronous client."""

    def open_session(
        self,
    ) -> BootstrapResponse:
        """Open a session.

        Opens a session for an ID token of the configured identity provider, which is the bearer value. The
        first call of a user creates the user and an organization that they own. Later calls open further
        sessions and update the e-mail address and name from the provider. A user who belongs to no organization
        any more gets a new one, at most three a month; then the call returns 403. `pending_invitations` are the
        invitations that the user can accept now. The call counts against the rate limit of the first
        organization of the response.

        **Authorization:** an ID token of the configured identity provider.
        """
        return self._call(
            "POST",
            "/v1/auth/bootstrap",
            BootstrapResponse,
            path={},
        )

    def list_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[SessionResponse]:
        """List sessions.

        Lists the open sessions of the user, newest first. The response never contains their tokens. A session
        with an `application` ends with all access of that application when it is ended.

        **Authorization:** any session.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/auth/sessions",
            SessionResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def end_session(
        self,
    ) -> None:
        """End the current session.

        Ends the session of the request. Every following request with its token returns 401. Other sessions of
        the user, and keys that they created, stay valid.

        **Authorization:** any session.
        """
        return self._call(
            "DELETE",
            "/v1/auth/session",
            NoneType,
            path={},
        )

    def end_one_session(
        self,
        session_id: str,
    ) -> None:
        """End a session.

        Ends one session of the user, such as that of a lost device. Every following request with its token is
        refused. Idempotent.

        **Authorization:** any session.

        Args:
            session_id: Id of a session: `sess_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/auth/sessions/{session_id}",
            NoneType,
            path={"session_id": session_id},
        )

    def list_organizations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[OrganizationWorkspace]:
        """List organizations.

        Lists the organizations of the user of a session, oldest membership first. An API key or access token
        gets its own organization with the role `member`.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organizations",
            OrganizationWorkspace,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def get_organization(
        self,
    ) -> OrganizationDetail:
        """Get the organization.

        Returns the organization of the request with the limits, features and rate limits of its plan. The role
        is `member` for an API key or access token.

        **Authorization:** any credential with the `read` permission.
        """
        return self._call(
            "GET",
            "/v1/organization",
            OrganizationDetail,
            path={},
        )

    def update_organization(
        self,
        *,
        organization_name: str | Omit = OMIT,
        spending_limit_usd: float | None | Omit = OMIT,
    ) -> OrganizationDetail:
        """Change the organization.

        Changes the name and the spending limit. Absent fields stay.

        **Authorization:** the session of an owner.

        Args:
            organization_name: Name of the organization.
            spending_limit_usd: Estimated cost of a calendar month in UTC from which searches, writes of rows
            and new file jobs are a 402, those of crawls and connectors too. It is added up once a minute.
            Storage goes on. Null for no limit.
        """
        return self._call(
            "PATCH",
            "/v1/organization",
            OrganizationDetail,
            path={},
            fields={"organization_name": organization_name, "spending_limit_usd": spending_limit_usd},
        )

    def list_plans(
        self,
    ) -> list[PlanResponse]:
        """List plans.

        Lists all plans with their terms, cheapest first. The operator of the service can change the plan of an
        organization.

        **Authorization:** none.
        """
        return self._call(
            "GET",
            "/v1/plans",
            list[PlanResponse],
            path={},
        )

    def complete_onboarding(
        self,
        *,
        organization_name: str,
        use_case: str,
        expected_vectors: str,
        default_region: OnboardingCompleteDefaultRegion | None = None,
    ) -> OrganizationDetail:
        """Complete onboarding.

        Sets the name, use case and default region of the organization. A repeat replaces all of them; existing
        indexes stay in their regions. Without the plan feature `multi_region` the call returns 403 for a region
        that is neither the current default nor that of an index.

        **Authorization:** the session of an owner.

        Args:
            organization_name: Name of the organization.
            use_case: Use case of the organization.
            expected_vectors: Expected number of vectors as text, such as `1M-10M`.
            default_region: Region of indexes that are created without one: one of `GET /v1/regions`. If absent:
            us-east-1, or the first region if us-east-1 is not available.
        """
        return self._call(
            "POST",
            "/v1/onboarding/complete",
            OrganizationDetail,
            path={},
            fields={"organization_name": organization_name, "use_case": use_case, "expected_vectors": expected_vectors, "default_region": default_region},
        )

    def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[OrganizationMember]:
        """List members.

        Lists the members of the organization, including owners, oldest membership first. A credential that is
        restricted to indexes gets an empty list.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/members",
            OrganizationMember,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def update_member(
        self,
        user_id: str,
        *,
        role: OrganizationRole,
    ) -> OrganizationMember:
        """Update the role of a member.

        Takes effect at once, also for open sessions. Returns 409 if the last owner would become a member.

        **Authorization:** the session of an owner.

        Args:
            user_id: Id of a user: `usr_` and 26 lower-case letters and digits.
            role: New role of the member.
        """
        return self._call(
            "PATCH",
            "/v1/organization/members/{user_id}",
            OrganizationMember,
            path={"user_id": user_id},
            fields={"role": role},
        )

    def remove_member(
        self,
        user_id: str,
    ) -> None:
        """Remove a member.

        The sessions of the user lose access to the organization, and the API keys and OAuth clients that they
        created are revoked. An owner can remove themselves. Returns 409 for the last owner.

        **Authorization:** the session of an owner.

        Args:
            user_id: Id of a user: `usr_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/organization/members/{user_id}",
            NoneType,
            path={"user_id": user_id},
        )

    def list_invitations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[InvitationResponse]:
        """List invitations.

        Lists the latest invitation of each e-mail address, newest first, without revoked ones. Accepted and
        expired invitations are listed until 30 days after their expiry. A credential that is restricted to
        indexes gets an empty list.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/invitations",
            InvitationResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def create_invitation(
        self,
        *,
        email: str,
        role: InvitationCreateRole | None = None,
    ) -> InvitationResponse:
        """Create an invitation.

        Invites an e-mail address for seven days. A user who signs in with this verified address can accept. The
        service sends no e-mail: `POST /v1/auth/bootstrap` returns pending invitations. Inviting an address
        again renews its open invitation, which keeps its id and gets the new role and expiry. Returns 409 if
        the address belongs to a member, and 402 if members and open invitations together reach the limit
        `members` of the plan.

        **Authorization:** the session of an owner.

        Args:
            email: E-mail address in any script. It is not case-sensitive.
            role: Role of the invited person.
        """
        return self._call(
            "POST",
            "/v1/organization/invitations",
            InvitationResponse,
            path={},
            fields={"email": email, "role": role},
        )

    def revoke_invitation(
        self,
        invitation_id: str,
    ) -> None:
        """Revoke an invitation.

        The invitation cannot be accepted any more. Returns 409 if it was accepted; remove the member instead.

        **Authorization:** the session of an owner.

        Args:
            invitation_id: Id of an invitation: `inv_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/organization/invitations/{invitation_id}",
            NoneType,
            path={"invitation_id": invitation_id},
        )

    def accept_invitation(
        self,
        *,
        invitation_id: str,
    ) -> BillingActionResponse:
        """Accept an invitation.

        Makes the user of the session a member of the organization that invited their verified e-mail address.
        Returns 404 for an unknown or revoked invitation and for one of another address. Returns 409 for an
        invitation that has expired or was accepted before, and if the user is already a member.

        **Authorization:** any session.

        Args:
            invitation_id: Id of the invitation.
        """
        return self._call(
            "POST",
            "/v1/organization/invitations/accept",
            BillingActionResponse,
            path={},
            fields={"invitation_id": invitation_id},
        )

    def get_organization_usage(
        self,
        *,
        month: str | None = None,
    ) -> OrganizationUsage:
        """Get the usage of a month.

        Returns the usage of a calendar month in UTC, by default the current one. Each request and ended job
        counts once, even if it was retried. Usage of deleted indexes is included. The figures of a month are
        final an hour after its end. A month before the organization existed shows zeros. A credential that is
        restricted to indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
        """
        return self._call(
            "GET",
            "/v1/organization/usage",
            OrganizationUsage,
            path={},
            query={"month": month},
        )

    def list_credential_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[CredentialUsage]:
        """List the usage by credential.

        Lists credentials that are restricted to indexes, bound to rows or limited, ordered by id, with their
        usage of a calendar month in UTC. A file counts for the credential whose request created its job, and a
        token of an end user for its key. Storage, and files of connectors and crawls, count for none. A
        credential that is restricted to indexes or bound to rows gets only itself.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/credentials",
            CredentialUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor},
        )

    def list_value_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        index_id: str | None = None,
    ) -> Pages[ValueUsage]:
        """List the usage by value.

        Lists the values of the usage keys of indexes with their usage of a calendar month in UTC, ordered by
        index and value, deleted indexes included. A search counts for the value that its filter or that of its
        credential requires, a written row and a file for the value in their metadata. Up to 10,000 values of an
        index are counted by themselves in a month, and the others together. Storage counts for none. A
        credential that is restricted to indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            index_id: Id of the only index to list. Default: all indexes.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/values",
            ValueUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor, "index_id": index_id},
        )

    def list_index_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[IndexUsage]:
        """List the usage by index.

        Lists the indexes that stored or used something in a calendar month in UTC, deleted indexes included:
        the highest estimated cost first, then the most searches. A credential that is restricted to indexes
        gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/indexes",
            IndexUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor},
        )

    def list_usage_history(
        self,
        *,
        days: int | None = None,
    ) -> list[UsageHistoryPoint]:
        """Get the usage by day.

        One point for each day until today (UTC), oldest first, with the figures of all indexes together: stored
        amounts at the end of the day, and usage of the day. A credential that is restricted to indexes gets the
        usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            days: Days that the history goes back.
        """
        return self._call(
            "GET",
            "/v1/organization/usage/history",
            list[UsageHistoryPoint],
            path={},
            query={"days": days},
        )

    def list_daily_usage(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        index_id: str | None = None,
    ) -> Pages[DailyUsage]:
        """List the usage by day and index.

        One item for each day (UTC) and index with stored content or usage, ordered by day and then by index,
        deleted indexes included. The days of a month add up to its usage. A credential that is restricted to
        indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            from_: First day (UTC). Default: 29 days before `to`.
            to: Last day (UTC), inclusive: at most 92 days in total. Default: today.
            index_id: Id of the only index to list. Default: all indexes.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/daily",
            DailyUsage,
            path={},
            query={"limit": limit, "cursor": cursor, "from": from_, "to": to, "index_id": index_id},
        )

    def list_audit_records(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: AuditAction | None = None,
        actor: str | None = None,
        resource_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Pages[AuditRecordResponse]:
        """List the audit log.

        Lists who changed what from where, newest first, for a year. Every change but that of rows and files is
        recorded: credentials, members, indexes, exports, imports, settings, consents and sign-ins. A record
        stays if its resource is deleted.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            action: Only records of this action.
            actor: Only changes by this actor, or by a credential that it created: an id, or the e-mail address
            of a user.
            resource_id: Only changes of this resource, or within this index.
            from_: Only changes at this time or later.
            to: Only changes before this time.
        """
        return self._pages(
            "GET",
            "/v1/organization/audit",
            AuditRecordResponse,
            path={},
            query={"limit": limit, "cursor": cursor, "action": action, "actor": actor, "resource_id": resource_id, "from": from_, "to": to},
        )

    def create_api_key(
        self,
        *,
        name: str,
        permissions: ApiKeyCreatePermissions | None = None,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
        expires_at: str | None = None,
    ) -> ApiKeyCreated:
        """Create an API key.

        The response contains the key as `token`, which is returned only once. A key cannot have more
        permissions than its creator, and cannot outlive it. It ends with its creator: the membership of the
        user of the session, or the API key or OAuth client. With `filter`, the key is bound to rows: it can be
        given to one customer among the rows of many.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            name: Display name.
            permissions: Permissions of the key.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
            expires_at: When the key expires; null or absent for never.
        """
        return self._call(
            "POST",
            "/v1/api-keys",
            ApiKeyCreated,
            path={},
            fields={"name": name, "permissions": permissions, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits, "expires_at": expires_at},
        )

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[ApiKeyResponse]:
        """List API keys.

        Lists API keys, newest first, including revoked keys. The response never contains their values. A
        credential that is restricted to indexes or bound to rows gets only itself.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/api-keys",
            ApiKeyResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def revoke_api_key(
        self,
        key_id: str,
    ) -> None:
        """Revoke an API key.

        Every following request with the key is refused.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            key_id: Id of an API key: `key_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/api-keys/{key_id}",
            NoneType,
            path={"key_id": key_id},
        )

    def create_oauth_client(
        self,
        *,
        name: str,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
    ) -> OAuthClientCreated:
        """Create an OAuth client.

        The response contains the secret as `client_secret`, which is returned only once. The `scopes` of the
        client are the permissions of its creator, and `index_ids` restricts it to indexes. `filter` binds it to
        rows, with the scope `read` alone unless `id_prefix` is given. It never expires, so an API key with an
        expiry cannot create one. It ends with its creator: the membership of the user of the session, or the
        API key or OAuth client.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            name: Display name.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
        """
        return self._call(
            "POST",
            "/v1/oauth/clients",
            OAuthClientCreated,
            path={},
            fields={"name": name, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits},
        )

    def list_oauth_clients(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[OAuthClientResponse]:
        """List OAuth clients.

        Lists OAuth clients, newest first, including revoked clients. The response never contains their secrets.
        A credential that is restricted to indexes or bound to rows gets only its own client.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/oauth/clients",
            OAuthClientResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def revoke_oauth_client(
        self,
        client_id: str,
    ) -> None:
        """Revoke an OAuth client.

        The client gets no new tokens, and every following request with one of its tokens is refused.
        Idempotent.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            client_id: Id of an OAuth client: `oc_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/oauth/clients/{client_id}",
            NoneType,
            path={"client_id": client_id},
        )

    def issue_access_token(
        self,
        *,
        grant_type: str,
        scope: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        code: str | None = None,
        redirect_uri: str | None = None,
        code_verifier: str | None = None,
        refresh_token: str | None = None,
        resource: str | None = None,
    ) -> TokenResponse:
        """Get an access token.

        Issues an access token by the grant `client_credentials` of RFC 6749. An application that a person
        connected gets one by `authorization_code` with PKCE, and the next ones by `refresh_token`, without a
        secret. A code that is used twice ends the grant. A refresh token that is used again within a minute
        returns the same tokens. Later it ends the grant. The client authenticates by HTTP Basic or by
        `client_id` and `client_secret` in the form. The token is valid for one hour, for the indexes of the
        client and the requested scopes. The call counts against the rate limit of the client’s organization.

        **Authorization:** id and secret of an OAuth client.

        Args:
            grant_type: `client_credentials`, `authorization_code` or `refresh_token`
            scope: Requested scopes of the client, separated by spaces. If absent: all of them.
            client_id: Id of the client, here or by HTTP Basic. For a connected application: the URL of its
            metadata.
            client_secret: Secret of the client, here or by HTTP Basic, not both.
            code: Authorization code, for `authorization_code`.
            redirect_uri: As in the authorization request.
            code_verifier: Secret whose SHA-256 is the `code_challenge`.
            refresh_token: Last refresh token, for `refresh_token`.
            resource: If present, as in the authorization request.
        """
        return self._call(
            "POST",
            "/v1/oauth/token",
            TokenResponse,
            path={},
            form={"grant_type": grant_type, "scope": scope, "client_id": client_id, "client_secret": client_secret, "code": code, "redirect_uri": redirect_uri, "code_verifier": code_verifier, "refresh_token": refresh_token, "resource": resource},
        )

    def authorize_application(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        permissions: Sequence[Permission],
        response_type: str | None = None,
        code_challenge: str | None = None,
        code_challenge_method: str | None = None,
        resource: str | None = None,
        scope: str | None = None,
        state: str | None = None,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
    ) -> AuthorizationCreated:
        """Grant an application access.

        Grants an application access to one organization of the person, as the page of `GET /v1/oauth/authorize`
        does. `redirect_to` contains a code that is valid once, for a minute. Access tokens of the application
        have at most the rights of the member at each request, and end with the session of this request and with
        the membership. If `resource` is the MCP server of one index, the access is for this index.

        **Authorization:** any session.

        Args:
            client_id: URL of the metadata document of the application, or `strata-cli`.
            redirect_uri: URL of the application to which the code is sent.
            permissions: Permissions that the person grants, among the requested ones.
            response_type: `code`
            code_challenge: SHA-256 of the code verifier, as base64url.
            code_challenge_method: `S256`
            resource: URL of the MCP server, or of the service, for which tokens are requested.
            scope: Requested scopes, separated by spaces; `read` if absent.
            state: Value that is returned to the application unchanged.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
        """
        return self._call(
            "POST",
            "/v1/oauth/authorize",
            AuthorizationCreated,
            path={},
            fields={"response_type": response_type, "client_id": client_id, "redirect_uri": redirect_uri, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "resource": resource, "scope": scope, "state": state, "permissions": permissions, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits},
        )

    def get_authorization_request(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        response_type: str | None = None,
        code_challenge: str | None = None,
        code_challenge_method: str | None = None,
        resource: str | None = None,
        scope: str | None = None,
        state: str | None = None,
    ) -> AuthorizationReview:
        """Get the authorization request of an application.

        Returns which application asks for which access, for the page of `GET /v1/oauth/authorize`. Reads the
        metadata document of the application, at most every five minutes. If the application or its
        `redirect_uri` is not known, the response is a 400. If anything else is not valid, `problem` says what,
        and `refusal_url` returns it to the application.

        **Authorization:** any session.

        Args:
            client_id: URL of the metadata document of the application, or `strata-cli`.
            redirect_uri: URL of the application to which the code is sent.
            response_type: `code`
            code_challenge: SHA-256 of the code verifier, as base64url.
            code_challenge_method: `S256`
            resource: URL of the MCP server, or of the service, for which tokens are requested.
            scope: Requested scopes, separated by spaces; `read` if absent.
            state: Value that is returned to the application unchanged.
        """
        return self._call(
            "GET",
            "/v1/oauth/authorize/request",
            AuthorizationReview,
            path={},
            query={"response_type": response_type, "client_id": client_id, "redirect_uri": redirect_uri, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "resource": resource, "scope": scope, "state": state},
        )

    def revoke_token(
        self,
        *,
        token: str,
        token_type_hint: str | None = None,
        client_id: str | None = None,
    ) -> Revoked:
        """Revoke the access of an application.

        Ends the grant of an access token or refresh token of a connected application, by RFC 7009, with all
        tokens of that grant. An unknown or expired token is a success too. Tokens of OAuth clients with a
        secret end with their client.

        **Authorization:** none.

        Args:
            token: Access token or refresh token of a connected application.
            token_type_hint: Ignored, since the value shows its type.
            client_id: Id of the application. If present, it must be that of the token.
        """
        return self._call(
            "POST",
            "/v1/oauth/revoke",
            Revoked,
            path={},
            form={"token": token, "token_type_hint": token_type_hint, "client_id": client_id},
        )

    def list_regions(
        self,
    ) -> list[str]:
        """List regions.

        The cloud regions in which an index may be created, the default first.

        **Authorization:** any credential with the `read` permission.
        """
        return self._call(
            "GET",
            "/v1/regions",
            list[str],
            path={},
        )

    def list_models(
        self,
    ) -> list[EmbeddingModel]:
        """List models.

        The models that an index may choose, the default first. Behind them the rerankers of searches.

        **Authorization:** any credential with the `read` permission.
        """
        return self._call(
            "GET",
            "/v1/models",
            list[EmbeddingModel],
            path={},
        )

    def create_index(
        self,
        *,
        name: str,
        dimensions: IndexCreateDimensions | None = None,
        embedding_model: str | None = None,
        distance_metric: IndexCreateDistanceMetric | None = None,
        cloud_region: str | None = None,
        non_filterable_metadata_keys: IndexCreateNonFilterableMetadataKeys | None = None,
        engine: IndexCreateEngine | None = None,
        text_language: IndexCreateTextLanguage | None = None,
        if_exists: IndexCreateIfExists | None = None,
        usage_key: str | None = None,
        ttl_seconds: int | None = None,
        version_days: int | None = None,
    ) -> IndexResponse:
        """Create an index.

        Returns at once. `index.created` reports that the index is ready. Earlier changes are queued and not
        lost.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name, for people.
            dimensions: Numbers of each vector. They never change. With `embedding_model`, the default is that
            of the model.
            embedding_model: Model that embeds texts: an `id` of `GET /v1/models`, or `default` for the default
            one with its own dimensions. A rebuild changes it. Null or absent: the default one with
            `dimensions`. If that is the embedded one, which is English, an index of another `text_language`
            gets `embedded-multilingual-e5-small`.
            distance_metric: Distance metric of the vectors. It never changes.
            cloud_region: Region that keeps the index: one of `GET /v1/regions`. Null or absent: that of the
            organization.
            non_filterable_metadata_keys: Metadata keys that no filter may name.
            engine: Engine of the index. A rebuild changes it. Not every region has `s3_vectors`.
            text_language: Language of the texts, for stemming and stop words of sparse search. `auto` detects
            the language of each text, for indexes of several languages. `korean` splits words into pairs of
            syllables, `none` leaves words as they are. Words of other scripts, such as Chinese, Japanese and
            Thai, are found with every setting.
            if_exists: What happens if an index has this name. `return`: the response is a 200 with the oldest
            one, or a 409 if its dimensions, metric, region or engine are others than requested. `conflict`: the
            response is a 409 `name_taken`. Of concurrent requests of both kinds, one creates the index.
            usage_key: Metadata key by whose values usage is counted, such as the customer: see `GET
            /v1/organization/usage/values`. Null or absent: none.
            ttl_seconds: Seconds after which rows and files expire that say nothing else. Null or absent: they
            never do.
            version_days: Days for which former versions are kept, to be read or restored. Absent: 1. Removed
            rows leave the files of the index a day later.
        """
        return self._call(
            "POST",
            "/v1/indexes",
            IndexResponse,
            path={},
            fields={"name": name, "dimensions": dimensions, "embedding_model": embedding_model, "distance_metric": distance_metric, "cloud_region": cloud_region, "non_filterable_metadata_keys": non_filterable_metadata_keys, "engine": engine, "text_language": text_language, "if_exists": if_exists, "usage_key": usage_key, "ttl_seconds": ttl_seconds, "version_days": version_days},
        )

    def list_indexes(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        parent_index_id: str | None = None,
    ) -> Pages[IndexResponse]:
        """List indexes.

        Newest first. With `q`, the names of all indexes are read. Credentials that are restricted to some
        indexes see only those. Credentials that are bound to rows see those in their `index_ids`, and none
        without.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            q: Only indexes whose name contains this text, in any case.
            parent_index_id: Only branches of this index.
        """
        return self._pages(
            "GET",
            "/v1/indexes",
            IndexResponse,
            path={},
            query={"limit": limit, "cursor": cursor, "q": q, "parent_index_id": parent_index_id},
        )

    def get_index(
        self,
        index_id: str,
    ) -> IndexResponse:
        """Get an index.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}",
            IndexResponse,
            path={"index_id": index_id},
        )

    def update_index(
        self,
        index_id: str,
        *,
        name: str | Omit = OMIT,
        search_defaults: SearchDefaults | None | Omit = OMIT,
        usage_key: str | None | Omit = OMIT,
        ttl_seconds: int | None | Omit = OMIT,
        version_days: int | Omit = OMIT,
        query_log: QueryLogSettings | None | Omit = OMIT,
    ) -> IndexResponse:
        """Update an index.

        Changes the name, what searches use by default, the key by which usage is counted, the default expiry,
        or the log of searches. Any other field is a 422. Emits `index.updated`.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: New name.
            search_defaults: What searches of the index use if they name nothing else. It replaces the former
            defaults; null removes them.
            usage_key: Metadata key by whose values usage is counted from now on; null ends that.
            ttl_seconds: Seconds after which rows and files expire that are written from now on and say nothing
            else; null: they never do.
            version_days: Days for which former versions are kept.
            query_log: Log of searches, for golden sets from real questions. Null: nothing is logged any more.
            Absent at first: nothing is.
        """
        return self._call(
            "PATCH",
            "/v1/indexes/{index_id}",
            IndexResponse,
            path={"index_id": index_id},
            fields={"name": name, "search_defaults": search_defaults, "usage_key": usage_key, "ttl_seconds": ttl_seconds, "version_days": version_days, "query_log": query_log},
        )

    def delete_index(
        self,
        index_id: str,
    ) -> None:
        """Delete an index.

        Callers do not see the index any more at once. Its branches stay as they are, and its storage is freed
        when none of them reads it. While an alias names the index, the response is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}",
            NoneType,
            path={"index_id": index_id},
        )

    def branch_index(
        self,
        index_id: str,
        *,
        name: str,
    ) -> IndexResponse:
        """Branch an index.

        Creates a copy-on-write branch of the index as of all changes that were acknowledged before the call.
        Neither side sees later changes of the other. All rows of the branch count in `vectors_stored`, in the
        stored bytes and against the vectors of the plan, including the rows that it shares with its parent. If
        the plan has too few vectors left, the response is 402.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: Name of the branch, for people.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/branches",
            IndexResponse,
            path={"index_id": index_id},
            fields={"name": name},
        )

    def diff_index(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[BranchDifference]:
        """Compare a branch with its parent.

        Ids of vectors that the branch has added, changed or deleted, compared with its parent as of the branch
        point, in order of id. A written vector counts as changed even if its content is the same. Later changes
        of the parent are not included. Counts as one search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/diff",
            BranchDifference,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def promote_index(
        self,
        index_id: str,
        *,
        parent_changes: IndexPromoteParentChanges | None = None,
        embed: IndexPromoteEmbed | None = None,
        require: PromotionRequirement | None = None,
    ) -> PromoteResponse:
        """Promote a branch.

        Makes the content of a branch the content of its parent, in one commit: a search sees all of it or
        nothing. For vectors that the branch has written or deleted, the branch wins. The branch stays as it is.
        With `require`, the branch must first prove itself by a golden set of the parent. If the parent has been
        deleted, the response is 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            parent_changes: Whether writes to the parent since the branch point are kept.
            embed: Whether texts are embedded again if the branch has another embedding model. If not, that is a
            409.
            require: What the branch must prove by a golden set of the parent. Without an evaluation of its
            present content from the last hour, one is started: 409 `evaluation_running` until it has ended.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/promote",
            PromoteResponse,
            path={"index_id": index_id},
            fields={"parent_changes": parent_changes, "embed": embed, "require": require},
        )

    def list_versions(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[VersionResponse]:
        """List versions.

        Newest first. Every version is kept for 20 minutes. After that, those at the end of five minutes are
        kept for a day, and those at the end of an hour for the `version_days` of the index. A rebuild begins
        with a version of its own.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/versions",
            VersionResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def restore_index(
        self,
        index_id: str,
        *,
        as_of: AsOf,
    ) -> RestoreResponse:
        """Restore a version.

        Makes a kept version the content again, as one new version: a search sees all of it or nothing, and it
        can be undone by another restore. Rows keep their versions. Rows of files that were deleted or replaced
        since stay away, and so do expired ones. Files that were added since keep their jobs without rows, which
        a retry writes again.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/restore",
            RestoreResponse,
            path={"index_id": index_id},
            fields={"as_of": as_of},
        )

    def create_erasure(
        self,
        index_id: str,
        *,
        ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        file: str | None = None,
        document: str | None = None,
        subject: ErasureSubject | None = None,
    ) -> ErasureResponse:
        """Erase rows and files.

        Removes rows from every read, version and branch at once. Within 24 hours all that is left of them is
        removed: stored objects, former versions, exports, originals, texts, cached vectors and events. Each
        place is looked into afterwards. The receipt is signed, and does not name what was erased. Former
        versions from before are not readable any more, and branches become independent of their parent. A file
        is erased with its original if all of its rows are.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of rows.
            filter: Filter of rows, with at least one condition.
            file: Id of a file job.
            document: Document, by the `document_id` of its rows.
            subject: Rows and files with this value in their metadata.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/erasures",
            ErasureResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "file": file, "document": document, "subject": subject},
        )

    def list_erasures(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[ErasureResponse]:
        """List erasures.

        Newest first.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/erasures",
            ErasureResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def get_erasure(
        self,
        index_id: str,
        erasure_id: str,
    ) -> ErasureResponse:
        """Get an erasure.

        Returns what was found by place, and the receipt once nothing is left. It ends with the index: keep the
        receipt.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            erasure_id: Id of an erasure: `era_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/erasures/{erasure_id}",
            ErasureResponse,
            path={"index_id": index_id, "erasure_id": erasure_id},
        )

    def list_receipt_keys(
        self,
    ) -> list[ReceiptKey]:
        """List the keys of receipts.

        Public keys by which anyone can verify the receipt of an erasure.

        **Authorization:** none.
        """
        return self._call(
            "GET",
            "/v1/receipt-keys",
            list[ReceiptKey],
            path={},
        )

    def create_rebuild(
        self,
        index_id: str,
        *,
        embedding_model: str | None = None,
        text_language: TextLanguage | None = None,
        engine: EngineName | None = None,
        chunking: ChunkingChoice | None = None,
        foreign_vectors: RebuildCreateForeignVectors | None = None,
        window_hours: RebuildCreateWindowHours | None = None,
        dry_run: RebuildCreateDryRun | None = None,
        golden_set: str | None = None,
        require: Requirement | None = None,
    ) -> RebuildStart:
        """Rebuild an index.

        Gives the index another embedding model, text language, engine or chunks of another size, under the same
        id and without a gap. A successor is filled beside the index, follows its changes, and takes over in one
        step. No answer mixes the two. Files are not read again: with `chunking`, the text that was read of them
        is cut again. With `golden_set` and `require`, it must first prove itself. Until `rollback_until` the
        former content is kept up to date, so that the takeover can be undone without loss. At most 2 rebuilds
        of an organization fill a successor at once.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            embedding_model: Model of the successor: an `id` of `GET /v1/models`, or `default`. Absent: the
            present one.
            text_language: Language of the texts of the successor. Absent: the present one.
            engine: Engine of the successor. Absent: the present one.
            chunking: Size of the chunks of files, which are cut again. Null: the size in the metadata of each
            file, or the default. Absent: the present one.
            foreign_vectors: Treatment of rows without a text, whose vectors a new model cannot make. `refuse`:
            the rebuild fails. `skip`: they stay out.
            window_hours: Hours after the takeover in which it can be undone.
            dry_run: Whether only the estimate is returned, and nothing begins.
            golden_set: Name of a golden set by which the successor must prove itself.
            require: What the successor must prove by `golden_set` before it takes over. If it falls short, the
            rebuild fails and the index stays as it is.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/rebuilds",
            RebuildStart,
            path={"index_id": index_id},
            fields={"embedding_model": embedding_model, "text_language": text_language, "engine": engine, "chunking": chunking, "foreign_vectors": foreign_vectors, "window_hours": window_hours, "dry_run": dry_run, "golden_set": golden_set, "require": require},
        )

    def list_rebuilds(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[RebuildResponse]:
        """List rebuilds.

        Newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/rebuilds",
            RebuildResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def get_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> RebuildResponse:
        """Get a rebuild.

        Returns the rebuild with its progress and its price so far.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}",
            RebuildResponse,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    def delete_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> None:
        """Cancel or close a rebuild.

        Cancels a rebuild that has not taken over: the index stays as it is. After the takeover, it ends the
        time in which that can be undone, and the former content is deleted. A rebuild that is taking over at
        this moment is a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}",
            NoneType,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    def roll_back_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> RebuildResponse:
        """Undo a rebuild.

        Makes the former content that of the index again, with all changes that were made since the takeover.
        Takes about a second, and returns with the status `rolling_back` if it takes longer. After
        `rollback_until` it is a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback",
            RebuildResponse,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    def put_golden_set(
        self,
        index_id: str,
        golden_set: str,
        body: GoldenQuestions,
    ) -> GoldenSetResponse:
        """Store a golden set.

        Stores questions with what they should find, as JSON Lines with one question per line, or as a JSON
        list. Other questions than those of the newest version become a new version; the 20 newest are kept. A
        set has at most 5,000 questions and 5 MiB, an index at most 100 sets. Problems of JSON Lines name their
        line.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            body: Questions of a golden set.
        """
        return self._call(
            "PUT",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            GoldenSetResponse,
            path={"index_id": index_id, "golden_set": golden_set},
            body=body,
        )

    def get_golden_set(
        self,
        index_id: str,
        golden_set: str,
        *,
        version: int | None = None,
    ) -> list[StoredQuestion]:
        """Get a golden set.

        Returns the questions of a version.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            version: Number of the version. Default: the newest one.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            list[StoredQuestion],
            path={"index_id": index_id, "golden_set": golden_set},
            query={"version": version},
        )

    def delete_golden_set(
        self,
        index_id: str,
        golden_set: str,
    ) -> None:
        """Delete a golden set.

        Deletes all versions of a golden set. Results of its evaluations stay.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            NoneType,
            path={"index_id": index_id, "golden_set": golden_set},
        )

    def list_golden_sets(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[GoldenSetResponse]:
        """List golden sets.

        Returns the newest version of each golden set of an index, in order of name.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/golden-sets",
            GoldenSetResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def list_golden_set_versions(
        self,
        index_id: str,
        golden_set: str,
    ) -> list[GoldenSetResponse]:
        """List versions of a golden set.

        Returns the kept versions of a golden set, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}/versions",
            list[GoldenSetResponse],
            path={"index_id": index_id, "golden_set": golden_set},
        )

    def fill_golden_set_from_log(
        self,
        index_id: str,
        golden_set: str,
        *,
        days: GoldenSetFromLogDays | None = None,
        max_questions: GoldenSetFromLogMaxQuestions | None = None,
    ) -> GoldenSetResponse:
        """Fill a golden set from the log.

        Adds logged questions with feedback to a golden set, which is created if there is none. A hit that
        people called good has grade 2, one that they opened 1, and one that more people called bad than good 0.
        Questions that the set has already stay as they are. Without a question to add, the response is 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            days: Days of the log that are read.
            max_questions: Questions that the set has at most afterwards.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}/from-log",
            GoldenSetResponse,
            path={"index_id": index_id, "golden_set": golden_set},
            fields={"days": days, "max_questions": max_questions},
        )

    def add_search_feedback(
        self,
        search_id: str,
        *,
        id: str,
        event: FeedbackEvent,
    ) -> None:
        """Give feedback on a hit.

        Stores what a person did with a hit of a logged search, or what they called it. A repeat changes
        nothing. Golden sets can be made of it. Without a log of the index the response is 404.

        **Authorization:** any credential with the `read` permission.

        Args:
            search_id: `search_id` of the response to a search.
            id: Id of a hit.
            event: `click`: opened it. `good`, `bad`: judged it.
        """
        return self._call(
            "POST",
            "/v1/searches/{search_id}/feedback",
            NoneType,
            path={"search_id": search_id},
            fields={"id": id, "event": event},
        )

    def list_logged_questions(
        self,
        index_id: str,
        *,
        kind: Literal["frequent", "unanswered"] | None = None,
        days: int | None = None,
        limit: int | None = None,
    ) -> list[LoggedQuestion]:
        """List logged questions.

        Returns the questions of the log of an index, the most frequent ones first. The newest 20,000 logged
        searches are counted. Without a log there are none.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            kind: `unanswered`: only questions whose searches find nothing, or whose hits people call bad.
            days: Days that are looked at.
            limit: Maximum number of questions.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/query-log/questions",
            list[LoggedQuestion],
            path={"index_id": index_id},
            query={"kind": kind, "days": days, "limit": limit},
        )

    def delete_query_log(
        self,
        index_id: str,
    ) -> None:
        """Delete the log of an index.

        Deletes all logged searches of an index and their feedback. Searches are logged further while
        `query_log` of the index says so. Searches of the last two seconds may be stored afterwards.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/query-log",
            NoneType,
            path={"index_id": index_id},
        )

    def create_evaluation(
        self,
        index_id: str,
        *,
        golden_set: str,
        searches: Sequence[EvaluatedSearch],
        golden_set_version: int | None = None,
        compare_to: str | None = None,
        k: EvaluationCreateK | None = None,
    ) -> EvaluationResponse:
        """Evaluate an index.

        Searches with each question of a golden set as the search endpoints do, and measures what is found. With
        `compare_to`, the same searches are run on another index, a branch or the successor of a rebuild, and
        each difference is paired by question. All searches read one version of each. Each counts as a search in
        the usage. An evaluation has at most 20,000 searches, and at most 4 of an organization run at once; more
        are a 409. Results are kept for 30 days.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set of the index.
            searches: Searches that are run for each question.
            golden_set_version: Version of it. Default: the newest one.
            compare_to: Id of an index, such as a branch, or of a rebuild, in which the questions are searched
            too.
            k: Hits among which recall is measured.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/evaluations",
            EvaluationResponse,
            path={"index_id": index_id},
            fields={"golden_set": golden_set, "golden_set_version": golden_set_version, "searches": searches, "compare_to": compare_to, "k": k},
        )

    def list_evaluations(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[EvaluationResponse]:
        """List evaluations.

        Newest first. An evaluation is listed for 30 days.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/evaluations",
            EvaluationResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def get_evaluation(
        self,
        index_id: str,
        evaluation_id: str,
    ) -> EvaluationReport:
        """Get an evaluation.

        Returns the evaluation, and a URL for the results of each question once it is completed.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            evaluation_id: Id of an evaluation: `eval_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/evaluations/{evaluation_id}",
            EvaluationReport,
            path={"index_id": index_id, "evaluation_id": evaluation_id},
        )

    def list_evaluated_questions(
        self,
        index_id: str,
        evaluation_id: str,
        *,
        search: str | None = None,
        sort: Literal["losses", "gains", "set"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[EvaluatedQuestion]:
        """List the questions of an evaluation.

        Returns what each search has found for the questions of a completed evaluation, those with the largest
        losses first. The file of `questions_url` has all of them.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            evaluation_id: Id of an evaluation: `eval_` and 26 lower-case letters and digits.
            search: Name of the search. Default: the first one.
            sort: `losses`, `gains`: by the change of nDCG, the largest first, and only those. `set`: as in the
            set.
            limit: Maximum number of questions.
            offset: Questions before the first returned one.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/evaluations/{evaluation_id}/questions",
            list[EvaluatedQuestion],
            path={"index_id": index_id, "evaluation_id": evaluation_id},
            query={"search": search, "sort": sort, "limit": limit, "offset": offset},
        )

    def create_export(
        self,
        index_id: str,
        *,
        format: ExportCreateFormat | None = None,
        vectors: ExportCreateVectors | None = None,
        as_of: AsOf | None = None,
    ) -> ExportResponse:
        """Export an index.

        Writes all rows with ids, texts, metadata, vectors and source files to files of JSON Lines or Parquet,
        as of one version of the index: the present one, or a former one by `as_of`. A credential that is bound
        to rows exports those. Reads every row, and counts as five searches. At most 4 exports of an
        organization run at once and 32 are stored, at most 8 of one index and 16 by one credential. More are a
        409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            format: JSON Lines, or Parquet, which is smaller.
            vectors: `omit`: the files have no vectors, and an import embeds the texts. Rows without a text
            cannot be imported then.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/exports",
            ExportResponse,
            path={"index_id": index_id},
            fields={"format": format, "vectors": vectors, "as_of": as_of},
        )

    def list_exports(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[ExportResponse]:
        """List exports.

        Newest first. An export is listed until its files are deleted.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/exports",
            ExportResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    def get_export(
        self,
        index_id: str,
        export_id: str,
    ) -> ExportReport:
        """Get an export.

        Returns the export, and a URL for each of its files once it is completed.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            export_id: Id of an export: `exp_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/exports/{export_id}",
            ExportReport,
            path={"index_id": index_id, "export_id": export_id},
        )

    def delete_export(
        self,
        index_id: str,
        export_id: str,
    ) -> None:
        """Delete an export.

        Ends the export if it runs, and deletes its files.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            export_id: Id of an export: `exp_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/exports/{export_id}",
            NoneType,
            path={"index_id": index_id, "export_id": export_id},
        )

    def put_alias(
        self,
        name: str,
        *,
        index_id: str,
    ) -> AliasResponse:
        """Create or move an alias.

        Paths accept the alias in place of an index id. A move is atomic: every request that begins after the
        response uses the new index. An organization has at most 1,000 aliases; more are a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name of an alias.
            index_id: Id of the index.
        """
        return self._call(
            "PUT",
            "/v1/aliases/{name}",
            AliasResponse,
            path={"name": name},
            fields={"index_id": index_id},
        )

    def get_alias(
        self,
        name: str,
    ) -> AliasResponse:
        """Get an alias.

        An alias of an index that the credentials may not use is a 404, like an unknown one.

        **Authorization:** any credential with the `read` permission.

        Args:
            name: Name of an alias.
        """
        return self._call(
            "GET",
            "/v1/aliases/{name}",
            AliasResponse,
            path={"name": name},
        )

    def delete_alias(
        self,
        name: str,
    ) -> None:
        """Delete an alias.

        Its index stays as it is.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name of an alias.
        """
        return self._call(
            "DELETE",
            "/v1/aliases/{name}",
            NoneType,
            path={"name": name},
        )

    def list_aliases(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[AliasResponse]:
        """List aliases.

        In order of name. Credentials that are restricted to some indexes see only the aliases of those.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/aliases",
            AliasResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def get_index_stats(
        self,
        index_id: str,
    ) -> IndexStats:
        """Get the figures of an index.

        Figures as of the last commit. `documents` counts the completed file jobs of this index itself. Searches
        of a large index compare `unindexed_vectors` one by one until the next maintenance.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/stats",
            IndexStats,
            path={"index_id": index_id},
        )

    def get_index_stats_history(
        self,
        index_id: str,
        *,
        days: int | None = None,
    ) -> list[UsageHistoryPoint]:
        """Get the daily figures of an index.

        One point for each day until today (UTC), oldest first: stored amounts at the end of the day, and usage
        of the day.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            days: Days that the history goes back.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/stats/history",
            list[UsageHistoryPoint],
            path={"index_id": index_id},
            query={"days": days},
        )

    def get_index_metrics(
        self,
        index_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
    ) -> IndexMetrics:
        """Get the metrics of an index.

        Returns size, changes, searches and search latency by day (UTC), and the last measurement of recall.
        Searches are counted exactly. The latency of the last search of a process may be missing.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            from_: First day (UTC). Default: 29 days before `to`.
            to: Last day (UTC), inclusive: at most 92 days in total. Default: today.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/metrics",
            IndexMetrics,
            path={"index_id": index_id},
            query={"from": from_, "to": to},
        )

    def create_file(
        self,
        index_id: str,
        *,
        filename: str,
        content_type: str,
        checksum_sha256: str | None = None,
        size_bytes: int | None = None,
        metadata: FileMetadata | None = None,
        embed: bool | None = None,
        expires_at: str | None = None,
        ttl_seconds: int | None = None,
        on_duplicate: OnDuplicate | None = None,
    ) -> FileUploadResponse | FileJobResponse:
        """Start a file job.

        Returns an upload URL. PUT the file to `upload_url` once, with exactly `upload_headers`. Processing
        begins when it has arrived. A repeat under the same `Idempotency-Key` returns the first response, and
        does not extend the validity of the URL. `on_duplicate` decides about files whose name exists in the
        index.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filename: Name of the file. Its extension may decide between text formats.
            content_type: Media type of the file, such as `application/pdf`.
            checksum_sha256: SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL
            accepts no other file.
            size_bytes: Exact size of the file. If given, the upload URL accepts no other size, and a file
            larger than the plan allows is refused before it is sent.
            metadata: Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and
            `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk
            under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`,
            `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`,
            `message`, `attachment`, `ocr_confidence`.
            embed: For files of rows: true embeds their texts, and ignores their vectors, which may be those of
            another model.
            expires_at: Time, with an offset, from which no read returns it. Null: it never expires. Absent: as
            `ttl_seconds` or the index says.
            ttl_seconds: Seconds from now until it expires, in place of `expires_at`.
            on_duplicate: If a file of the index has the same name: `keep`, the default, stores both. `skip`
            returns its job, with status 200, if the checksum is equal too. `replace` replaces the newest one,
            even if that is unfinished. `skip` and `replace` need `checksum_sha256`.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/files",
            cast("type[FileUploadResponse | FileJobResponse]", FileUploadResponse | FileJobResponse),
            path={"index_id": index_id},
            fields={"filename": filename, "content_type": content_type, "checksum_sha256": checksum_sha256, "size_bytes": size_bytes, "metadata": metadata, "embed": embed, "expires_at": expires_at, "ttl_seconds": ttl_seconds, "on_duplicate": on_duplicate},
        )

    def list_files(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        source: FileJobSource | None = None,
        q: str | None = None,
    ) -> Pages[FileJobResponse]:
        """List file jobs.

        Returns file jobs, newest first. With a filter, or a credential that is bound to rows, a page may have
        fewer jobs than `limit`, or none, although more follow: go on while there is an `x-next-cursor`.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            status: Only jobs in one of these states, separated by commas.
            source: Only jobs whose file came from there.
            q: Only jobs whose file name contains this text, in any case.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files",
            FileJobResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "status": status, "source": source, "q": q},
        )

    def get_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Get a file job.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    def delete_file(
        self,
        index_id: str,
        job_id: str,
    ) -> None:
        """Delete a file job.

        Removes the file, the job, every row that it wrote, and the text of the file in its events. A job that
        has not ended is cancelled first. Returns when no search finds the rows. If the index does not commit
        the removal in time, returns 503: the job is no longer visible, and the deletion continues in the
        background.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/files/{job_id}",
            NoneType,
            path={"index_id": index_id, "job_id": job_id},
        )

    def cancel_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Cancel a file job.

        Cancels a job that has not ended, and removes the rows that it has written. A repeat returns the same
        response. Returns 409 if the job has ended otherwise, or is just replacing another.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/cancel",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    def replace_file(
        self,
        index_id: str,
        job_id: str,
        *,
        filename: str,
        content_type: str,
        checksum_sha256: str | None = None,
        size_bytes: int | None = None,
        metadata: FileMetadata | None = None,
        embed: bool | None = None,
        expires_at: str | None = None,
        ttl_seconds: int | None = None,
    ) -> FileUploadResponse:
        """Replace the file of a job.

        Starts a job whose content atomically replaces that of a completed job when it completes. Until then,
        searches find the old content. A replacement that fails changes nothing. Of several replacements, the
        last one to complete wins. Returns 409 if the job is not completed. A repeat under the same
        `Idempotency-Key` returns the first response, and does not extend the validity of the URL.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            filename: Name of the file. Its extension may decide between text formats.
            content_type: Media type of the file, such as `application/pdf`.
            checksum_sha256: SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL
            accepts no other file.
            size_bytes: Exact size of the file. If given, the upload URL accepts no other size, and a file
            larger than the plan allows is refused before it is sent.
            metadata: Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and
            `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk
            under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`,
            `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`,
            `message`, `attachment`, `ocr_confidence`.
            embed: For files of rows: true embeds their texts, and ignores their vectors, which may be those of
            another model.
            expires_at: Time, with an offset, from which no read returns it. Null: it never expires. Absent: as
            `ttl_seconds` or the index says.
            ttl_seconds: Seconds from now until it expires, in place of `expires_at`.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/replace",
            FileUploadResponse,
            path={"index_id": index_id, "job_id": job_id},
            fields={"filename": filename, "content_type": content_type, "checksum_sha256": checksum_sha256, "size_bytes": size_bytes, "metadata": metadata, "embed": embed, "expires_at": expires_at, "ttl_seconds": ttl_seconds},
        )

    def retry_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Process a file again.

        Starts a job with a copy of the file of a failed or completed job, which it replaces when it completes.
        Until then, searches find the old content. Returns 409 if the job has not ended, if its file is no
        longer stored, or if a crawl or a connector owns it: the next run reads its file again.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/retry",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    def get_file_text(
        self,
        index_id: str,
        job_id: str,
        *,
        format: FileTextFormat | None = None,
    ) -> FileText:
        """Get the text of a file.

        Returns what was read of a completed file, as a whole. `markdown` has headings, tables, and a comment
        such as `<!-- page 7 -->` before each page. `text` is plain, with a form feed before each further page:
        positions of citations refer to it. A text of more than 4 MB is returned as a URL. Returns 409 if there
        is no text: the job is not completed, or the file was read by an earlier release.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            format: Format of the text. Default `markdown`.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/text",
            FileText,
            path={"index_id": index_id, "job_id": job_id},
            query={"format": format},
        )

    def get_file_page(
        self,
        index_id: str,
        job_id: str,
        picture: str,
        *,
        attachment: str | None = None,
        width: int | None = None,
    ) -> bytes:
        """Get the picture of a page.

        Returns a page of a completed PDF or image as a PNG of at most 4 MB. Boxes of citations are shares of
        its width and height. An image is its page 1, and a TIFF has a page for each of its images. `attachment`
        names a file within it, as the citation does. Returns 404 with the number of `pages` beyond the last
        one, and 409 for other formats. A picture counts as five requests.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            picture: Number of a page, from 1, and `.png`: `7.png`.
            attachment: Name of a file within the file, such as an attachment of a mail, whose page is returned.
            width: Width of the picture in pixels. It is less for a page with much detail, and for an image that
            has less. Default 1200.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/pages/{picture}",
            bytes,
            path={"index_id": index_id, "job_id": job_id, "picture": picture},
            query={"attachment": attachment, "width": width},
        )

    def list_file_chunks(
        self,
        index_id: str,
        job_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        around: str | None = None,
        include_citations: bool | None = None,
    ) -> Pages[VectorRecord]:
        """List the chunks of a file.

        Returns the rows that a file job wrote, in the order of the file. Rows to which the file gave ids of its
        own are not among them: list or fetch those as vectors.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            around: Id of a chunk. Half of the first page are chunks before it. Without effect with `cursor`.
            include_citations: Whether chunks have their places in the file.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/chunks",
            VectorRecord,
            path={"index_id": index_id, "job_id": job_id},
            query={"limit": limit, "cursor": cursor, "around": around, "include_citations": include_citations},
        )

    def download_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileDownload:
        """Get a URL of the original file.

        Returns a URL from which the file can be downloaded as it was uploaded. Returns 409 if the file is not
        stored: the job waits for it, or was cancelled or replaced.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/download",
            FileDownload,
            path={"index_id": index_id, "job_id": job_id},
        )

    def list_file_tasks(
        self,
        index_id: str,
        job_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[FileTaskResponse]:
        """List the tasks of a file job.

        Returns the tasks in the order of the file; all of them unless `limit` is given.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page. If absent: all items.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/tasks",
            FileTaskResponse,
            path={"index_id": index_id, "job_id": job_id},
            query={"limit": limit, "cursor": cursor},
        )

    def get_file_processing(
        self,
        index_id: str,
        job_id: str,
    ) -> ProcessingDetail:
        """Get the processing detail of a file job.

        Returns the job, `processing` and trace data that webhook events contain. For a running job: its usage
        so far.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/processing",
            ProcessingDetail,
            path={"index_id": index_id, "job_id": job_id},
        )

    def list_formats(
        self,
    ) -> FileFormats:
        """List the formats of files that can be read.

        The format of a file is detected by its content; name and declared type decide only between text
        formats. `refused` lists known formats that are not read, with the error of a job with such a file.

        **Authorization:** none.
        """
        return self._call(
            "GET",
            "/v1/formats",
            FileFormats,
            path={},
        )

    def create_import(
        self,
        index_id: str,
        body: RemoteFileImport,
    ) -> FileJobResponse:
        """Import a file from object storage, a URL or an export.

        Queues a file job that copies one object and processes it. The object is in S3, Google Cloud Storage or
        Azure Blob Storage, or at a URL. `export` imports the rows of an export with their vectors. Without
        `credentials` the object must be public. Credentials are kept encrypted until the copy is done, for a
        day at most, and no response contains them.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: A file to copy from a cloud provider.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/imports",
            FileJobResponse,
            path={"index_id": index_id},
            body=body,
        )

    def create_crawl_job(
        self,
        index_id: str,
        *,
        url: str,
        include_paths: CrawlJobCreateIncludePaths | None = None,
        exclude_paths: CrawlJobCreateExcludePaths | None = None,
        metadata: CrawlJobCreateMetadata | None = None,
        headers: CrawlJobCreateHeaders | None = None,
        page_limit: CrawlJobCreatePageLimit | None = None,
        max_depth: CrawlJobCreateMaxDepth | None = None,
    ) -> CrawlJobResponse:
        """Crawl a site.

        Queues a crawl that starts at `url` and stays on its site. A page limit or a depth beyond the plan is a
        402.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            url: Where the crawl begins: an http or https address on the public internet; a fragment is left
            out.
            include_paths: Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included,
            and `?` is one. The first page is read for its links in any case. Empty: all paths.
            exclude_paths: Paths to leave out, in the same form.
            metadata: Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and
            `canonical_url` are set by the crawl.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
            page_limit: Maximum number of pages to store. The plan limits it.
            max_depth: Maximum number of links from the first page; 0 fetches that page alone.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-jobs",
            CrawlJobResponse,
            path={"index_id": index_id},
            fields={"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "metadata": metadata, "headers": headers, "page_limit": page_limit, "max_depth": max_depth},
        )

    def list_crawl_jobs(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        schedule_id: str | None = None,
    ) -> Pages[CrawlJobResponse]:
        """List crawl jobs.

        Returns crawl jobs, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            schedule_id: Only the crawls that this schedule has started.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs",
            CrawlJobResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "schedule_id": schedule_id},
        )

    def get_crawl_job(
        self,
        index_id: str,
        crawl_id: str,
    ) -> CrawlJobReport:
        """Get a crawl job.

        Returns the crawl with the number of skipped addresses by reason.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}",
            CrawlJobReport,
            path={"index_id": index_id, "crawl_id": crawl_id},
        )

    def list_skipped_pages(
        self,
        index_id: str,
        crawl_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[SkippedPageResponse]:
        """List the addresses that a crawl skipped.

        Returns each address with its reason, in no particular order. Addresses are stored for 14 days after the
        crawl found them.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/skipped-pages",
            SkippedPageResponse,
            path={"index_id": index_id, "crawl_id": crawl_id},
            query={"limit": limit, "cursor": cursor},
        )

    def put_source_credentials(
        self,
        source_credentials: str,
        body: SourceCredentialsPut,
    ) -> SourceCredentialsResponse:
        """Store or replace credentials of a storage.

        Imports and connectors of buckets use them by `stored_credentials`, from the next request after a
        replacement. They are stored encrypted and never returned. Another provider than before is a 409, and so
        are more than 100.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            source_credentials: Name of stored credentials: lower-case letters, digits, `-` and `_`.
            body: Credentials of a storage to store under a name.
        """
        return self._call(
            "PUT",
            "/v1/source-credentials/{source_credentials}",
            SourceCredentialsResponse,
            path={"source_credentials": source_credentials},
            body=body,
        )

    def delete_source_credentials(
        self,
        source_credentials: str,
    ) -> None:
        """Delete stored credentials of a storage.

        A 409 names a connector that uses them: give it other credentials, or delete it. An import that still
        waits for its copy fails.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            source_credentials: Name of stored credentials: lower-case letters, digits, `-` and `_`.
        """
        return self._call(
            "DELETE",
            "/v1/source-credentials/{source_credentials}",
            NoneType,
            path={"source_credentials": source_credentials},
        )

    def list_source_credentials(
        self,
    ) -> list[SourceCredentialsResponse]:
        """List stored credentials of storages.

        Returns names and providers of all stored credentials, in order of name, without their values.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.
        """
        return self._call(
            "GET",
            "/v1/source-credentials",
            list[SourceCredentialsResponse],
            path={},
        )

    def cancel_crawl_job(
        self,
        index_id: str,
        crawl_id: str,
    ) -> CrawlJobResponse:
        """Cancel a crawl job.

        Safe to repeat. A crawl that has completed or failed is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel",
            CrawlJobResponse,
            path={"index_id": index_id, "crawl_id": crawl_id},
        )

    def create_crawl_schedule(
        self,
        index_id: str,
        *,
        url: str,
        include_paths: CrawlScheduleCreateIncludePaths | None = None,
        exclude_paths: CrawlScheduleCreateExcludePaths | None = None,
        metadata: CrawlScheduleCreateMetadata | None = None,
        headers: CrawlScheduleCreateHeaders | None = None,
        page_limit: CrawlScheduleCreatePageLimit | None = None,
        max_depth: CrawlScheduleCreateMaxDepth | None = None,
        interval_hours: CrawlScheduleCreateIntervalHours | None = None,
        starts_at: str | None = None,
    ) -> CrawlScheduleResponse:
        """Schedule a crawl.

        Each run is an ordinary crawl job, which updates the pages of the runs before. If a run is still going
        on at the time of the next one, that one is left out. A page limit or a depth beyond the plan is a 402.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            url: Where the crawl begins: an http or https address on the public internet; a fragment is left
            out.
            include_paths: Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included,
            and `?` is one. The first page is read for its links in any case. Empty: all paths.
            exclude_paths: Paths to leave out, in the same form.
            metadata: Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and
            `canonical_url` are set by the crawl.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
            page_limit: Maximum number of pages to store. The plan limits it.
            max_depth: Maximum number of links from the first page; 0 fetches that page alone.
            interval_hours: Hours between the starts of two crawls.
            starts_at: When the first crawl starts; null: at once.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-schedules",
            CrawlScheduleResponse,
            path={"index_id": index_id},
            fields={"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "metadata": metadata, "headers": headers, "page_limit": page_limit, "max_depth": max_depth, "interval_hours": interval_hours, "starts_at": starts_at},
        )

    def list_crawl_schedules(
        self,
        index_id: str,
    ) -> list[CrawlScheduleResponse]:
        """List the schedules of crawls.

        Returns all schedules of the index, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-schedules",
            list[CrawlScheduleResponse],
            path={"index_id": index_id},
        )

    def get_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
    ) -> CrawlScheduleResponse:
        """Get a schedule of crawls.

        Returns the schedule with its next time and its last crawl.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            CrawlScheduleResponse,
            path={"index_id": index_id, "schedule_id": schedule_id},
        )

    def update_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
        *,
        paused: bool | Omit = OMIT,
        interval_hours: int | Omit = OMIT,
        starts_at: str | Omit = OMIT,
        headers: dict[str, str] | Omit = OMIT,
    ) -> CrawlScheduleResponse:
        """Pause or change a schedule of crawls.

        Absent fields stay. A new interval, and that of a resumed schedule, counts from now. `starts_at` starts
        a crawl at another time, or at once. `headers` replaces all of them.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
            paused: Whether no crawl starts.
            interval_hours: Hours between the starts of two crawls.
            starts_at: When the next crawl starts; a past time: at once. Later ones count from it.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
        """
        return self._call(
            "PATCH",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            CrawlScheduleResponse,
            path={"index_id": index_id, "schedule_id": schedule_id},
            fields={"paused": paused, "interval_hours": interval_hours, "starts_at": starts_at, "headers": headers},
        )

    def delete_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
    ) -> None:
        """Delete a schedule of crawls.

        Starts no further crawl. Crawls that it has started, and their pages, stay.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            NoneType,
            path={"index_id": index_id, "schedule_id": schedule_id},
        )

    def list_connectors(
        self,
        index_id: str,
    ) -> ConnectorOverview:
        """List connectors.

        Returns the connectors of the index, newest first, and the available providers.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/connectors",
            ConnectorOverview,
            path={"index_id": index_id},
        )

    def create_connector(
        self,
        index_id: str,
        body: ConnectorCreate,
    ) -> ConnectorResponse:
        """Connect a provider.

        Reads its `scope`; without one, nothing until a scope is set. Credentials are stored encrypted and are
        never returned.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: A connector to create.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors",
            ConnectorResponse,
            path={"index_id": index_id},
            body=body,
        )

    def get_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorResponse:
        """Get a connector.

        Returns a connector with the progress of its running sync.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return self._call(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            ConnectorResponse,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    def update_connector(
        self,
        index_id: str,
        connection_id: str,
        *,
        name: str | Omit = OMIT,
        metadata: dict[str, Any] | Omit = OMIT,
        sync_interval_minutes: int | None | Omit = OMIT,
    ) -> ConnectorResponse:
        """Change name, interval or metadata of a connector.

        Absent fields stay. A new interval counts from the last sync. New metadata starts a sync that processes
        every document again, each as a file job.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            name: Display name.
            metadata: New metadata of every chunk. All documents are processed again, each as a file job.
            sync_interval_minutes: Minutes between two syncs; null: the default.
        """
        return self._call(
            "PATCH",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            ConnectorResponse,
            path={"index_id": index_id, "connection_id": connection_id},
            fields={"name": name, "metadata": metadata, "sync_interval_minutes": sync_interval_minutes},
        )

    def delete_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> None:
        """Remove a connector.

        Deletes the credentials at once and hides the connector from every list. Its content is then removed
        from the index.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            NoneType,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    def create_custom_api_connector(
        self,
        index_id: str,
        *,
        name: str,
        base_url: str,
        auth: CustomApiAuth,
        list: CustomApiList,
        item: CustomApiItem,
        metadata: CustomApiCreateMetadata | None = None,
        sync_interval_minutes: CustomApiCreateSyncIntervalMinutes | None = None,
    ) -> ConnectorResponse:
        """Connect an API of your own.

        Describes the list, its pagination and the fields of an item, as JSON Pointers. All items are in scope.
        The description is stored encrypted with its credentials and is never returned.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: Display name.
            base_url: An https address on the public internet, to which `list.path` is appended.
            auth: How requests authenticate.
            list: How items are listed.
            item: Fields of an item.
            metadata: Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and
            `chunk_overlap` work as for files. Keys of the source with the same name win.
            sync_interval_minutes: Minutes between two syncs.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/custom-api",
            ConnectorResponse,
            path={"index_id": index_id},
            fields={"name": name, "base_url": base_url, "auth": auth, "list": list, "item": item, "metadata": metadata, "sync_interval_minutes": sync_interval_minutes},
        )

    def authorize_connector(
        self,
        index_id: str,
        provider: str,
        *,
        name: str | None = None,
        connection_id: str | None = None,
    ) -> ConnectorConsent:
        """Start a consent.

        Returns the URL at which a person grants access to `slack`, `notion`, `google_drive`, `gmail`,
        `google_calendar`, `sharepoint` or `one_drive`, within 15 minutes. The provider redirects them to a page
        with a code. Sending the code to `complete` creates the connector, which then waits for a scope. With a
        `connection_id`, that connector gets the new credentials instead. A 409 if that connector reads another
        provider, or if the deployment has no application at the provider.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            provider: Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`,
            `sharepoint` or `one_drive`.
            name: Null: the name of the provider.
            connection_id: Connector that gets the new credentials; it keeps its name. Null: the consent creates
            a connector.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{provider}/authorize",
            ConnectorConsent,
            path={"index_id": index_id, "provider": provider},
            fields={"name": name, "connection_id": connection_id},
        )

    def complete_connector(
        self,
        index_id: str,
        provider: str,
        *,
        confirmation_code: str,
    ) -> ConnectorChange:
        """Confirm a consent.

        Creates the connector of a consent, with the code that the page after the consent shows. Only the
        credential that called `authorize`, or any session of the same user, can complete it. The code is valid
        once, for 15 minutes. The connector then waits for a scope, or continues with its existing one.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            provider: Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`,
            `sharepoint` or `one_drive`.
            confirmation_code: Code on the page to which the provider redirects.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{provider}/complete",
            ConnectorChange,
            path={"index_id": index_id, "provider": provider},
            fields={"confirmation_code": confirmation_code},
        )

    def list_connector_choices(
        self,
        index_id: str,
        connection_id: str,
        *,
        parent: str | None = None,
        q: str | None = None,
        cursor: str | None = None,
    ) -> Pages[ConnectorChoice]:
        """List what a scope can contain.

        Asks the source for channels, pages, data sources, folders, files, sites and libraries that the
        connector can read, a page at a time. A 409 if the source has nothing to choose, such as a calendar, or
        no longer grants access. A 503 with `Retry-After` if it is busy.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            parent: `parent` of an earlier choice, to list what is below it, or the address of a bucket. If
            absent: the top.
            q: Part of a name. Notion, SharePoint at the top and Google Drive search all that they give.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/choices",
            ConnectorChoice,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"parent": parent, "q": q, "cursor": cursor},
        )

    def list_connector_syncs(
        self,
        index_id: str,
        connection_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[ConnectorSync]:
        """List the syncs of a connector.

        Returns ended syncs, newest first, with what they changed. They are kept for 30 days.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/syncs",
            ConnectorSync,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"limit": limit, "cursor": cursor},
        )

    def list_unread_items(
        self,
        index_id: str,
        connection_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[UnreadItem]:
        """List what a connector could not read.

        Returns each document, channel, folder or other place that could not be read, with the reason, in no
        particular order. At most 1,000 are kept, the latest. Documents whose file job failed are among them
        from the next sync on.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/unread-items",
            UnreadItem,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"limit": limit, "cursor": cursor},
        )

    def update_connector_scope(
        self,
        index_id: str,
        connection_id: str,
        *,
        folders: ConnectorScopeUpdateFolders | None = None,
        files: ConnectorScopeUpdateFiles | None = None,
        folder_labels: ConnectorScopeUpdateFolderLabels | None = None,
        notion_pages: ConnectorScopeUpdateNotionPages | None = None,
        notion_data_sources: ConnectorScopeUpdateNotionDataSources | None = None,
        notion_labels: ConnectorScopeUpdateNotionLabels | None = None,
        gmail_after: str | None = None,
        calendar_after: str | None = None,
        slack_channels: ConnectorScopeUpdateSlackChannels | None = None,
        attachments: ConnectorScopeUpdateAttachments | None = None,
        sites: ConnectorScopeUpdateSites | None = None,
        libraries: ConnectorScopeUpdateLibraries | None = None,
        confluence_spaces: ConnectorScopeUpdateConfluenceSpaces | None = None,
        object_prefixes: ConnectorScopeUpdateObjectPrefixes | None = None,
        include_patterns: ConnectorScopeUpdateIncludePatterns | None = None,
        exclude_patterns: ConnectorScopeUpdateExcludePatterns | None = None,
    ) -> ConnectorChange:
        """Set the scope of a connector.

        Replaces the whole scope and starts a sync, which removes documents that are out of scope. A paused
        connector stays paused.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            folders: Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`.
            files: Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`.
            folder_labels: Display name of each folder, file, site and library.
            notion_pages: Notion pages, each with the pages below it.
            notion_data_sources: Notion data sources.
            notion_labels: Display name of each page and data source.
            gmail_after: Mail since this day or time, such as `2026-01-31`; null for all.
            calendar_after: Calendar entries since this day or time; null for all.
            slack_channels: Slack channels.
            attachments: Whether files of Slack messages, Notion pages and Confluence pages are documents, too.
            sites: SharePoint sites, by id or address, each with all its libraries.
            libraries: Document libraries of SharePoint.
            confluence_spaces: Keys of Confluence spaces.
            object_prefixes: Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or
            `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.
            include_patterns: Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number
            of characters, slashes included, and `?` is one. Empty: all objects.
            exclude_patterns: Objects to leave out, in the same form.
        """
        return self._call(
            "PUT",
            "/v1/indexes/{index_id}/connectors/{connection_id}/scope",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
            fields={"folders": folders, "files": files, "folder_labels": folder_labels, "notion_pages": notion_pages, "notion_data_sources": notion_data_sources, "notion_labels": notion_labels, "gmail_after": gmail_after, "calendar_after": calendar_after, "slack_channels": slack_channels, "attachments": attachments, "sites": sites, "libraries": libraries, "confluence_spaces": confluence_spaces, "object_prefixes": object_prefixes, "include_patterns": include_patterns, "exclude_patterns": exclude_patterns},
        )

    def reconnect_connector(
        self,
        index_id: str,
        connection_id: str,
        body: ConnectorReconnect,
    ) -> ConnectorChange:
        """Replace the credentials of a connector.

        Replaces credentials that no longer work; for a custom API its whole description. Scope and documents
        stay, and a sync reads everything in scope. A paused connector stays paused. A 409 if the connector
        reads another provider.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            body: New credentials of the source.
        """
        return self._call(
            "PUT",
            "/v1/indexes/{index_id}/connectors/{connection_id}/credentials",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
            body=body,
        )

    def sync_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Sync a connector now.

        Reads the changes since the last sync, before the next one is due. A running sync continues, and a
        connector that stopped with an error is resumed. A paused connector, or one without a scope, is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/sync",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    def resume_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Resume a connector.

        Syncs a paused connector, or one with an error, again and retries failed documents. Safe to repeat. A
        connector without a scope is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/resume",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    def pause_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Pause a connector.

        Stops syncing until the connector is resumed; indexed documents stay. Safe to repeat. A connector
        without a scope is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/pause",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    def upsert_vectors(
        self,
        index_id: str,
        body: VectorUpsert,
    ) -> VectorUpsertResponse:
        """Upsert vectors.

        Writes a list of items. Returns when all of them are durable and searchable. An item without a vector is
        embedded from its text. With `if_version`, all items are written or, if the version of one differs,
        none: the response is then a 409 whose `conflicts` are the first hundred such ids with their versions.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: The rows to write.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors",
            VectorUpsertResponse,
            path={"index_id": index_id},
            body=body,
        )

    def list_vectors(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
        include_vectors: bool | None = None,
        ids_only: bool | None = None,
        order_by: str | None = None,
        as_of: str | None = None,
        direction: Literal["asc", "desc"] | None = None,
    ) -> Pages[VectorRecord]:
        """List vectors.

        Lists vectors in order of id, of all or of those that match `filter`, with their numbers if
        `include_vectors` is `true`. With `order_by` they are in the order of a metadata key, and all pages are
        of one version of the index, which is kept for at least 15 minutes. A page ends early if its rows would
        exceed the size of a response. With `filter` or `order_by`, which may read every row, it counts as one
        search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            filter: Only rows that match this metadata filter: JSON, as `filter` of a search.
            include_vectors: Whether rows have the numbers of their vectors.
            ids_only: Whether rows have only their id and version. Text and file are null then, and metadata is
            empty.
            order_by: Metadata key, or a path to a member of objects. Of a list, its first value counts. Null
            comes before booleans, numbers, times, other texts and objects. Rows without the key come last.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            direction: Direction of `order_by`. Rows with equal values are in order of id.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/vectors",
            VectorRecord,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "filter": filter, "include_vectors": include_vectors, "ids_only": ids_only, "order_by": order_by, "as_of": as_of, "direction": direction},
        )

    def update_vectors(
        self,
        index_id: str,
        body: VectorUpdate,
    ) -> VectorUpdateResponse:
        """Update metadata.

        Merges metadata into existing vectors, without their numbers or text. Ids that do not exist change
        nothing; `missing` has the first hundred. With `if_version`, all vectors are changed or, if the version
        of one differs, none: the response is then a 409 with `conflicts`.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: Changes to the metadata of rows.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/update",
            VectorUpdateResponse,
            path={"index_id": index_id},
            body=body,
        )

    def fetch_vectors(
        self,
        index_id: str,
        *,
        ids: Sequence[str],
        filter: MetadataFilter | None = None,
        as_of: AsOf | None = None,
        include_vectors: VectorFetchIncludeVectors | None = None,
    ) -> VectorFetchResponse:
        """Fetch vectors by id.

        Returns vectors in the order of the ids, without ids that do not exist and rows that do not match
        `filter`. A response is at most 6 MiB, about 200 vectors of 1,536 numbers. Use several requests for
        more.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of the rows. Those without a row are left out of the response.
            filter: Leaves out rows that do not match.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            include_vectors: Whether the response has the numbers of the vectors.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/fetch",
            VectorFetchResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "as_of": as_of, "include_vectors": include_vectors},
        )

    def delete_vectors(
        self,
        index_id: str,
        *,
        ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        all: Literal[True] | None = None,
    ) -> VectorDeleteResponse:
        """Delete vectors.

        Deletes by ids, by filter, or all. Returns when no search finds the vectors any more. `deleted` counts
        those that existed.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of the rows to delete.
            filter: Deletes every row that matches.
            all: Deletes every row.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/delete",
            VectorDeleteResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "all": all},
        )

    def count_vectors(
        self,
        index_id: str,
        *,
        filter: MetadataFilter | None = None,
        as_of: AsOf | None = None,
    ) -> VectorCountResponse:
        """Count vectors.

        Returns the exact number of rows, of all or of those that match `filter`. Counts as one search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filter: Only rows that match. Without it, all rows.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/count",
            VectorCountResponse,
            path={"index_id": index_id},
            fields={"filter": filter, "as_of": as_of},
        )

    def update_vectors_by_filter(
        self,
        index_id: str,
        *,
        filter: MetadataFilter,
        metadata: dict[str, Any],
        expires_at: str | None = None,
    ) -> VectorUpdateByFilterResponse:
        """Update metadata by filter.

        Merges metadata into all vectors that match, in one commit. Returns when searches see it. If the vectors
        are more than one commit can write, or the metadata of one would exceed 40 KiB, the response is a 409
        and nothing is changed.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filter: Updates every row that matches.
            metadata: JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all
            other keys stay.
            expires_at: New time, with an offset, from which no read returns it. Null: it never expires.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/update-by-filter",
            VectorUpdateByFilterResponse,
            path={"index_id": index_id},
            fields={"filter": filter, "metadata": metadata, "expires_at": expires_at},
        )

    def list_metadata_values(
        self,
        index_id: str,
        *,
        key: str,
        filter: MetadataFilter | None = None,
        contains: str | None = None,
        limit: MetadataValuesLimit | None = None,
        cursor: str | None = None,
    ) -> MetadataValuesResponse:
        """List the values of a metadata key.

        Returns the distinct values of a key with the number of rows that have each, of all rows or of those
        that match `filter`. A list counts with each of its members. Reads every matching row, and counts as
        five searches.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            key: Key of the metadata, or a path to a member of objects, such as `author.name`.
            filter: Only rows that match. Without it, all rows.
            contains: Only texts that contain this, in upper or lower case.
            limit: Maximum number of values.
            cursor: `next_cursor` of the previous page.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/metadata/values",
            MetadataValuesResponse,
            path={"index_id": index_id},
            fields={"key": key, "filter": filter, "contains": contains, "limit": limit, "cursor": cursor},
        )

    def describe_metadata(
        self,
        index_id: str,
        *,
        keys: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
    ) -> MetadataDescribeResponse:
        """Describe metadata keys.

        Returns the types, the number of distinct values, and the lowest and highest number and text of metadata
        keys, over all rows or those that match `filter`. Reads every matching row, and counts as five searches.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            keys: Keys or paths to describe. Without them, the keys that rows have: the first 100 in order.
            filter: Only rows that match. Without it, all rows.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/metadata/describe",
            MetadataDescribeResponse,
            path={"index_id": index_id},
            fields={"keys": keys, "filter": filter},
        )

    def search_batch(
        self,
        index_id: str,
        *,
        searches: Sequence[BatchSearchRequest],
    ) -> BatchSearchResponse:
        """Run several searches.

        Runs up to 16 searches of any kind on one version of the index, and returns their responses in order. An
        error of one does not fail the others. Each counts as a search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            searches: The searches.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/search/batch",
            BatchSearchResponse,
            path={"index_id": index_id},
            fields={"searches": searches},
        )

    def dense_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        vector: VectorInput | None = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: DenseSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by meaning.

        Returns the nearest rows to a vector, or to the embedding of a text by the model of the index. A higher
        score is nearer: cosine similarity, or negative squared euclidean distance.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Text to search for. The model of the index turns it into a vector.
            vector: A vector: numbers, or base64 of little-endian 32-bit floats.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/search/dense",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "vector": vector, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    def measure_recall(
        self,
        index_id: str,
        *,
        top_k: RecallBodyTopK | None = None,
        queries: RecallBodyQueries | None = None,
        seed: RecallBodySeed | None = None,
        vectors: Sequence[VectorInput] | None = None,
        filter: MetadataFilter | None = None,
    ) -> RecallResponse:
        """Measure recall.

        Measures which share of the exact hits the default dense search finds, with vectors drawn from the index
        or with given vectors. It measures once over all rows and once with a filter. Without a given filter, it
        derives one that about one row in a hundred matches. A drawn vector is not a hit of itself. No query
        begins after 12 seconds. Each search counts in usage as a dense search. The request counts as 12
        searches for each query against the rate limit, and as 8 requests in flight.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            top_k: Results of each query that are compared.
            queries: Stored vectors to draw. Ignored if `vectors` are given.
            seed: The same seed draws the same vectors as long as the index is unchanged.
            vectors: Vectors to search with instead, such as those of real queries.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/recall",
            RecallResponse,
            path={"index_id": index_id},
            fields={"top_k": top_k, "queries": queries, "seed": seed, "vectors": vectors, "filter": filter},
        )

    def sparse_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: SparseSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by words.

        Returns the rows whose text matches best by BM25, after stemming and without stop words. Words in double
        quotes must occur next to each other in that order. `-"…"` excludes rows with that phrase.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Words to search for; rows match with any of them. Words in quotes, also in typographic ones,
            must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply
            only to the sparse side. Required without `queries`.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/search/sparse",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    def hybrid_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        vector: VectorInput | None = None,
        fusion: SearchFusion | None | Off = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: HybridSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by meaning and words.

        Runs a dense and a sparse search, and fuses them by weighted reciprocal ranks or by a weighted sum of
        normalized scores: BM25 as a share of the best hit, similarities from the last candidate to the best.
        Each hit has its rank and score on both sides; `include: ["explanation"]` adds the contribution of each
        side to the score.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Words to search for; rows match with any of them. Words in quotes, also in typographic ones,
            must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply
            only to the sparse side. Required without `queries`.
            vector: A vector: numbers, or base64 of little-endian 32-bit floats.
            fusion: Fusion of the dense and the sparse side. Null: not even by the defaults of the index.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return self._call(
            "POST",
            "/v1/indexes/{index_id}/search/hybrid",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "vector": vector, "fusion": fusion, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    def list_events(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        event_type: EventType | None = None,
        status: EventStatus | None = None,
    ) -> EventHistory:
        """List webhook events.

        Lists the events of the organization, newest first. The next page starts at `offset + limit`. `traces`
        and `telemetry` contain the processing data of the events on the page that end a file job. Deleting a
        job deletes its steps in `telemetry` and empties `sparse_text`. Very large events are shortened to fit
        the page. A page has at most 4,000 steps of telemetry.

        **Authorization:** any session.

        Args:
            limit: Maximum number of events on the page.
            offset: Events to skip.
            event_type: Only events of this type.
            status: Only events of this status.
        """
        return self._call(
            "GET",
            "/v1/organization/webhooks/events",
            EventHistory,
            path={},
            query={"limit": limit, "offset": offset, "event_type": event_type, "status": status},
        )

    def create_webhook_endpoint(
        self,
        *,
        url: str,
        event_types: Sequence[EventType] | None = None,
        description: str | None = None,
    ) -> WebhookEndpointCreated:
        """Create a webhook endpoint.

        The response contains the signing secret, which is returned only once.

        **Authorization:** the session of an owner.

        Args:
            url: URL of the receiver: an https address on the public internet.
            event_types: Event types that the endpoint subscribes to; null for all but `audit.recorded`,
            including future types.
            description: Purpose of the endpoint.
        """
        return self._call(
            "POST",
            "/v1/organization/webhooks/endpoints",
            WebhookEndpointCreated,
            path={},
            fields={"url": url, "event_types": event_types, "description": description},
        )

    def list_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[WebhookEndpointResponse]:
        """List webhook endpoints.

        Lists the endpoints of the organization, newest first.

        **Authorization:** the session of an owner.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/webhooks/endpoints",
            WebhookEndpointResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    def update_webhook_endpoint(
        self,
        endpoint_id: str,
        *,
        url: str | Omit = OMIT,
        event_types: Sequence[EventType] | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
    ) -> WebhookEndpointResponse:
        """Update, pause or resume a webhook endpoint.

        Changes the given fields. The signing secret stays the same.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
            url: URL of the receiver: an https address on the public internet.
            event_types: Event types that the endpoint subscribes to; null for all but `audit.recorded`,
            including future types.
            description: Purpose of the endpoint.
            enabled: False pauses the endpoint. Deliveries that become due during a pause are dropped.
        """
        return self._call(
            "PATCH",
            "/v1/organization/webhooks/endpoints/{endpoint_id}",
            WebhookEndpointResponse,
            path={"endpoint_id": endpoint_id},
            fields={"url": url, "event_types": event_types, "description": description, "enabled": enabled},
        )

    def delete_webhook_endpoint(
        self,
        endpoint_id: str,
    ) -> None:
        """Delete a webhook endpoint.

        Ends all deliveries to the endpoint, including pending retries.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return self._call(
            "DELETE",
            "/v1/organization/webhooks/endpoints/{endpoint_id}",
            NoneType,
            path={"endpoint_id": endpoint_id},
        )

    def rotate_webhook_secret(
        self,
        endpoint_id: str,
    ) -> WebhookSecretRotated:
        """Rotate the secret of a webhook endpoint.

        The response contains the new signing secret, which is returned only once. For 24 hours every delivery
        is signed with the old and the new secret, so receivers can verify either. Returns 409 after 4 rotations
        in 24 hours.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret",
            WebhookSecretRotated,
            path={"endpoint_id": endpoint_id},
        )

    def test_webhook_endpoint(
        self,
        endpoint_id: str,
    ) -> WebhookDelivery:
        """Send a test message to a webhook endpoint.

        Sends a message of type `webhook.test` to this endpoint. It is signed, retried and logged like an event,
        but the event history does not contain it. The delivery log shows the outcome. Returns 409 if the
        endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return self._call(
            "POST",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/test",
            WebhookDelivery,
            path={"endpoint_id": endpoint_id},
        )

    def list_webhook_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pages[WebhookDelivery]:
        """List the deliveries to a webhook endpoint.

        Lists the events, replays and test messages of the last 30 days with their attempts, newest first.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries",
            WebhookDelivery,
            path={"endpoint_id": endpoint_id},
            query={"limit": limit, "cursor": cursor},
        )

    def replay_one_event(
        self,
        event_id: str,
        *,
        endpoint_id: str | None = None,
    ) -> ReplayAccepted:
        """Replay an event.

        Sends an event again: to one endpoint, even if it does not subscribe to the type, or to all enabled
        endpoints that do. `hook-id` and body stay the same, except that the text of a file whose job was
        deleted is missing. Timestamp and signature are new. Returns 409 if the endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            event_id: Id of an event: `evt_` and 26 lower-case letters and digits.
            endpoint_id: Endpoint to send to, even if it does not subscribe to the type. If absent: all enabled
            endpoints that subscribe to it.
        """
        return self._call(
            "POST",
            "/v1/organization/webhooks/events/{event_id}/replay",
            ReplayAccepted,
            path={"event_id": event_id},
            fields={"endpoint_id": endpoint_id},
        )

    def replay_events(
        self,
        *,
        from_: str,
        to: str,
        event_types: Sequence[EventType] | None = None,
        endpoint_id: str | None = None,
    ) -> ReplayAccepted:
        """Replay the events of a time range.

        Sends the events that are still in the history again, oldest first. Each endpoint receives the types
        that it subscribes to. A range may contain at most 10,000 events. Returns 404 if `endpoint_id` does not
        exist and 409 if that endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            from_: Start of the range, inclusive.
            to: End of the range, exclusive.
            event_types: Types to replay; null for every type.
            endpoint_id: Endpoint to send to. If absent: all enabled endpoints.
        """
        return self._call(
            "POST",
            "/v1/organization/webhooks/events/replay",
            ReplayAccepted,
            path={},
            fields={"from": from_, "to": to, "event_types": event_types, "endpoint_id": endpoint_id},
        )

    def get_deep_health(
        self,
    ) -> list[DependencyHealth]:
        """Check all dependencies of the service.

        Sends one small request to each table, bucket and queue. In each region it embeds a word by each model
        and opens up to 20 indexes of the organization, and names those whose data is missing or damaged. Each
        check takes at most 10 seconds. The status is 200 even if checks fail.

        **Authorization:** the session of an owner.
        """
        return self._call(
            "GET",
            "/v1/health/deep",
            list[DependencyHealth],
            path={},
        )

    def get_health(
        self,
    ) -> Health:
        """Check whether the API responds.

        Returns 200 if the API responds. It does not check dependencies. On one machine it returns 503 while the
        disk takes no data.

        **Authorization:** none.
        """
        return self._call(
            "GET",
            "/v1/health",
            Health,
            path={},
        )


class AsyncOperations(AsyncCaller):
    """Operations of the asynchronous client."""

    async def open_session(
        self,
    ) -> BootstrapResponse:
        """Open a session.

        Opens a session for an ID token of the configured identity provider, which is the bearer value. The
        first call of a user creates the user and an organization that they own. Later calls open further
        sessions and update the e-mail address and name from the provider. A user who belongs to no organization
        any more gets a new one, at most three a month; then the call returns 403. `pending_invitations` are the
        invitations that the user can accept now. The call counts against the rate limit of the first
        organization of the response.

        **Authorization:** an ID token of the configured identity provider.
        """
        return await self._call(
            "POST",
            "/v1/auth/bootstrap",
            BootstrapResponse,
            path={},
        )

    def list_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[SessionResponse]:
        """List sessions.

        Lists the open sessions of the user, newest first. The response never contains their tokens. A session
        with an `application` ends with all access of that application when it is ended.

        **Authorization:** any session.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/auth/sessions",
            SessionResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def end_session(
        self,
    ) -> None:
        """End the current session.

        Ends the session of the request. Every following request with its token returns 401. Other sessions of
        the user, and keys that they created, stay valid.

        **Authorization:** any session.
        """
        return await self._call(
            "DELETE",
            "/v1/auth/session",
            NoneType,
            path={},
        )

    async def end_one_session(
        self,
        session_id: str,
    ) -> None:
        """End a session.

        Ends one session of the user, such as that of a lost device. Every following request with its token is
        refused. Idempotent.

        **Authorization:** any session.

        Args:
            session_id: Id of a session: `sess_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/auth/sessions/{session_id}",
            NoneType,
            path={"session_id": session_id},
        )

    def list_organizations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[OrganizationWorkspace]:
        """List organizations.

        Lists the organizations of the user of a session, oldest membership first. An API key or access token
        gets its own organization with the role `member`.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organizations",
            OrganizationWorkspace,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_organization(
        self,
    ) -> OrganizationDetail:
        """Get the organization.

        Returns the organization of the request with the limits, features and rate limits of its plan. The role
        is `member` for an API key or access token.

        **Authorization:** any credential with the `read` permission.
        """
        return await self._call(
            "GET",
            "/v1/organization",
            OrganizationDetail,
            path={},
        )

    async def update_organization(
        self,
        *,
        organization_name: str | Omit = OMIT,
        spending_limit_usd: float | None | Omit = OMIT,
    ) -> OrganizationDetail:
        """Change the organization.

        Changes the name and the spending limit. Absent fields stay.

        **Authorization:** the session of an owner.

        Args:
            organization_name: Name of the organization.
            spending_limit_usd: Estimated cost of a calendar month in UTC from which searches, writes of rows
            and new file jobs are a 402, those of crawls and connectors too. It is added up once a minute.
            Storage goes on. Null for no limit.
        """
        return await self._call(
            "PATCH",
            "/v1/organization",
            OrganizationDetail,
            path={},
            fields={"organization_name": organization_name, "spending_limit_usd": spending_limit_usd},
        )

    async def list_plans(
        self,
    ) -> list[PlanResponse]:
        """List plans.

        Lists all plans with their terms, cheapest first. The operator of the service can change the plan of an
        organization.

        **Authorization:** none.
        """
        return await self._call(
            "GET",
            "/v1/plans",
            list[PlanResponse],
            path={},
        )

    async def complete_onboarding(
        self,
        *,
        organization_name: str,
        use_case: str,
        expected_vectors: str,
        default_region: OnboardingCompleteDefaultRegion | None = None,
    ) -> OrganizationDetail:
        """Complete onboarding.

        Sets the name, use case and default region of the organization. A repeat replaces all of them; existing
        indexes stay in their regions. Without the plan feature `multi_region` the call returns 403 for a region
        that is neither the current default nor that of an index.

        **Authorization:** the session of an owner.

        Args:
            organization_name: Name of the organization.
            use_case: Use case of the organization.
            expected_vectors: Expected number of vectors as text, such as `1M-10M`.
            default_region: Region of indexes that are created without one: one of `GET /v1/regions`. If absent:
            us-east-1, or the first region if us-east-1 is not available.
        """
        return await self._call(
            "POST",
            "/v1/onboarding/complete",
            OrganizationDetail,
            path={},
            fields={"organization_name": organization_name, "use_case": use_case, "expected_vectors": expected_vectors, "default_region": default_region},
        )

    def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[OrganizationMember]:
        """List members.

        Lists the members of the organization, including owners, oldest membership first. A credential that is
        restricted to indexes gets an empty list.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/members",
            OrganizationMember,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def update_member(
        self,
        user_id: str,
        *,
        role: OrganizationRole,
    ) -> OrganizationMember:
        """Update the role of a member.

        Takes effect at once, also for open sessions. Returns 409 if the last owner would become a member.

        **Authorization:** the session of an owner.

        Args:
            user_id: Id of a user: `usr_` and 26 lower-case letters and digits.
            role: New role of the member.
        """
        return await self._call(
            "PATCH",
            "/v1/organization/members/{user_id}",
            OrganizationMember,
            path={"user_id": user_id},
            fields={"role": role},
        )

    async def remove_member(
        self,
        user_id: str,
    ) -> None:
        """Remove a member.

        The sessions of the user lose access to the organization, and the API keys and OAuth clients that they
        created are revoked. An owner can remove themselves. Returns 409 for the last owner.

        **Authorization:** the session of an owner.

        Args:
            user_id: Id of a user: `usr_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/organization/members/{user_id}",
            NoneType,
            path={"user_id": user_id},
        )

    def list_invitations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[InvitationResponse]:
        """List invitations.

        Lists the latest invitation of each e-mail address, newest first, without revoked ones. Accepted and
        expired invitations are listed until 30 days after their expiry. A credential that is restricted to
        indexes gets an empty list.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/invitations",
            InvitationResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def create_invitation(
        self,
        *,
        email: str,
        role: InvitationCreateRole | None = None,
    ) -> InvitationResponse:
        """Create an invitation.

        Invites an e-mail address for seven days. A user who signs in with this verified address can accept. The
        service sends no e-mail: `POST /v1/auth/bootstrap` returns pending invitations. Inviting an address
        again renews its open invitation, which keeps its id and gets the new role and expiry. Returns 409 if
        the address belongs to a member, and 402 if members and open invitations together reach the limit
        `members` of the plan.

        **Authorization:** the session of an owner.

        Args:
            email: E-mail address in any script. It is not case-sensitive.
            role: Role of the invited person.
        """
        return await self._call(
            "POST",
            "/v1/organization/invitations",
            InvitationResponse,
            path={},
            fields={"email": email, "role": role},
        )

    async def revoke_invitation(
        self,
        invitation_id: str,
    ) -> None:
        """Revoke an invitation.

        The invitation cannot be accepted any more. Returns 409 if it was accepted; remove the member instead.

        **Authorization:** the session of an owner.

        Args:
            invitation_id: Id of an invitation: `inv_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/organization/invitations/{invitation_id}",
            NoneType,
            path={"invitation_id": invitation_id},
        )

    async def accept_invitation(
        self,
        *,
        invitation_id: str,
    ) -> BillingActionResponse:
        """Accept an invitation.

        Makes the user of the session a member of the organization that invited their verified e-mail address.
        Returns 404 for an unknown or revoked invitation and for one of another address. Returns 409 for an
        invitation that has expired or was accepted before, and if the user is already a member.

        **Authorization:** any session.

        Args:
            invitation_id: Id of the invitation.
        """
        return await self._call(
            "POST",
            "/v1/organization/invitations/accept",
            BillingActionResponse,
            path={},
            fields={"invitation_id": invitation_id},
        )

    async def get_organization_usage(
        self,
        *,
        month: str | None = None,
    ) -> OrganizationUsage:
        """Get the usage of a month.

        Returns the usage of a calendar month in UTC, by default the current one. Each request and ended job
        counts once, even if it was retried. Usage of deleted indexes is included. The figures of a month are
        final an hour after its end. A month before the organization existed shows zeros. A credential that is
        restricted to indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
        """
        return await self._call(
            "GET",
            "/v1/organization/usage",
            OrganizationUsage,
            path={},
            query={"month": month},
        )

    def list_credential_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[CredentialUsage]:
        """List the usage by credential.

        Lists credentials that are restricted to indexes, bound to rows or limited, ordered by id, with their
        usage of a calendar month in UTC. A file counts for the credential whose request created its job, and a
        token of an end user for its key. Storage, and files of connectors and crawls, count for none. A
        credential that is restricted to indexes or bound to rows gets only itself.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/credentials",
            CredentialUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor},
        )

    def list_value_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        index_id: str | None = None,
    ) -> AsyncPages[ValueUsage]:
        """List the usage by value.

        Lists the values of the usage keys of indexes with their usage of a calendar month in UTC, ordered by
        index and value, deleted indexes included. A search counts for the value that its filter or that of its
        credential requires, a written row and a file for the value in their metadata. Up to 10,000 values of an
        index are counted by themselves in a month, and the others together. Storage counts for none. A
        credential that is restricted to indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            index_id: Id of the only index to list. Default: all indexes.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/values",
            ValueUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor, "index_id": index_id},
        )

    def list_index_usage(
        self,
        *,
        month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[IndexUsage]:
        """List the usage by index.

        Lists the indexes that stored or used something in a calendar month in UTC, deleted indexes included:
        the highest estimated cost first, then the most searches. A credential that is restricted to indexes
        gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            month: A month, `YYYY-MM` in UTC, that has begun. Default: the current month.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/indexes",
            IndexUsage,
            path={},
            query={"month": month, "limit": limit, "cursor": cursor},
        )

    async def list_usage_history(
        self,
        *,
        days: int | None = None,
    ) -> list[UsageHistoryPoint]:
        """Get the usage by day.

        One point for each day until today (UTC), oldest first, with the figures of all indexes together: stored
        amounts at the end of the day, and usage of the day. A credential that is restricted to indexes gets the
        usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            days: Days that the history goes back.
        """
        return await self._call(
            "GET",
            "/v1/organization/usage/history",
            list[UsageHistoryPoint],
            path={},
            query={"days": days},
        )

    def list_daily_usage(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        index_id: str | None = None,
    ) -> AsyncPages[DailyUsage]:
        """List the usage by day and index.

        One item for each day (UTC) and index with stored content or usage, ordered by day and then by index,
        deleted indexes included. The days of a month add up to its usage. A credential that is restricted to
        indexes gets the usage of these indexes.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            from_: First day (UTC). Default: 29 days before `to`.
            to: Last day (UTC), inclusive: at most 92 days in total. Default: today.
            index_id: Id of the only index to list. Default: all indexes.
        """
        return self._pages(
            "GET",
            "/v1/organization/usage/daily",
            DailyUsage,
            path={},
            query={"limit": limit, "cursor": cursor, "from": from_, "to": to, "index_id": index_id},
        )

    def list_audit_records(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: AuditAction | None = None,
        actor: str | None = None,
        resource_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> AsyncPages[AuditRecordResponse]:
        """List the audit log.

        Lists who changed what from where, newest first, for a year. Every change but that of rows and files is
        recorded: credentials, members, indexes, exports, imports, settings, consents and sign-ins. A record
        stays if its resource is deleted.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            action: Only records of this action.
            actor: Only changes by this actor, or by a credential that it created: an id, or the e-mail address
            of a user.
            resource_id: Only changes of this resource, or within this index.
            from_: Only changes at this time or later.
            to: Only changes before this time.
        """
        return self._pages(
            "GET",
            "/v1/organization/audit",
            AuditRecordResponse,
            path={},
            query={"limit": limit, "cursor": cursor, "action": action, "actor": actor, "resource_id": resource_id, "from": from_, "to": to},
        )

    async def create_api_key(
        self,
        *,
        name: str,
        permissions: ApiKeyCreatePermissions | None = None,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
        expires_at: str | None = None,
    ) -> ApiKeyCreated:
        """Create an API key.

        The response contains the key as `token`, which is returned only once. A key cannot have more
        permissions than its creator, and cannot outlive it. It ends with its creator: the membership of the
        user of the session, or the API key or OAuth client. With `filter`, the key is bound to rows: it can be
        given to one customer among the rows of many.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            name: Display name.
            permissions: Permissions of the key.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
            expires_at: When the key expires; null or absent for never.
        """
        return await self._call(
            "POST",
            "/v1/api-keys",
            ApiKeyCreated,
            path={},
            fields={"name": name, "permissions": permissions, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits, "expires_at": expires_at},
        )

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[ApiKeyResponse]:
        """List API keys.

        Lists API keys, newest first, including revoked keys. The response never contains their values. A
        credential that is restricted to indexes or bound to rows gets only itself.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/api-keys",
            ApiKeyResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def revoke_api_key(
        self,
        key_id: str,
    ) -> None:
        """Revoke an API key.

        Every following request with the key is refused.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            key_id: Id of an API key: `key_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/api-keys/{key_id}",
            NoneType,
            path={"key_id": key_id},
        )

    async def create_oauth_client(
        self,
        *,
        name: str,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
    ) -> OAuthClientCreated:
        """Create an OAuth client.

        The response contains the secret as `client_secret`, which is returned only once. The `scopes` of the
        client are the permissions of its creator, and `index_ids` restricts it to indexes. `filter` binds it to
        rows, with the scope `read` alone unless `id_prefix` is given. It never expires, so an API key with an
        expiry cannot create one. It ends with its creator: the membership of the user of the session, or the
        API key or OAuth client.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            name: Display name.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
        """
        return await self._call(
            "POST",
            "/v1/oauth/clients",
            OAuthClientCreated,
            path={},
            fields={"name": name, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits},
        )

    def list_oauth_clients(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[OAuthClientResponse]:
        """List OAuth clients.

        Lists OAuth clients, newest first, including revoked clients. The response never contains their secrets.
        A credential that is restricted to indexes or bound to rows gets only its own client.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/oauth/clients",
            OAuthClientResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def revoke_oauth_client(
        self,
        client_id: str,
    ) -> None:
        """Revoke an OAuth client.

        The client gets no new tokens, and every following request with one of its tokens is refused.
        Idempotent.

        **Authorization:** the session of an owner, or an API key or access token with the `write` permission
        that is not restricted to indexes.

        Args:
            client_id: Id of an OAuth client: `oc_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/oauth/clients/{client_id}",
            NoneType,
            path={"client_id": client_id},
        )

    async def issue_access_token(
        self,
        *,
        grant_type: str,
        scope: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        code: str | None = None,
        redirect_uri: str | None = None,
        code_verifier: str | None = None,
        refresh_token: str | None = None,
        resource: str | None = None,
    ) -> TokenResponse:
        """Get an access token.

        Issues an access token by the grant `client_credentials` of RFC 6749. An application that a person
        connected gets one by `authorization_code` with PKCE, and the next ones by `refresh_token`, without a
        secret. A code that is used twice ends the grant. A refresh token that is used again within a minute
        returns the same tokens. Later it ends the grant. The client authenticates by HTTP Basic or by
        `client_id` and `client_secret` in the form. The token is valid for one hour, for the indexes of the
        client and the requested scopes. The call counts against the rate limit of the client’s organization.

        **Authorization:** id and secret of an OAuth client.

        Args:
            grant_type: `client_credentials`, `authorization_code` or `refresh_token`
            scope: Requested scopes of the client, separated by spaces. If absent: all of them.
            client_id: Id of the client, here or by HTTP Basic. For a connected application: the URL of its
            metadata.
            client_secret: Secret of the client, here or by HTTP Basic, not both.
            code: Authorization code, for `authorization_code`.
            redirect_uri: As in the authorization request.
            code_verifier: Secret whose SHA-256 is the `code_challenge`.
            refresh_token: Last refresh token, for `refresh_token`.
            resource: If present, as in the authorization request.
        """
        return await self._call(
            "POST",
            "/v1/oauth/token",
            TokenResponse,
            path={},
            form={"grant_type": grant_type, "scope": scope, "client_id": client_id, "client_secret": client_secret, "code": code, "redirect_uri": redirect_uri, "code_verifier": code_verifier, "refresh_token": refresh_token, "resource": resource},
        )

    async def authorize_application(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        permissions: Sequence[Permission],
        response_type: str | None = None,
        code_challenge: str | None = None,
        code_challenge_method: str | None = None,
        resource: str | None = None,
        scope: str | None = None,
        state: str | None = None,
        index_ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        id_prefix: str | None = None,
        rate_limits: CredentialRateLimits | None = None,
        in_flight: int | None = None,
        monthly_limits: CredentialMonthlyLimits | None = None,
    ) -> AuthorizationCreated:
        """Grant an application access.

        Grants an application access to one organization of the person, as the page of `GET /v1/oauth/authorize`
        does. `redirect_to` contains a code that is valid once, for a minute. Access tokens of the application
        have at most the rights of the member at each request, and end with the session of this request and with
        the membership. If `resource` is the MCP server of one index, the access is for this index.

        **Authorization:** any session.

        Args:
            client_id: URL of the metadata document of the application, or `strata-cli`.
            redirect_uri: URL of the application to which the code is sent.
            permissions: Permissions that the person grants, among the requested ones.
            response_type: `code`
            code_challenge: SHA-256 of the code verifier, as base64url.
            code_challenge_method: `S256`
            resource: URL of the MCP server, or of the service, for which tokens are requested.
            scope: Requested scopes, separated by spaces; `read` if absent.
            state: Value that is returned to the application unchanged.
            index_ids: Ids of the indexes that the credential is restricted to; null or absent for all indexes.
            filter: Binds the credential to rows: it sees and changes only those that match, in its indexes. At
            most 2 KiB as JSON. Such a credential is refused with 403 where a request concerns more than rows
            and files. Null or absent for all rows.
            id_prefix: Beginning of the ids that a credential with `filter` may write; required with `write`.
            Ids that begin with it belong to the credential. End it with a separator, such as `acme:`.
            rate_limits: Limits of the credential by minute, within those of the organization. A request above
            one is a 429.
            in_flight: Maximum requests of the credential at a time, heavy ones counted as several. Another one
            is a 429.
            monthly_limits: Limits of the credential by month. When one is reached, requests that would add to
            it are a 402. Requests that run then are completed.
        """
        return await self._call(
            "POST",
            "/v1/oauth/authorize",
            AuthorizationCreated,
            path={},
            fields={"response_type": response_type, "client_id": client_id, "redirect_uri": redirect_uri, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "resource": resource, "scope": scope, "state": state, "permissions": permissions, "index_ids": index_ids, "filter": filter, "id_prefix": id_prefix, "rate_limits": rate_limits, "in_flight": in_flight, "monthly_limits": monthly_limits},
        )

    async def get_authorization_request(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        response_type: str | None = None,
        code_challenge: str | None = None,
        code_challenge_method: str | None = None,
        resource: str | None = None,
        scope: str | None = None,
        state: str | None = None,
    ) -> AuthorizationReview:
        """Get the authorization request of an application.

        Returns which application asks for which access, for the page of `GET /v1/oauth/authorize`. Reads the
        metadata document of the application, at most every five minutes. If the application or its
        `redirect_uri` is not known, the response is a 400. If anything else is not valid, `problem` says what,
        and `refusal_url` returns it to the application.

        **Authorization:** any session.

        Args:
            client_id: URL of the metadata document of the application, or `strata-cli`.
            redirect_uri: URL of the application to which the code is sent.
            response_type: `code`
            code_challenge: SHA-256 of the code verifier, as base64url.
            code_challenge_method: `S256`
            resource: URL of the MCP server, or of the service, for which tokens are requested.
            scope: Requested scopes, separated by spaces; `read` if absent.
            state: Value that is returned to the application unchanged.
        """
        return await self._call(
            "GET",
            "/v1/oauth/authorize/request",
            AuthorizationReview,
            path={},
            query={"response_type": response_type, "client_id": client_id, "redirect_uri": redirect_uri, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "resource": resource, "scope": scope, "state": state},
        )

    async def revoke_token(
        self,
        *,
        token: str,
        token_type_hint: str | None = None,
        client_id: str | None = None,
    ) -> Revoked:
        """Revoke the access of an application.

        Ends the grant of an access token or refresh token of a connected application, by RFC 7009, with all
        tokens of that grant. An unknown or expired token is a success too. Tokens of OAuth clients with a
        secret end with their client.

        **Authorization:** none.

        Args:
            token: Access token or refresh token of a connected application.
            token_type_hint: Ignored, since the value shows its type.
            client_id: Id of the application. If present, it must be that of the token.
        """
        return await self._call(
            "POST",
            "/v1/oauth/revoke",
            Revoked,
            path={},
            form={"token": token, "token_type_hint": token_type_hint, "client_id": client_id},
        )

    async def list_regions(
        self,
    ) -> list[str]:
        """List regions.

        The cloud regions in which an index may be created, the default first.

        **Authorization:** any credential with the `read` permission.
        """
        return await self._call(
            "GET",
            "/v1/regions",
            list[str],
            path={},
        )

    async def list_models(
        self,
    ) -> list[EmbeddingModel]:
        """List models.

        The models that an index may choose, the default first. Behind them the rerankers of searches.

        **Authorization:** any credential with the `read` permission.
        """
        return await self._call(
            "GET",
            "/v1/models",
            list[EmbeddingModel],
            path={},
        )

    async def create_index(
        self,
        *,
        name: str,
        dimensions: IndexCreateDimensions | None = None,
        embedding_model: str | None = None,
        distance_metric: IndexCreateDistanceMetric | None = None,
        cloud_region: str | None = None,
        non_filterable_metadata_keys: IndexCreateNonFilterableMetadataKeys | None = None,
        engine: IndexCreateEngine | None = None,
        text_language: IndexCreateTextLanguage | None = None,
        if_exists: IndexCreateIfExists | None = None,
        usage_key: str | None = None,
        ttl_seconds: int | None = None,
        version_days: int | None = None,
    ) -> IndexResponse:
        """Create an index.

        Returns at once. `index.created` reports that the index is ready. Earlier changes are queued and not
        lost.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name, for people.
            dimensions: Numbers of each vector. They never change. With `embedding_model`, the default is that
            of the model.
            embedding_model: Model that embeds texts: an `id` of `GET /v1/models`, or `default` for the default
            one with its own dimensions. A rebuild changes it. Null or absent: the default one with
            `dimensions`. If that is the embedded one, which is English, an index of another `text_language`
            gets `embedded-multilingual-e5-small`.
            distance_metric: Distance metric of the vectors. It never changes.
            cloud_region: Region that keeps the index: one of `GET /v1/regions`. Null or absent: that of the
            organization.
            non_filterable_metadata_keys: Metadata keys that no filter may name.
            engine: Engine of the index. A rebuild changes it. Not every region has `s3_vectors`.
            text_language: Language of the texts, for stemming and stop words of sparse search. `auto` detects
            the language of each text, for indexes of several languages. `korean` splits words into pairs of
            syllables, `none` leaves words as they are. Words of other scripts, such as Chinese, Japanese and
            Thai, are found with every setting.
            if_exists: What happens if an index has this name. `return`: the response is a 200 with the oldest
            one, or a 409 if its dimensions, metric, region or engine are others than requested. `conflict`: the
            response is a 409 `name_taken`. Of concurrent requests of both kinds, one creates the index.
            usage_key: Metadata key by whose values usage is counted, such as the customer: see `GET
            /v1/organization/usage/values`. Null or absent: none.
            ttl_seconds: Seconds after which rows and files expire that say nothing else. Null or absent: they
            never do.
            version_days: Days for which former versions are kept, to be read or restored. Absent: 1. Removed
            rows leave the files of the index a day later.
        """
        return await self._call(
            "POST",
            "/v1/indexes",
            IndexResponse,
            path={},
            fields={"name": name, "dimensions": dimensions, "embedding_model": embedding_model, "distance_metric": distance_metric, "cloud_region": cloud_region, "non_filterable_metadata_keys": non_filterable_metadata_keys, "engine": engine, "text_language": text_language, "if_exists": if_exists, "usage_key": usage_key, "ttl_seconds": ttl_seconds, "version_days": version_days},
        )

    def list_indexes(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        parent_index_id: str | None = None,
    ) -> AsyncPages[IndexResponse]:
        """List indexes.

        Newest first. With `q`, the names of all indexes are read. Credentials that are restricted to some
        indexes see only those. Credentials that are bound to rows see those in their `index_ids`, and none
        without.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            q: Only indexes whose name contains this text, in any case.
            parent_index_id: Only branches of this index.
        """
        return self._pages(
            "GET",
            "/v1/indexes",
            IndexResponse,
            path={},
            query={"limit": limit, "cursor": cursor, "q": q, "parent_index_id": parent_index_id},
        )

    async def get_index(
        self,
        index_id: str,
    ) -> IndexResponse:
        """Get an index.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}",
            IndexResponse,
            path={"index_id": index_id},
        )

    async def update_index(
        self,
        index_id: str,
        *,
        name: str | Omit = OMIT,
        search_defaults: SearchDefaults | None | Omit = OMIT,
        usage_key: str | None | Omit = OMIT,
        ttl_seconds: int | None | Omit = OMIT,
        version_days: int | Omit = OMIT,
        query_log: QueryLogSettings | None | Omit = OMIT,
    ) -> IndexResponse:
        """Update an index.

        Changes the name, what searches use by default, the key by which usage is counted, the default expiry,
        or the log of searches. Any other field is a 422. Emits `index.updated`.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: New name.
            search_defaults: What searches of the index use if they name nothing else. It replaces the former
            defaults; null removes them.
            usage_key: Metadata key by whose values usage is counted from now on; null ends that.
            ttl_seconds: Seconds after which rows and files expire that are written from now on and say nothing
            else; null: they never do.
            version_days: Days for which former versions are kept.
            query_log: Log of searches, for golden sets from real questions. Null: nothing is logged any more.
            Absent at first: nothing is.
        """
        return await self._call(
            "PATCH",
            "/v1/indexes/{index_id}",
            IndexResponse,
            path={"index_id": index_id},
            fields={"name": name, "search_defaults": search_defaults, "usage_key": usage_key, "ttl_seconds": ttl_seconds, "version_days": version_days, "query_log": query_log},
        )

    async def delete_index(
        self,
        index_id: str,
    ) -> None:
        """Delete an index.

        Callers do not see the index any more at once. Its branches stay as they are, and its storage is freed
        when none of them reads it. While an alias names the index, the response is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}",
            NoneType,
            path={"index_id": index_id},
        )

    async def branch_index(
        self,
        index_id: str,
        *,
        name: str,
    ) -> IndexResponse:
        """Branch an index.

        Creates a copy-on-write branch of the index as of all changes that were acknowledged before the call.
        Neither side sees later changes of the other. All rows of the branch count in `vectors_stored`, in the
        stored bytes and against the vectors of the plan, including the rows that it shares with its parent. If
        the plan has too few vectors left, the response is 402.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: Name of the branch, for people.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/branches",
            IndexResponse,
            path={"index_id": index_id},
            fields={"name": name},
        )

    def diff_index(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[BranchDifference]:
        """Compare a branch with its parent.

        Ids of vectors that the branch has added, changed or deleted, compared with its parent as of the branch
        point, in order of id. A written vector counts as changed even if its content is the same. Later changes
        of the parent are not included. Counts as one search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/diff",
            BranchDifference,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def promote_index(
        self,
        index_id: str,
        *,
        parent_changes: IndexPromoteParentChanges | None = None,
        embed: IndexPromoteEmbed | None = None,
        require: PromotionRequirement | None = None,
    ) -> PromoteResponse:
        """Promote a branch.

        Makes the content of a branch the content of its parent, in one commit: a search sees all of it or
        nothing. For vectors that the branch has written or deleted, the branch wins. The branch stays as it is.
        With `require`, the branch must first prove itself by a golden set of the parent. If the parent has been
        deleted, the response is 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            parent_changes: Whether writes to the parent since the branch point are kept.
            embed: Whether texts are embedded again if the branch has another embedding model. If not, that is a
            409.
            require: What the branch must prove by a golden set of the parent. Without an evaluation of its
            present content from the last hour, one is started: 409 `evaluation_running` until it has ended.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/promote",
            PromoteResponse,
            path={"index_id": index_id},
            fields={"parent_changes": parent_changes, "embed": embed, "require": require},
        )

    def list_versions(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[VersionResponse]:
        """List versions.

        Newest first. Every version is kept for 20 minutes. After that, those at the end of five minutes are
        kept for a day, and those at the end of an hour for the `version_days` of the index. A rebuild begins
        with a version of its own.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/versions",
            VersionResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def restore_index(
        self,
        index_id: str,
        *,
        as_of: AsOf,
    ) -> RestoreResponse:
        """Restore a version.

        Makes a kept version the content again, as one new version: a search sees all of it or nothing, and it
        can be undone by another restore. Rows keep their versions. Rows of files that were deleted or replaced
        since stay away, and so do expired ones. Files that were added since keep their jobs without rows, which
        a retry writes again.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/restore",
            RestoreResponse,
            path={"index_id": index_id},
            fields={"as_of": as_of},
        )

    async def create_erasure(
        self,
        index_id: str,
        *,
        ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        file: str | None = None,
        document: str | None = None,
        subject: ErasureSubject | None = None,
    ) -> ErasureResponse:
        """Erase rows and files.

        Removes rows from every read, version and branch at once. Within 24 hours all that is left of them is
        removed: stored objects, former versions, exports, originals, texts, cached vectors and events. Each
        place is looked into afterwards. The receipt is signed, and does not name what was erased. Former
        versions from before are not readable any more, and branches become independent of their parent. A file
        is erased with its original if all of its rows are.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of rows.
            filter: Filter of rows, with at least one condition.
            file: Id of a file job.
            document: Document, by the `document_id` of its rows.
            subject: Rows and files with this value in their metadata.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/erasures",
            ErasureResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "file": file, "document": document, "subject": subject},
        )

    def list_erasures(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[ErasureResponse]:
        """List erasures.

        Newest first.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/erasures",
            ErasureResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_erasure(
        self,
        index_id: str,
        erasure_id: str,
    ) -> ErasureResponse:
        """Get an erasure.

        Returns what was found by place, and the receipt once nothing is left. It ends with the index: keep the
        receipt.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            erasure_id: Id of an erasure: `era_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/erasures/{erasure_id}",
            ErasureResponse,
            path={"index_id": index_id, "erasure_id": erasure_id},
        )

    async def list_receipt_keys(
        self,
    ) -> list[ReceiptKey]:
        """List the keys of receipts.

        Public keys by which anyone can verify the receipt of an erasure.

        **Authorization:** none.
        """
        return await self._call(
            "GET",
            "/v1/receipt-keys",
            list[ReceiptKey],
            path={},
        )

    async def create_rebuild(
        self,
        index_id: str,
        *,
        embedding_model: str | None = None,
        text_language: TextLanguage | None = None,
        engine: EngineName | None = None,
        chunking: ChunkingChoice | None = None,
        foreign_vectors: RebuildCreateForeignVectors | None = None,
        window_hours: RebuildCreateWindowHours | None = None,
        dry_run: RebuildCreateDryRun | None = None,
        golden_set: str | None = None,
        require: Requirement | None = None,
    ) -> RebuildStart:
        """Rebuild an index.

        Gives the index another embedding model, text language, engine or chunks of another size, under the same
        id and without a gap. A successor is filled beside the index, follows its changes, and takes over in one
        step. No answer mixes the two. Files are not read again: with `chunking`, the text that was read of them
        is cut again. With `golden_set` and `require`, it must first prove itself. Until `rollback_until` the
        former content is kept up to date, so that the takeover can be undone without loss. At most 2 rebuilds
        of an organization fill a successor at once.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            embedding_model: Model of the successor: an `id` of `GET /v1/models`, or `default`. Absent: the
            present one.
            text_language: Language of the texts of the successor. Absent: the present one.
            engine: Engine of the successor. Absent: the present one.
            chunking: Size of the chunks of files, which are cut again. Null: the size in the metadata of each
            file, or the default. Absent: the present one.
            foreign_vectors: Treatment of rows without a text, whose vectors a new model cannot make. `refuse`:
            the rebuild fails. `skip`: they stay out.
            window_hours: Hours after the takeover in which it can be undone.
            dry_run: Whether only the estimate is returned, and nothing begins.
            golden_set: Name of a golden set by which the successor must prove itself.
            require: What the successor must prove by `golden_set` before it takes over. If it falls short, the
            rebuild fails and the index stays as it is.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/rebuilds",
            RebuildStart,
            path={"index_id": index_id},
            fields={"embedding_model": embedding_model, "text_language": text_language, "engine": engine, "chunking": chunking, "foreign_vectors": foreign_vectors, "window_hours": window_hours, "dry_run": dry_run, "golden_set": golden_set, "require": require},
        )

    def list_rebuilds(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[RebuildResponse]:
        """List rebuilds.

        Newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/rebuilds",
            RebuildResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> RebuildResponse:
        """Get a rebuild.

        Returns the rebuild with its progress and its price so far.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}",
            RebuildResponse,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    async def delete_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> None:
        """Cancel or close a rebuild.

        Cancels a rebuild that has not taken over: the index stays as it is. After the takeover, it ends the
        time in which that can be undone, and the former content is deleted. A rebuild that is taking over at
        this moment is a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}",
            NoneType,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    async def roll_back_rebuild(
        self,
        index_id: str,
        rebuild_id: str,
    ) -> RebuildResponse:
        """Undo a rebuild.

        Makes the former content that of the index again, with all changes that were made since the takeover.
        Takes about a second, and returns with the status `rolling_back` if it takes longer. After
        `rollback_until` it is a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            rebuild_id: Id of a rebuild: `reb_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback",
            RebuildResponse,
            path={"index_id": index_id, "rebuild_id": rebuild_id},
        )

    async def put_golden_set(
        self,
        index_id: str,
        golden_set: str,
        body: GoldenQuestions,
    ) -> GoldenSetResponse:
        """Store a golden set.

        Stores questions with what they should find, as JSON Lines with one question per line, or as a JSON
        list. Other questions than those of the newest version become a new version; the 20 newest are kept. A
        set has at most 5,000 questions and 5 MiB, an index at most 100 sets. Problems of JSON Lines name their
        line.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            body: Questions of a golden set.
        """
        return await self._call(
            "PUT",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            GoldenSetResponse,
            path={"index_id": index_id, "golden_set": golden_set},
            body=body,
        )

    async def get_golden_set(
        self,
        index_id: str,
        golden_set: str,
        *,
        version: int | None = None,
    ) -> list[StoredQuestion]:
        """Get a golden set.

        Returns the questions of a version.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            version: Number of the version. Default: the newest one.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            list[StoredQuestion],
            path={"index_id": index_id, "golden_set": golden_set},
            query={"version": version},
        )

    async def delete_golden_set(
        self,
        index_id: str,
        golden_set: str,
    ) -> None:
        """Delete a golden set.

        Deletes all versions of a golden set. Results of its evaluations stay.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}",
            NoneType,
            path={"index_id": index_id, "golden_set": golden_set},
        )

    def list_golden_sets(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[GoldenSetResponse]:
        """List golden sets.

        Returns the newest version of each golden set of an index, in order of name.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/golden-sets",
            GoldenSetResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def list_golden_set_versions(
        self,
        index_id: str,
        golden_set: str,
    ) -> list[GoldenSetResponse]:
        """List versions of a golden set.

        Returns the kept versions of a golden set, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}/versions",
            list[GoldenSetResponse],
            path={"index_id": index_id, "golden_set": golden_set},
        )

    async def fill_golden_set_from_log(
        self,
        index_id: str,
        golden_set: str,
        *,
        days: GoldenSetFromLogDays | None = None,
        max_questions: GoldenSetFromLogMaxQuestions | None = None,
    ) -> GoldenSetResponse:
        """Fill a golden set from the log.

        Adds logged questions with feedback to a golden set, which is created if there is none. A hit that
        people called good has grade 2, one that they opened 1, and one that more people called bad than good 0.
        Questions that the set has already stay as they are. Without a question to add, the response is 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set: lower-case letters, digits, `-` and `_`.
            days: Days of the log that are read.
            max_questions: Questions that the set has at most afterwards.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/golden-sets/{golden_set}/from-log",
            GoldenSetResponse,
            path={"index_id": index_id, "golden_set": golden_set},
            fields={"days": days, "max_questions": max_questions},
        )

    async def add_search_feedback(
        self,
        search_id: str,
        *,
        id: str,
        event: FeedbackEvent,
    ) -> None:
        """Give feedback on a hit.

        Stores what a person did with a hit of a logged search, or what they called it. A repeat changes
        nothing. Golden sets can be made of it. Without a log of the index the response is 404.

        **Authorization:** any credential with the `read` permission.

        Args:
            search_id: `search_id` of the response to a search.
            id: Id of a hit.
            event: `click`: opened it. `good`, `bad`: judged it.
        """
        return await self._call(
            "POST",
            "/v1/searches/{search_id}/feedback",
            NoneType,
            path={"search_id": search_id},
            fields={"id": id, "event": event},
        )

    async def list_logged_questions(
        self,
        index_id: str,
        *,
        kind: Literal["frequent", "unanswered"] | None = None,
        days: int | None = None,
        limit: int | None = None,
    ) -> list[LoggedQuestion]:
        """List logged questions.

        Returns the questions of the log of an index, the most frequent ones first. The newest 20,000 logged
        searches are counted. Without a log there are none.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            kind: `unanswered`: only questions whose searches find nothing, or whose hits people call bad.
            days: Days that are looked at.
            limit: Maximum number of questions.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/query-log/questions",
            list[LoggedQuestion],
            path={"index_id": index_id},
            query={"kind": kind, "days": days, "limit": limit},
        )

    async def delete_query_log(
        self,
        index_id: str,
    ) -> None:
        """Delete the log of an index.

        Deletes all logged searches of an index and their feedback. Searches are logged further while
        `query_log` of the index says so. Searches of the last two seconds may be stored afterwards.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/query-log",
            NoneType,
            path={"index_id": index_id},
        )

    async def create_evaluation(
        self,
        index_id: str,
        *,
        golden_set: str,
        searches: Sequence[EvaluatedSearch],
        golden_set_version: int | None = None,
        compare_to: str | None = None,
        k: EvaluationCreateK | None = None,
    ) -> EvaluationResponse:
        """Evaluate an index.

        Searches with each question of a golden set as the search endpoints do, and measures what is found. With
        `compare_to`, the same searches are run on another index, a branch or the successor of a rebuild, and
        each difference is paired by question. All searches read one version of each. Each counts as a search in
        the usage. An evaluation has at most 20,000 searches, and at most 4 of an organization run at once; more
        are a 409. Results are kept for 30 days.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            golden_set: Name of a golden set of the index.
            searches: Searches that are run for each question.
            golden_set_version: Version of it. Default: the newest one.
            compare_to: Id of an index, such as a branch, or of a rebuild, in which the questions are searched
            too.
            k: Hits among which recall is measured.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/evaluations",
            EvaluationResponse,
            path={"index_id": index_id},
            fields={"golden_set": golden_set, "golden_set_version": golden_set_version, "searches": searches, "compare_to": compare_to, "k": k},
        )

    def list_evaluations(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[EvaluationResponse]:
        """List evaluations.

        Newest first. An evaluation is listed for 30 days.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/evaluations",
            EvaluationResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_evaluation(
        self,
        index_id: str,
        evaluation_id: str,
    ) -> EvaluationReport:
        """Get an evaluation.

        Returns the evaluation, and a URL for the results of each question once it is completed.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            evaluation_id: Id of an evaluation: `eval_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/evaluations/{evaluation_id}",
            EvaluationReport,
            path={"index_id": index_id, "evaluation_id": evaluation_id},
        )

    async def list_evaluated_questions(
        self,
        index_id: str,
        evaluation_id: str,
        *,
        search: str | None = None,
        sort: Literal["losses", "gains", "set"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[EvaluatedQuestion]:
        """List the questions of an evaluation.

        Returns what each search has found for the questions of a completed evaluation, those with the largest
        losses first. The file of `questions_url` has all of them.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            evaluation_id: Id of an evaluation: `eval_` and 26 lower-case letters and digits.
            search: Name of the search. Default: the first one.
            sort: `losses`, `gains`: by the change of nDCG, the largest first, and only those. `set`: as in the
            set.
            limit: Maximum number of questions.
            offset: Questions before the first returned one.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/evaluations/{evaluation_id}/questions",
            list[EvaluatedQuestion],
            path={"index_id": index_id, "evaluation_id": evaluation_id},
            query={"search": search, "sort": sort, "limit": limit, "offset": offset},
        )

    async def create_export(
        self,
        index_id: str,
        *,
        format: ExportCreateFormat | None = None,
        vectors: ExportCreateVectors | None = None,
        as_of: AsOf | None = None,
    ) -> ExportResponse:
        """Export an index.

        Writes all rows with ids, texts, metadata, vectors and source files to files of JSON Lines or Parquet,
        as of one version of the index: the present one, or a former one by `as_of`. A credential that is bound
        to rows exports those. Reads every row, and counts as five searches. At most 4 exports of an
        organization run at once and 32 are stored, at most 8 of one index and 16 by one credential. More are a
        409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            format: JSON Lines, or Parquet, which is smaller.
            vectors: `omit`: the files have no vectors, and an import embeds the texts. Rows without a text
            cannot be imported then.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/exports",
            ExportResponse,
            path={"index_id": index_id},
            fields={"format": format, "vectors": vectors, "as_of": as_of},
        )

    def list_exports(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[ExportResponse]:
        """List exports.

        Newest first. An export is listed until its files are deleted.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/exports",
            ExportResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_export(
        self,
        index_id: str,
        export_id: str,
    ) -> ExportReport:
        """Get an export.

        Returns the export, and a URL for each of its files once it is completed.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            export_id: Id of an export: `exp_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/exports/{export_id}",
            ExportReport,
            path={"index_id": index_id, "export_id": export_id},
        )

    async def delete_export(
        self,
        index_id: str,
        export_id: str,
    ) -> None:
        """Delete an export.

        Ends the export if it runs, and deletes its files.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            export_id: Id of an export: `exp_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/exports/{export_id}",
            NoneType,
            path={"index_id": index_id, "export_id": export_id},
        )

    async def put_alias(
        self,
        name: str,
        *,
        index_id: str,
    ) -> AliasResponse:
        """Create or move an alias.

        Paths accept the alias in place of an index id. A move is atomic: every request that begins after the
        response uses the new index. An organization has at most 1,000 aliases; more are a 409.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name of an alias.
            index_id: Id of the index.
        """
        return await self._call(
            "PUT",
            "/v1/aliases/{name}",
            AliasResponse,
            path={"name": name},
            fields={"index_id": index_id},
        )

    async def get_alias(
        self,
        name: str,
    ) -> AliasResponse:
        """Get an alias.

        An alias of an index that the credentials may not use is a 404, like an unknown one.

        **Authorization:** any credential with the `read` permission.

        Args:
            name: Name of an alias.
        """
        return await self._call(
            "GET",
            "/v1/aliases/{name}",
            AliasResponse,
            path={"name": name},
        )

    async def delete_alias(
        self,
        name: str,
    ) -> None:
        """Delete an alias.

        Its index stays as it is.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            name: Name of an alias.
        """
        return await self._call(
            "DELETE",
            "/v1/aliases/{name}",
            NoneType,
            path={"name": name},
        )

    def list_aliases(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[AliasResponse]:
        """List aliases.

        In order of name. Credentials that are restricted to some indexes see only the aliases of those.

        **Authorization:** any credential with the `read` permission.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/aliases",
            AliasResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_index_stats(
        self,
        index_id: str,
    ) -> IndexStats:
        """Get the figures of an index.

        Figures as of the last commit. `documents` counts the completed file jobs of this index itself. Searches
        of a large index compare `unindexed_vectors` one by one until the next maintenance.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/stats",
            IndexStats,
            path={"index_id": index_id},
        )

    async def get_index_stats_history(
        self,
        index_id: str,
        *,
        days: int | None = None,
    ) -> list[UsageHistoryPoint]:
        """Get the daily figures of an index.

        One point for each day until today (UTC), oldest first: stored amounts at the end of the day, and usage
        of the day.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            days: Days that the history goes back.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/stats/history",
            list[UsageHistoryPoint],
            path={"index_id": index_id},
            query={"days": days},
        )

    async def get_index_metrics(
        self,
        index_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
    ) -> IndexMetrics:
        """Get the metrics of an index.

        Returns size, changes, searches and search latency by day (UTC), and the last measurement of recall.
        Searches are counted exactly. The latency of the last search of a process may be missing.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            from_: First day (UTC). Default: 29 days before `to`.
            to: Last day (UTC), inclusive: at most 92 days in total. Default: today.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/metrics",
            IndexMetrics,
            path={"index_id": index_id},
            query={"from": from_, "to": to},
        )

    async def create_file(
        self,
        index_id: str,
        *,
        filename: str,
        content_type: str,
        checksum_sha256: str | None = None,
        size_bytes: int | None = None,
        metadata: FileMetadata | None = None,
        embed: bool | None = None,
        expires_at: str | None = None,
        ttl_seconds: int | None = None,
        on_duplicate: OnDuplicate | None = None,
    ) -> FileUploadResponse | FileJobResponse:
        """Start a file job.

        Returns an upload URL. PUT the file to `upload_url` once, with exactly `upload_headers`. Processing
        begins when it has arrived. A repeat under the same `Idempotency-Key` returns the first response, and
        does not extend the validity of the URL. `on_duplicate` decides about files whose name exists in the
        index.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filename: Name of the file. Its extension may decide between text formats.
            content_type: Media type of the file, such as `application/pdf`.
            checksum_sha256: SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL
            accepts no other file.
            size_bytes: Exact size of the file. If given, the upload URL accepts no other size, and a file
            larger than the plan allows is refused before it is sent.
            metadata: Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and
            `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk
            under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`,
            `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`,
            `message`, `attachment`, `ocr_confidence`.
            embed: For files of rows: true embeds their texts, and ignores their vectors, which may be those of
            another model.
            expires_at: Time, with an offset, from which no read returns it. Null: it never expires. Absent: as
            `ttl_seconds` or the index says.
            ttl_seconds: Seconds from now until it expires, in place of `expires_at`.
            on_duplicate: If a file of the index has the same name: `keep`, the default, stores both. `skip`
            returns its job, with status 200, if the checksum is equal too. `replace` replaces the newest one,
            even if that is unfinished. `skip` and `replace` need `checksum_sha256`.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/files",
            cast("type[FileUploadResponse | FileJobResponse]", FileUploadResponse | FileJobResponse),
            path={"index_id": index_id},
            fields={"filename": filename, "content_type": content_type, "checksum_sha256": checksum_sha256, "size_bytes": size_bytes, "metadata": metadata, "embed": embed, "expires_at": expires_at, "ttl_seconds": ttl_seconds, "on_duplicate": on_duplicate},
        )

    def list_files(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        source: FileJobSource | None = None,
        q: str | None = None,
    ) -> AsyncPages[FileJobResponse]:
        """List file jobs.

        Returns file jobs, newest first. With a filter, or a credential that is bound to rows, a page may have
        fewer jobs than `limit`, or none, although more follow: go on while there is an `x-next-cursor`.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            status: Only jobs in one of these states, separated by commas.
            source: Only jobs whose file came from there.
            q: Only jobs whose file name contains this text, in any case.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files",
            FileJobResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "status": status, "source": source, "q": q},
        )

    async def get_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Get a file job.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    async def delete_file(
        self,
        index_id: str,
        job_id: str,
    ) -> None:
        """Delete a file job.

        Removes the file, the job, every row that it wrote, and the text of the file in its events. A job that
        has not ended is cancelled first. Returns when no search finds the rows. If the index does not commit
        the removal in time, returns 503: the job is no longer visible, and the deletion continues in the
        background.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/files/{job_id}",
            NoneType,
            path={"index_id": index_id, "job_id": job_id},
        )

    async def cancel_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Cancel a file job.

        Cancels a job that has not ended, and removes the rows that it has written. A repeat returns the same
        response. Returns 409 if the job has ended otherwise, or is just replacing another.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/cancel",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    async def replace_file(
        self,
        index_id: str,
        job_id: str,
        *,
        filename: str,
        content_type: str,
        checksum_sha256: str | None = None,
        size_bytes: int | None = None,
        metadata: FileMetadata | None = None,
        embed: bool | None = None,
        expires_at: str | None = None,
        ttl_seconds: int | None = None,
    ) -> FileUploadResponse:
        """Replace the file of a job.

        Starts a job whose content atomically replaces that of a completed job when it completes. Until then,
        searches find the old content. A replacement that fails changes nothing. Of several replacements, the
        last one to complete wins. Returns 409 if the job is not completed. A repeat under the same
        `Idempotency-Key` returns the first response, and does not extend the validity of the URL.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            filename: Name of the file. Its extension may decide between text formats.
            content_type: Media type of the file, such as `application/pdf`.
            checksum_sha256: SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL
            accepts no other file.
            size_bytes: Exact size of the file. If given, the upload URL accepts no other size, and a file
            larger than the plan allows is refused before it is sent.
            metadata: Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and
            `chunk_overlap`, in characters, set how its text is cut. The service sets the position of each chunk
            under these names, and overwrites values given here: `heading_path`, `chunk`, `start`, `end`,
            `slide`, `sheet`, `row_start`, `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`,
            `message`, `attachment`, `ocr_confidence`.
            embed: For files of rows: true embeds their texts, and ignores their vectors, which may be those of
            another model.
            expires_at: Time, with an offset, from which no read returns it. Null: it never expires. Absent: as
            `ttl_seconds` or the index says.
            ttl_seconds: Seconds from now until it expires, in place of `expires_at`.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/replace",
            FileUploadResponse,
            path={"index_id": index_id, "job_id": job_id},
            fields={"filename": filename, "content_type": content_type, "checksum_sha256": checksum_sha256, "size_bytes": size_bytes, "metadata": metadata, "embed": embed, "expires_at": expires_at, "ttl_seconds": ttl_seconds},
        )

    async def retry_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileJobResponse:
        """Process a file again.

        Starts a job with a copy of the file of a failed or completed job, which it replaces when it completes.
        Until then, searches find the old content. Returns 409 if the job has not ended, if its file is no
        longer stored, or if a crawl or a connector owns it: the next run reads its file again.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/files/{job_id}/retry",
            FileJobResponse,
            path={"index_id": index_id, "job_id": job_id},
        )

    async def get_file_text(
        self,
        index_id: str,
        job_id: str,
        *,
        format: FileTextFormat | None = None,
    ) -> FileText:
        """Get the text of a file.

        Returns what was read of a completed file, as a whole. `markdown` has headings, tables, and a comment
        such as `<!-- page 7 -->` before each page. `text` is plain, with a form feed before each further page:
        positions of citations refer to it. A text of more than 4 MB is returned as a URL. Returns 409 if there
        is no text: the job is not completed, or the file was read by an earlier release.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            format: Format of the text. Default `markdown`.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/text",
            FileText,
            path={"index_id": index_id, "job_id": job_id},
            query={"format": format},
        )

    async def get_file_page(
        self,
        index_id: str,
        job_id: str,
        picture: str,
        *,
        attachment: str | None = None,
        width: int | None = None,
    ) -> bytes:
        """Get the picture of a page.

        Returns a page of a completed PDF or image as a PNG of at most 4 MB. Boxes of citations are shares of
        its width and height. An image is its page 1, and a TIFF has a page for each of its images. `attachment`
        names a file within it, as the citation does. Returns 404 with the number of `pages` beyond the last
        one, and 409 for other formats. A picture counts as five requests.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            picture: Number of a page, from 1, and `.png`: `7.png`.
            attachment: Name of a file within the file, such as an attachment of a mail, whose page is returned.
            width: Width of the picture in pixels. It is less for a page with much detail, and for an image that
            has less. Default 1200.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/pages/{picture}",
            bytes,
            path={"index_id": index_id, "job_id": job_id, "picture": picture},
            query={"attachment": attachment, "width": width},
        )

    def list_file_chunks(
        self,
        index_id: str,
        job_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        around: str | None = None,
        include_citations: bool | None = None,
    ) -> AsyncPages[VectorRecord]:
        """List the chunks of a file.

        Returns the rows that a file job wrote, in the order of the file. Rows to which the file gave ids of its
        own are not among them: list or fetch those as vectors.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            around: Id of a chunk. Half of the first page are chunks before it. Without effect with `cursor`.
            include_citations: Whether chunks have their places in the file.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/chunks",
            VectorRecord,
            path={"index_id": index_id, "job_id": job_id},
            query={"limit": limit, "cursor": cursor, "around": around, "include_citations": include_citations},
        )

    async def download_file(
        self,
        index_id: str,
        job_id: str,
    ) -> FileDownload:
        """Get a URL of the original file.

        Returns a URL from which the file can be downloaded as it was uploaded. Returns 409 if the file is not
        stored: the job waits for it, or was cancelled or replaced.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/download",
            FileDownload,
            path={"index_id": index_id, "job_id": job_id},
        )

    def list_file_tasks(
        self,
        index_id: str,
        job_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[FileTaskResponse]:
        """List the tasks of a file job.

        Returns the tasks in the order of the file; all of them unless `limit` is given.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page. If absent: all items.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/tasks",
            FileTaskResponse,
            path={"index_id": index_id, "job_id": job_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def get_file_processing(
        self,
        index_id: str,
        job_id: str,
    ) -> ProcessingDetail:
        """Get the processing detail of a file job.

        Returns the job, `processing` and trace data that webhook events contain. For a running job: its usage
        so far.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            job_id: Id of a file job: `job_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/files/{job_id}/processing",
            ProcessingDetail,
            path={"index_id": index_id, "job_id": job_id},
        )

    async def list_formats(
        self,
    ) -> FileFormats:
        """List the formats of files that can be read.

        The format of a file is detected by its content; name and declared type decide only between text
        formats. `refused` lists known formats that are not read, with the error of a job with such a file.

        **Authorization:** none.
        """
        return await self._call(
            "GET",
            "/v1/formats",
            FileFormats,
            path={},
        )

    async def create_import(
        self,
        index_id: str,
        body: RemoteFileImport,
    ) -> FileJobResponse:
        """Import a file from object storage, a URL or an export.

        Queues a file job that copies one object and processes it. The object is in S3, Google Cloud Storage or
        Azure Blob Storage, or at a URL. `export` imports the rows of an export with their vectors. Without
        `credentials` the object must be public. Credentials are kept encrypted until the copy is done, for a
        day at most, and no response contains them.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: A file to copy from a cloud provider.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/imports",
            FileJobResponse,
            path={"index_id": index_id},
            body=body,
        )

    async def create_crawl_job(
        self,
        index_id: str,
        *,
        url: str,
        include_paths: CrawlJobCreateIncludePaths | None = None,
        exclude_paths: CrawlJobCreateExcludePaths | None = None,
        metadata: CrawlJobCreateMetadata | None = None,
        headers: CrawlJobCreateHeaders | None = None,
        page_limit: CrawlJobCreatePageLimit | None = None,
        max_depth: CrawlJobCreateMaxDepth | None = None,
    ) -> CrawlJobResponse:
        """Crawl a site.

        Queues a crawl that starts at `url` and stays on its site. A page limit or a depth beyond the plan is a
        402.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            url: Where the crawl begins: an http or https address on the public internet; a fragment is left
            out.
            include_paths: Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included,
            and `?` is one. The first page is read for its links in any case. Empty: all paths.
            exclude_paths: Paths to leave out, in the same form.
            metadata: Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and
            `canonical_url` are set by the crawl.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
            page_limit: Maximum number of pages to store. The plan limits it.
            max_depth: Maximum number of links from the first page; 0 fetches that page alone.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-jobs",
            CrawlJobResponse,
            path={"index_id": index_id},
            fields={"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "metadata": metadata, "headers": headers, "page_limit": page_limit, "max_depth": max_depth},
        )

    def list_crawl_jobs(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        schedule_id: str | None = None,
    ) -> AsyncPages[CrawlJobResponse]:
        """List crawl jobs.

        Returns crawl jobs, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            schedule_id: Only the crawls that this schedule has started.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs",
            CrawlJobResponse,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "schedule_id": schedule_id},
        )

    async def get_crawl_job(
        self,
        index_id: str,
        crawl_id: str,
    ) -> CrawlJobReport:
        """Get a crawl job.

        Returns the crawl with the number of skipped addresses by reason.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}",
            CrawlJobReport,
            path={"index_id": index_id, "crawl_id": crawl_id},
        )

    def list_skipped_pages(
        self,
        index_id: str,
        crawl_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[SkippedPageResponse]:
        """List the addresses that a crawl skipped.

        Returns each address with its reason, in no particular order. Addresses are stored for 14 days after the
        crawl found them.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/skipped-pages",
            SkippedPageResponse,
            path={"index_id": index_id, "crawl_id": crawl_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def put_source_credentials(
        self,
        source_credentials: str,
        body: SourceCredentialsPut,
    ) -> SourceCredentialsResponse:
        """Store or replace credentials of a storage.

        Imports and connectors of buckets use them by `stored_credentials`, from the next request after a
        replacement. They are stored encrypted and never returned. Another provider than before is a 409, and so
        are more than 100.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            source_credentials: Name of stored credentials: lower-case letters, digits, `-` and `_`.
            body: Credentials of a storage to store under a name.
        """
        return await self._call(
            "PUT",
            "/v1/source-credentials/{source_credentials}",
            SourceCredentialsResponse,
            path={"source_credentials": source_credentials},
            body=body,
        )

    async def delete_source_credentials(
        self,
        source_credentials: str,
    ) -> None:
        """Delete stored credentials of a storage.

        A 409 names a connector that uses them: give it other credentials, or delete it. An import that still
        waits for its copy fails.

        **Authorization:** any credential with the `write` permission. It must not be restricted to indexes.

        Args:
            source_credentials: Name of stored credentials: lower-case letters, digits, `-` and `_`.
        """
        return await self._call(
            "DELETE",
            "/v1/source-credentials/{source_credentials}",
            NoneType,
            path={"source_credentials": source_credentials},
        )

    async def list_source_credentials(
        self,
    ) -> list[SourceCredentialsResponse]:
        """List stored credentials of storages.

        Returns names and providers of all stored credentials, in order of name, without their values.

        **Authorization:** any credential with the `read` permission. It must not be restricted to indexes.
        """
        return await self._call(
            "GET",
            "/v1/source-credentials",
            list[SourceCredentialsResponse],
            path={},
        )

    async def cancel_crawl_job(
        self,
        index_id: str,
        crawl_id: str,
    ) -> CrawlJobResponse:
        """Cancel a crawl job.

        Safe to repeat. A crawl that has completed or failed is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            crawl_id: Id of a crawl job: `crawl_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel",
            CrawlJobResponse,
            path={"index_id": index_id, "crawl_id": crawl_id},
        )

    async def create_crawl_schedule(
        self,
        index_id: str,
        *,
        url: str,
        include_paths: CrawlScheduleCreateIncludePaths | None = None,
        exclude_paths: CrawlScheduleCreateExcludePaths | None = None,
        metadata: CrawlScheduleCreateMetadata | None = None,
        headers: CrawlScheduleCreateHeaders | None = None,
        page_limit: CrawlScheduleCreatePageLimit | None = None,
        max_depth: CrawlScheduleCreateMaxDepth | None = None,
        interval_hours: CrawlScheduleCreateIntervalHours | None = None,
        starts_at: str | None = None,
    ) -> CrawlScheduleResponse:
        """Schedule a crawl.

        Each run is an ordinary crawl job, which updates the pages of the runs before. If a run is still going
        on at the time of the next one, that one is left out. A page limit or a depth beyond the plan is a 402.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            url: Where the crawl begins: an http or https address on the public internet; a fragment is left
            out.
            include_paths: Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included,
            and `?` is one. The first page is read for its links in any case. Empty: all paths.
            exclude_paths: Paths to leave out, in the same form.
            metadata: Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and
            `canonical_url` are set by the crawl.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
            page_limit: Maximum number of pages to store. The plan limits it.
            max_depth: Maximum number of links from the first page; 0 fetches that page alone.
            interval_hours: Hours between the starts of two crawls.
            starts_at: When the first crawl starts; null: at once.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/crawl-schedules",
            CrawlScheduleResponse,
            path={"index_id": index_id},
            fields={"url": url, "include_paths": include_paths, "exclude_paths": exclude_paths, "metadata": metadata, "headers": headers, "page_limit": page_limit, "max_depth": max_depth, "interval_hours": interval_hours, "starts_at": starts_at},
        )

    async def list_crawl_schedules(
        self,
        index_id: str,
    ) -> list[CrawlScheduleResponse]:
        """List the schedules of crawls.

        Returns all schedules of the index, newest first.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-schedules",
            list[CrawlScheduleResponse],
            path={"index_id": index_id},
        )

    async def get_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
    ) -> CrawlScheduleResponse:
        """Get a schedule of crawls.

        Returns the schedule with its next time and its last crawl.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            CrawlScheduleResponse,
            path={"index_id": index_id, "schedule_id": schedule_id},
        )

    async def update_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
        *,
        paused: bool | Omit = OMIT,
        interval_hours: int | Omit = OMIT,
        starts_at: str | Omit = OMIT,
        headers: dict[str, str] | Omit = OMIT,
    ) -> CrawlScheduleResponse:
        """Pause or change a schedule of crawls.

        Absent fields stay. A new interval, and that of a resumed schedule, counts from now. `starts_at` starts
        a crawl at another time, or at once. `headers` replaces all of them.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
            paused: Whether no crawl starts.
            interval_hours: Hours between the starts of two crawls.
            starts_at: When the next crawl starts; a past time: at once. Later ones count from it.
            headers: Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored
            encrypted, never returned, and sent to no other host.
        """
        return await self._call(
            "PATCH",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            CrawlScheduleResponse,
            path={"index_id": index_id, "schedule_id": schedule_id},
            fields={"paused": paused, "interval_hours": interval_hours, "starts_at": starts_at, "headers": headers},
        )

    async def delete_crawl_schedule(
        self,
        index_id: str,
        schedule_id: str,
    ) -> None:
        """Delete a schedule of crawls.

        Starts no further crawl. Crawls that it has started, and their pages, stay.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            schedule_id: Id of a schedule of crawls: `sched_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/crawl-schedules/{schedule_id}",
            NoneType,
            path={"index_id": index_id, "schedule_id": schedule_id},
        )

    async def list_connectors(
        self,
        index_id: str,
    ) -> ConnectorOverview:
        """List connectors.

        Returns the connectors of the index, newest first, and the available providers.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/connectors",
            ConnectorOverview,
            path={"index_id": index_id},
        )

    async def create_connector(
        self,
        index_id: str,
        body: ConnectorCreate,
    ) -> ConnectorResponse:
        """Connect a provider.

        Reads its `scope`; without one, nothing until a scope is set. Credentials are stored encrypted and are
        never returned.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: A connector to create.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors",
            ConnectorResponse,
            path={"index_id": index_id},
            body=body,
        )

    async def get_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorResponse:
        """Get a connector.

        Returns a connector with the progress of its running sync.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            ConnectorResponse,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    async def update_connector(
        self,
        index_id: str,
        connection_id: str,
        *,
        name: str | Omit = OMIT,
        metadata: dict[str, Any] | Omit = OMIT,
        sync_interval_minutes: int | None | Omit = OMIT,
    ) -> ConnectorResponse:
        """Change name, interval or metadata of a connector.

        Absent fields stay. A new interval counts from the last sync. New metadata starts a sync that processes
        every document again, each as a file job.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            name: Display name.
            metadata: New metadata of every chunk. All documents are processed again, each as a file job.
            sync_interval_minutes: Minutes between two syncs; null: the default.
        """
        return await self._call(
            "PATCH",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            ConnectorResponse,
            path={"index_id": index_id, "connection_id": connection_id},
            fields={"name": name, "metadata": metadata, "sync_interval_minutes": sync_interval_minutes},
        )

    async def delete_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> None:
        """Remove a connector.

        Deletes the credentials at once and hides the connector from every list. Its content is then removed
        from the index.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/indexes/{index_id}/connectors/{connection_id}",
            NoneType,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    async def create_custom_api_connector(
        self,
        index_id: str,
        *,
        name: str,
        base_url: str,
        auth: CustomApiAuth,
        list: CustomApiList,
        item: CustomApiItem,
        metadata: CustomApiCreateMetadata | None = None,
        sync_interval_minutes: CustomApiCreateSyncIntervalMinutes | None = None,
    ) -> ConnectorResponse:
        """Connect an API of your own.

        Describes the list, its pagination and the fields of an item, as JSON Pointers. All items are in scope.
        The description is stored encrypted with its credentials and is never returned.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            name: Display name.
            base_url: An https address on the public internet, to which `list.path` is appended.
            auth: How requests authenticate.
            list: How items are listed.
            item: Fields of an item.
            metadata: Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and
            `chunk_overlap` work as for files. Keys of the source with the same name win.
            sync_interval_minutes: Minutes between two syncs.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/custom-api",
            ConnectorResponse,
            path={"index_id": index_id},
            fields={"name": name, "base_url": base_url, "auth": auth, "list": list, "item": item, "metadata": metadata, "sync_interval_minutes": sync_interval_minutes},
        )

    async def authorize_connector(
        self,
        index_id: str,
        provider: str,
        *,
        name: str | None = None,
        connection_id: str | None = None,
    ) -> ConnectorConsent:
        """Start a consent.

        Returns the URL at which a person grants access to `slack`, `notion`, `google_drive`, `gmail`,
        `google_calendar`, `sharepoint` or `one_drive`, within 15 minutes. The provider redirects them to a page
        with a code. Sending the code to `complete` creates the connector, which then waits for a scope. With a
        `connection_id`, that connector gets the new credentials instead. A 409 if that connector reads another
        provider, or if the deployment has no application at the provider.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            provider: Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`,
            `sharepoint` or `one_drive`.
            name: Null: the name of the provider.
            connection_id: Connector that gets the new credentials; it keeps its name. Null: the consent creates
            a connector.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{provider}/authorize",
            ConnectorConsent,
            path={"index_id": index_id, "provider": provider},
            fields={"name": name, "connection_id": connection_id},
        )

    async def complete_connector(
        self,
        index_id: str,
        provider: str,
        *,
        confirmation_code: str,
    ) -> ConnectorChange:
        """Confirm a consent.

        Creates the connector of a consent, with the code that the page after the consent shows. Only the
        credential that called `authorize`, or any session of the same user, can complete it. The code is valid
        once, for 15 minutes. The connector then waits for a scope, or continues with its existing one.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            provider: Provider of a connector: `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`,
            `sharepoint` or `one_drive`.
            confirmation_code: Code on the page to which the provider redirects.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{provider}/complete",
            ConnectorChange,
            path={"index_id": index_id, "provider": provider},
            fields={"confirmation_code": confirmation_code},
        )

    def list_connector_choices(
        self,
        index_id: str,
        connection_id: str,
        *,
        parent: str | None = None,
        q: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[ConnectorChoice]:
        """List what a scope can contain.

        Asks the source for channels, pages, data sources, folders, files, sites and libraries that the
        connector can read, a page at a time. A 409 if the source has nothing to choose, such as a calendar, or
        no longer grants access. A 503 with `Retry-After` if it is busy.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            parent: `parent` of an earlier choice, to list what is below it, or the address of a bucket. If
            absent: the top.
            q: Part of a name. Notion, SharePoint at the top and Google Drive search all that they give.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/choices",
            ConnectorChoice,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"parent": parent, "q": q, "cursor": cursor},
        )

    def list_connector_syncs(
        self,
        index_id: str,
        connection_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[ConnectorSync]:
        """List the syncs of a connector.

        Returns ended syncs, newest first, with what they changed. They are kept for 30 days.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/syncs",
            ConnectorSync,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"limit": limit, "cursor": cursor},
        )

    def list_unread_items(
        self,
        index_id: str,
        connection_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[UnreadItem]:
        """List what a connector could not read.

        Returns each document, channel, folder or other place that could not be read, with the reason, in no
        particular order. At most 1,000 are kept, the latest. Documents whose file job failed are among them
        from the next sync on.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/connectors/{connection_id}/unread-items",
            UnreadItem,
            path={"index_id": index_id, "connection_id": connection_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def update_connector_scope(
        self,
        index_id: str,
        connection_id: str,
        *,
        folders: ConnectorScopeUpdateFolders | None = None,
        files: ConnectorScopeUpdateFiles | None = None,
        folder_labels: ConnectorScopeUpdateFolderLabels | None = None,
        notion_pages: ConnectorScopeUpdateNotionPages | None = None,
        notion_data_sources: ConnectorScopeUpdateNotionDataSources | None = None,
        notion_labels: ConnectorScopeUpdateNotionLabels | None = None,
        gmail_after: str | None = None,
        calendar_after: str | None = None,
        slack_channels: ConnectorScopeUpdateSlackChannels | None = None,
        attachments: ConnectorScopeUpdateAttachments | None = None,
        sites: ConnectorScopeUpdateSites | None = None,
        libraries: ConnectorScopeUpdateLibraries | None = None,
        confluence_spaces: ConnectorScopeUpdateConfluenceSpaces | None = None,
        object_prefixes: ConnectorScopeUpdateObjectPrefixes | None = None,
        include_patterns: ConnectorScopeUpdateIncludePatterns | None = None,
        exclude_patterns: ConnectorScopeUpdateExcludePatterns | None = None,
    ) -> ConnectorChange:
        """Set the scope of a connector.

        Replaces the whole scope and starts a sync, which removes documents that are out of scope. A paused
        connector stays paused.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            folders: Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`.
            files: Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`.
            folder_labels: Display name of each folder, file, site and library.
            notion_pages: Notion pages, each with the pages below it.
            notion_data_sources: Notion data sources.
            notion_labels: Display name of each page and data source.
            gmail_after: Mail since this day or time, such as `2026-01-31`; null for all.
            calendar_after: Calendar entries since this day or time; null for all.
            slack_channels: Slack channels.
            attachments: Whether files of Slack messages, Notion pages and Confluence pages are documents, too.
            sites: SharePoint sites, by id or address, each with all its libraries.
            libraries: Document libraries of SharePoint.
            confluence_spaces: Keys of Confluence spaces.
            object_prefixes: Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or
            `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.
            include_patterns: Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number
            of characters, slashes included, and `?` is one. Empty: all objects.
            exclude_patterns: Objects to leave out, in the same form.
        """
        return await self._call(
            "PUT",
            "/v1/indexes/{index_id}/connectors/{connection_id}/scope",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
            fields={"folders": folders, "files": files, "folder_labels": folder_labels, "notion_pages": notion_pages, "notion_data_sources": notion_data_sources, "notion_labels": notion_labels, "gmail_after": gmail_after, "calendar_after": calendar_after, "slack_channels": slack_channels, "attachments": attachments, "sites": sites, "libraries": libraries, "confluence_spaces": confluence_spaces, "object_prefixes": object_prefixes, "include_patterns": include_patterns, "exclude_patterns": exclude_patterns},
        )

    async def reconnect_connector(
        self,
        index_id: str,
        connection_id: str,
        body: ConnectorReconnect,
    ) -> ConnectorChange:
        """Replace the credentials of a connector.

        Replaces credentials that no longer work; for a custom API its whole description. Scope and documents
        stay, and a sync reads everything in scope. A paused connector stays paused. A 409 if the connector
        reads another provider.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
            body: New credentials of the source.
        """
        return await self._call(
            "PUT",
            "/v1/indexes/{index_id}/connectors/{connection_id}/credentials",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
            body=body,
        )

    async def sync_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Sync a connector now.

        Reads the changes since the last sync, before the next one is due. A running sync continues, and a
        connector that stopped with an error is resumed. A paused connector, or one without a scope, is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/sync",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    async def resume_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Resume a connector.

        Syncs a paused connector, or one with an error, again and retries failed documents. Safe to repeat. A
        connector without a scope is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/resume",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    async def pause_connector(
        self,
        index_id: str,
        connection_id: str,
    ) -> ConnectorChange:
        """Pause a connector.

        Stops syncing until the connector is resumed; indexed documents stay. Safe to repeat. A connector
        without a scope is a 409.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            connection_id: Id of a connector: `conn_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/connectors/{connection_id}/pause",
            ConnectorChange,
            path={"index_id": index_id, "connection_id": connection_id},
        )

    async def upsert_vectors(
        self,
        index_id: str,
        body: VectorUpsert,
    ) -> VectorUpsertResponse:
        """Upsert vectors.

        Writes a list of items. Returns when all of them are durable and searchable. An item without a vector is
        embedded from its text. With `if_version`, all items are written or, if the version of one differs,
        none: the response is then a 409 whose `conflicts` are the first hundred such ids with their versions.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: The rows to write.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors",
            VectorUpsertResponse,
            path={"index_id": index_id},
            body=body,
        )

    def list_vectors(
        self,
        index_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
        include_vectors: bool | None = None,
        ids_only: bool | None = None,
        order_by: str | None = None,
        as_of: str | None = None,
        direction: Literal["asc", "desc"] | None = None,
    ) -> AsyncPages[VectorRecord]:
        """List vectors.

        Lists vectors in order of id, of all or of those that match `filter`, with their numbers if
        `include_vectors` is `true`. With `order_by` they are in the order of a metadata key, and all pages are
        of one version of the index, which is kept for at least 15 minutes. A page ends early if its rows would
        exceed the size of a response. With `filter` or `order_by`, which may read every row, it counts as one
        search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
            filter: Only rows that match this metadata filter: JSON, as `filter` of a search.
            include_vectors: Whether rows have the numbers of their vectors.
            ids_only: Whether rows have only their id and version. Text and file are null then, and metadata is
            empty.
            order_by: Metadata key, or a path to a member of objects. Of a list, its first value counts. Null
            comes before booleans, numbers, times, other texts and objects. Rows without the key come last.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            direction: Direction of `order_by`. Rows with equal values are in order of id.
        """
        return self._pages(
            "GET",
            "/v1/indexes/{index_id}/vectors",
            VectorRecord,
            path={"index_id": index_id},
            query={"limit": limit, "cursor": cursor, "filter": filter, "include_vectors": include_vectors, "ids_only": ids_only, "order_by": order_by, "as_of": as_of, "direction": direction},
        )

    async def update_vectors(
        self,
        index_id: str,
        body: VectorUpdate,
    ) -> VectorUpdateResponse:
        """Update metadata.

        Merges metadata into existing vectors, without their numbers or text. Ids that do not exist change
        nothing; `missing` has the first hundred. With `if_version`, all vectors are changed or, if the version
        of one differs, none: the response is then a 409 with `conflicts`.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            body: Changes to the metadata of rows.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/update",
            VectorUpdateResponse,
            path={"index_id": index_id},
            body=body,
        )

    async def fetch_vectors(
        self,
        index_id: str,
        *,
        ids: Sequence[str],
        filter: MetadataFilter | None = None,
        as_of: AsOf | None = None,
        include_vectors: VectorFetchIncludeVectors | None = None,
    ) -> VectorFetchResponse:
        """Fetch vectors by id.

        Returns vectors in the order of the ids, without ids that do not exist and rows that do not match
        `filter`. A response is at most 6 MiB, about 200 vectors of 1,536 numbers. Use several requests for
        more.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of the rows. Those without a row are left out of the response.
            filter: Leaves out rows that do not match.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            include_vectors: Whether the response has the numbers of the vectors.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/fetch",
            VectorFetchResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "as_of": as_of, "include_vectors": include_vectors},
        )

    async def delete_vectors(
        self,
        index_id: str,
        *,
        ids: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
        all: Literal[True] | None = None,
    ) -> VectorDeleteResponse:
        """Delete vectors.

        Deletes by ids, by filter, or all. Returns when no search finds the vectors any more. `deleted` counts
        those that existed.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            ids: Ids of the rows to delete.
            filter: Deletes every row that matches.
            all: Deletes every row.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/delete",
            VectorDeleteResponse,
            path={"index_id": index_id},
            fields={"ids": ids, "filter": filter, "all": all},
        )

    async def count_vectors(
        self,
        index_id: str,
        *,
        filter: MetadataFilter | None = None,
        as_of: AsOf | None = None,
    ) -> VectorCountResponse:
        """Count vectors.

        Returns the exact number of rows, of all or of those that match `filter`. Counts as one search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filter: Only rows that match. Without it, all rows.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/count",
            VectorCountResponse,
            path={"index_id": index_id},
            fields={"filter": filter, "as_of": as_of},
        )

    async def update_vectors_by_filter(
        self,
        index_id: str,
        *,
        filter: MetadataFilter,
        metadata: dict[str, Any],
        expires_at: str | None = None,
    ) -> VectorUpdateByFilterResponse:
        """Update metadata by filter.

        Merges metadata into all vectors that match, in one commit. Returns when searches see it. If the vectors
        are more than one commit can write, or the metadata of one would exceed 40 KiB, the response is a 409
        and nothing is changed.

        **Authorization:** any credential with the `write` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            filter: Updates every row that matches.
            metadata: JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all
            other keys stay.
            expires_at: New time, with an offset, from which no read returns it. Null: it never expires.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/vectors/update-by-filter",
            VectorUpdateByFilterResponse,
            path={"index_id": index_id},
            fields={"filter": filter, "metadata": metadata, "expires_at": expires_at},
        )

    async def list_metadata_values(
        self,
        index_id: str,
        *,
        key: str,
        filter: MetadataFilter | None = None,
        contains: str | None = None,
        limit: MetadataValuesLimit | None = None,
        cursor: str | None = None,
    ) -> MetadataValuesResponse:
        """List the values of a metadata key.

        Returns the distinct values of a key with the number of rows that have each, of all rows or of those
        that match `filter`. A list counts with each of its members. Reads every matching row, and counts as
        five searches.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            key: Key of the metadata, or a path to a member of objects, such as `author.name`.
            filter: Only rows that match. Without it, all rows.
            contains: Only texts that contain this, in upper or lower case.
            limit: Maximum number of values.
            cursor: `next_cursor` of the previous page.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/metadata/values",
            MetadataValuesResponse,
            path={"index_id": index_id},
            fields={"key": key, "filter": filter, "contains": contains, "limit": limit, "cursor": cursor},
        )

    async def describe_metadata(
        self,
        index_id: str,
        *,
        keys: Sequence[str] | None = None,
        filter: MetadataFilter | None = None,
    ) -> MetadataDescribeResponse:
        """Describe metadata keys.

        Returns the types, the number of distinct values, and the lowest and highest number and text of metadata
        keys, over all rows or those that match `filter`. Reads every matching row, and counts as five searches.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            keys: Keys or paths to describe. Without them, the keys that rows have: the first 100 in order.
            filter: Only rows that match. Without it, all rows.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/metadata/describe",
            MetadataDescribeResponse,
            path={"index_id": index_id},
            fields={"keys": keys, "filter": filter},
        )

    async def search_batch(
        self,
        index_id: str,
        *,
        searches: Sequence[BatchSearchRequest],
    ) -> BatchSearchResponse:
        """Run several searches.

        Runs up to 16 searches of any kind on one version of the index, and returns their responses in order. An
        error of one does not fail the others. Each counts as a search.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            searches: The searches.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/search/batch",
            BatchSearchResponse,
            path={"index_id": index_id},
            fields={"searches": searches},
        )

    async def dense_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        vector: VectorInput | None = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: DenseSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by meaning.

        Returns the nearest rows to a vector, or to the embedding of a text by the model of the index. A higher
        score is nearer: cosine similarity, or negative squared euclidean distance.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Text to search for. The model of the index turns it into a vector.
            vector: A vector: numbers, or base64 of little-endian 32-bit floats.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/search/dense",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "vector": vector, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    async def measure_recall(
        self,
        index_id: str,
        *,
        top_k: RecallBodyTopK | None = None,
        queries: RecallBodyQueries | None = None,
        seed: RecallBodySeed | None = None,
        vectors: Sequence[VectorInput] | None = None,
        filter: MetadataFilter | None = None,
    ) -> RecallResponse:
        """Measure recall.

        Measures which share of the exact hits the default dense search finds, with vectors drawn from the index
        or with given vectors. It measures once over all rows and once with a filter. Without a given filter, it
        derives one that about one row in a hundred matches. A drawn vector is not a hit of itself. No query
        begins after 12 seconds. Each search counts in usage as a dense search. The request counts as 12
        searches for each query against the rate limit, and as 8 requests in flight.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            top_k: Results of each query that are compared.
            queries: Stored vectors to draw. Ignored if `vectors` are given.
            seed: The same seed draws the same vectors as long as the index is unchanged.
            vectors: Vectors to search with instead, such as those of real queries.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/recall",
            RecallResponse,
            path={"index_id": index_id},
            fields={"top_k": top_k, "queries": queries, "seed": seed, "vectors": vectors, "filter": filter},
        )

    async def sparse_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: SparseSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by words.

        Returns the rows whose text matches best by BM25, after stemming and without stop words. Words in double
        quotes must occur next to each other in that order. `-"…"` excludes rows with that phrase.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Words to search for; rows match with any of them. Words in quotes, also in typographic ones,
            must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply
            only to the sparse side. Required without `queries`.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/search/sparse",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    async def hybrid_search(
        self,
        index_id: str,
        *,
        text: str | None = None,
        vector: VectorInput | None = None,
        fusion: SearchFusion | None | Off = None,
        top_k: SearchTopK | None = None,
        filter: MetadataFilter | None = None,
        include: SearchInclude | None = None,
        exact: SearchExact | None = None,
        depth: int | None = None,
        queries: Sequence[SearchQuery] | None = None,
        fuse: HybridSearchFuse | None = None,
        boost: SearchBoost | None | Off = None,
        rerank: SearchRerank | None | Off = None,
        highlight: SearchHighlight | None = None,
        context: SearchContext | None | Off = None,
        min_score: SearchMinScore | None = None,
        group: SearchGroup | None | Off = None,
        diversity: float | None = None,
        offset: int | None = None,
        cursor: str | None = None,
        rebuild: str | None = None,
        as_of: AsOf | None = None,
        facets: Sequence[SearchFacet] | None = None,
    ) -> SearchResponse:
        """Search by meaning and words.

        Runs a dense and a sparse search, and fuses them by weighted reciprocal ranks or by a weighted sum of
        normalized scores: BM25 as a share of the best hit, similarities from the last candidate to the best.
        Each hit has its rank and score on both sides; `include: ["explanation"]` adds the contribution of each
        side to the score.

        **Authorization:** any credential with the `read` permission.

        Args:
            index_id: Id of an index: `idx_` and 26 lower-case letters and digits. Or an alias of it.
            text: Words to search for; rows match with any of them. Words in quotes, also in typographic ones,
            must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply
            only to the sparse side. Required without `queries`.
            vector: A vector: numbers, or base64 of little-endian 32-bit floats.
            fusion: Fusion of the dense and the sparse side. Null: not even by the defaults of the index.
            top_k: Maximum number of results.
            filter: Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt
            $gte $lt $lte $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of
            the metadata, or a path to a member of objects, such as `author.name`. A value is a string, number,
            boolean, null or a whole object. Times of RFC 3339 with an offset compare as instants, with times
            alone. Other strings compare by code point. At most 64 conditions, 512 joined filters, 1000 listed
            values, 8 levels and 2 MiB as JSON.
            include: Parts that each result has besides `id`, `score` and `file`.
            exact: Compare with every row instead of using the vector index.
            depth: Candidates of each side, on which the further stages work. Default 100, for every `top_k` and
            `offset`.
            queries: Several queries in place of `text` and `vector`, whose hits are joined into one list.
            fuse: How hits of `queries` are joined: by reciprocal ranks, or by the highest score.
            boost: Boost by metadata. Null: not even by the defaults of the index.
            rerank: Reranker of the best candidates. Null: not even by the defaults of the index.
            highlight: Marks what the text index matches of the queries in the texts of the results.
            context: Text around the results. Null: not even by the defaults of the index.
            min_score: Lowest score. A number is for the reranker if there is one, else for the only side. A
            hybrid search without a reranker needs an object, because fused scores depend on the other hits.
            group: Groups of hits. Null: not even by the defaults of the index.
            diversity: Share of diversity in the order of hits, by maximal marginal relevance. 0: none.
            offset: Results before the first returned one, within the candidates.
            cursor: `next_cursor` of the previous page, sent with the request of the first page. Its version,
            candidates and time of `now` are those of the first page.
            rebuild: Rebuild whose successor is searched in place of the index, before or after it takes over.
            as_of: Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The
            newest kept version from before that time is read. Rows that have expired since stay absent.
            facets: Keys whose values are counted over all rows that match `filter`.
        """
        return await self._call(
            "POST",
            "/v1/indexes/{index_id}/search/hybrid",
            SearchResponse,
            path={"index_id": index_id},
            fields={"text": text, "vector": vector, "fusion": fusion, "top_k": top_k, "filter": filter, "include": include, "exact": exact, "depth": depth, "queries": queries, "fuse": fuse, "boost": boost, "rerank": rerank, "highlight": highlight, "context": context, "min_score": min_score, "group": group, "diversity": diversity, "offset": offset, "cursor": cursor, "rebuild": rebuild, "as_of": as_of, "facets": facets},
        )

    async def list_events(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        event_type: EventType | None = None,
        status: EventStatus | None = None,
    ) -> EventHistory:
        """List webhook events.

        Lists the events of the organization, newest first. The next page starts at `offset + limit`. `traces`
        and `telemetry` contain the processing data of the events on the page that end a file job. Deleting a
        job deletes its steps in `telemetry` and empties `sparse_text`. Very large events are shortened to fit
        the page. A page has at most 4,000 steps of telemetry.

        **Authorization:** any session.

        Args:
            limit: Maximum number of events on the page.
            offset: Events to skip.
            event_type: Only events of this type.
            status: Only events of this status.
        """
        return await self._call(
            "GET",
            "/v1/organization/webhooks/events",
            EventHistory,
            path={},
            query={"limit": limit, "offset": offset, "event_type": event_type, "status": status},
        )

    async def create_webhook_endpoint(
        self,
        *,
        url: str,
        event_types: Sequence[EventType] | None = None,
        description: str | None = None,
    ) -> WebhookEndpointCreated:
        """Create a webhook endpoint.

        The response contains the signing secret, which is returned only once.

        **Authorization:** the session of an owner.

        Args:
            url: URL of the receiver: an https address on the public internet.
            event_types: Event types that the endpoint subscribes to; null for all but `audit.recorded`,
            including future types.
            description: Purpose of the endpoint.
        """
        return await self._call(
            "POST",
            "/v1/organization/webhooks/endpoints",
            WebhookEndpointCreated,
            path={},
            fields={"url": url, "event_types": event_types, "description": description},
        )

    def list_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[WebhookEndpointResponse]:
        """List webhook endpoints.

        Lists the endpoints of the organization, newest first.

        **Authorization:** the session of an owner.

        Args:
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/webhooks/endpoints",
            WebhookEndpointResponse,
            path={},
            query={"limit": limit, "cursor": cursor},
        )

    async def update_webhook_endpoint(
        self,
        endpoint_id: str,
        *,
        url: str | Omit = OMIT,
        event_types: Sequence[EventType] | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
    ) -> WebhookEndpointResponse:
        """Update, pause or resume a webhook endpoint.

        Changes the given fields. The signing secret stays the same.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
            url: URL of the receiver: an https address on the public internet.
            event_types: Event types that the endpoint subscribes to; null for all but `audit.recorded`,
            including future types.
            description: Purpose of the endpoint.
            enabled: False pauses the endpoint. Deliveries that become due during a pause are dropped.
        """
        return await self._call(
            "PATCH",
            "/v1/organization/webhooks/endpoints/{endpoint_id}",
            WebhookEndpointResponse,
            path={"endpoint_id": endpoint_id},
            fields={"url": url, "event_types": event_types, "description": description, "enabled": enabled},
        )

    async def delete_webhook_endpoint(
        self,
        endpoint_id: str,
    ) -> None:
        """Delete a webhook endpoint.

        Ends all deliveries to the endpoint, including pending retries.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "DELETE",
            "/v1/organization/webhooks/endpoints/{endpoint_id}",
            NoneType,
            path={"endpoint_id": endpoint_id},
        )

    async def rotate_webhook_secret(
        self,
        endpoint_id: str,
    ) -> WebhookSecretRotated:
        """Rotate the secret of a webhook endpoint.

        The response contains the new signing secret, which is returned only once. For 24 hours every delivery
        is signed with the old and the new secret, so receivers can verify either. Returns 409 after 4 rotations
        in 24 hours.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret",
            WebhookSecretRotated,
            path={"endpoint_id": endpoint_id},
        )

    async def test_webhook_endpoint(
        self,
        endpoint_id: str,
    ) -> WebhookDelivery:
        """Send a test message to a webhook endpoint.

        Sends a message of type `webhook.test` to this endpoint. It is signed, retried and logged like an event,
        but the event history does not contain it. The delivery log shows the outcome. Returns 409 if the
        endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
        """
        return await self._call(
            "POST",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/test",
            WebhookDelivery,
            path={"endpoint_id": endpoint_id},
        )

    def list_webhook_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[WebhookDelivery]:
        """List the deliveries to a webhook endpoint.

        Lists the events, replays and test messages of the last 30 days with their attempts, newest first.

        **Authorization:** the session of an owner.

        Args:
            endpoint_id: Id of a webhook endpoint: `we_` and 26 lower-case letters and digits.
            limit: Maximum number of items on the page.
            cursor: Value of the header `x-next-cursor` of the previous page.
        """
        return self._pages(
            "GET",
            "/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries",
            WebhookDelivery,
            path={"endpoint_id": endpoint_id},
            query={"limit": limit, "cursor": cursor},
        )

    async def replay_one_event(
        self,
        event_id: str,
        *,
        endpoint_id: str | None = None,
    ) -> ReplayAccepted:
        """Replay an event.

        Sends an event again: to one endpoint, even if it does not subscribe to the type, or to all enabled
        endpoints that do. `hook-id` and body stay the same, except that the text of a file whose job was
        deleted is missing. Timestamp and signature are new. Returns 409 if the endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            event_id: Id of an event: `evt_` and 26 lower-case letters and digits.
            endpoint_id: Endpoint to send to, even if it does not subscribe to the type. If absent: all enabled
            endpoints that subscribe to it.
        """
        return await self._call(
            "POST",
            "/v1/organization/webhooks/events/{event_id}/replay",
            ReplayAccepted,
            path={"event_id": event_id},
            fields={"endpoint_id": endpoint_id},
        )

    async def replay_events(
        self,
        *,
        from_: str,
        to: str,
        event_types: Sequence[EventType] | None = None,
        endpoint_id: str | None = None,
    ) -> ReplayAccepted:
        """Replay the events of a time range.

        Sends the events that are still in the history again, oldest first. Each endpoint receives the types
        that it subscribes to. A range may contain at most 10,000 events. Returns 404 if `endpoint_id` does not
        exist and 409 if that endpoint is disabled.

        **Authorization:** the session of an owner.

        Args:
            from_: Start of the range, inclusive.
            to: End of the range, exclusive.
            event_types: Types to replay; null for every type.
            endpoint_id: Endpoint to send to. If absent: all enabled endpoints.
        """
        return await self._call(
            "POST",
            "/v1/organization/webhooks/events/replay",
            ReplayAccepted,
            path={},
            fields={"from": from_, "to": to, "event_types": event_types, "endpoint_id": endpoint_id},
        )

    async def get_deep_health(
        self,
    ) -> list[DependencyHealth]:
        """Check all dependencies of the service.

        Sends one small request to each table, bucket and queue. In each region it embeds a word by each model
        and opens up to 20 indexes of the organization, and names those whose data is missing or damaged. Each
        check takes at most 10 seconds. The status is 200 even if checks fail.

        **Authorization:** the session of an owner.
        """
        return await self._call(
            "GET",
            "/v1/health/deep",
            list[DependencyHealth],
            path={},
        )

    async def get_health(
        self,
    ) -> Health:
        """Check whether the API responds.

        Returns 200 if the API responds. It does not check dependencies. On one machine it returns 503 while the
        disk takes no data.

        **Authorization:** none.
        """
        return await self._call(
            "GET",
            "/v1/health",
            Health,
            path={},
        )
