# Generated from docs/openapi.json by `npm run client`: do not edit.
"""Bodies of requests, as typed dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import NotRequired, TypedDict

VectorInput: TypeAlias = "Sequence[float] | str | NDArray[np.floating[Any]]"
"""Numbers, base64 of little-endian 32-bit floats, or a numpy array, which is sent as base64."""

OnboardingCompleteDefaultRegion: TypeAlias = "str"
"""Region of indexes that are created without one: one of `GET /v1/regions`. If absent: us-east-1, or the first
region if us-east-1 is not available.
"""

OrganizationRole: TypeAlias = "Literal['owner', 'member']"
"""`member`: reads everything and changes data. `owner`: also manages members, API keys and webhooks."""

InvitationCreateRole: TypeAlias = "Literal['owner', 'member']"
"""Role of the invited person."""

Permission: TypeAlias = "Literal['read', 'write']"
"""`read`: every GET and search. `write`: every change of data."""

ApiKeyCreatePermissions: TypeAlias = "Sequence[Permission]"
"""Permissions of the key."""

MetadataFilter: TypeAlias = "dict[str, Any]"
"""Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte $exists`,
joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a path to a member
of objects, such as `author.name`. A value is a string, number, boolean, null or a whole object. Times of RFC
3339 with an offset compare as instants, with times alone. Other strings compare by code point. At most 64
conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
"""

IndexCreateDimensions: TypeAlias = "int"
"""Numbers of each vector. They never change. With `embedding_model`, the default is that of the model."""

IndexCreateDistanceMetric: TypeAlias = "Literal['cosine', 'euclidean']"
"""Distance metric of the vectors. It never changes."""

IndexCreateNonFilterableMetadataKeys: TypeAlias = "Sequence[str]"
"""Metadata keys that no filter may name."""

IndexCreateEngine: TypeAlias = "Literal['lance', 's3_vectors']"
"""Engine of the index. A rebuild changes it. Not every region has `s3_vectors`."""

IndexCreateTextLanguage: TypeAlias = "Literal['arabic', 'auto', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hungarian', 'italian', 'korean', 'none', 'norwegian', 'portuguese', 'romanian', 'russian', 'spanish', 'swedish', 'tamil', 'turkish']"
"""Language of the texts, for stemming and stop words of sparse search. `auto` detects the language of each text,
for indexes of several languages. `korean` splits words into pairs of syllables, `none` leaves words as they
are. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting.
"""

IndexCreateIfExists: TypeAlias = "Literal['create', 'return', 'conflict']"
"""What happens if an index has this name. `return`: the response is a 200 with the oldest one, or a 409 if its
dimensions, metric, region or engine are others than requested. `conflict`: the response is a 409 `name_taken`.
Of concurrent requests of both kinds, one creates the index.
"""

FusionMethod: TypeAlias = "Literal['rrf', 'weighted']"
"""Method of fusion."""

SearchFusionMethod: TypeAlias = "FusionMethod | None"
"""`rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1."""

SearchFusionK: TypeAlias = "int | None"
"""Constant of `rrf`. A larger value gives the first ranks less weight."""

RerankOnError: TypeAlias = "Literal['skip', 'fail']"
"""What follows if a reranker fails."""

SearchRerankOnError: TypeAlias = "RerankOnError | None"
"""`skip` keeps the order of the first stage. `fail` is a 503."""

SearchBoostWeight: TypeAlias = "float | None"
"""Share of the boost in the score."""

DecayOrigin: TypeAlias = "float | str"
"""A number, a time or `now`."""

DecayLength: TypeAlias = "float | str"
"""A number, or a duration such as `30d` or `12h`."""

DecayCurve: TypeAlias = "Literal['exp', 'gauss', 'linear']"
"""Shape of a decay."""

BoostDecayCurve: TypeAlias = "DecayCurve | None"
"""Shape of the decay."""

BoostConditionWeight: TypeAlias = "float | None"
"""Weight among the conditions. A negative one demotes."""

SearchGroupSize: TypeAlias = "int | None"
"""Maximum hits of a group."""

ContextUnit: TypeAlias = "Literal['chunk', 'heading', 'page', 'file']"
"""Unit in which the text around a result is counted."""

SearchContextUnit: TypeAlias = "ContextUnit | None"
"""`chunk`: neighbours. `heading`: the text under the same headings. `page`: the pages of the result. `file`: the
whole file.
"""

SearchContextMaxChars: TypeAlias = "int | None"
"""Maximum length of the text around a result, in code points. The result itself is always whole."""

IndexPromoteParentChanges: TypeAlias = "Literal['keep', 'discard']"
"""Whether writes to the parent since the branch point are kept."""

IndexPromoteEmbed: TypeAlias = "bool"
"""Whether texts are embedded again if the branch has another embedding model. If not, that is a 409."""

PromotionRequirementMetric: TypeAlias = "Literal['ndcg_at_10', 'recall_at_k', 'mrr', 'hit_at_1']"
"""Metric that is compared."""

SearchExact: TypeAlias = "bool | None"
"""Compare with every row instead of using the vector index."""

SearchMinScore: TypeAlias = "float | SearchMinScores"
"""One lowest score, or one for each side and the reranker."""

EvaluatedSearch: TypeAlias = "EvaluatedDenseSearch | EvaluatedSparseSearch | EvaluatedHybridSearch"
"""A search that is run for each question of a golden set."""

AsOf: TypeAlias = "int | str"
"""Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version
from before that time is read. Rows that have expired since stay absent.
"""

ErasureSubjectValue: TypeAlias = "str | float | bool"
"""Value of a metadata key."""

TextLanguage: TypeAlias = "Literal['arabic', 'auto', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hungarian', 'italian', 'korean', 'none', 'norwegian', 'portuguese', 'romanian', 'russian', 'spanish', 'swedish', 'tamil', 'turkish']"
"""Language of texts, for sparse search."""

EngineName: TypeAlias = "Literal['lance', 's3_vectors']"
"""Engine that stores and searches an index. `lance`: LanceDB, for up to some hundred thousand rows, with all
features. `s3_vectors`: Amazon S3 Vectors, for up to two billion rows.
"""

RebuildCreateForeignVectors: TypeAlias = "Literal['refuse', 'skip']"
"""Treatment of rows without a text, whose vectors a new model cannot make. `refuse`: the rebuild fails. `skip`:
they stay out.
"""

RebuildCreateWindowHours: TypeAlias = "int"
"""Hours after the takeover in which it can be undone."""

RebuildCreateDryRun: TypeAlias = "bool"
"""Whether only the estimate is returned, and nothing begins."""

RequirementMetric: TypeAlias = "Literal['ndcg_at_10', 'recall_at_k', 'mrr', 'hit_at_1']"
"""Metric that is compared."""

RelevantItemGrade: TypeAlias = "int"
"""Relevance: 0 is none. Default 1."""

GoldenQuestions: TypeAlias = "Sequence[GoldenQuestion]"
"""Questions of a golden set."""

GoldenSetFromLogDays: TypeAlias = "int"
"""Days of the log that are read."""

GoldenSetFromLogMaxQuestions: TypeAlias = "int"
"""Questions that the set has at most afterwards."""

FeedbackEvent: TypeAlias = "Literal['click', 'good', 'bad']"
"""What a person did with a hit, or called it."""

EvaluationCreateK: TypeAlias = "int | None"
"""Hits among which recall is measured."""

ExportCreateFormat: TypeAlias = "Literal['jsonl', 'parquet']"
"""JSON Lines, or Parquet, which is smaller."""

ExportCreateVectors: TypeAlias = "Literal['include', 'omit']"
"""`omit`: the files have no vectors, and an import embeds the texts. Rows without a text cannot be imported then."""

FileMetadata: TypeAlias = "dict[str, Any]"
"""Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in characters,
set how its text is cut. The service sets the position of each chunk under these names, and overwrites values
given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`, `row_end`, `line_start`,
`line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`, `ocr_confidence`.
"""

OnDuplicate: TypeAlias = "Literal['keep', 'skip', 'replace']"
"""What happens if a file of the index has the same name."""

NoCredentials: TypeAlias = "dict[str, Any]"
"""An empty object."""

RemoteFileImport: TypeAlias = "S3Import | GoogleImport | AzureImport | UrlImport | ExportImport"
"""A file to copy from a cloud provider."""

CrawlJobCreateIncludePaths: TypeAlias = "Sequence[str]"
"""Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first
page is read for its links in any case. Empty: all paths.
"""

CrawlJobCreateExcludePaths: TypeAlias = "Sequence[str]"
"""Paths to leave out, in the same form."""

CrawlJobCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the
crawl.
"""

CrawlJobCreateHeaders: TypeAlias = "dict[str, str]"
"""Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never
returned, and sent to no other host.
"""

CrawlJobCreatePageLimit: TypeAlias = "int"
"""Maximum number of pages to store. The plan limits it."""

CrawlJobCreateMaxDepth: TypeAlias = "int"
"""Maximum number of links from the first page; 0 fetches that page alone."""

SourceCredentialsPut: TypeAlias = "S3CredentialsPut | GoogleCredentialsPut | AzureCredentialsPut"
"""Credentials of a storage to store under a name."""

CrawlScheduleCreateIncludePaths: TypeAlias = "Sequence[str]"
"""Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The first
page is read for its links in any case. Empty: all paths.
"""

CrawlScheduleCreateExcludePaths: TypeAlias = "Sequence[str]"
"""Paths to leave out, in the same form."""

CrawlScheduleCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the
crawl.
"""

CrawlScheduleCreateHeaders: TypeAlias = "dict[str, str]"
"""Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never
returned, and sent to no other host.
"""

CrawlScheduleCreatePageLimit: TypeAlias = "int"
"""Maximum number of pages to store. The plan limits it."""

CrawlScheduleCreateMaxDepth: TypeAlias = "int"
"""Maximum number of links from the first page; 0 fetches that page alone."""

CrawlScheduleCreateIntervalHours: TypeAlias = "int"
"""Hours between the starts of two crawls."""

GoogleDriveCreateName: TypeAlias = "str"
"""Display name."""

GoogleDriveCredentials: TypeAlias = "AuthorizedUser | ServiceAccount"
"""A consent of a person, or the key file of a service account."""

GoogleDriveCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

ConnectorScopeUpdateFolders: TypeAlias = "Sequence[str]"
"""Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`."""

ConnectorScopeUpdateFiles: TypeAlias = "Sequence[str]"
"""Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`."""

ConnectorScopeUpdateFolderLabels: TypeAlias = "dict[str, str]"
"""Display name of each folder, file, site and library."""

ConnectorScopeUpdateNotionPages: TypeAlias = "Sequence[str]"
"""Notion pages, each with the pages below it."""

ConnectorScopeUpdateNotionDataSources: TypeAlias = "Sequence[str]"
"""Notion data sources."""

ConnectorScopeUpdateNotionLabels: TypeAlias = "dict[str, str]"
"""Display name of each page and data source."""

ConnectorScopeUpdateSlackChannels: TypeAlias = "Sequence[str]"
"""Slack channels."""

ConnectorScopeUpdateAttachments: TypeAlias = "bool"
"""Whether files of Slack messages, Notion pages and Confluence pages are documents, too."""

ConnectorScopeUpdateSites: TypeAlias = "Sequence[str]"
"""SharePoint sites, by id or address, each with all its libraries."""

ConnectorScopeUpdateLibraries: TypeAlias = "Sequence[str]"
"""Document libraries of SharePoint."""

ConnectorScopeUpdateConfluenceSpaces: TypeAlias = "Sequence[str]"
"""Keys of Confluence spaces."""

ConnectorScopeUpdateObjectPrefixes: TypeAlias = "Sequence[str]"
"""Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or
`https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.
"""

ConnectorScopeUpdateIncludePatterns: TypeAlias = "Sequence[str]"
"""Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number of characters, slashes
included, and `?` is one. Empty: all objects.
"""

ConnectorScopeUpdateExcludePatterns: TypeAlias = "Sequence[str]"
"""Objects to leave out, in the same form."""

NotionCreateName: TypeAlias = "str"
"""Display name."""

NotionCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

GmailCreateName: TypeAlias = "str"
"""Display name."""

GooglePersonalCredentials: TypeAlias = "AuthorizedUser | PersonalServiceAccount"
"""A consent of a person, or the key file of a service account that impersonates a person."""

GmailCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

GoogleCalendarCreateName: TypeAlias = "str"
"""Display name."""

GoogleCalendarCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

SlackCreateName: TypeAlias = "str"
"""Display name."""

SlackCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

SharePointCreateName: TypeAlias = "str"
"""Display name."""

SharePointCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

OneDriveCreateName: TypeAlias = "str"
"""Display name."""

OneDriveCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

ConfluenceCreateName: TypeAlias = "str"
"""Display name."""

ConfluenceCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

S3ConnectorCreateName: TypeAlias = "str"
"""Display name."""

S3ConnectorCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

GoogleStorageConnectorCreateName: TypeAlias = "str"
"""Display name."""

GoogleStorageConnectorCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

AzureConnectorCreateName: TypeAlias = "str"
"""Display name."""

AzureConnectorCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

ConnectorCreate: TypeAlias = "GoogleDriveCreate | NotionCreate | GmailCreate | GoogleCalendarCreate | SlackCreate | SharePointCreate | OneDriveCreate | ConfluenceCreate | S3ConnectorCreate | GoogleStorageConnectorCreate | AzureConnectorCreate"
"""A connector to create."""

OauthClientCredentialsAuthClientAuthentication: TypeAlias = "Literal['basic', 'body']"
"""Where the token request has id and secret: in HTTP Basic, or in the body."""

CustomApiAuth: TypeAlias = "NoAuth | BearerAuth | BasicAuth | HeaderAuth | OauthClientCredentialsAuth"
"""How requests to a custom API authenticate."""

CustomApiListMethod: TypeAlias = "Literal['GET', 'POST']"
"""Method of the requests."""

CustomApiListQuery: TypeAlias = "dict[str, str]"
"""Query parameters of the requests."""

PageNumberPaginationParameter: TypeAlias = "str"
"""Query parameter that takes the number of the page."""

PageNumberPaginationStart: TypeAlias = "int"
"""Number of the first page."""

OffsetPaginationParameter: TypeAlias = "str"
"""Query parameter that takes the number of items to skip."""

OffsetPaginationStart: TypeAlias = "int"
"""Offset of the first item."""

CustomApiPagination: TypeAlias = "LinkHeaderPagination | PageNumberPagination | OffsetPagination"
"""How to get the next page."""

CustomApiUpdatedSinceFormat: TypeAlias = "Literal['rfc3339', 'unix']"
"""Form of the time: `2026-01-31T12:00:00Z`, or seconds since 1970."""

CustomApiTextFormat: TypeAlias = "Literal['text', 'html', 'markdown']"
"""Format of the text of an item."""

CustomApiItemMetadata: TypeAlias = "dict[str, str]"
"""Keys of the metadata of chunks, each with a JSON Pointer to a text, number, boolean or list of texts in an item.
Other values are left out.
"""

CustomApiCreateMetadata: TypeAlias = "dict[str, Any]"
"""Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
files. Keys of the source with the same name win.
"""

CustomApiCreateSyncIntervalMinutes: TypeAlias = "int"
"""Minutes between two syncs."""

ConnectorReconnect: TypeAlias = "GoogleDriveReconnect | NotionReconnect | GmailReconnect | GoogleCalendarReconnect | SlackReconnect | SharePointReconnect | OneDriveReconnect | ConfluenceReconnect | S3Reconnect | GoogleStorageReconnect | AzureReconnect | CustomApiReconnect"
"""New credentials of the source."""

VectorUpsert: TypeAlias = "Sequence[VectorUpsertItem]"
"""The rows to write."""

VectorUpdate: TypeAlias = "Sequence[VectorUpdateItem]"
"""Changes to the metadata of rows."""

VectorFetchIncludeVectors: TypeAlias = "bool"
"""Whether the response has the numbers of the vectors."""

MetadataValuesLimit: TypeAlias = "int"
"""Maximum number of values."""

SearchTopK: TypeAlias = "int | None"
"""Maximum number of results."""

SearchField: TypeAlias = "Literal['text', 'metadata', 'vector', 'scores', 'explanation', 'usage', 'citation']"
"""A part of a result that a search can return."""

SearchInclude: TypeAlias = "Sequence[SearchField] | None"
"""Parts that each result has besides `id`, `score` and `file`."""

SearchQueryWeight: TypeAlias = "float | None"
"""Weight of the query."""

QueryFusion: TypeAlias = "Literal['rrf', 'max']"
"""How hits of several queries are joined."""

BatchDenseSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

SearchHighlightFragments: TypeAlias = "int | None"
"""Maximum highlights of a result."""

SearchHighlightMaxChars: TypeAlias = "int | None"
"""Maximum length of a highlight, in code points."""

SearchFacetLimit: TypeAlias = "int | None"
"""Maximum values, most frequent first."""

BatchSparseSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

BatchHybridSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

BatchSearchRequest: TypeAlias = "BatchDenseSearch | BatchSparseSearch | BatchHybridSearch"
"""A search of a batch."""

DenseSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

RecallBodyTopK: TypeAlias = "int | None"
"""Results of each query that are compared."""

RecallBodyQueries: TypeAlias = "int | None"
"""Stored vectors to draw. Ignored if `vectors` are given."""

RecallBodySeed: TypeAlias = "int | None"
"""The same seed draws the same vectors as long as the index is unchanged."""

SparseSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

HybridSearchFuse: TypeAlias = "QueryFusion | None"
"""How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""

