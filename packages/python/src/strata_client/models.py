# Generated from docs/openapi.json by `npm run client`: do not edit.
"""Responses of the API."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import Field

from ._model import Model


class User(Model):
    """A user."""

    id: str
    """Id of the user."""
    email: str
    """Verified e-mail address."""
    name: str
    """Name from the identity provider."""

OrganizationRole: TypeAlias = Literal["owner", "member"]
"""`member`: reads everything and changes data. `owner`: also manages members, API keys and webhooks."""

PlanName: TypeAlias = Literal["developer", "scale", "enterprise"]
"""Id of a plan."""


class OrganizationWorkspace(Model):
    """An organization in a list."""

    organization_id: str
    """Id of the organization."""
    organization_name: str
    """Name of the organization."""
    role: OrganizationRole
    """Role of the user; `member` for an API key or access token."""
    subscription_status: str
    """State of the subscription, such as `active`."""
    onboarded: bool
    """Whether onboarding is complete."""
    plan: PlanName
    """Plan of the organization."""


class PendingInvitation(Model):
    """An invitation that the user can accept."""

    id: str
    """Id of the invitation."""
    email: str
    """Invited e-mail address."""
    role: OrganizationRole
    """Role of the invited person."""
    expires_at: str
    """When the invitation expires."""
    accepted_at: str | None
    """When the invitation was accepted; null if it was not."""
    created_at: str
    """When the invitation was created."""
    organization_name: str
    """Name of the organization."""


class BootstrapResponse(Model):
    """An open session with its user."""

    user: User
    """The user of the session."""
    session_token: str
    """Bearer value of the session, returned only once."""
    expires_at: str
    """When the session expires."""
    organizations: list[OrganizationWorkspace]
    """Organizations of the user, oldest membership first."""
    pending_invitations: list[PendingInvitation]
    """Invitations that the user can accept now."""


class SessionResponse(Model):
    """An open session."""

    id: str
    """Id of the session."""
    created_at: str
    """When the session was opened."""
    expires_at: str
    """When the session expires."""
    current: bool
    """Whether this is the session of the request."""
    user_agent: str | None
    """`user-agent` header of the client that opened the session."""
    application: str | None
    """Name of the application that was connected with the session; null if there is none."""


class OrganizationDetail(Model):
    """An organization with the terms of its plan."""

    organization_id: str
    """Id of the organization."""
    organization_name: str
    """Name of the organization."""
    role: OrganizationRole
    """Role of the user; `member` for an API key or access token."""
    subscription_status: str
    """State of the subscription, such as `active`."""
    onboarded: bool
    """Whether onboarding is complete."""
    plan: PlanName
    """Plan of the organization."""
    cancel_at_period_end: bool
    """Whether the subscription ends with the current period."""
    current_period_end: str | None
    """End of the current period; null if there is none."""
    spending_limit_usd: float | None
    """Spending limit by calendar month in USD; null if there is none."""
    limits: dict[str, int]
    """Maximum numbers, such as of indexes, bytes and credits. All are integers."""
    features: dict[str, bool]
    """Features that the plan includes."""
    rate_limits: dict[str, int]
    """Rate limits in requests per minute and organization."""


class UnitPrices(Model):
    """Prices in USD per unit, from which the cost of usage is estimated."""

    storage_gib_month: float
    """One GiB of dense and sparse data kept for a month."""
    original_gib_month: float
    """One GiB of original files that jobs keep for a month."""
    million_vectors_written: float
    """A million vectors that were written, by files or directly; an upsert counts."""
    thousand_searches: float
    """A thousand dense, sparse or hybrid searches."""
    thousand_rerank_units: float
    """A thousand units of rerankers: texts that an embedded one has scored, or units of its provider, who bills
    them too.
    """
    thousand_pages: float
    """A thousand pages of files that were read."""
    ocr_credit: float
    """One page image whose text was recognized."""
    audio_credit: float
    """One started minute of audio that was transcribed."""
    million_embedding_tokens: float
    """A million tokens of text that were turned into vectors."""
    thousand_invocations: float
    """A thousand runs of the functions that process files, repeats included."""


class PlanResponse(Model):
    """A plan with its terms."""

    id: PlanName
    """Id of the plan."""
    name: str
    """Display name."""
    price_usd_per_month: float | None
    """Price in USD per month; null if on request."""
    limits: dict[str, int]
    """Maximum numbers, such as of indexes, bytes and credits. All are integers."""
    features: dict[str, bool]
    """Features that the plan includes."""
    rate_limits: dict[str, int]
    """Rate limits in requests per minute and organization."""
    unit_prices: UnitPrices
    """Prices in USD per unit, from which the cost of usage is estimated."""


class OrganizationMember(Model):
    """A user of an organization."""

    user_id: str
    """Id of the user."""
    role: OrganizationRole
    """Role of the user in the organization."""
    joined_at: str
    """When the user joined."""
    email: str | None = None
    """E-mail address of the user; null if unknown."""


class InvitationResponse(Model):
    """An invitation to an organization."""

    id: str
    """Id of the invitation."""
    email: str
    """Invited e-mail address."""
    role: OrganizationRole
    """Role of the invited person."""
    expires_at: str
    """When the invitation expires."""
    accepted_at: str | None
    """When the invitation was accepted; null if it was not."""
    created_at: str
    """When the invitation was created."""


class BillingActionResponse(Model):
    """Response to the acceptance of an invitation."""

    status: str
    """Always `accepted`."""
    organization_id: str
    """Id of the organization that the user joined."""
    role: OrganizationRole
    """Role of the user in the organization."""


class SearchCounts(Model):
    """Searches by their kind."""

    dense: int
    """Dense searches."""
    sparse: int
    """Sparse searches."""
    hybrid: int
    """Hybrid searches."""


class OrganizationUsage(Model):
    """What an organization used in one month."""

    period_start: str
    """Beginning of the month in UTC."""
    period_end: str
    """End of the month in UTC, exclusive."""
    indexes: int
    """Current month: number of indexes. Past month: indexes that held vectors at its end."""
    vectors_stored: int
    """At the end of the month, or now for the current month."""
    dense_bytes: int
    """At the end of the month, or now for the current month."""
    sparse_bytes: int
    """At the end of the month, or now for the current month."""
    original_bytes: int
    """Bytes of the original files of completed and failed jobs and of files without an index, at the end of the
    month, or now for the current month. An original file is deleted with its job.
    """
    vectors_written: int
    """Vectors that files and requests wrote. A replaced vector counts again."""
    vectors_deleted: int
    """Vectors that were deleted."""
    searches: SearchCounts
    """Searches by their kind."""
    file_jobs: int
    """File jobs that were created."""
    pages: int
    """Pages of files that were read."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    crawl_pages: int
    """Web pages that crawls stored."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of rerankers: texts that an embedded one has scored, or units of its provider."""
    serverless_invocations: int
    """Runs of the functions that process files, retries included."""
    estimated_cost_usd: float
    """Each figure times its unit price. Storage counts by the day. A past day counts with the bytes at its end,
    the elapsed part of today with the bytes of now, each as its part of the month.
    """


class CredentialUsage(Model):
    """What a credential used in one month."""

    credential_id: str
    """Id of the API key, OAuth client or grant."""
    name: str | None
    """Name of the API key or OAuth client; null for others."""
    vectors_written: int
    """Vectors that files and requests wrote. A replaced vector counts again."""
    vectors_deleted: int
    """Vectors that were deleted."""
    searches: SearchCounts
    """Searches by their kind."""
    file_jobs: int
    """File jobs that its requests created."""
    pages: int
    """Pages of files that were read."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of rerankers: texts that an embedded one has scored, or units of its provider."""
    serverless_invocations: int
    """Runs of the functions that process files, retries included."""
    estimated_cost_usd: float
    """Each figure times its unit price, without storage."""

UsageValue: TypeAlias = str | float | bool
"""Value of a usage key."""


class ValueUsage(Model):
    """What was used in one month for a value of the usage key of an index."""

    index_id: str
    """Id of the index, which may be deleted."""
    value: UsageValue | None
    """Value of the usage key; null for the values that are counted together."""
    vectors_written: int
    """Vectors that files and requests wrote. A replaced vector counts again."""
    vectors_deleted: int
    """Vectors that were deleted."""
    searches: SearchCounts
    """Searches by their kind."""
    file_jobs: int
    """File jobs that ended."""
    pages: int
    """Pages of files that were read."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of rerankers: texts that an embedded one has scored, or units of its provider."""
    serverless_invocations: int
    """Runs of the functions that process files, retries included."""
    estimated_cost_usd: float
    """Each figure times its unit price, without storage."""


class IndexUsage(Model):
    """What an index used in one month."""

    index_id: str
    """Id of the index."""
    name: str | None
    """Name of the index; null if it is deleted."""
    vectors_stored: int
    """At the end of the month, or now for the current month."""
    dense_bytes: int
    """At the end of the month, or now for the current month."""
    sparse_bytes: int
    """At the end of the month, or now for the current month."""
    original_bytes: int
    """At the end of the month, or now for the current month."""
    vectors_written: int
    """Vectors that files and requests wrote. A replaced vector counts again."""
    vectors_deleted: int
    """Vectors that were deleted."""
    searches: SearchCounts
    """Searches by their kind."""
    file_jobs: int
    """File jobs that were created."""
    pages: int
    """Pages of files that were read."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    crawl_pages: int
    """Web pages that crawls stored."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of rerankers: texts that an embedded one has scored, or units of its provider."""
    serverless_invocations: int
    """Runs of the functions that process files, retries included."""
    estimated_cost_usd: float
    """Each figure times its unit price, with storage."""


class UsageHistoryPoint(Model):
    """Figures of an index, or of an organization, on one day."""

    date: str
    """Day in UTC."""
    vectors: int
    """Rows at the end of the day, or now."""
    vectors_written: int
    """Vectors that were written on the day."""
    vectors_deleted: int
    """Vectors that were deleted on the day."""
    searches: int
    """Searches of the day."""
    dense_bytes: int
    """Bytes of the vectors at the end of the day, or now."""
    sparse_bytes: int
    """Bytes of the texts and their word index at the end of the day, or now."""


class DailyUsage(Model):
    """Usage of an index on one day."""

    date: str
    """Day in UTC."""
    index_id: str
    """Id of the index, which may be deleted."""
    vectors: int
    """Rows at the end of the day, or now."""
    dense_bytes: int
    """Bytes of the vectors at the end of the day, or now."""
    sparse_bytes: int
    """Bytes of the texts and their word index at the end of the day, or now."""
    original_bytes: int
    """Bytes of the original files at the end of the day, or now."""
    searches: int
    """Searches of all kinds."""
    file_jobs: int
    """File jobs that were created."""
    vectors_written: int
    """Vectors that files and requests wrote. A replaced vector counts again."""
    vectors_deleted: int
    """Vectors that were deleted."""
    pages: int
    """Pages of files that were read."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    crawl_pages: int
    """Web pages that crawls stored."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of rerankers: texts that an embedded one has scored, or units of its provider."""
    serverless_invocations: int
    """Runs of the functions that process files, retries included."""

AuditAction: TypeAlias = Literal["alias.deleted", "alias.set", "api_key.created", "api_key.revoked", "connector.connected", "connector.consent_started", "connector.created", "connector.credentials_replaced", "connector.deleted", "connector.paused", "connector.resumed", "connector.scope_updated", "connector.sync_requested", "connector.updated", "crawl_job.cancelled", "crawl_job.created", "crawl_schedule.created", "crawl_schedule.deleted", "crawl_schedule.updated", "erasure.created", "evaluation.created", "event.replayed", "export.created", "export.deleted", "golden_set.deleted", "golden_set.set", "grant.created", "grant.revoked", "import.created", "index.branched", "index.created", "index.deleted", "index.promoted", "index.restored", "index.updated", "invitation.accepted", "invitation.created", "invitation.revoked", "member.removed", "member.updated", "oauth_client.created", "oauth_client.revoked", "organization.updated", "source_credentials.deleted", "source_credentials.set", "query_log.deleted", "rebuild.closed", "rebuild.created", "rebuild.rolled_back", "session.created", "session.ended", "webhook_endpoint.created", "webhook_endpoint.deleted", "webhook_endpoint.secret_rotated", "webhook_endpoint.tested", "webhook_endpoint.updated"]
"""Type of the changed resource, and what happened to it."""