EventType: TypeAlias = "Literal['index.created', 'index.updated', 'index.capacity_warning', 'index.erased', 'index.rebuild.completed', 'index.rebuild.failed', 'file.processing.started', 'file.processing.completed', 'file.processing.failed', 'file.expired', 'export.completed', 'export.failed', 'webhook.endpoint.disabled', 'audit.recorded']"
"""Type of an event."""


class OrganizationUpdate(TypedDict):
    """Changes of an organization. Absent fields stay."""

    organization_name: NotRequired[str]
    """Name of the organization."""
    spending_limit_usd: NotRequired[float | None]
    """Estimated cost of a calendar month in UTC from which searches, writes of rows and new file jobs are a 402,
    those of crawls and connectors too. It is added up once a minute. Storage goes on. Null for no limit.
    """


class OnboardingComplete(TypedDict):
    """Onboarding of an organization."""

    organization_name: str
    """Name of the organization."""
    use_case: str
    """Use case of the organization."""
    expected_vectors: str
    """Expected number of vectors as text, such as `1M-10M`."""
    default_region: NotRequired[OnboardingCompleteDefaultRegion]
    """Region of indexes that are created without one: one of `GET /v1/regions`. If absent: us-east-1, or the first
    region if us-east-1 is not available.
    """


class MemberUpdate(TypedDict):
    """A change of a member."""

    role: OrganizationRole
    """New role of the member."""


class InvitationCreate(TypedDict):
    """A person to invite."""

    email: str
    """E-mail address in any script. It is not case-sensitive."""
    role: NotRequired[InvitationCreateRole]
    """Role of the invited person."""


class InvitationAccept(TypedDict):
    """The invitation to accept."""

    invitation_id: str
    """Id of the invitation."""


class CredentialRateLimits(TypedDict):
    """Limits by minute. An absent one is that of the plan."""

    requests: NotRequired[int]
    """Requests of all kinds."""
    searches: NotRequired[int]
    """Searches, by their weight."""
    vector_writes: NotRequired[int]
    """Requests that write or delete rows."""
    file_jobs: NotRequired[int]
    """File jobs that requests create."""


class CredentialMonthlyLimits(TypedDict):
    """Limits by calendar month in UTC."""

    searches: NotRequired[int]
    """Searches."""
    vectors_written: NotRequired[int]
    """Vectors that its requests and files wrote."""
    file_jobs: NotRequired[int]
    """File jobs."""
    embedding_tokens: NotRequired[int]
    """Tokens of text that were turned into vectors."""
    cost_usd: NotRequired[float]
    """Estimated cost of its usage in USD, without storage."""


class ApiKeyCreate(TypedDict):
    """An API key to create."""

    name: str
    """Display name."""
    permissions: NotRequired[ApiKeyCreatePermissions]
    """Permissions of the key."""
    index_ids: NotRequired[Sequence[str] | None]
    """Ids of the indexes that the credential is restricted to; null or absent for all indexes."""
    filter: NotRequired[MetadataFilter | None]
    """Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as
    JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or
    absent for all rows.
    """
    id_prefix: NotRequired[str | None]
    """Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with
    it belong to the credential. End it with a separator, such as `acme:`.
    """
    rate_limits: NotRequired[CredentialRateLimits | None]
    """Limits of the credential by minute, within those of the organization. A request above one is a 429."""
    in_flight: NotRequired[int | None]
    """Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429."""
    monthly_limits: NotRequired[CredentialMonthlyLimits | None]
    """Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests
    that run then are completed.
    """
    expires_at: NotRequired[str | None]
    """When the key expires; null or absent for never."""


class OAuthClientCreate(TypedDict):
    """An OAuth client to create."""

    name: str
    """Display name."""
    index_ids: NotRequired[Sequence[str] | None]
    """Ids of the indexes that the credential is restricted to; null or absent for all indexes."""
    filter: NotRequired[MetadataFilter | None]
    """Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as
    JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or
    absent for all rows.
    """
    id_prefix: NotRequired[str | None]
    """Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with
    it belong to the credential. End it with a separator, such as `acme:`.
    """
    rate_limits: NotRequired[CredentialRateLimits | None]
    """Limits of the credential by minute, within those of the organization. A request above one is a 429."""
    in_flight: NotRequired[int | None]
    """Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429."""
    monthly_limits: NotRequired[CredentialMonthlyLimits | None]
    """Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests
    that run then are completed.
    """


class TokenRequest(TypedDict):
    """Access token request. Sources: RFC 6749, 4.1.3, 4.4.2 and 6, and RFC 8707, 2.2."""

    grant_type: str
    """`client_credentials`, `authorization_code` or `refresh_token`"""
    scope: NotRequired[str]
    """Requested scopes of the client, separated by spaces. If absent: all of them."""
    client_id: NotRequired[str]
    """Id of the client, here or by HTTP Basic. For a connected application: the URL of its metadata."""
    client_secret: NotRequired[str]
    """Secret of the client, here or by HTTP Basic, not both."""
    code: NotRequired[str]
    """Authorization code, for `authorization_code`."""
    redirect_uri: NotRequired[str]
    """As in the authorization request."""
    code_verifier: NotRequired[str]
    """Secret whose SHA-256 is the `code_challenge`."""
    refresh_token: NotRequired[str]
    """Last refresh token, for `refresh_token`."""
    resource: NotRequired[str]
    """If present, as in the authorization request."""


class AuthorizationCreate(TypedDict):
    """Access that a person grants to an application, with its authorization request."""

    response_type: NotRequired[str]
    """`code`"""
    client_id: str
    """URL of the metadata document of the application, or `strata-cli`."""
    redirect_uri: str
    """URL of the application to which the code is sent."""
    code_challenge: NotRequired[str]
    """SHA-256 of the code verifier, as base64url."""
    code_challenge_method: NotRequired[str]
    """`S256`"""
    resource: NotRequired[str]
    """URL of the MCP server, or of the service, for which tokens are requested."""
    scope: NotRequired[str]
    """Requested scopes, separated by spaces; `read` if absent."""
    state: NotRequired[str]
    """Value that is returned to the application unchanged."""
    permissions: Sequence[Permission]
    """Permissions that the person grants, among the requested ones."""
    index_ids: NotRequired[Sequence[str] | None]
    """Ids of the indexes that the credential is restricted to; null or absent for all indexes."""
    filter: NotRequired[MetadataFilter | None]
    """Binds the credential to rows: it sees and changes only those that match, in its indexes. At most 2 KiB as
    JSON. Such a credential is refused with 403 where a request concerns more than rows and files. Null or
    absent for all rows.
    """
    id_prefix: NotRequired[str | None]
    """Beginning of the ids that a credential with `filter` may write; required with `write`. Ids that begin with
    it belong to the credential. End it with a separator, such as `acme:`.
    """
    rate_limits: NotRequired[CredentialRateLimits | None]
    """Limits of the credential by minute, within those of the organization. A request above one is a 429."""
    in_flight: NotRequired[int | None]
    """Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429."""
    monthly_limits: NotRequired[CredentialMonthlyLimits | None]
    """Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests
    that run then are completed.
    """


class RevocationRequest(TypedDict):
    """Token that is no longer needed. Source: RFC 7009, 2.1."""

    token: str
    """Access token or refresh token of a connected application."""
    token_type_hint: NotRequired[str]
    """Ignored, since the value shows its type."""
    client_id: NotRequired[str]
    """Id of the application. If present, it must be that of the token."""


class IndexCreate(TypedDict):
    """An index to create."""

    name: str
    """Name, for people."""
    dimensions: NotRequired[IndexCreateDimensions]
    """Numbers of each vector. They never change. With `embedding_model`, the default is that of the model."""
    embedding_model: NotRequired[str | None]
    """Model that embeds texts: an `id` of `GET /v1/models`, or `default` for the default one with its own
    dimensions. A rebuild changes it. Null or absent: the default one with `dimensions`. If that is the embedded
    one, which is English, an index of another `text_language` gets `embedded-multilingual-e5-small`.
    """
    distance_metric: NotRequired[IndexCreateDistanceMetric]
    """Distance metric of the vectors. It never changes."""
    cloud_region: NotRequired[str | None]
    """Region that keeps the index: one of `GET /v1/regions`. Null or absent: that of the organization."""
    non_filterable_metadata_keys: NotRequired[IndexCreateNonFilterableMetadataKeys]
    """Metadata keys that no filter may name."""
    engine: NotRequired[IndexCreateEngine]
    """Engine of the index. A rebuild changes it. Not every region has `s3_vectors`."""
    text_language: NotRequired[IndexCreateTextLanguage]
    """Language of the texts, for stemming and stop words of sparse search. `auto` detects the language of each
    text, for indexes of several languages. `korean` splits words into pairs of syllables, `none` leaves words
    as they are. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting.
    """
    if_exists: NotRequired[IndexCreateIfExists]
    """What happens if an index has this name. `return`: the response is a 200 with the oldest one, or a 409 if its
    dimensions, metric, region or engine are others than requested. `conflict`: the response is a 409
    `name_taken`. Of concurrent requests of both kinds, one creates the index.
    """
    usage_key: NotRequired[str | None]
    """Metadata key by whose values usage is counted, such as the customer: see `GET
    /v1/organization/usage/values`. Null or absent: none.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds after which rows and files expire that say nothing else. Null or absent: they never do."""
    version_days: NotRequired[int]
    """Days for which former versions are kept, to be read or restored. Absent: 1. Removed rows leave the files of
    the index a day later.
    """


class SearchFusion(TypedDict):
    """Fusion of the dense and the sparse side."""

    method: NotRequired[SearchFusionMethod]
    """`rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1."""
    k: NotRequired[SearchFusionK]
    """Constant of `rrf`. A larger value gives the first ranks less weight."""
    dense_weight: NotRequired[float | None]
    """Weight of the dense side; the sparse side has the rest. Default: 0.5. If the embedded model embeds the text:
    0.1 if the index is not `english`, or if most letters of the text are not Latin.
    """


class SearchRerank(TypedDict):
    """Scores the best candidates again by a reranker."""

    model: NotRequired[str | None]
    """Id of a reranker of `GET /v1/models`. Default: the first of them."""
    candidates: NotRequired[int | None]
    """Hits that are scored again. Default: that of the model. Others follow in their order."""
    blend: NotRequired[float | None]
    """Share of the reranker in the score. 1 replaces the score; with less, both are scaled to 0…1 and mixed.
    Default: that of the model.
    """
    query: NotRequired[str | None]
    """Question for the reranker. Default: `text`."""
    on_error: NotRequired[SearchRerankOnError]
    """`skip` keeps the order of the first stage. `fail` is a 503."""


class BoostDecay(TypedDict):
    """Boost that decreases with the distance from a value."""

    origin: DecayOrigin
    """Value at which the boost is 1: a number, a time or `now`."""
    scale: DecayLength
    """Distance at which the boost is one half: a number, or a duration such as `30d` or `12h`."""
    offset: NotRequired[DecayLength | None]
    """Distance within which the boost stays 1. Default 0."""
    curve: NotRequired[BoostDecayCurve]
    """Shape of the decay."""