AuditOutcome: TypeAlias = Literal["succeeded", "unknown"]
"""`succeeded`: the change was made. `unknown`: the request is running, or ended by an error of the service, and
may have made the change.
"""

AuditActorKind: TypeAlias = Literal["api_key", "access_token", "grant", "session", "user_token"]
"""Kind of a credential. `session`: a user."""


class AuditActor(Model):
    """Who made a change."""

    kind: AuditActorKind
    """Kind of a credential. `session`: a user."""
    id: str
    """Id of the API key, OAuth client, grant or user."""
    email: str | None
    """E-mail address of the user of a session; null for other credentials."""
    creators: list[str]
    """Creators of the credential, first to last: a user, API keys and OAuth clients."""


class AuditedResource(Model):
    """The changed resource. It may have been deleted since."""

    type: str
    """Type of the resource: the first part of the action."""
    id: str | None
    """Id of the resource; null if it has none."""
    name: str | None
    """Name of the resource at the time; null if it has none."""


class AuditRecordResponse(Model):
    """Record of one change."""

    id: str
    """Id of the record."""
    at: str
    """When the request was made."""
    action: AuditAction
    """Type of the changed resource, and what happened to it."""
    outcome: AuditOutcome
    """`succeeded`: the change was made. `unknown`: the request is running, or ended by an error of the service,
    and may have made the change.
    """
    actor: AuditActor
    """Who made a change."""
    resource: AuditedResource
    """The changed resource. It may have been deleted since."""
    index_id: str | None
    """Index in the path of the request; null if there is none."""
    source_ip: str | None
    """IP address of the client; null if it is unknown."""
    user_agent: str | None
    """`user-agent` header of the request; null if it had none."""
    request_id: str
    """Id of the request, as in its response."""
    details: dict[str, Any]
    """Fields of the request. No value is secret. The JSON of a value of more than 1,000 characters is cut."""

MetadataFilter: TypeAlias = dict[str, Any]
"""Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`,
joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member
of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC
3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64
conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
"""


class ShownRateLimits(Model):
    """Limits by minute. An absent one is that of the plan."""

    requests: int | None = None
    """Requests of all kinds."""
    searches: int | None = None
    """Searches, by their weight."""
    vector_writes: int | None = None
    """Requests that write or delete rows."""
    file_jobs: int | None = None
    """File jobs that requests create."""


class ShownMonthlyLimits(Model):
    """Limits by calendar month in UTC."""

    searches: int | None = None
    """Searches."""
    vectors_written: int | None = None
    """Vectors that its requests and files wrote."""
    file_jobs: int | None = None
    """File jobs."""
    embedding_tokens: int | None = None
    """Tokens of text that were turned into vectors."""
    cost_usd: float | None = None
    """Estimated cost of its usage in USD, without storage."""


class ApiKeyCreated(Model):
    """A created API key with its value."""

    id: str
    """Id of the key."""
    name: str
    """Display name."""
    permissions: list[str]
    """Permissions of the key: `read`, `write`."""
    index_ids: list[str] | None
    """Ids of the indexes that the credential is restricted to; null for all indexes."""
    filter: MetadataFilter | None
    """Filter of the rows that the credential is bound to; null for all rows."""
    id_prefix: str | None
    """Beginning of the ids that it may write; null for any."""
    rate_limits: ShownRateLimits | None
    """Its limits by minute; null for those of the plan."""
    in_flight: int | None
    """Maximum of its requests at a time; null for that of the plan."""
    monthly_limits: ShownMonthlyLimits | None
    """Its limits by month; null for those of the plan."""
    created_at: str
    """When the key was created."""
    token: str
    """Value of the key, returned only once."""
    expires_at: str | None
    """When the key expires; null for never."""


class ApiKeyResponse(Model):
    """An API key without its value."""

    id: str
    """Id of the key."""
    name: str
    """Display name."""
    permissions: list[str]
    """Permissions of the key: `read`, `write`."""
    index_ids: list[str] | None
    """Ids of the indexes that the credential is restricted to; null for all indexes."""
    filter: MetadataFilter | None
    """Filter of the rows that the credential is bound to; null for all rows."""
    id_prefix: str | None
    """Beginning of the ids that it may write; null for any."""
    rate_limits: ShownRateLimits | None
    """Its limits by minute; null for those of the plan."""
    in_flight: int | None
    """Maximum of its requests at a time; null for that of the plan."""
    monthly_limits: ShownMonthlyLimits | None
    """Its limits by month; null for those of the plan."""
    created_at: str
    """When the key was created."""
    prefix: str
    """First 16 characters of the value, to recognize the key."""
    expires_at: str | None
    """When the key expires; null for never."""
    revoked_at: str | None
    """When the key was revoked; null if it was not."""
    last_used_at: str | None
    """When the key was last used, up to an hour too early: the first use of the last hour (UTC) with a use. Null
    if no use is known.
    """
    created_by: str | None
    """Id of the user, API key or OAuth client that created it. It ends with its creator. Null if unknown."""


class OAuthClientCreated(Model):
    """A created OAuth client with its secret."""

    id: str
    """Id of the client."""
    name: str
    """Display name."""
    scopes: list[str]
    """Scopes of access tokens of the client: `read`, `write`."""
    index_ids: list[str] | None
    """Ids of the indexes that the credential is restricted to; null for all indexes."""
    filter: MetadataFilter | None
    """Filter of the rows that the credential is bound to; null for all rows."""
    id_prefix: str | None
    """Beginning of the ids that it may write; null for any."""
    rate_limits: ShownRateLimits | None
    """Its limits by minute; null for those of the plan."""
    in_flight: int | None
    """Maximum of its requests at a time; null for that of the plan."""
    monthly_limits: ShownMonthlyLimits | None
    """Its limits by month; null for those of the plan."""
    created_at: str
    """When the client was created."""
    client_id: str
    """Id of the client, for token requests."""
    client_secret: str
    """Secret of the client, returned only once."""


class OAuthClientResponse(Model):
    """An OAuth client without its secret."""

    id: str
    """Id of the client."""
    name: str
    """Display name."""
    scopes: list[str]
    """Scopes of access tokens of the client: `read`, `write`."""
    index_ids: list[str] | None
    """Ids of the indexes that the credential is restricted to; null for all indexes."""
    filter: MetadataFilter | None
    """Filter of the rows that the credential is bound to; null for all rows."""
    id_prefix: str | None
    """Beginning of the ids that it may write; null for any."""
    rate_limits: ShownRateLimits | None
    """Its limits by minute; null for those of the plan."""
    in_flight: int | None
    """Maximum of its requests at a time; null for that of the plan."""
    monthly_limits: ShownMonthlyLimits | None
    """Its limits by month; null for those of the plan."""
    created_at: str
    """When the client was created."""
    prefix: str
    """First 16 characters of the secret, to recognize the client."""
    revoked_at: str | None
    """When the client was revoked; null if it was not."""
    created_by: str | None
    """Id of the user, API key or OAuth client that created it. It ends with its creator. Null if unknown."""


class TokenResponse(Model):
    """An access token. Source: RFC 6749, 5.1."""

    access_token: str
    """Bearer value for requests of the client."""
    token_type: Literal["Bearer"]
    """Always `Bearer`."""
    expires_in: int
    """Lifetime of the token in seconds."""
    scope: str
    """Scopes of the token, separated by spaces."""
    refresh_token: str | None = None
    """Value for the next access token, used once, and again within a minute for the same response; only for an
    application that a person connected.
    """


class AuthorizationCreated(Model):
    """Where the browser of the person goes next."""

    redirect_to: str
    """URL of the application, with its code."""

Permission: TypeAlias = Literal["read", "write"]
"""`read`: every GET and search. `write`: every change of data."""


class AuthorizationReview(Model):
    """Authorization request of an application."""

    client_name: str
    """Name of the application, which it has chosen itself."""
    client_host: str | None
    """Host of its metadata document; null for a built-in application."""
    redirect_host: str
    """Host to which the access is sent."""
    resource: str | None
    """URL for which access is requested; null if there is a problem."""
    index_id: str | None
    """The only index of the resource; null for any index."""
    scopes: list[Permission]
    """Permissions that the person may grant."""
    problem: str | None
    """Why the request cannot be granted; null if it can."""
    refusal_url: str
    """URL of the application that reports the refusal or the problem to it."""

Revoked: TypeAlias = dict[str, Any]
"""The token is not accepted any more."""

ModelKind: TypeAlias = Literal["embedding", "rerank"]
"""Use of a model."""


class RerankDefaults(Model):
    """Defaults of a reranker."""

    candidates: int
    """Hits that it scores by default."""
    blend: float
    """Share of its scores by default."""


class EmbeddingModel(Model):
    """Model that turns text into vectors, or a reranker."""

    kind: ModelKind
    """`embedding`: a model of indexes. `rerank`: a model of `rerank` in searches."""
    id: str
    """Value of `embedding_model` of an index, or of `model` of a reranker."""
    provider: Literal["bedrock", "openai", "embedded", "model-folder", "http"]
    """Service or runtime that runs the model."""
    dimensions: int | None
    """Default dimensions of its indexes; null: unknown, thus 1536."""
    supported_dimensions: list[int]
    """Dimensions that its indexes may have; empty: any."""
    max_input_tokens: int | None
    """Longest text that it reads at once; null: unknown."""
    notes: str | None
    """Languages and other notes."""
    has_input_types: bool
    """Whether it embeds queries and documents differently."""
    is_default: bool
    """Whether indexes or searches that choose none have it."""
    rerank: RerankDefaults | None = None
    """Defaults of a reranker."""

DistanceMetric: TypeAlias = Literal["cosine", "euclidean"]
"""Measure of the distance of two vectors."""