class BoostSaturation(TypedDict):
    """Boost that grows with a number: `x / (x + midpoint)`."""

    midpoint: float
    """Value that has one half."""


class BoostCondition(TypedDict):
    """Condition with a value between 0 and 1. A row without the key leaves it out."""

    filter: NotRequired[MetadataFilter | None]
    """Rows that match have 1, others 0."""
    key: NotRequired[str | None]
    """Metadata key of `decay` or `saturate`."""
    decay: NotRequired[BoostDecay | None]
    """Boost that decreases with the distance from a value."""
    saturate: NotRequired[BoostSaturation | None]
    """Boost that grows with a number: `x / (x + midpoint)`."""
    weight: NotRequired[BoostConditionWeight]
    """Weight among the conditions. A negative one demotes."""


class SearchBoost(TypedDict):
    """Mixes a boost by metadata with the scores, which are scaled to 0…1: `(1 - weight) × score + weight × boost`.
    The boost is `Σ wᵢvᵢ / Σ|wᵢ|` over the conditions.
    """

    weight: NotRequired[SearchBoostWeight]
    """Share of the boost in the score."""
    conditions: Sequence[BoostCondition]
    """Conditions, whose values are averaged by weight."""


class SearchGroup(TypedDict):
    """Groups hits. `top_k` and `offset` then count groups, and hits of one group stand together."""

    by: str
    """`file`, `document` or a metadata key. A list has the group of its first value."""
    size: NotRequired[SearchGroupSize]
    """Maximum hits of a group."""


class SearchContext(TypedDict):
    """Adds the text of the file around each of up to 50 results."""

    before: NotRequired[int | None]
    """Units before the result. Default 1 with `chunk`, else 0."""
    after: NotRequired[int | None]
    """Units behind the result. Default 1 with `chunk`, else 0."""
    unit: NotRequired[SearchContextUnit]
    """`chunk`: neighbours. `heading`: the text under the same headings. `page`: the pages of the result. `file`:
    the whole file.
    """
    max_chars: NotRequired[SearchContextMaxChars]
    """Maximum length of the text around a result, in code points. The result itself is always whole."""


class SearchDefaults(TypedDict):
    """What searches of an index use if they name nothing else. Null in a search switches one off."""

    fusion: NotRequired[SearchFusion | None]
    """Fusion of hybrid searches."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata."""
    group: NotRequired[SearchGroup | None]
    """Groups of hits."""
    context: NotRequired[SearchContext | None]
    """Text around the results."""


class QueryLogSettings(TypedDict):
    """Log of the searches of an index: questions, modes, shapes of filters, hits, durations and credentials."""

    sample: float
    """Share of the searches that are logged. 1: all."""
    keep_days: int
    """Days for which entries are kept."""


class IndexUpdate(TypedDict):
    """A change of an index."""

    name: NotRequired[str]
    """New name."""
    search_defaults: NotRequired[SearchDefaults | None]
    """What searches of the index use if they name nothing else. It replaces the former defaults; null removes
    them.
    """
    usage_key: NotRequired[str | None]
    """Metadata key by whose values usage is counted from now on; null ends that."""
    ttl_seconds: NotRequired[int | None]
    """Seconds after which rows and files expire that are written from now on and say nothing else; null: they
    never do.
    """
    version_days: NotRequired[int]
    """Days for which former versions are kept."""
    query_log: NotRequired[QueryLogSettings | None]
    """Log of searches, for golden sets from real questions. Null: nothing is logged any more. Absent at first:
    nothing is.
    """


class IndexBranchCreate(TypedDict):
    """A branch to create."""

    name: str
    """Name of the branch, for people."""


class SearchMinScores(TypedDict):
    """Lowest scores. A hit without one of these scores is left out."""

    dense: NotRequired[float | None]
    """Lowest similarity of the dense side."""
    sparse: NotRequired[float | None]
    """Lowest BM25 score."""
    rerank: NotRequired[float | None]
    """Lowest score of the reranker, between 0 and 1."""


class EvaluatedDenseSearch(TypedDict):
    """A search by meaning, whose text is that of each question."""

    mode: Literal["dense"]
    """Search by meaning."""
    name: str
    """Name of the search in the results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""


class EvaluatedSparseSearch(TypedDict):
    """A search by words, whose text is that of each question."""

    mode: Literal["sparse"]
    """Search by words."""
    name: str
    """Name of the search in the results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""


class EvaluatedHybridSearch(TypedDict):
    """A search by meaning and words, whose text is that of each question."""

    mode: Literal["hybrid"]
    """Search by meaning and words."""
    name: str
    """Name of the search in the results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    fusion: NotRequired[SearchFusion | None]
    """Fusion of the dense and the sparse side. Null: not even by the defaults of the index."""


class PromotionRequirement(TypedDict):
    """What a branch must prove before it is promoted."""

    golden_set: str
    """Name of a golden set of the parent."""
    metric: NotRequired[PromotionRequirementMetric]
    """Metric that is compared."""
    max_loss: float
    """Mean loss that is allowed. A larger one is refused if its 95 % interval excludes 0."""
    search: NotRequired[EvaluatedSearch]
    """Search that is compared. Default: a hybrid one by the defaults of the index."""


class IndexPromote(TypedDict):
    """Treatment of vectors that the parent has written since the branch point, and what the branch must prove.
    `keep`: vectors that the branch did not change stay as they are. `discard`: the parent has exactly the
    content of the branch.
    """

    parent_changes: NotRequired[IndexPromoteParentChanges]
    """Whether writes to the parent since the branch point are kept."""
    embed: NotRequired[IndexPromoteEmbed]
    """Whether texts are embedded again if the branch has another embedding model. If not, that is a 409."""
    require: NotRequired[PromotionRequirement]
    """What the branch must prove by a golden set of the parent. Without an evaluation of its present content from
    the last hour, one is started: 409 `evaluation_running` until it has ended.
    """


class IndexRestore(TypedDict):
    """What to restore."""

    as_of: AsOf
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """


class ErasureSubject(TypedDict):
    """A person or thing."""

    key: str
    """Metadata key by which your rows name a person."""
    value: ErasureSubjectValue
    """Value of that person."""


class ErasureCreate(TypedDict):
    """What is erased."""

    ids: NotRequired[Sequence[str]]
    """Ids of rows."""
    filter: NotRequired[MetadataFilter]
    """Filter of rows, with at least one condition."""
    file: NotRequired[str]
    """Id of a file job."""
    document: NotRequired[str]
    """Document, by the `document_id` of its rows."""
    subject: NotRequired[ErasureSubject]
    """Rows and files with this value in their metadata."""


class ChunkingChoice(TypedDict):
    """Size of the chunks of files."""

    size: int
    """Maximum characters of a chunk."""
    overlap: NotRequired[int]
    """Characters of the end of a chunk that the next one may repeat: less than half of the size. Default: an
    eighth.
    """


class Requirement(TypedDict):
    """What a content must prove."""

    metric: NotRequired[RequirementMetric]
    """Metric that is compared."""
    max_loss: float
    """Mean loss that is allowed. A larger one is refused if its 95 % interval excludes 0."""
    search: NotRequired[EvaluatedSearch]
    """Search that is compared. Default: a hybrid one by the defaults of the index."""


class RebuildCreate(TypedDict):
    """What the content of an index changes to: at least one of model, language, engine and chunking."""

    embedding_model: NotRequired[str]
    """Model of the successor: an `id` of `GET /v1/models`, or `default`. Absent: the present one."""
    text_language: NotRequired[TextLanguage]
    """Language of the texts of the successor. Absent: the present one."""
    engine: NotRequired[EngineName]
    """Engine of the successor. Absent: the present one."""
    chunking: NotRequired[ChunkingChoice | None]
    """Size of the chunks of files, which are cut again. Null: the size in the metadata of each file, or the
    default. Absent: the present one.
    """
    foreign_vectors: NotRequired[RebuildCreateForeignVectors]
    """Treatment of rows without a text, whose vectors a new model cannot make. `refuse`: the rebuild fails.
    `skip`: they stay out.
    """
    window_hours: NotRequired[RebuildCreateWindowHours]
    """Hours after the takeover in which it can be undone."""
    dry_run: NotRequired[RebuildCreateDryRun]
    """Whether only the estimate is returned, and nothing begins."""
    golden_set: NotRequired[str]
    """Name of a golden set by which the successor must prove itself."""
    require: NotRequired[Requirement]
    """What the successor must prove by `golden_set` before it takes over. If it falls short, the rebuild fails and
    the index stays as it is.
    """


class RelevantItem(TypedDict):
    """What a question should find, by one of id, document and text."""

    id: NotRequired[str]
    """Id of a row."""
    document: NotRequired[str]
    """Id of a file job, or name of its file: any row of it."""
    text: NotRequired[str]
    """Text of a passage: the row whose text has 80 % of its words."""
    grade: NotRequired[RelevantItemGrade]
    """Relevance: 0 is none. Default 1."""


class GoldenQuestion(TypedDict):
    """A question with what it should find."""

    query: str
    """The question."""
    filter: NotRequired[MetadataFilter | None]
    """Filter of the question, besides that of the search."""
    relevant: Sequence[RelevantItem]
    """What it should find."""


class GoldenSetFromLog(TypedDict):
    """Questions of the log for a golden set."""

    days: NotRequired[GoldenSetFromLogDays]
    """Days of the log that are read."""
    max_questions: NotRequired[GoldenSetFromLogMaxQuestions]
    """Questions that the set has at most afterwards."""


class SearchFeedback(TypedDict):
    """Feedback on a hit."""

    id: str
    """Id of a hit."""
    event: FeedbackEvent
    """`click`: opened it. `good`, `bad`: judged it."""


class EvaluationCreate(TypedDict):
    """An evaluation of an index."""

    golden_set: str
    """Name of a golden set of the index."""
    golden_set_version: NotRequired[int]
    """Version of it. Default: the newest one."""
    searches: Sequence[EvaluatedSearch]
    """Searches that are run for each question."""
    compare_to: NotRequired[str]
    """Id of an index, such as a branch, or of a rebuild, in which the questions are searched too."""
    k: NotRequired[EvaluationCreateK]
    """Hits among which recall is measured."""


class ExportCreate(TypedDict):
    """How to export an index."""

    format: NotRequired[ExportCreateFormat]
    """JSON Lines, or Parquet, which is smaller."""
    vectors: NotRequired[ExportCreateVectors]
    """`omit`: the files have no vectors, and an import embeds the texts. Rows without a text cannot be imported
    then.
    """
    as_of: NotRequired[AsOf]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """


class AliasPut(TypedDict):
    """The index of an alias."""

    index_id: str
    """Id of the index."""


class FileUploadCreate(TypedDict):
    """A file to upload."""

    filename: str
    """Name of the file. Its extension may decide between text formats."""
    content_type: str
    """Media type of the file, such as `application/pdf`."""
    checksum_sha256: NotRequired[str | None]
    """SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL accepts no other file."""
    size_bytes: NotRequired[int | None]
    """Exact size of the file. If given, the upload URL accepts no other size, and a file larger than the plan
    allows is refused before it is sent.
    """
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""
    on_duplicate: NotRequired[OnDuplicate]
    """If a file of the index has the same name: `keep`, the default, stores both. `skip` returns its job, with
    status 200, if the checksum is equal too. `replace` replaces the newest one, even if that is unfinished.
    `skip` and `replace` need `checksum_sha256`.
    """


class FileReplacement(TypedDict):
    """A file that replaces that of a job."""

    filename: str
    """Name of the file. Its extension may decide between text formats."""
    content_type: str
    """Media type of the file, such as `application/pdf`."""
    checksum_sha256: NotRequired[str | None]
    """SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL accepts no other file."""
    size_bytes: NotRequired[int | None]
    """Exact size of the file. If given, the upload URL accepts no other size, and a file larger than the plan
    allows is refused before it is sent.
    """
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class S3Credentials(TypedDict):
    """`access_key_id` and `secret_access_key`, with `session_token` for temporary ones; or `role_arn`, of a role
    whose trust policy names the import function and, as external id, the id of the organization.
    """

    access_key_id: NotRequired[str]
    """Id of the access key."""
    secret_access_key: NotRequired[str]
    """Secret of the access key."""
    session_token: NotRequired[str]
    """Session token of temporary keys."""
    role_arn: NotRequired[str]
    """Role that the service assumes, in place of keys."""


class S3Import(TypedDict):
    """An object of Amazon S3: `s3://BUCKET/KEY`."""

    provider: Literal["aws_s3"]
    """Cloud provider that keeps the file."""
    uri: str
    """Address of the file."""
    credentials: NotRequired[S3Credentials | None]
    """Credentials for the file; null if it is public. Kept encrypted until the copy is done."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    filename: NotRequired[str | None]
    """Name of the file; null: the last part of `uri`."""
    content_type: NotRequired[str | None]
    """Media type of the file; null: detected from its content."""
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class GoogleCredentials(TypedDict):
    """The JSON key file of a service account, as it is."""

    type: Literal["service_account"]
    """Always `service_account`."""
    client_email: str
    """Address of the service account."""
    private_key: str
    """Private RSA key in PEM form."""
    private_key_id: NotRequired[str]
    """Id of the key."""
    project_id: NotRequired[str]
    """Project of the service account."""