TextLanguage: TypeAlias = Literal["arabic", "auto", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "italian", "korean", "none", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish"]
"""Language of texts, for sparse search."""


class Chunking(Model):
    """Size of the chunks of files."""

    size: int
    """Maximum characters of a chunk."""
    overlap: int
    """Characters of the end of a chunk that the next one may repeat."""


class QueryLog(Model):
    """Log of the searches of an index."""

    sample: float
    """Share of the searches that are logged."""
    keep_days: int
    """Days for which entries are kept."""

EngineName: TypeAlias = Literal["lance", "s3_vectors"]
"""Engine that stores and searches an index. `lance`: LanceDB, for up to some hundred thousand rows, with all
features. `s3_vectors`: Amazon S3 Vectors, for up to two billion rows.
"""

EngineFeature: TypeAlias = Literal["branches", "conditional_writes", "exact_search", "ordered_lists", "phrases", "recall", "search_cursors", "text_ranges", "versions"]
"""A feature of some engines."""


class IndexResponse(Model):
    """An index."""

    id: str
    """Id of the index."""
    name: str
    """Name, for people."""
    dimensions: int
    """Numbers of each vector."""
    distance_metric: DistanceMetric
    """Distance metric of the vectors."""
    cloud_region: str
    """Region that keeps the index."""
    non_filterable_metadata_keys: list[str]
    """Metadata keys that no filter may name."""
    text_language: TextLanguage
    """Language of the texts, for sparse search."""
    embedding_model: str
    """Model that embeds the texts of the index."""
    chunking: Chunking | None = None
    """Size of the chunks of its files, if a rebuild has set it. A file with sizes in its metadata is cut by those.
    """
    search_defaults: dict[str, Any] | None = None
    """What searches use if they name nothing else, in the form of `SearchDefaults`, if it was set."""
    usage_key: str | None = None
    """Metadata key by whose values usage is counted, if there is one."""
    ttl_seconds: int | None = None
    """Seconds after which its rows and files expire by default, if they do."""
    version_days: int | None = None
    """Days for which former versions are kept, if its engine has versions."""
    query_log: QueryLog | None = None
    """Log of its searches, if there is one."""
    engine: EngineName
    """Engine of the index."""
    features: list[EngineFeature]
    """Features of its engine that not every engine has. Other requests are 409 `not_supported_by_engine`."""
    created_at: str
    """When the index was created."""
    parent_index_id: str | None
    """Index that this one branched from; null: none."""
    branch_depth: int
    """Number of indexes above this one: 0 if it is no branch."""

BranchChange: TypeAlias = Literal["added", "changed", "deleted"]
"""Change of a row in a branch."""


class BranchDifference(Model):
    """A row that differs between a branch and its parent."""

    id: str
    """Id of the row."""
    change: BranchChange
    """Change of the row in the branch."""

MetricName: TypeAlias = Literal["ndcg_at_10", "recall_at_k", "mrr", "hit_at_1"]
"""A metric of a search. `ndcg_at_10`: graded, of the first ten hits. `recall_at_k`: share of what is relevant
among the first `k`. `mrr`: reciprocal rank of the first relevant hit. `hit_at_1`: whether the first hit is
relevant.
"""


class MetricEstimate(Model):
    """A mean with its 95 % interval, by a bootstrap over the questions."""

    mean: float
    """Mean over the questions."""
    low: float
    """Lower bound of its 95 % interval."""
    high: float
    """Upper bound of its 95 % interval."""


class UnmatchedItems(Model):
    """Relevant items that match no row."""

    index: int
    """Relevant items that match no row of the index."""
    compared: int | None
    """Those that match no row of what it is compared to; null without one."""

EvaluatedContent: TypeAlias = Literal["index", "compared"]
"""What a search was run on."""


class MetricEstimates(Model):
    """Each metric with its interval."""

    ndcg_at_10: MetricEstimate
    """nDCG of the first ten hits."""
    recall_at_k: MetricEstimate
    """Recall among the first `k` hits."""
    mrr: MetricEstimate
    """Reciprocal rank of the first relevant hit."""
    hit_at_1: MetricEstimate
    """Whether the first hit is relevant."""


class MetricNumbers(Model):
    """A number of each metric."""

    ndcg_at_10: float
    """nDCG of the first ten hits."""
    recall_at_k: float
    """Recall among the first `k` hits."""
    mrr: float
    """Reciprocal rank of the first relevant hit."""
    hit_at_1: float
    """Whether the first hit is relevant."""


class SearchEvaluation(Model):
    """Results of one search."""

    search: str
    """Name of the search."""
    content: EvaluatedContent
    """`compared`: what the index is compared to."""
    metrics: MetricEstimates
    """Metrics of the search."""
    difference: MetricEstimates | None
    """Paired difference to the same search on the index, or of further searches on the index to the first one;
    null for that one.
    """
    detectable_loss: MetricNumbers | None
    """Smallest mean loss that the questions find with a probability of 80 %; null without a difference."""
    gains: int
    """Questions with a higher nDCG than in the other."""
    losses: int
    """Questions with a lower one."""


class EvaluationResults(Model):
    """Results of an evaluation."""

    questions: int
    """Questions that were evaluated."""
    questions_left_out: int
    """Questions of which nothing relevant is left."""
    relevant_left_out: int
    """Relevant items that match no row of a content, and thus are left out of both."""
    unmatched: UnmatchedItems
    """Relevant items that match no row."""
    searches: list[SearchEvaluation]
    """Results of each search on each content."""


class EvaluationProof(Model):
    """What a content has proved."""

    evaluation_id: str
    """Id of the evaluation."""
    golden_set: str
    """Name of the golden set."""
    golden_set_version: int
    """Its version."""
    metric: MetricName
    """Metric that was compared."""
    questions: int
    """Questions that were evaluated."""
    difference: MetricEstimate
    """Mean paired difference to the index with its 95 % interval. A loss is negative."""
    max_loss: float
    """Mean loss that was allowed."""
    detectable_loss: float
    """Smallest mean loss that the questions find with a probability of 80 %."""
    results: EvaluationResults
    """All figures of the evaluation."""


class PromoteResponse(Model):
    """Changes that a promotion made to the parent."""

    index_id: str
    """Id of the parent."""
    vectors_written: int
    """Vectors that were written into the parent."""
    vectors_deleted: int
    """Vectors that were deleted from the parent."""
    evaluation: EvaluationProof | None = None
    """What the branch has proved, with `require`."""


class VersionResponse(Model):
    """A kept version of an index."""

    version: int
    """Number of the version."""
    created_at: str
    """Time from which it was the newest."""
    vectors: int | None
    """Rows of the version; null if it has just been removed."""


class RestoreResponse(Model):
    """What a restore changed."""

    version: int
    """Version that was restored."""
    vectors_written: int
    """Rows that the index has again."""
    vectors_deleted: int
    """Rows that the index had before, and the restored version not."""
    left_out: int
    """Rows that stay away, because their files were deleted or replaced since."""

ErasureStatus: TypeAlias = Literal["running", "completed"]
"""Status of an erasure."""

ErasureSelector: TypeAlias = Literal["ids", "filter", "file", "document", "subject"]
"""How an erasure names what is erased."""

ErasurePlace: TypeAlias = Literal["rows", "branches", "segments", "versions", "files", "exports", "changes", "model_cache", "events", "dead_letters", "query_log"]
"""Place that an erasure looks into."""


class ErasurePlaceReport(Model):
    """What an erasure has found in a place."""

    place: ErasurePlace
    """The place."""
    removed: int
    """What was removed there: rows, objects, files, exports, events or messages."""
    verified_at: str | None
    """Time of the last look, at which nothing was found. Null: something was found at the last one."""


class ErasureReceipt(Model):
    """Signed proof of an erasure."""

    text: str
    """JSON text. Its bytes in UTF-8 are what is signed, so keep it as it is. It does not name what was erased."""
    signature: str
    """Ed25519 signature, base64."""
    key_id: str
    """Id of the key, of `GET /v1/receipt-keys`."""


class ErasureResponse(Model):
    """An erasure."""

    id: str
    """Id of the erasure."""
    index_id: str
    """Id of the index."""
    status: ErasureStatus
    """`completed` once nothing is left and the receipt is signed."""
    selected_by: ErasureSelector
    """How the request has named what is erased."""
    requested_at: str
    """Time of the request."""
    erased_at: str | None
    """Time from which no read finds the rows, in no version and no branch. Null: branches are about to follow."""
    completed_at: str | None
    """Time at which nothing was left. Null: the erasure goes on."""
    places: list[ErasurePlaceReport]
    """What was found, by place."""
    kept_files: list[str]
    """Files of which other rows are left. Their originals and texts stay: erase them by `file`."""
    receipt: ErasureReceipt | None
    """Receipt. Null until the erasure is completed."""


class ReceiptKey(Model):
    """Key by which receipts are verified."""

    id: str
    """Id of the key."""
    algorithm: Literal["Ed25519"]
    """Signature algorithm."""
    public_key: str
    """Public key in PEM."""

RebuildStatus: TypeAlias = Literal["queued", "running", "completed", "rolling_back", "rolled_back", "cancelled", "failed"]
"""Status of a rebuild."""


class RebuildSettings(Model):
    """How a content stores and finds rows."""

    engine: EngineName
    """Engine of the content."""
    embedding_model: str
    """Model of its vectors."""
    text_language: TextLanguage
    """Language of its texts."""
    chunking: Chunking | None
    """Size of the chunks of its files. Null: that in the metadata of each file, or the default."""


class RebuildResponse(Model):
    """A rebuild of an index."""

    id: str
    """Id of the rebuild."""
    index_id: str
    """Id of the index."""
    status: RebuildStatus
    """Status. `completed`: the successor serves."""
    from_: RebuildSettings = Field(alias="from")
    """Content before."""
    to: RebuildSettings
    """Content after."""
    vectors: int
    """Rows of the content that does not serve. It grows to those of the index."""
    vectors_written: int
    """Rows that were written so far, repeats included. They count in the usage."""
    embedding_tokens: int
    """Tokens of the texts that were embedded so far."""
    estimated_cost_usd: float
    """Estimated price so far."""
    left_out: int
    """Rows that stayed out of the successor when it took over."""
    kept_files: int
    """Files of which all or a part keeps its chunks although `chunking` changes: rows were edited or deleted by
    hand, or an earlier release has read the file.
    """
    kept_rows: int
    """Rows of these."""
    evaluation_id: str | None
    """Evaluation that the successor must pass, once it has begun; null without one."""
    error: str | None
    """Why it failed, or why it cannot be undone; null if neither."""
    created_at: str
    """Creation time."""
    completed_at: str | None
    """Time of the takeover or failure; null before."""
    rollback_until: str | None
    """Time until which the takeover can be undone; null before it."""


class RebuildEstimate(Model):
    """Estimate of a rebuild, from up to 200 rows of the index."""

    vectors: int
    """Rows of the index."""
    vectors_after: int
    """Rows that the successor would have."""
    left_out: int
    """Rows that would stay out, because they could not be embedded or stored."""
    files: int
    """Files that would be cut again or kept; 0 if `chunking` does not change."""
    kept_files: int
    """Files of which all or a part keeps its chunks although `chunking` changes: rows were edited or deleted by
    hand, or an earlier release has read the file.
    """
    kept_rows: int
    """Rows of these."""
    embedding_tokens: int
    """Tokens of the texts that would be embedded."""
    estimated_cost_usd: float
    """Estimated price of filling the successor."""
    seconds: int
    """Estimated duration."""


class RebuildStart(Model):
    """A rebuild that has begun, or the estimate of one."""

    rebuild: RebuildResponse | None
    """The rebuild; null for a dry run."""
    estimate: RebuildEstimate | None
    """The estimate of a dry run; null otherwise."""


class GoldenSetResponse(Model):
    """A version of a golden set."""

    name: str
    """Name of the golden set."""
    version: int
    """Number of the version, from 1."""
    questions: int
    """Questions of the version."""
    relevant: int
    """What they should find, together."""
    size_bytes: int
    """Bytes of the version."""
    created_at: str
    """Time of the version."""


class StoredRelevantItem(Model):
    """What a question should find, by one of id, document and text."""

    id: str | None = None
    """Id of a row."""
    document: str | None = None
    """Id of a file job, or name of its file."""
    text: str | None = None
    """Text of a passage."""
    grade: int
    """Relevance: 0 is none."""


class StoredQuestion(Model):
    """A question of a golden set."""

    query: str
    """The question."""
    filter: dict[str, Any] | None = None
    """Filter of the question, if it has one."""
    relevant: list[StoredRelevantItem]
    """What it should find."""


class LoggedQuestion(Model):
    """A question of the log. Case and spaces make no difference."""

    query: str
    """The question, as it was last asked."""
    searches: int
    """Logged searches with it."""
    empty: int
    """Searches that found nothing."""
    clicks: int
    """Hits that people opened."""
    good: int
    """Hits that people called good."""
    bad: int
    """Hits that people called bad."""
    last_at: str
    """Time of the last search."""
    hits: list[str]
    """Ids of the first hits of the last search."""

EvaluationStatus: TypeAlias = Literal["queued", "running", "completed", "failed"]
"""Status of an evaluation."""


class EvaluationResponse(Model):
    """An evaluation of an index."""

    id: str
    """Id of the evaluation."""
    index_id: str
    """Id of the index."""
    golden_set: str
    """Name of the golden set."""
    golden_set_version: int
    """Its version."""
    compare_to: str | None
    """Index or rebuild to which the index is compared; null: none."""
    k: int
    """Hits among which recall is measured."""
    status: EvaluationStatus
    """Status of an evaluation."""
    searches_done: int
    """Searches so far."""
    searches_total: int
    """Searches of the evaluation. They count in the usage."""
    embedding_tokens: int
    """Tokens of the questions that were embedded."""
    results: EvaluationResults | None
    """The results; null before its completion."""
    error: str | None
    """Why it failed; null if it did not."""
    created_at: str
    """Creation time."""
    started_at: str | None
    """Time of the first search; null before."""
    completed_at: str | None
    """Time of the end; null before."""
    expires_at: str
    """Time at which the results are deleted."""


class EvaluationReport(Model):
    """An evaluation of an index, with the URL of the results of each question."""

    id: str
    """Id of the evaluation."""
    index_id: str
    """Id of the index."""
    golden_set: str
    """Name of the golden set."""
    golden_set_version: int
    """Its version."""
    compare_to: str | None
    """Index or rebuild to which the index is compared; null: none."""
    k: int
    """Hits among which recall is measured."""
    status: EvaluationStatus
    """Status of an evaluation."""
    searches_done: int
    """Searches so far."""
    searches_total: int
    """Searches of the evaluation. They count in the usage."""
    embedding_tokens: int
    """Tokens of the questions that were embedded."""
    results: EvaluationResults | None
    """The results; null before its completion."""
    error: str | None
    """Why it failed; null if it did not."""
    created_at: str
    """Creation time."""
    started_at: str | None
    """Time of the first search; null before."""
    completed_at: str | None
    """Time of the end; null before."""
    expires_at: str
    """Time at which the results are deleted."""
    questions_url: str | None
    """URL of the results of each question as JSON Lines, valid for an hour; null before its completion."""


class EvaluatedHit(Model):
    """A hit of a question."""

    id: str
    """Id of the row."""
    score: float
    """Score of the hit."""
    grade: int | None
    """Grade of the item that it matches; null: none."""


class EvaluatedQuestionRun(Model):
    """What a search has found for a question."""

    search: str
    """Name of the search."""
    content: EvaluatedContent
    """`compared`: what the index is compared to."""
    metrics: MetricNumbers | None
    """Metrics of the question; null if nothing relevant is left of it."""
    hits: list[EvaluatedHit]
    """The first ten hits."""


class EvaluatedQuestion(Model):
    """Results of one question."""

    query: str
    """The question."""
    left_out: list[int]
    """Positions of its relevant items that are left out."""
    change: float | None
    """Change of nDCG; null without a difference."""
    results: list[EvaluatedQuestionRun]
    """The searches."""

ExportFormat: TypeAlias = Literal["jsonl", "parquet"]
"""File format of an export."""

ExportedVectors: TypeAlias = Literal["include", "omit"]
"""Whether the files of an export have the vectors."""

ExportStatus: TypeAlias = Literal["queued", "running", "completed", "failed"]
"""Status of an export."""


class ExportResponse(Model):
    """An export of an index."""

    id: str
    """Id of the export."""
    index_id: str
    """Id of the index."""
    format: ExportFormat
    """File format of an export."""
    vectors: ExportedVectors
    """Whether the files of an export have the vectors."""
    embedding_model: str | None
    """Embedding model of the index, and thus of the vectors; null if they are omitted."""
    status: ExportStatus
    """Status of an export."""
    rows: int
    """Rows so far."""
    size_bytes: int
    """Bytes of the files so far."""
    error: str | None
    """Why the export failed; null if it did not."""
    created_at: str
    """Creation time."""
    started_at: str | None
    """Time of the first run; null before."""
    completed_at: str | None
    """Time of the end; null before."""
    expires_at: str | None
    """Time at which the files are deleted; null before the end."""


class ExportPart(Model):
    """A file of an export."""

    filename: str
    """Name of the file."""
    rows: int
    """Rows in the file."""
    size_bytes: int
    """Bytes of the file."""
    url: str
    """URL to download it, valid for an hour."""


class ExportReport(Model):
    """An export of an index with its files."""

    id: str
    """Id of the export."""
    index_id: str
    """Id of the index."""
    format: ExportFormat
    """File format of an export."""
    vectors: ExportedVectors
    """Whether the files of an export have the vectors."""
    embedding_model: str | None
    """Embedding model of the index, and thus of the vectors; null if they are omitted."""
    status: ExportStatus
    """Status of an export."""
    rows: int
    """Rows so far."""
    size_bytes: int
    """Bytes of the files so far."""
    error: str | None
    """Why the export failed; null if it did not."""
    created_at: str
    """Creation time."""
    started_at: str | None
    """Time of the first run; null before."""
    completed_at: str | None
    """Time of the end; null before."""
    expires_at: str | None
    """Time at which the files are deleted; null before the end."""
    parts: list[ExportPart]
    """Files of a completed export, in order of their rows; empty before."""


class AliasResponse(Model):
    """A name of an index."""

    name: str
    """The name, which paths accept in place of an index id."""
    index_id: str
    """Id of its index."""
    created_at: str
    """Creation time."""
    updated_at: str
    """Time of the last change of its index."""

IndexStatus: TypeAlias = Literal["creating", "ready", "deleting"]
"""Whether an index can be used."""


class IndexCapacity(Model):
    """Size of an index, and the maximum that one index takes."""

    vector_numbers: int
    """Numbers of all vectors: rows times dimensions."""
    max_vector_numbers: int
    """Numbers from which the index takes no more content."""
    content_bytes: int
    """Bytes of vectors and texts."""
    max_content_bytes: int
    """Bytes from which the index takes no more content."""
    ratio: float
    """Larger share of the two maximums. From 1 on, the index is full."""

IndexMaintenanceStatus: TypeAlias = Literal["ok", "building", "failing"]
"""How the last maintenance of an index ended."""


class IndexMaintenance(Model):
    """State of the work that keeps searches of an index fast."""

    status: IndexMaintenanceStatus
    """`building`: maintenance is running. `failing`: the last one did not finish."""
    reason: str | None
    """Effect of the failure; null unless the status is `failing`."""
    failures: int
    """Failures in a row."""
    since: str | None
    """Time of the first of these failures; null unless the status is `failing`."""


class IndexStats(Model):
    """Figures of an index."""

    index_id: str
    """Id of the index."""
    vectors: int
    """Rows of the index."""
    documents: int
    """Completed file jobs of this index itself."""
    dense_bytes: int
    """Bytes of the vectors."""
    sparse_bytes: int
    """Bytes of the texts and their word index."""
    unindexed_vectors: int
    """Rows of a large index that searches compare one by one until the next maintenance."""
    last_written_at: str | None
    """When the index was last written; null: never."""
    status: IndexStatus
    """Whether the index can be used."""
    capacity: IndexCapacity | None
    """Size of the index, and its maximum; null: its engine has none."""
    maintenance: IndexMaintenance
    """State of the work that adds recent rows to the table of a large index."""


class SearchLatency(Model):
    """Latency of searches, which is `took_ms` of their responses. It is derived from a histogram, whose buckets
    have a relative width of 26 %.
    """

    measured: int
    """Searches whose latency is known."""
    p50_ms: float
    """Median in milliseconds."""
    p95_ms: float
    """95th percentile in milliseconds."""
    p99_ms: float
    """99th percentile in milliseconds."""


class IndexMetricsDay(Model):
    """Figures of an index on one day."""

    date: str
    """Day in UTC."""
    vectors: int
    """Rows at the end of the day, or now."""
    dense_bytes: int
    """Bytes of the vectors at the end of the day, or now."""
    sparse_bytes: int
    """Bytes of the texts and their word index at the end of the day, or now."""
    original_bytes: int
    """Bytes of the original files at the end of the day, or now."""
    vectors_written: int
    """Vectors that were written on the day."""
    vectors_deleted: int
    """Vectors that were deleted on the day."""
    searches: int
    """Searches of the day, including those of recall measurements."""
    search_latency: SearchLatency | None
    """Latency of the searches of the day; null if none is known."""


class SearchLatencies(Model):
    """Latency of searches by their kind; null if none is known."""

    all: SearchLatency | None
    """All searches."""
    dense: SearchLatency | None
    """Dense searches."""
    sparse: SearchLatency | None
    """Sparse searches."""
    hybrid: SearchLatency | None
    """Hybrid searches."""


class RecallLatencies(Model):
    """Latency of searches."""

    p50_ms: float
    """Median in milliseconds."""
    p95_ms: float
    """95th percentile in milliseconds."""


class RecallUnfiltered(Model):
    """Recall of searches without a filter."""

    queries: int
    """Queries that were compared."""
    recall: float | None
    """Mean share of the exact hits that the default search finds; null if there are no exact hits."""
    lowest: float | None
    """Lowest recall of a query."""
    default_search: RecallLatencies
    """Latency of the default search."""
    exact_search: RecallLatencies
    """Latency of the exact search."""


class LastRecallFiltered(Model):
    """Last recall of searches with a filter."""

    filter: dict[str, Any] | None
    """The filter that was used; null if it is longer than 4,096 characters."""
    matches: int
    """Rows that match the filter."""
    queries: int
    """Queries that were compared."""
    recall: float | None
    """Mean share of the exact hits that the default search finds; null if there are no exact hits."""
    lowest: float | None
    """Lowest recall of a query."""
    default_search: RecallLatencies
    """Latency of the default search."""
    exact_search: RecallLatencies
    """Latency of the exact search."""


class LastRecall(Model):
    """Last measurement of recall of an index."""

    measured_at: str
    """When the measurement ended."""
    seed: int | None
    """Seed that drew the vectors; null if they were given."""
    top_k: int
    """Results of each query that were compared."""
    vectors: int
    """Rows of the index."""
    unfiltered: RecallUnfiltered
    """Recall without a filter."""
    filtered: LastRecallFiltered | None
    """Recall with a filter; null if none was given and none could be derived from the metadata."""
    searches: int
    """Number of searches. Each counts as a dense search."""
    took_ms: float
    """Milliseconds that the measurement took."""


class IndexMetrics(Model):
    """Figures of an index over a range of days."""

    index_id: str
    """Id of the index."""
    from_: str = Field(alias="from")
    """First day of the range."""
    to: str
    """Last day of the range, inclusive."""
    days: list[IndexMetricsDay]
    """Each day of the range until today, oldest first."""
    search_latency: SearchLatencies
    """Latency of the searches of all days."""
    last_recall: LastRecall | None
    """Last measurement of recall; null if there is none."""

FileJobSource: TypeAlias = Literal["upload", "import", "crawl", "connector"]
"""Where the file of a job came from."""

FileJobStatus: TypeAlias = Literal["awaiting_upload", "queued", "processing", "completed", "completed_with_warnings", "failed", "cancelled", "expired", "superseded"]
"""`awaiting_upload`, `queued`, `processing`, then `completed`, `completed_with_warnings` or `failed`. `cancelled`:
by a caller; `expired`: never uploaded; `superseded`: a replacement completed.
"""

FileJobErrorCode: TypeAlias = Literal["processing_failed", "multimodal_credit_limit_reached", "key_revoked"]
"""Reason of a failed or cancelled job: the file could not be processed, the monthly credits for OCR or
transcription are used up, or the credential that requested the upload was revoked before the file arrived.
"""


class FileJobResponse(Model):
    """A job that turns a file into rows of an index."""

    id: str
    """Id of the job."""
    index_id: str
    """Id of the index that the file goes into."""
    filename: str
    """Name of the file."""
    content_type: str
    """Media type that was declared or detected."""
    source: FileJobSource
    """Where the file came from."""
    status: FileJobStatus
    """How far the job is."""
    size_bytes: int | None
    """Size of the file; null while it is not known."""
    checksum_sha256: str | None
    """SHA-256 of the file in base64; null while it is not known."""
    object_key: str
    """Key of the file in the object store."""
    tasks_total: int
    """Tasks that the file was split into; 0 before it is planned."""
    tasks_completed: int
    """Tasks that have completed."""
    chunks_written: int
    """Chunks of text in the index."""
    vectors_written: int
    """Vectors in the index."""
    serverless_invocations: int
    """Distinct function invocations that worked on the job, retries included. In a list, a running job does not
    include those of its tasks.
    """
    replaces_job_id: str | None
    """Job whose content this one replaces; null: none."""
    replaced_by_job_id: str | None
    """Job that has replaced the content of this one; null: none."""
    error: str | None
    """Why the job failed, or which content was not read, for people; null if there is nothing to report."""
    error_code: FileJobErrorCode | None
    """Why the job failed or was cancelled by the service; null otherwise."""
    metadata: dict[str, Any]
    """Metadata that every chunk of the file has."""
    created_at: str
    """When the job was created."""
    started_at: str | None
    """When processing began; null before."""
    completed_at: str | None
    """When the job ended; null before."""
    expires_at: str | None = None
    """When the file is removed with its rows, if it expires."""


class FileUploadResponse(Model):
    """A file job that waits for its upload."""

    id: str
    """Id of the file job."""
    upload_url: str
    """URL for one PUT of the file."""
    upload_headers: dict[str, str]
    """Exact headers of the PUT."""
    object_key: str
    """Key of the file in the object store."""
    replaces_job_id: str | None
    """Job whose content the file replaces; null: none."""
    expires_in_seconds: int
    """Seconds for which the URL is valid, counted from when it was created. A repeat under the same
    `Idempotency-Key` returns the same URL.
    """

FileTextFormat: TypeAlias = Literal["markdown", "text"]
"""Format of the text of a file."""


class FileText(Model):
    """Text of a file as it was read."""

    format: FileTextFormat
    """Format of the text."""
    bytes: int
    """UTF-8 bytes of the text."""
    text: str | None
    """The text; null if it has more than 4 MB."""
    url: str | None
    """URL for a GET of a longer text; null if `text` has it."""
    expires_in_seconds: int | None
    """Seconds for which the URL is valid; null without one."""


class SourceFile(Model):
    """The file, and the pages in it, that a row comes from."""

    job_id: str
    """Id of the file job."""
    filename: str | None
    """Name of the file; null if it is not known."""
    page_start: int | None
    """First page of the file that the row comes from; null if the file has no pages."""
    page_end: int | None
    """Last page of the file that the row comes from; null if the file has no pages."""


class CitedFile(Model):
    """The file that a result is from."""

    job_id: str
    """Id of the file job."""
    filename: str | None
    """Name of the file; null if it is not known."""
    attachment: str | None = None
    """Name of a file within it that the text is from, such as an attachment of a mail. Pages are its pages."""
    url: str | None = None
    """Address of the document at its source, if its metadata has one as `url`."""


class PageRegion(Model):
    """A box on a page, in shares of its width and height."""

    page: int
    """Page, from 1."""
    left: float
    """Distance from the left edge."""
    top: float
    """Distance from the top edge."""
    width: float
    """Width."""
    height: float
    """Height."""


class SearchCitation(Model):
    """Place of the text of a result in its file."""

    file: CitedFile
    """The file."""
    pages: list[int]
    """Pages that the text is on; empty if the file has none."""
    regions: list[PageRegion]
    """Boxes of the text on its pages, one for each run of lines; empty if they are not known."""
    heading_path: list[str]
    """Headings above the text, outermost first."""
    start: int | None
    """Position of the first character in the text of the file, in code points, as `GET …/files/{job_id}/text`
    returns it; null if it is not known.
    """
    end: int | None
    """Position behind the last character; null if it is not known."""
    time_start: float | None = None
    """Second of a recording or of subtitles at which the text begins."""
    time_end: float | None = None
    """Second at which the text ends."""


class VectorRecord(Model):
    """One row of an index."""

    id: str
    """Id of the row."""
    vector: list[float] | None = None
    """The numbers of the vector, if they were asked for."""
    text: str | None
    """Text of the row; null if it has none."""
    metadata: dict[str, Any]
    """Metadata of the row."""
    file: SourceFile | None
    """The file that the row comes from; null if no file wrote it."""
    version: str
    """Version of the row, for `if_version`. It changes with every write that changes the row."""
    expires_at: str | None = None
    """Time from which no read returns the row, if it expires."""
    citation: SearchCitation | None = None
    """Place of the text in its file, if a list of chunks was asked for it."""


class FileDownload(Model):
    """Where the original of a file job can be downloaded."""

    url: str
    """URL for a GET of the file."""
    expires_in_seconds: int
    """Seconds for which the URL is valid."""

FileTaskStatus: TypeAlias = Literal["queued", "running", "completed", "failed", "cancelled"]
"""`queued`, then `running`, then `completed`, `failed` or `cancelled`."""


class FileTaskResponse(Model):
    """A part of a file job."""

    id: str
    """Id of the task."""
    ordinal: int
    """Number of the task in its job, from 1."""
    status: FileTaskStatus
    """How far the task is."""
    created_at: str
    """When the task was created."""
    page_start: int | None
    """First page of the task; null if the file has no pages."""
    page_end: int | None
    """Last page of the task; null if the file has no pages."""
    chunks_written: int
    """Chunks of text that the task wrote."""
    vectors_written: int
    """Vectors that the task wrote."""
    attempt_count: int
    """Attempts that were made."""
    error: str | None
    """Why the task failed; null if it did not."""
    started_at: str | None
    """When the first attempt began; null before."""
    completed_at: str | None
    """When the task ended; null before."""


class ProcessingStep(Model):
    """One timed phase of processing."""

    phase: str
    """Name of the phase, such as `content.extract`."""
    duration_ms: int
    """Milliseconds that the phase took."""
    attributes: dict[str, Any]
    """Figures of the phase, such as pages or vectors."""


class Processing(Model):
    """Resources that processing a file took."""

    job_id: str
    """Id of the file job."""
    ocr_credits: int
    """Page images that OCR has read."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    serverless_invocations: int
    """Distinct runs of functions that worked on the job, retries included."""
    end_to_end_latency_ms: int
    """Milliseconds from the arrival of the file to the end of the job, or to now."""
    path: list[ProcessingStep]
    """The phases of all tasks, in their order."""


class TraceStep(Model):
    """One timed phase of one attempt."""

    attempt: int
    """Number of the attempt, from 1."""
    phase: str
    """Name of the phase, such as `content.extract`."""
    started_at: str
    """When the phase began."""
    duration_ms: int
    """Milliseconds that the phase took."""
    attributes: dict[str, Any]
    """Figures of the phase, such as pages or vectors."""


class FileTaskDetail(Model):
    """A task with its usage."""

    id: str
    """Id of the task."""
    ordinal: int
    """Number of the task in its job, from 1."""
    status: FileTaskStatus
    """How far the task is."""
    created_at: str
    """When the task was created."""
    page_start: int | None
    """First page of the task; null if the file has no pages."""
    page_end: int | None
    """Last page of the task; null if the file has no pages."""
    chunks_written: int
    """Chunks of text that the task wrote."""
    vectors_written: int
    """Vectors that the task wrote."""
    attempt_count: int
    """Attempts that were made."""
    error: str | None
    """Why the task failed; null if it did not."""
    started_at: str | None
    """When the first attempt began; null before."""
    completed_at: str | None
    """When the task ended; null before."""
    trace: list[TraceStep]
    """Timed phases of all attempts, in their order."""
    ocr_credits: int
    """Page images whose text was recognized."""
    audio_credits: int
    """Started minutes of audio that were transcribed."""
    audio_seconds: int
    """Seconds of audio that were transcribed."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    serverless_invocations: int
    """Function invocations, retries included."""


class ProcessingDetail(Model):
    """A file job with its tasks and their usage."""

    job: FileJobResponse
    """The job."""
    processing: Processing
    """Usage of the job so far."""
    tasks: list[FileTaskDetail]
    """The tasks of the job."""

FileFormatUnit: TypeAlias = Literal["page", "slide", "sheet", "row", "section", "message", "lines", "time"]
"""Kind of position that a search result can refer to within the file."""

Recognition: TypeAlias = Literal["ocr", "transcription"]
"""Kind of model that reads images or audio."""


class FileFormat(Model):
    """A format that is read."""

    id: str
    """Id of the format."""
    name: str
    """Name, for people."""
    media_types: list[str]
    """Media types of such files."""
    extensions: list[str]
    """Lower case, without the dot."""
    unit: FileFormatUnit
    """Kind of position that a search result can refer to within the file."""
    recognition: Recognition | None
    """Model that some or all files of the format need; each use of it costs a credit."""


class RefusedFormat(Model):
    """A format that is not read."""

    id: str
    """Id of the format."""
    name: str
    """Name, for people."""
    media_types: list[str]
    """Media types of such files."""
    extensions: list[str]
    """Lower case, without the dot."""
    reason: str
    """Why it is not read, and what to do instead."""


class FileFormats(Model):
    """Formats of files."""

    formats: list[FileFormat]
    """Formats that are read."""
    refused: list[RefusedFormat]
    """Formats that are known and not read."""

CrawlJobStatus: TypeAlias = Literal["queued", "running", "completed", "failed", "cancelled"]
"""`queued`, then `running`, then `completed`, `failed` or `cancelled`."""


class CrawlJobResponse(Model):
    """A crawl of a public site."""

    id: str
    """Id of the crawl job."""
    url: str
    """Where the crawl begins."""
    page_limit: int
    """Maximum number of pages."""
    max_depth: int
    """Maximum number of links from the first page."""
    include_paths: list[str]
    """Patterns of the paths to read; empty: all."""
    exclude_paths: list[str]
    """Patterns of the paths to leave out."""
    header_names: list[str]
    """Names of its headers, whose values are not returned."""
    metadata: dict[str, Any]
    """Metadata that every chunk of the pages has."""
    schedule_id: str | None
    """Schedule that started the crawl; null: none."""
    status: CrawlJobStatus
    """Status of the crawl."""
    created_at: str
    """When the crawl was created."""
    provider_job_id: str | None
    """Id of the job at the external crawler; null if this deployment crawls."""
    pages_found: int
    """Pages stored so far."""
    error: str | None
    """Why the crawl failed; null if it did not."""
    started_at: str | None
    """When the crawl began; null before."""
    completed_at: str | None
    """When the crawl ended; null before."""


class CrawlJobReport(Model):
    """A crawl of a public site, with the addresses that it skipped."""

    id: str
    """Id of the crawl job."""
    url: str
    """Where the crawl begins."""
    page_limit: int
    """Maximum number of pages."""
    max_depth: int
    """Maximum number of links from the first page."""
    include_paths: list[str]
    """Patterns of the paths to read; empty: all."""
    exclude_paths: list[str]
    """Patterns of the paths to leave out."""
    header_names: list[str]
    """Names of its headers, whose values are not returned."""
    metadata: dict[str, Any]
    """Metadata that every chunk of the pages has."""
    schedule_id: str | None
    """Schedule that started the crawl; null: none."""
    status: CrawlJobStatus
    """Status of the crawl."""
    created_at: str
    """When the crawl was created."""
    provider_job_id: str | None
    """Id of the job at the external crawler; null if this deployment crawls."""
    pages_found: int
    """Pages stored so far."""
    error: str | None
    """Why the crawl failed; null if it did not."""
    started_at: str | None
    """When the crawl began; null before."""
    completed_at: str | None
    """When the crawl ended; null before."""
    pages_skipped: int
    """Number of addresses that were found and skipped; `…/skipped-pages` lists them."""
    skipped_reasons: dict[str, int]
    """Number of skipped addresses by reason. For a running crawl, as of its last batch."""

CrawlSkipReason: TypeAlias = Literal["http_status", "no_answer", "too_many_redirects", "redirected", "canonical", "duplicate", "robots_txt", "noindex", "out_of_scope", "excluded", "not_public", "unsupported_type", "too_large", "needs_javascript", "soft_404", "login_required", "empty", "unreadable", "max_depth", "too_many_alike", "page_limit", "unread"]
"""Why a crawl skipped an address."""


class SkippedPageResponse(Model):
    """An address that a crawl skipped."""

    url: str
    """The address."""
    reason: CrawlSkipReason
    """Why the crawl skipped it."""
    detail: str | None
    """A status, a content type, or the address that has the content; at most 500 characters."""


class SourceCredentialsResponse(Model):
    """Stored credentials of a storage, without their values."""

    name: str
    """Name of the credentials."""
    provider: Literal["aws_s3", "gcs", "azure_blob"]
    """Storage of the credentials."""
    created_at: str
    """When they were first stored."""
    replaced_at: str
    """When they were last replaced."""


class CrawlScheduleResponse(Model):
    """A crawl that is repeated."""

    id: str
    """Id of the schedule."""
    url: str
    """Where each crawl begins."""
    page_limit: int
    """Maximum number of pages of each crawl."""
    max_depth: int
    """Maximum number of links from the first page."""
    include_paths: list[str]
    """Patterns of the paths to read; empty: all."""
    exclude_paths: list[str]
    """Patterns of the paths to leave out."""
    header_names: list[str]
    """Names of its headers, whose values are not returned."""
    metadata: dict[str, Any]
    """Metadata that every chunk of the pages has."""
    interval_hours: int
    """Hours between the starts of two crawls."""
    paused: bool
    """Whether no crawl starts."""
    next_run_at: str | None
    """When the next crawl starts; null: paused."""
    last_crawl_id: str | None
    """The crawl that it started last; null: none yet."""
    error: str | None
    """Why the last crawl did not start; null if it did."""
    created_at: str
    """When the schedule was created."""

ConnectorProvider: TypeAlias = Literal["google_drive", "notion", "gmail", "google_calendar", "slack", "sharepoint", "one_drive", "confluence", "aws_s3", "gcs", "azure_blob", "custom_api"]
"""Provider of a source."""

ConnectorStatus: TypeAlias = Literal["pending_scope", "syncing", "active", "paused", "error"]
"""`pending_scope`, then `syncing`, then `active`. `error` and `paused` wait for a resume, which begins with
another sync.
"""


class ConnectorScope(Model):
    """Scope of a connector."""

    folders: list[str]
    """Folders of Google Drive, OneDrive or SharePoint."""
    files: list[str]
    """Files of Google Drive, OneDrive or SharePoint."""
    folder_labels: dict[str, str]
    """Display name of each folder, file, site and library."""
    notion_pages: list[str]
    """Notion pages, each with the pages below it."""
    notion_data_sources: list[str]
    """Notion data sources."""
    notion_labels: dict[str, str]
    """Display name of each page and data source."""
    gmail_after: str | None
    """Mail since this day or time; null: all."""
    calendar_after: str | None
    """Calendar entries since this day or time; null: all."""
    slack_channels: list[str]
    """Slack channels."""
    attachments: bool
    """Whether files of Slack messages, Notion pages and Confluence pages are documents, too."""
    sites: list[str]
    """SharePoint sites."""
    libraries: list[str]
    """Document libraries of SharePoint."""
    confluence_spaces: list[str]
    """Keys of Confluence spaces."""
    object_prefixes: list[str]
    """Prefixes of buckets."""
    include_patterns: list[str]
    """Patterns of the objects to read; empty: all."""
    exclude_patterns: list[str]
    """Patterns of the objects to leave out."""


class ConnectorSyncProgress(Model):
    """Progress of a running sync."""

    id: str
    """Id of the sync."""
    started_at: str
    """When the sync began."""
    items: int
    """Items of the source that the sync has compared so far."""
    bytes: int
    """Bytes of these items, as far as the source states sizes."""


class ConnectorResponse(Model):
    """A connector, without its credentials."""

    id: str
    """Id of the connector."""
    provider: ConnectorProvider
    """Provider of the source."""
    name: str
    """Display name."""
    status: ConnectorStatus
    """State of the connector."""
    scope: ConnectorScope
    """What the connector reads."""
    stored_credentials: str | None
    """Name of the stored credentials that it uses; null: its own, or none."""
    last_synced_at: str | None
    """When the last sync ended; null: none has."""
    documents: int
    """Documents of the source in the index."""
    unread_items: int
    """Items and places that could not be read, up to 1,000. `unread-items` lists them."""
    error: str | None
    """Why the connector stopped or waits, or a summary of what it could not read; null: nothing to report."""
    metadata: dict[str, Any]
    """Metadata that every chunk of the connector has."""
    sync_interval_minutes: int
    """Minutes between two syncs."""
    next_sync_at: str | None
    """When the next sync or its next step is due; null: never."""
    sync: ConnectorSyncProgress | None
    """The running sync; null if none is."""
    created_at: str
    """When the connector was created."""


class AvailableConnector(Model):
    """A provider that can be connected."""

    provider: ConnectorProvider
    """The provider."""
    name: str
    """Display name of the provider."""
    connected: bool
    """Whether the index has a connection to it."""


class ConnectorOverview(Model):
    """Connectors of an index, and available providers."""

    connectors: list[ConnectorResponse]
    """Connectors of the index."""
    available: list[AvailableConnector]
    """Providers that can be connected."""


class ConnectorConsent(Model):
    """Where a person consents."""

    connection_id: str
    """Connector that the consent creates or changes."""
    authorize_url: str
    """URL of the provider where the person consents."""
    expires_in_seconds: int
    """Seconds for which the address is valid."""

ConnectorChange: TypeAlias = dict[str, str]
"""Response to a change: `connection_id` and `status`."""


class ConnectorChoice(Model):
    """Something that the scope of a connector can contain."""

    name: str
    """Name at the source."""
    field: Literal["folders", "files", "notion_pages", "notion_data_sources", "slack_channels", "sites", "libraries", "confluence_spaces", "object_prefixes"] | None
    """List of the scope; null: it only leads to others."""
    id: str | None
    """Entry for that list; null without `field`."""
    parent: str | None
    """`parent` of the request that lists what is below; null: nothing."""
    accessible: bool
    """Whether the connector may read it. The app of Slack is invited to a channel first."""

ConnectorSyncStatus: TypeAlias = Literal["completed", "failed", "interrupted"]
"""`interrupted`: a request changed the connector, and another sync followed."""

ConnectorSyncTrigger: TypeAlias = Literal["schedule", "request"]
"""What started a sync: its time, or a request."""


class ConnectorSync(Model):
    """An ended sync of a connector."""

    id: str
    """Id of the sync."""
    status: ConnectorSyncStatus
    """How it ended."""
    trigger: ConnectorSyncTrigger
    """What started it."""
    full: bool
    """Whether it read everything in scope, and not only changes."""
    items: int
    """Items of the source that it compared."""
    bytes: int
    """Bytes of these items, as far as the source states sizes."""
    documents_added: int
    """Documents that it added to the index."""
    documents_updated: int
    """Documents that it processed again."""
    documents_removed: int
    """Documents that it removed."""
    documents: int
    """Documents of the connector at its end."""
    unread_items: int
    """Items that could not be read at its end."""
    error: str | None
    """Why it failed, or a summary of what it could not read; null: nothing."""
    started_at: str
    """When it began."""
    ended_at: str
    """When it ended."""


class UnreadItem(Model):
    """An item or place that a connector could not read."""

    id: str
    """Id of the entry."""
    document_id: str | None
    """Id of the document, as in the metadata of chunks; null for a place such as a channel or folder."""
    name: str | None
    """Name at the source; null if it has none."""
    reason: str
    """Why it could not be read, for people."""
    retried: bool
    """Whether it is read again soon. Others are read again when they change, or within a day."""
    noted_at: str
    """When it last could not be read."""


class VectorUpsertResponse(Model):
    """Result of an upsert."""

    upserted: int
    """Rows that were written."""
    version: str
    """Version that the written rows have."""


class VectorUpdateResponse(Model):
    """Result of an update."""

    updated: int
    """Rows that were updated."""
    missing: list[str]
    """Ids for which there is no row."""
    version: str
    """Version that the written rows have."""


class VectorFetchResponse(Model):
    """The rows that were found."""

    vectors: list[VectorRecord]
    """The rows that were found."""


class VectorDeleteResponse(Model):
    """Result of a deletion."""

    deleted: int
    """Rows that were deleted."""


class VectorCountResponse(Model):
    """Number of rows."""

    count: int
    """Number of rows."""


class VectorUpdateByFilterResponse(Model):
    """Result of an update by filter."""

    updated: int
    """Rows that were updated."""
    version: str
    """Version that the written rows have."""


class MetadataValueCount(Model):
    """A value and the number of rows that have it."""

    value: Any
    """Any JSON value."""
    count: int
    """Rows that have the value."""


class MetadataValuesResponse(Model):
    """One page of the distinct values of a key."""

    values: list[MetadataValueCount]
    """Values in order: null, booleans, numbers, times with an offset by instant, other texts by code point,
    objects. Times of one instant are one value.
    """
    distinct: int | None
    """Number of values of all pages; null if there are more than 100000."""
    next_cursor: str | None
    """`cursor` of the next page; null if there is none."""


class MetadataNumberRange(Model):
    """Lowest and highest value."""

    min: float
    """The lowest."""
    max: float
    """The highest."""


class MetadataTextRange(Model):
    """Lowest and highest value."""

    min: str
    """The lowest."""
    max: str
    """The highest."""


class MetadataKeyDescription(Model):
    """Values of one key."""

    key: str
    """The key or path."""
    rows: int
    """Rows that have the key."""
    types: list[Literal["null", "boolean", "number", "text", "list", "object"]]
    """Types of its values."""
    distinct: int | None
    """Number of distinct values; null if there are more than 10000."""
    numbers: MetadataNumberRange | None
    """Lowest and highest number outside of lists; null if there is none."""
    texts: MetadataTextRange | None
    """First and last text of up to 100 characters, by instant if all are times with an offset, else by code point;
    null if there is none.
    """


class MetadataDescribeResponse(Model):
    """Types, ranges and numbers of values of metadata keys."""

    rows: int
    """Rows that match the filter."""
    keys: list[MetadataKeyDescription]
    """The keys, in the order of the request, or by code point."""
    more: bool
    """Whether rows have further keys."""


class SearchRanks(Model):
    """Rank of a result on each side."""

    dense: int | None
    """Rank of the dense side, from 1; null if it did not find the row."""
    sparse: int | None
    """Rank of the sparse side, from 1; null if it did not find the row."""


class SearchScores(Model):
    """Score of a result on each side."""

    dense: float | None
    """Similarity of the dense side; null if it did not find the row."""
    sparse: float | None
    """BM25 score of the sparse side; null if it did not find the row."""
    first_stage: float | None = None
    """Score before the boost and the reranker."""
    boost: float | None = None
    """Boost by metadata, between -1 and 1."""
    rerank: float | None = None
    """Score of the reranker, between 0 and 1; null if it did not score the row."""

SearchGroupValue: TypeAlias = str | float | bool
"""Value of a group."""


class SearchGroupPlace(Model):
    """Place of a result in its group."""

    value: SearchGroupValue | None
    """Value that the hits of the group share; null: the row has none, and is a group of its own."""
    position: int
    """Position among the hits of the group, from 1."""
    hidden: int
    """Further hits of the group among the candidates."""


class DenseExplanation(Model):
    """Result of the dense side."""

    rank: int
    """Rank of the dense side, from 1."""
    distance: float
    """Cosine distance, or squared euclidean distance."""
    share: float
    """Contribution of this side to `score`."""


class SparseExplanation(Model):
    """Result of the sparse side."""

    rank: int
    """Rank of the sparse side, from 1."""
    score: float
    """BM25."""
    share: float
    """Contribution of this side to `score`."""


class ChunkPosition(Model):
    """Where a chunk of a file is in its text."""

    position: int | None
    """Number of the chunk in its part of the file, from 1."""
    start: int | None
    """Offset of its first character in the text of that part."""
    end: int | None
    """Offset behind its last character in the text of that part."""
    heading_path: list[str]
    """Headings above the chunk, outermost first."""


class SearchExplanation(Model):
    """Why a row was found."""

    dense: DenseExplanation | None
    """The dense side; null if it did not find the row."""
    sparse: SparseExplanation | None
    """The sparse side; null if it did not find the row."""
    index_id: str
    """The index whose own table holds the row: this one, or one it branched from."""
    branch_distance: int
    """0 for this index, 1 for its parent, and so on."""
    chunk: ChunkPosition | None
    """Where the chunk is in its file; null for a row that no file wrote."""


class TextHighlight(Model):
    """A part of a text with what the queries match."""

    text: str
    """Part of the text of the result."""
    start: int
    """Its first position in the text of the result, in code points."""
    end: int
    """Position behind its last one."""
    marks: list[list[int]]
    """Matches in it: positions `[start, end)` in the text of the result. A phrase is one match."""


class SearchResult(Model):
    """A row that a search found."""

    id: str
    """Id of the row."""
    score: float
    """Score of the result: higher is better. Scores of different searches cannot be compared."""
    text: str | None = None
    """Text of the row; null if it has none."""
    metadata: dict[str, Any] | None = None
    """Metadata of the row."""
    vector: list[float] | None = None
    """The numbers of the vector."""
    file: SourceFile | None
    """The file that the row comes from; null if no file wrote it."""
    ranks: SearchRanks | None = None
    """Rank on each side, with `scores` in `include`."""
    scores: SearchScores | None = None
    """Score on each side, with `scores` in `include`."""
    group: SearchGroupPlace | None = None
    """Place in its group, with `group` in the request."""
    explanation: SearchExplanation | None = None
    """Why the row was found, with `explanation` in `include`."""
    highlights: list[TextHighlight] | None = None
    """Parts of the text with what the queries match, with `highlight` in the request."""
    context: int | None = None
    """Its text in `contexts`, from 0, with `context` in the request; null if it is no chunk of a file."""
    citation: SearchCitation | None = None
    """Place of the text in its file, with `citation` in `include`; null if no file wrote the row."""


class ContextFile(Model):
    """The file, and the pages in it, that a text comes from."""

    job_id: str
    """Id of the file job."""
    filename: str | None
    """Name of the file; null if it is not known."""
    page_start: int | None
    """First page of the text; null if the file has no pages."""
    page_end: int | None
    """Last page of the text; null if the file has no pages."""


class ResultContext(Model):
    """Text of a file around one or more results."""

    text: str
    """The text. What two chunks share is written once."""
    ids: list[str]
    """Rows that it consists of, in the order of the file."""
    hits: list[str]
    """Results among them, best first."""
    file: ContextFile
    """The file."""

RerankStatus: TypeAlias = Literal["done", "skipped"]
"""Whether the hits were reranked."""

RerankSkipReason: TypeAlias = Literal["unavailable", "timeout", "invalid_response", "no_text", "no_candidates"]
"""Why hits were not reranked."""


class RerankReport(Model):
    """What the reranker has done."""

    status: RerankStatus
    """`skipped`: the order is that of the first stage."""
    reason: RerankSkipReason | None
    """Why the hits were not reranked; null if they were."""
    model: str
    """Id of the reranker."""
    candidates: int
    """Hits that were sent to it."""
    took_ms: float
    """Milliseconds that it took."""
    units: int
    """Units by which it is billed: for most models, one for each hit."""


class FacetValue(Model):
    """A value and the number of rows that have it."""

    value: Any
    """The value."""
    count: int
    """Rows that have it."""


class FacetCounts(Model):
    """Counts of the values of a key over all rows that match the filter."""

    key: str
    """The metadata key."""
    values: list[FacetValue]
    """The most frequent values, of equal counts in the order of their JSON."""
    distinct: int | None
    """Distinct values; null if there are more than 100,000, so that none are returned."""

SearchStage: TypeAlias = Literal["candidates", "refill", "boost", "rerank", "min_score", "group", "diversity", "page"]
"""A stage of a search. `candidates`: The best rows of each side, fused into one order. `refill`: More candidates,
if these have too few groups. `boost`: Scores scaled to 0…1 and mixed with the boost of their rows. `rerank`:
Scores of the best candidates by a reranker. `min_score`: Hits below the lowest score are left out. `group`:
Hits of one group stand together, and only its best are kept. `diversity`: Maximal marginal relevance: hits that
resemble better ones come later. `page`: The requested page of the hits.
"""


class SearchStageReport(Model):
    """What a stage of a search has done."""

    stage: SearchStage
    """The stage."""
    in_: int = Field(alias="in")
    """Hits, or groups of hits, that it received."""
    out: int
    """Hits, or groups of hits, that it returned."""
    took_ms: float
    """Milliseconds that it took."""


class SearchUsage(Model):
    """Usage of one search."""

    searches: int
    """Searches that were run."""
    embedding_tokens: int
    """Tokens of text that were turned into vectors."""
    rerank_units: int
    """Units of the reranker."""
    estimated_cost_usd: float
    """Searches, tokens and units by the unit prices of the plans."""


class SearchResponse(Model):
    """The results of a search."""

    results: list[SearchResult]
    """The results, best first."""
    took_ms: float
    """Milliseconds that the service took."""
    contexts: list[ResultContext] | None = None
    """Texts around the results, with `context`. Results whose texts meet share one."""
    rerank: RerankReport | None = None
    """What the reranker has done, with `rerank`."""
    dropped_by_min_score: int | None = None
    """Hits below `min_score`."""
    groups_exhausted: bool | None = None
    """Whether every group with a matching row is among the candidates, with `group`."""
    next_cursor: str | None = None
    """Cursor of the next page, with any stage; null if no candidates follow, or if a remote reranker would score
    them again.
    """
    facets: list[FacetCounts] | None = None
    """Counts of values, with `facets`."""
    stages: list[SearchStageReport] | None = None
    """The stages, with `explanation` in `include`."""
    usage: SearchUsage | None = None
    """Usage of this search, with `usage` in `include`."""
    search_id: str | None = None
    """Id of the search in the log of the index, for feedback; absent if it is not logged."""


class BatchSearchError(Model):
    """Error of one search."""

    code: str
    """Code of the error."""
    detail: str
    """What went wrong."""


class BatchSearchItem(Model):
    """Result of one search of a batch."""

    status: int
    """Status of the search alone: 200, or that of its error."""
    response: SearchResponse | None = None
    """Its response, with status 200."""
    error: BatchSearchError | None = None
    """Its error, with another status."""


class BatchSearchResponse(Model):
    """Results of several searches."""

    responses: list[BatchSearchItem]
    """One for each search, in their order."""


class RecallFiltered(Model):
    """Recall of searches with a filter."""

    filter: dict[str, Any]
    """The filter that was used."""
    matches: int
    """Rows that match the filter."""
    queries: int
    """Queries that were compared."""
    recall: float | None
    """Mean share of the exact hits that the default search finds; null if there are no exact hits."""
    lowest: float | None
    """Lowest recall of a query."""
    default_search: RecallLatencies
    """Latency of the default search."""
    exact_search: RecallLatencies
    """Latency of the exact search."""


class RecallResponse(Model):
    """Comparison of the default search with an exact search."""

    top_k: int
    """Results of each query that were compared."""
    vectors: int
    """Rows of the index."""
    unfiltered: RecallUnfiltered
    """Recall without a filter."""
    filtered: RecallFiltered | None
    """Recall with a filter; null if none was given and none could be derived from the metadata."""
    searches: int
    """Number of searches. Each counts as a dense search."""
    took_ms: float
    """Milliseconds that the measurement took."""

EventType: TypeAlias = Literal["index.created", "index.updated", "index.capacity_warning", "index.erased", "index.rebuild.completed", "index.rebuild.failed", "file.processing.started", "file.processing.completed", "file.processing.failed", "file.expired", "export.completed", "export.failed", "webhook.endpoint.disabled", "audit.recorded"]
"""Type of an event."""

EventStatus: TypeAlias = Literal["recorded", "dispatched", "failed"]
"""`recorded`: stored, not yet accepted for delivery. `dispatched`: accepted for delivery. `failed`: could not be
handed to the delivery service.
"""


class CreatedIndex(Model):
    """An index that was created."""

    id: str
    """Id of the index."""
    name: str
    """Name of the index."""
    region: str
    """Region that stores the index."""
    dimensions: int
    """Number of dimensions of each vector."""


class IndexCreatedEventData(Model):
    """An index is ready for writes, dense and sparse. `name` is the name at its creation. Region and dimensions
    never change.
    """

    index: CreatedIndex
    """The index."""


class IndexCreatedEvent(Model):
    """Body of a `index.created` message."""

    type: Literal["index.created"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexCreatedEventData
    """Data of the event. Its schema depends on the type."""


class UpdatedIndex(Model):
    """An index that was renamed."""

    id: str
    """Id of the index."""
    name: str
    """Name of the index."""
    region: str
    """Region that stores the index."""


class IndexUpdatedEventData(Model):
    """An index was renamed. Nothing else has changed."""

    index: UpdatedIndex
    """The index."""


class IndexUpdatedEvent(Model):
    """Body of a `index.updated` message."""

    type: Literal["index.updated"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexUpdatedEventData
    """Data of the event. Its schema depends on the type."""


class NearlyFullIndex(Model):
    """An index that is nearly full."""

    id: str
    """Id of the index."""
    name: str
    """Name of the index."""
    region: str
    """Region that stores the index."""


class IndexCapacityWarningEventData(Model):
    """An index has passed 80 % of its maximum size. Sent each time that its content passes it."""

    index: NearlyFullIndex
    """The index."""
    capacity: IndexCapacity
    """Size of the index."""


class IndexCapacityWarningEvent(Model):
    """Body of a `index.capacity_warning` message."""

    type: Literal["index.capacity_warning"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexCapacityWarningEventData
    """Data of the event. Its schema depends on the type."""


class EndedErasure(Model):
    """An erasure whose receipt is signed."""

    id: str
    """Id of the erasure."""
    index_id: str
    """Id of the index."""


class IndexErasedEventData(Model):
    """Nothing is left of the rows and files of an erasure, and its receipt is signed."""

    erasure: EndedErasure
    """The erasure."""


class IndexErasedEvent(Model):
    """Body of a `index.erased` message."""

    type: Literal["index.erased"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexErasedEventData
    """Data of the event. Its schema depends on the type."""


class CompletedRebuild(Model):
    """A rebuild that has taken over."""

    id: str
    """Id of the rebuild."""
    index_id: str
    """Id of the index."""
    vectors: int
    """Rows of the index after the takeover."""
    left_out: int
    """Rows that stayed out, because they could not be embedded or stored."""
    rollback_until: str
    """Time until which the takeover can be undone."""


class IndexRebuildCompletedEventData(Model):
    """The successor of a rebuild has become the content of its index. No file was processed again."""

    rebuild: CompletedRebuild
    """The rebuild."""


class IndexRebuildCompletedEvent(Model):
    """Body of a `index.rebuild.completed` message."""

    type: Literal["index.rebuild.completed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexRebuildCompletedEventData
    """Data of the event. Its schema depends on the type."""


class FailedRebuild(Model):
    """A rebuild that failed."""

    id: str
    """Id of the rebuild."""
    index_id: str
    """Id of the index."""
    error: str
    """Human-readable reason of the failure."""


class IndexRebuildFailedEventData(Model):
    """A rebuild failed. The index is as it was."""

    rebuild: FailedRebuild
    """The rebuild."""


class IndexRebuildFailedEvent(Model):
    """Body of a `index.rebuild.failed` message."""

    type: Literal["index.rebuild.failed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: IndexRebuildFailedEventData
    """Data of the event. Its schema depends on the type."""


class StartedFileJob(Model):
    """A file job that starts."""

    id: str
    """Id of the file job."""
    index_id: str
    """Id of the index."""
    filename: str
    """Name of the file."""
    region: str
    """Region that processes the file."""


class FileProcessingStartedEventData(Model):
    """A file is planned and its processing starts. Sent once per job, however many tasks it has."""

    job: StartedFileJob
    """The job."""


class FileProcessingStartedEvent(Model):
    """Body of a `file.processing.started` message."""

    type: Literal["file.processing.started"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: FileProcessingStartedEventData
    """Data of the event. Its schema depends on the type."""

CompletedFileStatus: TypeAlias = Literal["completed", "completed_with_warnings"]
"""How a file job completed."""


class CompletedFileJob(Model):
    """A file job that completed."""

    id: str
    """Id of the file job."""
    index_id: str
    """Id of the index."""
    filename: str
    """Name of the file."""
    status: CompletedFileStatus
    """How the job completed."""
    vectors_written: int
    """Vectors that the job wrote to the index."""
    sparse_text: str
    """Beginning of the text of the file."""
    sparse_text_truncated: bool
    """Whether the file has more text than `sparse_text`."""


class FileProcessingCompletedEventData(Model):
    """Every task of the job is done. `status` is `completed`, or `completed_with_warnings` if nothing could be
    extracted.
    """

    job: CompletedFileJob
    """The job."""
    processing: Processing
    """Duration and cost of the processing."""


class FileProcessingCompletedEvent(Model):
    """Body of a `file.processing.completed` message."""

    type: Literal["file.processing.completed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: FileProcessingCompletedEventData
    """Data of the event. Its schema depends on the type."""

FileErrorCode: TypeAlias = Literal["processing_failed", "multimodal_credit_limit_reached"]
"""Reason of a failed job: the file could not be processed, or the monthly credits for OCR or transcription are
used up.
"""


class FailedFileJob(Model):
    """A file job that failed."""

    id: str
    """Id of the file job."""
    index_id: str
    """Id of the index."""
    filename: str
    """Name of the file."""
    error: str
    """Human-readable reason of the failure."""
    error_code: FileErrorCode
    """Machine-readable reason of the failure."""


class FileProcessingFailedEventData(Model):
    """The job failed after all retries. `error_code` is `processing_failed` or `multimodal_credit_limit_reached`."""

    job: FailedFileJob
    """The job."""
    processing: Processing
    """Duration and cost of the processing."""


class FileProcessingFailedEvent(Model):
    """Body of a `file.processing.failed` message."""

    type: Literal["file.processing.failed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: FileProcessingFailedEventData
    """Data of the event. Its schema depends on the type."""


class ExpiredFileJob(Model):
    """A file job that has expired."""

    id: str
    """Id of the file job."""
    index_id: str
    """Id of the index."""
    filename: str
    """Name of the file."""
    expired_at: str
    """Time from which no read returns its rows."""


class FileExpiredEventData(Model):
    """A file has expired. The file, its job and its rows are removed, as if it had been deleted."""

    job: ExpiredFileJob
    """The job."""


class FileExpiredEvent(Model):
    """Body of a `file.expired` message."""

    type: Literal["file.expired"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: FileExpiredEventData
    """Data of the event. Its schema depends on the type."""


class CompletedExport(Model):
    """An export that completed."""

    id: str
    """Id of the export."""
    index_id: str
    """Id of the index."""
    rows: int
    """Rows of the export."""
    size_bytes: int
    """Bytes of its files."""
    expires_at: str
    """Time at which the files are deleted."""


class ExportCompletedEventData(Model):
    """All files of an export can be downloaded. `GET` of the export returns their URLs."""

    export: CompletedExport
    """The export."""


class ExportCompletedEvent(Model):
    """Body of a `export.completed` message."""

    type: Literal["export.completed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: ExportCompletedEventData
    """Data of the event. Its schema depends on the type."""


class FailedExport(Model):
    """An export that failed."""

    id: str
    """Id of the export."""
    index_id: str
    """Id of the index."""
    error: str
    """Human-readable reason of the failure."""


class ExportFailedEventData(Model):
    """An export failed and has no files. Another one can be started."""

    export: FailedExport
    """The export."""


class ExportFailedEvent(Model):
    """Body of a `export.failed` message."""

    type: Literal["export.failed"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: ExportFailedEventData
    """Data of the event. Its schema depends on the type."""

EndpointDisabledReason: TypeAlias = Literal["gone", "failing"]
"""Why the service disabled an endpoint."""


class DisabledEndpoint(Model):
    """A webhook endpoint that was disabled."""

    id: str
    """Id of the endpoint."""
    reason: EndpointDisabledReason
    """Why the endpoint was disabled."""


class WebhookEndpointDisabledEventData(Model):
    """The service disabled a webhook endpoint of the organization. It receives nothing until an owner resumes it.
    `reason` is `gone` (its receiver returned 410) or `failing` (five days without a success). The event does
    not contain the URL, which may contain secrets.
    """

    endpoint: DisabledEndpoint
    """The endpoint."""


class WebhookEndpointDisabledEvent(Model):
    """Body of a `webhook.endpoint.disabled` message."""

    type: Literal["webhook.endpoint.disabled"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: WebhookEndpointDisabledEventData
    """Data of the event. Its schema depends on the type."""


class AuditRecordedEventData(Model):
    """A change was recorded in the audit log. An endpoint receives it only if `event_types` names it, since the
    record contains e-mail and IP addresses of people.
    """

    record: AuditRecordResponse
    """The record."""


class AuditRecordedEvent(Model):
    """Body of a `audit.recorded` message."""

    type: Literal["audit.recorded"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: AuditRecordedEventData
    """Data of the event. Its schema depends on the type."""


class TestedEndpoint(Model):
    """The endpoint that is tested."""

    id: str
    """Id of the endpoint."""


class WebhookTestData(Model):
    """Data of a `webhook.test` message."""

    endpoint: TestedEndpoint
    """The endpoint that is tested."""


class WebhookTestMessage(Model):
    """Body of a `webhook.test` message."""

    type: Literal["webhook.test"]
    """Type of the message."""
    created_at: str
    """When the event happened."""
    organization_id: str
    """Id of the organization."""
    data: WebhookTestData
    """Data of the event. Its schema depends on the type."""

WebhookMessage: TypeAlias = IndexCreatedEvent | IndexUpdatedEvent | IndexCapacityWarningEvent | IndexErasedEvent | IndexRebuildCompletedEvent | IndexRebuildFailedEvent | FileProcessingStartedEvent | FileProcessingCompletedEvent | FileProcessingFailedEvent | FileExpiredEvent | ExportCompletedEvent | ExportFailedEvent | WebhookEndpointDisabledEvent | AuditRecordedEvent | WebhookTestMessage
"""Any message to a webhook endpoint."""


class HistoryEvent(Model):
    """One event of the history."""

    id: str
    """Id of the event."""
    event_type: EventType
    """Type of the event."""
    status: EventStatus
    """Whether the event was accepted for delivery."""
    created_at: str
    """When the event happened."""
    index_id: str | None
    """Index that the event is about; null if there is none."""
    job_id: str | None
    """File job that the event is about; null if there is none."""
    payload: WebhookMessage
    """The message as webhook endpoints receive it."""


class EventTrace(Model):
    """Processing data of the file job of an event."""

    event_id: str
    """Id of the event."""
    job_id: str
    """Id of the file job."""
    processing: Processing
    """Duration and cost of the processing."""


class TelemetryStep(Model):
    """One timed phase of one attempt of one task."""

    event_id: str
    """Id of the event."""
    job_id: str
    """Id of the file job."""
    task_id: str
    """Id of the task."""
    attempt: int
    """Number of the attempt, from 1."""
    phase: str
    """Name of the phase, such as `content.extract`."""
    started_at: str
    """When the phase started."""
    duration_ms: int
    """Duration of the phase in milliseconds."""
    attributes: dict[str, Any]
    """Figures of the phase, such as pages or vectors."""


class EventHistory(Model):
    """One page of the event history."""

    events: list[HistoryEvent]
    """The events of the page, newest first."""
    total: int
    """Number of events that match at the time of the request. It may change between pages."""
    limit: int
    """`limit` of the request."""
    offset: int
    """`offset` of the request."""
    traces: list[EventTrace]
    """Processing data of each event on the page that ends a file job."""
    telemetry: list[TelemetryStep]
    """Timed phases of the tasks of each event on the page that ends a file job."""

WebhookDisabledReason: TypeAlias = Literal["paused", "gone", "failing"]
"""Why an endpoint is disabled."""


class WebhookEndpointCreated(Model):
    """A created endpoint with its secret."""

    id: str
    """Id of the endpoint."""
    url: str
    """URL of the receiver."""
    event_types: list[EventType] | None
    """Event types that the endpoint subscribes to; null for all but `audit.recorded`."""
    description: str | None
    """Purpose of the endpoint; null if there is none."""
    enabled: bool
    """Whether the endpoint receives events."""
    disabled_reason: WebhookDisabledReason | None
    """Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned
    410. `failing`: five days without a success.
    """
    failing_since: str | None
    """Time of the first failed attempt since the last success; null after a success."""
    created_at: str
    """When the endpoint was created."""
    updated_at: str
    """When the endpoint was last changed."""
    secret: str
    """Signing secret, returned only once."""


class WebhookEndpointResponse(Model):
    """A webhook endpoint."""

    id: str
    """Id of the endpoint."""
    url: str
    """URL of the receiver."""
    event_types: list[EventType] | None
    """Event types that the endpoint subscribes to; null for all but `audit.recorded`."""
    description: str | None
    """Purpose of the endpoint; null if there is none."""
    enabled: bool
    """Whether the endpoint receives events."""
    disabled_reason: WebhookDisabledReason | None
    """Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned
    410. `failing`: five days without a success.
    """
    failing_since: str | None
    """Time of the first failed attempt since the last success; null after a success."""
    created_at: str
    """When the endpoint was created."""
    updated_at: str
    """When the endpoint was last changed."""


class WebhookSecretRotated(Model):
    """An endpoint with its new secret."""

    id: str
    """Id of the endpoint."""
    url: str
    """URL of the receiver."""
    event_types: list[EventType] | None
    """Event types that the endpoint subscribes to; null for all but `audit.recorded`."""
    description: str | None
    """Purpose of the endpoint; null if there is none."""
    enabled: bool
    """Whether the endpoint receives events."""
    disabled_reason: WebhookDisabledReason | None
    """Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned
    410. `failing`: five days without a success.
    """
    failing_since: str | None
    """Time of the first failed attempt since the last success; null after a success."""
    created_at: str
    """When the endpoint was created."""
    updated_at: str
    """When the endpoint was last changed."""
    secret: str
    """Signing secret, returned only once."""
    previous_secret_expires_at: str
    """Until when deliveries are also signed with the old secret."""

WebhookMessageType: TypeAlias = Literal["index.created", "index.updated", "index.capacity_warning", "index.erased", "index.rebuild.completed", "index.rebuild.failed", "file.processing.started", "file.processing.completed", "file.processing.failed", "file.expired", "export.completed", "export.failed", "webhook.endpoint.disabled", "audit.recorded", "webhook.test"]
"""Type of a message to an endpoint."""

WebhookDeliveryTrigger: TypeAlias = Literal["event", "replay", "test"]
"""Cause of a delivery."""

WebhookDeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed", "dropped"]
"""`pending` until an attempt succeeds, the last attempt fails, or the endpoint is disabled or deleted."""

WebhookAttemptError: TypeAlias = Literal["timeout", "address_not_allowed", "connection_failed", "interrupted", "endpoint_unresponsive"]
"""Why an attempt received no complete response."""


class WebhookAttempt(Model):
    """One attempt at a delivery."""

    attempt: int
    """Number of the attempt, from 1."""
    at: str
    """When the attempt was made."""
    status_code: int | None
    """Status of the response; null if there was no complete response."""
    error: WebhookAttemptError | None
    """Why there was no complete response. `interrupted`: the service failed. `endpoint_unresponsive`: nothing was
    sent, because the receiver timed out at its last attempt and another attempt was in progress.
    """
    duration_ms: int | None
    """Milliseconds from the DNS lookup to the end of the response or of the attempt; null if nothing was sent."""


class WebhookDelivery(Model):
    """Delivery of one message to one endpoint."""

    id: str
    """Id of the delivery."""
    event_id: str
    """Id of the event. Receivers get it as the header `hook-id`."""
    event_type: WebhookMessageType
    """Type of the message."""
    trigger: WebhookDeliveryTrigger
    """Cause of the delivery."""
    status: WebhookDeliveryStatus
    """`dropped`: the endpoint was disabled or deleted, or the event has expired."""
    attempts: list[WebhookAttempt]
    """Attempts so far, oldest first."""
    next_attempt_at: str | None
    """When the next attempt is made. During an attempt: when the next one is made if the outcome of this one is
    lost. Null if the delivery has ended.
    """
    created_at: str
    """When the delivery was created."""


class ReplayAccepted(Model):
    """What a replay sends."""

    events: int
    """Number of events that are sent again."""
    endpoints: int
    """Number of endpoints. Each receives the types that it subscribes to."""

DependencyStatus: TypeAlias = Literal["ok", "failed", "timeout", "skipped"]
"""Outcome of one check."""


class DependencyHealth(Model):
    """Whether the service reaches one of its dependencies."""

    name: str
    """Kind, region (if any) and name of the dependency, such as `queue/us-east-1/plan`."""
    status: DependencyStatus
    """`skipped`: there was nothing to check, such as a region in which the organization has no index."""
    ms: int
    """Duration of the check in milliseconds."""
    error: str | None
    """Name of the error, such as `AccessDeniedException`, or `DamagedIndex` with the ids of indexes; null if there
    is none. The log contains details.
    """


class Health(Model):
    """Status of the API."""

    status: Literal["ok"]
    """Always `ok`."""

LocationPart: TypeAlias = str | int
"""One element of the location of a problem: a key, or a position in a list, from 0."""


class ValidationError(Model):
    """One problem of a request."""

    loc: list[LocationPart]
    """Location: `body`, `query`, `path` or `header`, then keys and positions."""
    msg: str
    """Human-readable message. It may change."""
    type: str
    """A pydantic error type, such as `missing` or `greater_than_equal`."""


class VersionConflict(Model):
    """A row whose version differs from the expected one."""

    id: str
    """Id of the row."""
    version: str | None
    """Current version of the row; null if the row does not exist."""

ErrorCode: TypeAlias = Literal["bad_request", "unauthenticated", "token_expired", "key_revoked", "plan_limit_reached", "forbidden", "owner_required", "write_permission_required", "index_not_allowed", "organization_not_allowed", "feature_not_in_plan", "not_found", "method_not_allowed", "conflict", "idempotency_conflict", "name_taken", "index_not_ready", "index_full", "evaluation_running", "evaluation_failed", "golden_set_too_small", "search_too_large", "not_supported_by_engine", "cursor_expired", "version_not_kept", "payload_too_large", "unsupported_media_type", "rate_limited", "headers_too_large", "internal", "unavailable"]
"""Stable error code. `ErrorResponse` explains each."""

OAuthErrorCode: TypeAlias = Literal["invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_grant", "invalid_target", "unsupported_token_type"]
"""Error code of RFC 6749, 5.2, RFC 7009, 2.2.1, or RFC 8707, 2."""