class GoogleImport(TypedDict):
    """An object of Google Cloud Storage: `gs://BUCKET/NAME`."""

    provider: Literal["gcs"]
    """Cloud provider that keeps the file."""
    uri: str
    """Address of the file."""
    credentials: NotRequired[GoogleCredentials | None]
    """Credentials for the file; null if it is public. Kept encrypted until the copy is done."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    filename: NotRequired[str | None]
    """Name of the file; null: the last part of `uri`."""
    content_type: NotRequired[str | None]
    """Media type of the file; null: detected from its content."""
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class AzureCredentials(TypedDict):
    """A shared access signature."""

    sas_token: str
    """Query string of a shared access signature: `sv=…&sig=…`."""


class AzureImport(TypedDict):
    """A blob of Azure: `https://ACCOUNT.blob.core.windows.net/CONTAINER/NAME`."""

    provider: Literal["azure_blob"]
    """Cloud provider that keeps the file."""
    uri: str
    """Address of the file."""
    credentials: NotRequired[AzureCredentials | None]
    """Credentials for the file; null if it is public. Kept encrypted until the copy is done."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    filename: NotRequired[str | None]
    """Name of the file; null: the last part of `uri`."""
    content_type: NotRequired[str | None]
    """Media type of the file; null: detected from its content."""
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class UrlImport(TypedDict):
    """An `https` URL, such as a presigned one. Its server supports ranges."""

    provider: Literal["url"]
    """Cloud provider that keeps the file."""
    uri: str
    """Address of the file."""
    credentials: NotRequired[NoCredentials | None]
    """Credentials for the file; null if it is public. Kept encrypted until the copy is done."""
    filename: NotRequired[str | None]
    """Name of the file; null: the last part of `uri`."""
    content_type: NotRequired[str | None]
    """Media type of the file; null: detected from its content."""
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class ExportImport(TypedDict):
    """The rows of a completed export: `INDEX_ID/EXPORT_ID`. Creates a file job for each of its files and returns
    the first. Vectors of another embedding model than that of the index are a 409, unless `embed` is true.
    """

    provider: Literal["export"]
    """Cloud provider that keeps the file."""
    uri: str
    """Address of the file."""
    credentials: NotRequired[NoCredentials | None]
    """Credentials for the file; null if it is public. Kept encrypted until the copy is done."""
    filename: NotRequired[str | None]
    """Name of the file; null: the last part of `uri`."""
    content_type: NotRequired[str | None]
    """Media type of the file; null: detected from its content."""
    metadata: NotRequired[FileMetadata]
    """Stored with every chunk of the file; at most 40 KiB as JSON. `chunk_size` and `chunk_overlap`, in
    characters, set how its text is cut. The service sets the position of each chunk under these names, and
    overwrites values given here: `heading_path`, `chunk`, `start`, `end`, `slide`, `sheet`, `row_start`,
    `row_end`, `line_start`, `line_end`, `start_seconds`, `end_seconds`, `message`, `attachment`,
    `ocr_confidence`.
    """
    embed: NotRequired[bool]
    """For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class CrawlJobCreate(TypedDict):
    """A crawl to start."""

    url: str
    """Where the crawl begins: an http or https address on the public internet; a fragment is left out."""
    include_paths: NotRequired[CrawlJobCreateIncludePaths]
    """Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The
    first page is read for its links in any case. Empty: all paths.
    """
    exclude_paths: NotRequired[CrawlJobCreateExcludePaths]
    """Paths to leave out, in the same form."""
    metadata: NotRequired[CrawlJobCreateMetadata]
    """Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the
    crawl.
    """
    headers: NotRequired[CrawlJobCreateHeaders]
    """Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never
    returned, and sent to no other host.
    """
    page_limit: NotRequired[CrawlJobCreatePageLimit]
    """Maximum number of pages to store. The plan limits it."""
    max_depth: NotRequired[CrawlJobCreateMaxDepth]
    """Maximum number of links from the first page; 0 fetches that page alone."""


class S3CredentialsPut(TypedDict):
    """Credentials of a storage to store under a name."""

    provider: Literal["aws_s3"]
    """Storage of the credentials."""
    credentials: S3Credentials
    """`access_key_id` and `secret_access_key`, with `session_token` for temporary ones; or `role_arn`, of a role
    whose trust policy names the import function and, as external id, the id of the organization.
    """


class GoogleCredentialsPut(TypedDict):
    """Credentials of a storage to store under a name."""

    provider: Literal["gcs"]
    """Storage of the credentials."""
    credentials: GoogleCredentials
    """The JSON key file of a service account, as it is."""


class AzureCredentialsPut(TypedDict):
    """Credentials of a storage to store under a name."""

    provider: Literal["azure_blob"]
    """Storage of the credentials."""
    credentials: AzureCredentials
    """A shared access signature."""


class CrawlScheduleCreate(TypedDict):
    """A crawl to repeat."""

    url: str
    """Where the crawl begins: an http or https address on the public internet; a fragment is left out."""
    include_paths: NotRequired[CrawlScheduleCreateIncludePaths]
    """Paths to read, such as `/docs/*`: `*` is any number of characters, slashes included, and `?` is one. The
    first page is read for its links in any case. Empty: all paths.
    """
    exclude_paths: NotRequired[CrawlScheduleCreateExcludePaths]
    """Paths to leave out, in the same form."""
    metadata: NotRequired[CrawlScheduleCreateMetadata]
    """Metadata that every chunk of the pages has, at most 8 KiB. `url`, `title` and `canonical_url` are set by the
    crawl.
    """
    headers: NotRequired[CrawlScheduleCreateHeaders]
    """Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never
    returned, and sent to no other host.
    """
    page_limit: NotRequired[CrawlScheduleCreatePageLimit]
    """Maximum number of pages to store. The plan limits it."""
    max_depth: NotRequired[CrawlScheduleCreateMaxDepth]
    """Maximum number of links from the first page; 0 fetches that page alone."""
    interval_hours: NotRequired[CrawlScheduleCreateIntervalHours]
    """Hours between the starts of two crawls."""
    starts_at: NotRequired[str | None]
    """When the first crawl starts; null: at once."""


class CrawlScheduleUpdate(TypedDict):
    """Changes of a schedule; absent fields stay."""

    paused: NotRequired[bool]
    """Whether no crawl starts."""
    interval_hours: NotRequired[int]
    """Hours between the starts of two crawls."""
    starts_at: NotRequired[str]
    """When the next crawl starts; a past time: at once. Later ones count from it."""
    headers: NotRequired[dict[str, str]]
    """Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never
    returned, and sent to no other host.
    """


class AuthorizedUser(TypedDict):
    """Consent of a person, in the format of Google tools."""

    type: Literal["authorized_user"]
    """Always `authorized_user`."""
    client_id: str
    """Id of the OAuth client."""
    client_secret: str
    """Secret of the OAuth client."""
    refresh_token: str
    """Refresh token of the person."""


class ServiceAccount(TypedDict):
    """Key file of a service account."""

    type: Literal["service_account"]
    """Always `service_account`."""
    client_email: str
    """Address of the service account."""
    private_key: str
    """Private RSA key in PEM form."""
    private_key_id: NotRequired[str]
    """Id of the key."""
    project_id: NotRequired[str]
    """Project of the service account."""
    subject: NotRequired[str]
    """Person whom the service account impersonates."""


class ConnectorScopeUpdate(TypedDict):
    """New scope of a connector."""

    folders: NotRequired[ConnectorScopeUpdateFolders]
    """Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`."""
    files: NotRequired[ConnectorScopeUpdateFiles]
    """Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`."""
    folder_labels: NotRequired[ConnectorScopeUpdateFolderLabels]
    """Display name of each folder, file, site and library."""
    notion_pages: NotRequired[ConnectorScopeUpdateNotionPages]
    """Notion pages, each with the pages below it."""
    notion_data_sources: NotRequired[ConnectorScopeUpdateNotionDataSources]
    """Notion data sources."""
    notion_labels: NotRequired[ConnectorScopeUpdateNotionLabels]
    """Display name of each page and data source."""
    gmail_after: NotRequired[str | None]
    """Mail since this day or time, such as `2026-01-31`; null for all."""
    calendar_after: NotRequired[str | None]
    """Calendar entries since this day or time; null for all."""
    slack_channels: NotRequired[ConnectorScopeUpdateSlackChannels]
    """Slack channels."""
    attachments: NotRequired[ConnectorScopeUpdateAttachments]
    """Whether files of Slack messages, Notion pages and Confluence pages are documents, too."""
    sites: NotRequired[ConnectorScopeUpdateSites]
    """SharePoint sites, by id or address, each with all its libraries."""
    libraries: NotRequired[ConnectorScopeUpdateLibraries]
    """Document libraries of SharePoint."""
    confluence_spaces: NotRequired[ConnectorScopeUpdateConfluenceSpaces]
    """Keys of Confluence spaces."""
    object_prefixes: NotRequired[ConnectorScopeUpdateObjectPrefixes]
    """Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or
    `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.
    """
    include_patterns: NotRequired[ConnectorScopeUpdateIncludePatterns]
    """Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number of characters, slashes
    included, and `?` is one. Empty: all objects.
    """
    exclude_patterns: NotRequired[ConnectorScopeUpdateExcludePatterns]
    """Objects to leave out, in the same form."""


class GoogleDriveCreate(TypedDict):
    """A Google Drive connector to create."""

    provider: Literal["google_drive"]
    """Provider of the source."""
    name: NotRequired[GoogleDriveCreateName]
    """Display name."""
    credentials: GoogleDriveCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[GoogleDriveCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class TokenCredentials(TypedDict):
    """A token of the provider."""

    token: str
    """Token that the provider issued."""


class NotionCreate(TypedDict):
    """A Notion connector to create."""

    provider: Literal["notion"]
    """Provider of the source."""
    name: NotRequired[NotionCreateName]
    """Display name."""
    credentials: TokenCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[NotionCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class PersonalServiceAccount(TypedDict):
    """Key file of a service account that impersonates a person."""

    type: Literal["service_account"]
    """Always `service_account`."""
    client_email: str
    """Address of the service account."""
    private_key: str
    """Private RSA key in PEM form."""
    private_key_id: NotRequired[str]
    """Id of the key."""
    project_id: NotRequired[str]
    """Project of the service account."""
    subject: str
    """Person whose mail or calendar is read."""


class GmailCreate(TypedDict):
    """A Gmail connector to create."""

    provider: Literal["gmail"]
    """Provider of the source."""
    name: NotRequired[GmailCreateName]
    """Display name."""
    credentials: GooglePersonalCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[GmailCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class GoogleCalendarCreate(TypedDict):
    """A Google Calendar connector to create."""

    provider: Literal["google_calendar"]
    """Provider of the source."""
    name: NotRequired[GoogleCalendarCreateName]
    """Display name."""
    credentials: GooglePersonalCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[GoogleCalendarCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class SlackCreate(TypedDict):
    """A Slack connector to create."""

    provider: Literal["slack"]
    """Provider of the source."""
    name: NotRequired[SlackCreateName]
    """Display name."""
    credentials: TokenCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[SlackCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class MicrosoftApplication(TypedDict):
    """An application of a directory at Microsoft."""

    tenant_id: str
    """Directory (tenant) id of the application, or a domain of the directory."""
    client_id: str
    """Application (client) id."""
    client_secret: str
    """Client secret of the application."""


class SharePointCreate(TypedDict):
    """A SharePoint connector to create."""

    provider: Literal["sharepoint"]
    """Provider of the source."""
    name: NotRequired[SharePointCreateName]
    """Display name."""
    credentials: MicrosoftApplication
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[SharePointCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class PersonalMicrosoftApplication(TypedDict):
    """An application of a directory at Microsoft, and a person of that directory."""

    tenant_id: str
    """Directory (tenant) id of the application, or a domain of the directory."""
    client_id: str
    """Application (client) id."""
    client_secret: str
    """Client secret of the application."""
    user: str
    """Person whose OneDrive is read."""


class OneDriveCreate(TypedDict):
    """A OneDrive connector to create."""

    provider: Literal["one_drive"]
    """Provider of the source."""
    name: NotRequired[OneDriveCreateName]
    """Display name."""
    credentials: PersonalMicrosoftApplication
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[OneDriveCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class ConfluenceCredentials(TypedDict):
    """An API token of an account at Atlassian."""

    site_url: str
    """Address of the site, such as `https://acme.atlassian.net`."""
    email: str
    """Address of the account that issued the token."""
    token: str
    """API token of the account."""


class ConfluenceCreate(TypedDict):
    """A Confluence connector to create."""

    provider: Literal["confluence"]
    """Provider of the source."""
    name: NotRequired[ConfluenceCreateName]
    """Display name."""
    credentials: ConfluenceCredentials
    """Credentials of the source. Stored encrypted."""
    metadata: NotRequired[ConfluenceCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class S3ConnectorCreate(TypedDict):
    """A connector to Amazon S3 to create."""

    provider: Literal["aws_s3"]
    """Provider of the source."""
    name: NotRequired[S3ConnectorCreateName]
    """Display name."""
    credentials: NotRequired[S3Credentials | None]
    """Credentials that may list and read the bucket; null if it is public. Stored encrypted."""
    endpoint: NotRequired[str | None]
    """Address of another storage with the protocol of S3, such as MinIO, R2 or Wasabi; null: Amazon S3."""
    region: NotRequired[str | None]
    """Region of `endpoint`, such as `auto` for R2; null: the region of the service."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    metadata: NotRequired[S3ConnectorCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class GoogleStorageConnectorCreate(TypedDict):
    """A connector to Google Cloud Storage to create."""

    provider: Literal["gcs"]
    """Provider of the source."""
    name: NotRequired[GoogleStorageConnectorCreateName]
    """Display name."""
    credentials: NotRequired[GoogleCredentials | None]
    """Key file of a service account that may list and read the bucket; null if it is public."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    metadata: NotRequired[GoogleStorageConnectorCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class AzureConnectorCreate(TypedDict):
    """A connector to Azure Blob Storage to create."""

    provider: Literal["azure_blob"]
    """Provider of the source."""
    name: NotRequired[AzureConnectorCreateName]
    """Display name."""
    credentials: NotRequired[AzureCredentials | None]
    """Shared access signature with the permissions to read and list; null if the container is public."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""
    metadata: NotRequired[AzureConnectorCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: 30, and 60 for a custom API."""
    scope: NotRequired[ConnectorScopeUpdate | None]
    """What the connector reads. Null: nothing, until a scope is set."""


class ConnectorUpdate(TypedDict):
    """Changes of a connector; absent fields stay."""

    name: NotRequired[str]
    """Display name."""
    metadata: NotRequired[dict[str, Any]]
    """New metadata of every chunk. All documents are processed again, each as a file job."""
    sync_interval_minutes: NotRequired[int | None]
    """Minutes between two syncs; null: the default."""


class NoAuth(TypedDict):
    """Requests carry no credential."""

    type: Literal["none"]
    """Always `none`."""


class BearerAuth(TypedDict):
    """Requests carry a bearer value."""

    type: Literal["bearer"]
    """Always `bearer`."""
    token: str
    """Bearer value."""


class BasicAuth(TypedDict):
    """Requests carry a user name and a password."""

    type: Literal["basic"]
    """Always `basic`."""
    username: str
    """User name, without a colon."""
    password: str
    """Password."""


class HeaderAuth(TypedDict):
    """Requests carry a header of their own."""

    type: Literal["header"]
    """Always `header`."""
    name: str
    """Name of the header."""
    value: str
    """Value of the header."""


class OauthClientCredentialsAuth(TypedDict):
    """Requests carry an access token that the service gets and renews (OAuth 2.0, client credentials)."""

    type: Literal["oauth_client_credentials"]
    """Always `oauth_client_credentials`."""
    token_url: str
    """Token endpoint, an https address on the public internet."""
    client_id: str
    """Id of the OAuth client."""
    client_secret: str
    """Secret of the OAuth client."""
    scope: NotRequired[str | None]
    """Scopes, separated by spaces; null: none."""
    client_authentication: NotRequired[OauthClientCredentialsAuthClientAuthentication]
    """Where the token request has id and secret: in HTTP Basic, or in the body."""


class LinkHeaderPagination(TypedDict):
    """The next page is in the `Link` header, as `rel="next"`."""

    type: Literal["link_header"]
    """Always `link_header`."""


class PageNumberPagination(TypedDict):
    """The next page has the next number."""

    type: Literal["page"]
    """Always `page`."""
    parameter: NotRequired[PageNumberPaginationParameter]
    """Query parameter that takes the number of the page."""
    start: NotRequired[PageNumberPaginationStart]
    """Number of the first page."""


class OffsetPagination(TypedDict):
    """The next page skips the items so far."""

    type: Literal["offset"]
    """Always `offset`."""
    parameter: NotRequired[OffsetPaginationParameter]
    """Query parameter that takes the number of items to skip."""
    start: NotRequired[OffsetPaginationStart]
    """Offset of the first item."""


class CustomApiUpdatedSince(TypedDict):
    """How to list only what has changed."""

    parameter: str
    """Query parameter that takes the time."""
    format: NotRequired[CustomApiUpdatedSinceFormat]
    """Form of the time: `2026-01-31T12:00:00Z`, or seconds since 1970."""


class CustomApiList(TypedDict):
    """How to list the items of a custom API."""

    path: str
    """Path of the list. It begins with `/` and has no query."""
    method: NotRequired[CustomApiListMethod]
    """Method of the requests."""
    query: NotRequired[CustomApiListQuery]
    """Query parameters of the requests."""
    items: str
    """JSON Pointer to the list of items in a response."""
    next: NotRequired[str | None]
    """JSON Pointer to the URL or cursor of the next page; the value is absent or null on the last page."""
    next_parameter: NotRequired[str | None]
    """Query parameter for the value at `next`; null if that value is the URL of the next page."""
    pagination: NotRequired[CustomApiPagination | None]
    """How to get the next page if the response does not contain it; replaces `next`. By page number or offset, the
    list ends with a page without items.
    """
    updated_since: NotRequired[CustomApiUpdatedSince | None]
    """With it, a sync lists what has changed since the one before. Once a day the whole list is read, which also
    finds deletions. Null: every sync reads the whole list.
    """


class CustomApiItem(TypedDict):
    """Fields of an item of a custom API."""

    id: str
    """JSON Pointer, within an item, to its permanent id."""
    title: NotRequired[str | None]
    """JSON Pointer to the title."""
    text: NotRequired[str | None]
    """JSON Pointer to the text; either this or `file_url`."""
    format: NotRequired[CustomApiTextFormat | None]
    """Format of the text; null to detect it for each item."""
    file_url: NotRequired[str | None]
    """JSON Pointer to the URL of a file. If the URL returns 404 or 410, its item is skipped."""
    url: NotRequired[str | None]
    """JSON Pointer to the URL at which people read the item."""
    metadata: NotRequired[CustomApiItemMetadata]
    """Keys of the metadata of chunks, each with a JSON Pointer to a text, number, boolean or list of texts in an
    item. Other values are left out.
    """
    updated_at: NotRequired[str | None]
    """JSON Pointer to a value that changes with every change of a file. Without it, files are fetched at every
    sync. Texts are compared directly.
    """


class CustomApiCreate(TypedDict):
    """A custom API to connect."""

    name: str
    """Display name."""
    base_url: str
    """An https address on the public internet, to which `list.path` is appended."""
    auth: CustomApiAuth
    """How requests authenticate."""
    list: CustomApiList
    """How items are listed."""
    item: CustomApiItem
    """Fields of an item."""
    metadata: NotRequired[CustomApiCreateMetadata]
    """Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for
    files. Keys of the source with the same name win.
    """
    sync_interval_minutes: NotRequired[CustomApiCreateSyncIntervalMinutes]
    """Minutes between two syncs."""


class ConnectorConsentCreate(TypedDict):
    """A consent to start."""

    name: NotRequired[str | None]
    """Null: the name of the provider."""
    connection_id: NotRequired[str | None]
    """Connector that gets the new credentials; it keeps its name. Null: the consent creates a connector."""


class ConnectorConfirmation(TypedDict):
    """The code that confirms a consent."""

    confirmation_code: str
    """Code on the page to which the provider redirects."""


class GoogleDriveReconnect(TypedDict):
    """New credentials of a Google Drive connector."""

    provider: Literal["google_drive"]
    """Provider of the connector."""
    credentials: GoogleDriveCredentials
    """Credentials of the source."""


class NotionReconnect(TypedDict):
    """New credentials of a Notion connector."""

    provider: Literal["notion"]
    """Provider of the connector."""
    credentials: TokenCredentials
    """Credentials of the source."""


class GmailReconnect(TypedDict):
    """New credentials of a Gmail connector."""

    provider: Literal["gmail"]
    """Provider of the connector."""
    credentials: GooglePersonalCredentials
    """Credentials of the source."""


class GoogleCalendarReconnect(TypedDict):
    """New credentials of a Google Calendar connector."""

    provider: Literal["google_calendar"]
    """Provider of the connector."""
    credentials: GooglePersonalCredentials
    """Credentials of the source."""


class SlackReconnect(TypedDict):
    """New credentials of a Slack connector."""

    provider: Literal["slack"]
    """Provider of the connector."""
    credentials: TokenCredentials
    """Credentials of the source."""


class SharePointReconnect(TypedDict):
    """New credentials of a SharePoint connector."""

    provider: Literal["sharepoint"]
    """Provider of the connector."""
    credentials: MicrosoftApplication
    """Credentials of the source."""


class OneDriveReconnect(TypedDict):
    """New credentials of a OneDrive connector."""

    provider: Literal["one_drive"]
    """Provider of the connector."""
    credentials: PersonalMicrosoftApplication
    """Credentials of the source."""


class ConfluenceReconnect(TypedDict):
    """New credentials of a Confluence connector."""

    provider: Literal["confluence"]
    """Provider of the connector."""
    credentials: ConfluenceCredentials
    """Credentials of the source."""


class S3Reconnect(TypedDict):
    """New credentials of a connector to Amazon S3."""

    provider: Literal["aws_s3"]
    """Provider of the connector."""
    credentials: NotRequired[S3Credentials | None]
    """Credentials that may list and read the bucket; null if it is public. Stored encrypted."""
    endpoint: NotRequired[str | None]
    """Address of another storage with the protocol of S3, such as MinIO, R2 or Wasabi; null: Amazon S3."""
    region: NotRequired[str | None]
    """Region of `endpoint`, such as `auto` for R2; null: the region of the service."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""


class GoogleStorageReconnect(TypedDict):
    """New credentials of a connector to Google Cloud Storage."""

    provider: Literal["gcs"]
    """Provider of the connector."""
    credentials: NotRequired[GoogleCredentials | None]
    """Key file of a service account that may list and read the bucket; null if it is public."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""


class AzureReconnect(TypedDict):
    """New credentials of a connector to Azure Blob Storage."""

    provider: Literal["azure_blob"]
    """Provider of the connector."""
    credentials: NotRequired[AzureCredentials | None]
    """Shared access signature with the permissions to read and list; null if the container is public."""
    stored_credentials: NotRequired[str | None]
    """Name of credentials that are stored for the organization, in place of `credentials`; null: none."""


class CustomApiReconnect(TypedDict):
    """A new description of a custom API."""

    provider: Literal["custom_api"]
    """Always `custom_api`."""
    base_url: str
    """An https address on the public internet, to which `list.path` is appended."""
    auth: CustomApiAuth
    """How requests authenticate."""
    list: CustomApiList
    """How items are listed."""
    item: CustomApiItem
    """Fields of an item."""


class VectorUpsertItem(TypedDict):
    """One row to write: a vector, a text, or both."""

    id: str
    """Id of the vector, chosen by the caller. A vector with the same id is replaced."""
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    text: NotRequired[str | None]
    """Text of the row. Without `vector` it is embedded; sparse search finds its words."""
    metadata: NotRequired[dict[str, Any] | None]
    """At most 40 KiB as JSON. Numbers are 64-bit floats: digits alone beyond ±(2^53 - 1) are a 422, because they
    would be rounded. Write such ids as strings. No filter can name a key that begins with `$`.
    """
    if_version: NotRequired[str | None]
    """Expected version of the row, from a fetch. Null: there must be no row with this id."""
    expires_at: NotRequired[str | None]
    """Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the
    index says.
    """
    ttl_seconds: NotRequired[int | None]
    """Seconds from now until it expires, in place of `expires_at`."""


class VectorUpdateItem(TypedDict):
    """Changes to the metadata of one row."""

    id: str
    """Id of the row."""
    metadata: dict[str, Any]
    """JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all other keys stay."""
    if_version: NotRequired[str | None]
    """Expected version of the row, from a fetch. Null: there must be no row with this id."""
    expires_at: NotRequired[str | None]
    """New time, with an offset, from which no read returns it. Null: it never expires."""


class VectorFetch(TypedDict):
    """Which rows to fetch."""

    ids: Sequence[str]
    """Ids of the rows. Those without a row are left out of the response."""
    filter: NotRequired[MetadataFilter | None]
    """Leaves out rows that do not match."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    include_vectors: NotRequired[VectorFetchIncludeVectors]
    """Whether the response has the numbers of the vectors."""


class VectorDelete(TypedDict):
    """Either `ids`, `filter` or `all`. A filter needs a condition: one that every row matches is refused."""

    ids: NotRequired[Sequence[str] | None]
    """Ids of the rows to delete."""
    filter: NotRequired[MetadataFilter | None]
    """Deletes every row that matches."""
    all: NotRequired[Literal[True] | None]
    """Deletes every row."""


class VectorCount(TypedDict):
    """Which rows to count."""

    filter: NotRequired[MetadataFilter | None]
    """Only rows that match. Without it, all rows."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """


class VectorUpdateByFilter(TypedDict):
    """One change to the metadata of all rows that match. The filter needs a condition."""

    filter: MetadataFilter
    """Updates every row that matches."""
    metadata: dict[str, Any]
    """JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all other keys stay."""
    expires_at: NotRequired[str | None]
    """New time, with an offset, from which no read returns it. Null: it never expires."""


class MetadataValues(TypedDict):
    """Whose values to list."""

    key: str
    """Key of the metadata, or a path to a member of objects, such as `author.name`."""
    filter: NotRequired[MetadataFilter | None]
    """Only rows that match. Without it, all rows."""
    contains: NotRequired[str | None]
    """Only texts that contain this, in upper or lower case."""
    limit: NotRequired[MetadataValuesLimit]
    """Maximum number of values."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page."""


class MetadataDescribe(TypedDict):
    """Which metadata to describe."""

    keys: NotRequired[Sequence[str] | None]
    """Keys or paths to describe. Without them, the keys that rows have: the first 100 in order."""
    filter: NotRequired[MetadataFilter | None]
    """Only rows that match. Without it, all rows."""


class SearchQuery(TypedDict):
    """One of several queries."""

    text: NotRequired[str | None]
    """Text to search for."""
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    weight: NotRequired[SearchQueryWeight]
    """Weight of the query."""


class SearchHighlight(TypedDict):
    """Marks what the text index matches of the queries in the texts of the results."""

    fragments: NotRequired[SearchHighlightFragments]
    """Maximum highlights of a result."""
    max_chars: NotRequired[SearchHighlightMaxChars]
    """Maximum length of a highlight, in code points."""


class SearchFacet(TypedDict):
    """Key whose values are counted."""

    key: str
    """Metadata key, or a path to a member of objects."""
    limit: NotRequired[SearchFacetLimit]
    """Maximum values, most frequent first."""


class BatchDenseSearch(TypedDict):
    """A search by meaning in a batch."""

    text: NotRequired[str | None]
    """Text to search for. The model of the index turns it into a vector."""
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[BatchDenseSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""
    mode: Literal["dense"]
    """Search by meaning."""


class BatchSparseSearch(TypedDict):
    """A search by words in a batch."""

    text: NotRequired[str]
    """Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next
    to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side.
    Required without `queries`.
    """
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[BatchSparseSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""
    mode: Literal["sparse"]
    """Search by words."""


class BatchHybridSearch(TypedDict):
    """A search by meaning and words in a batch."""

    text: NotRequired[str]
    """Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next
    to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side.
    Required without `queries`.
    """
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    fusion: NotRequired[SearchFusion | None]
    """Fusion of the dense and the sparse side. Null: not even by the defaults of the index."""
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[BatchHybridSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""
    mode: Literal["hybrid"]
    """Search by meaning and words."""


class BatchSearch(TypedDict):
    """Several searches of one version of an index."""

    searches: Sequence[BatchSearchRequest]
    """The searches."""


class DenseSearch(TypedDict):
    """A `text`, a `vector`, or both. The vector has precedence."""

    text: NotRequired[str | None]
    """Text to search for. The model of the index turns it into a vector."""
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[DenseSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""


class RecallBody(TypedDict):
    """Recall measurement to run."""

    top_k: NotRequired[RecallBodyTopK]
    """Results of each query that are compared."""
    queries: NotRequired[RecallBodyQueries]
    """Stored vectors to draw. Ignored if `vectors` are given."""
    seed: NotRequired[RecallBodySeed]
    """The same seed draws the same vectors as long as the index is unchanged."""
    vectors: NotRequired[Sequence[VectorInput] | None]
    """Vectors to search with instead, such as those of real queries."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """


class SparseSearch(TypedDict):
    """A search by words."""

    text: NotRequired[str]
    """Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next
    to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side.
    Required without `queries`.
    """
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[SparseSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""


class HybridSearch(TypedDict):
    """A search by meaning and words."""

    text: NotRequired[str]
    """Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next
    to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side.
    Required without `queries`.
    """
    vector: NotRequired[VectorInput | None]
    """A vector: numbers, or base64 of little-endian 32-bit floats."""
    fusion: NotRequired[SearchFusion | None]
    """Fusion of the dense and the sparse side. Null: not even by the defaults of the index."""
    top_k: NotRequired[SearchTopK]
    """Maximum number of results."""
    filter: NotRequired[MetadataFilter | None]
    """Metadata filter: `{key: value}` or `{key: {operator: value}}` with `$eq $ne $in $nin $gt $gte $lt $lte
    $exists`, joined by `$and`, `$or` and `$not`. Several keys are an AND. A key is one of the metadata, or a
    path to a member of objects, such as `author.name`. A value is a string, number, boolean, null or a whole
    object. Times of RFC 3339 with an offset compare as instants, with times alone. Other strings compare by
    code point. At most 64 conditions, 512 joined filters, 1000 listed values, 8 levels and 2 MiB as JSON.
    """
    include: NotRequired[SearchInclude]
    """Parts that each result has besides `id`, `score` and `file`."""
    exact: NotRequired[SearchExact]
    """Compare with every row instead of using the vector index."""
    depth: NotRequired[int | None]
    """Candidates of each side, on which the further stages work. Default 100, for every `top_k` and `offset`."""
    queries: NotRequired[Sequence[SearchQuery] | None]
    """Several queries in place of `text` and `vector`, whose hits are joined into one list."""
    fuse: NotRequired[HybridSearchFuse]
    """How hits of `queries` are joined: by reciprocal ranks, or by the highest score."""
    boost: NotRequired[SearchBoost | None]
    """Boost by metadata. Null: not even by the defaults of the index."""
    rerank: NotRequired[SearchRerank | None]
    """Reranker of the best candidates. Null: not even by the defaults of the index."""
    highlight: NotRequired[SearchHighlight | None]
    """Marks what the text index matches of the queries in the texts of the results."""
    context: NotRequired[SearchContext | None]
    """Text around the results. Null: not even by the defaults of the index."""
    min_score: NotRequired[SearchMinScore | None]
    """Lowest score. A number is for the reranker if there is one, else for the only side. A hybrid search without
    a reranker needs an object, because fused scores depend on the other hits.
    """
    group: NotRequired[SearchGroup | None]
    """Groups of hits. Null: not even by the defaults of the index."""
    diversity: NotRequired[float | None]
    """Share of diversity in the order of hits, by maximal marginal relevance. 0: none."""
    offset: NotRequired[int | None]
    """Results before the first returned one, within the candidates."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page, sent with the request of the first page. Its version, candidates and
    time of `now` are those of the first page.
    """
    rebuild: NotRequired[str | None]
    """Rebuild whose successor is searched in place of the index, before or after it takes over."""
    as_of: NotRequired[AsOf | None]
    """Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept
    version from before that time is read. Rows that have expired since stay absent.
    """
    facets: NotRequired[Sequence[SearchFacet] | None]
    """Keys whose values are counted over all rows that match `filter`."""


class WebhookEndpointCreate(TypedDict):
    """An endpoint to create."""

    url: str
    """URL of the receiver: an https address on the public internet."""
    event_types: NotRequired[Sequence[EventType] | None]
    """Event types that the endpoint subscribes to; null for all but `audit.recorded`, including future types."""
    description: NotRequired[str | None]
    """Purpose of the endpoint."""


class WebhookEndpointUpdate(TypedDict):
    """A change of an endpoint."""

    url: NotRequired[str]
    """URL of the receiver: an https address on the public internet."""
    event_types: NotRequired[Sequence[EventType] | None]
    """Event types that the endpoint subscribes to; null for all but `audit.recorded`, including future types."""
    description: NotRequired[str | None]
    """Purpose of the endpoint."""
    enabled: NotRequired[bool]
    """False pauses the endpoint. Deliveries that become due during a pause are dropped."""


class EventReplay(TypedDict):
    """Target of the replay of an event."""

    endpoint_id: NotRequired[str]
    """Endpoint to send to, even if it does not subscribe to the type. If absent: all enabled endpoints that
    subscribe to it.
    """


EventRangeReplay = TypedDict("EventRangeReplay", {
    "from": "str",
    "to": "str",
    "event_types": "NotRequired[Sequence[EventType] | None]",
    "endpoint_id": "NotRequired[str]",
})
"""Events to replay."""
