import { maxItems } from './bounds.ts';
/** Names of the plans, cheapest first. */
export const planIds = ['developer', 'scale', 'enterprise'] as const;

export type Plan = (typeof planIds)[number];

/** Maximum file size, set by the memory of the functions that read files. It applies to every plan. */
const maxFileBytes = 256 * 1024 * 1024;

const gibibyte = 1024 ** 3;

interface PlanTerms {
  readonly name: string;
  /** Null: on request. */
  readonly priceUsdPerMonth: number | null;
  readonly limits: Readonly<Record<LimitKey, number>>;
  readonly features: Readonly<Record<FeatureKey, boolean>>;
  /** Per minute and organization. */
  readonly rateLimits: Readonly<Record<RateLimitKey, number>>;
  /** Maximum total weight of an organization's concurrent requests, by their most specific rate limit. */
  readonly inFlight: Readonly<Record<RateLimitKey, number>>;
}

export type LimitKey =
  | 'indexes'
  | 'vectors'
  | 'members'
  | 'api_keys'
  | 'webhook_endpoints'
  | 'max_file_bytes'
  | 'original_bytes'
  | 'originals'
  | 'max_vectors_per_request'
  | 'file_jobs_per_month'
  | 'ocr_credits_per_month'
  | 'audio_credits_per_month'
  | 'crawl_pages_per_job'
  | 'crawl_max_depth'
  | 'branch_depth'
  | 'event_retention_days'
  | 'embedding_tokens_per_month';

export type FeatureKey =
  | 'branching'
  | 'connectors'
  | 'crawl'
  | 'imports'
  | 'oauth_clients'
  | 'webhooks'
  | 'multi_region';

export type RateLimitKey = 'requests' | 'searches' | 'vector_writes' | 'file_jobs';

/** Weight of a request, in ordinary requests of its kind. */
export interface RequestWeight {
  /** Counted against the rate limit per minute. */
  readonly rate: number;
  /** Counted against the concurrency limit. */
  readonly inFlight: number;
}

export type UnitPriceKey =
  | 'storage_gib_month'
  | 'original_gib_month'
  | 'million_vectors_written'
  | 'thousand_searches'
  | 'thousand_rerank_units'
  | 'thousand_pages'
  | 'ocr_credit'
  | 'audio_credit'
  | 'million_embedding_tokens'
  | 'thousand_invocations';

/** Estimated price of usage in every plan: USD per unit, and the definition of a unit. */
export const unitPrices: Readonly<Record<UnitPriceKey, { readonly usd: number; readonly unit: string }>> = {
  storage_gib_month: {
    usd: 0.33,
    unit: 'One GiB of dense and sparse data kept for a month.',
  },
  original_gib_month: { usd: 0.03, unit: 'One GiB of original files that jobs keep for a month.' },
  million_vectors_written: {
    usd: 2,
    unit: 'A million vectors that were written, by files or directly; an upsert counts.',
  },
  thousand_searches: { usd: 0.1, unit: 'A thousand dense, sparse or hybrid searches.' },
  thousand_rerank_units: {
    usd: 0.01,
    unit: 'A thousand units of rerankers: texts that an embedded one has scored, or units of its provider, who bills them too.',
  },
  thousand_pages: { usd: 1, unit: 'A thousand pages of files that were read.' },
  ocr_credit: { usd: 0.002, unit: 'One page image whose text was recognized.' },
  audio_credit: { usd: 0.025, unit: 'One started minute of audio that was transcribed.' },
  million_embedding_tokens: { usd: 0.05, unit: 'A million tokens of text that were turned into vectors.' },
  thousand_invocations: { usd: 0.02, unit: 'A thousand runs of the functions that process files, repeats included.' },
};

const everyFeature: PlanTerms['features'] = {
  branching: true,
  connectors: true,
  crawl: true,
  imports: true,
  oauth_clients: true,
  webhooks: true,
  multi_region: true,
};

/** Limits and features of each plan. */
export const plans: Readonly<Record<Plan, PlanTerms>> = {
  developer: {
    name: 'Developer',
    priceUsdPerMonth: 0,
    limits: {
      indexes: 100,
      vectors: 1_000_000,
      members: 5,
      api_keys: 200,
      webhook_endpoints: 10,
      max_file_bytes: maxFileBytes,
      original_bytes: 50 * gibibyte,
      originals: 50_000,
      max_vectors_per_request: maxItems,
      file_jobs_per_month: 10_000,
      ocr_credits_per_month: 1_000,
      audio_credits_per_month: 600,
      crawl_pages_per_job: 500,
      crawl_max_depth: 5,
      branch_depth: 8,
      event_retention_days: 30,
      embedding_tokens_per_month: 100_000_000,
    },
    features: { ...everyFeature, multi_region: false },
    rateLimits: { requests: 6_000, searches: 3_000, vector_writes: 3_000, file_jobs: 600 },
    inFlight: { requests: 128, searches: 32, vector_writes: 64, file_jobs: 32 },
  },
  scale: {
    name: 'Scale',
    priceUsdPerMonth: 99,
    limits: {
      indexes: 1_000,
      vectors: 50_000_000,
      members: 50,
      api_keys: 2_000,
      webhook_endpoints: 50,
      max_file_bytes: maxFileBytes,
      original_bytes: 2_000 * gibibyte,
      originals: 2_000_000,
      max_vectors_per_request: maxItems,
      file_jobs_per_month: 500_000,
      ocr_credits_per_month: 50_000,
      audio_credits_per_month: 30_000,
      crawl_pages_per_job: 10_000,
      crawl_max_depth: 10,
      branch_depth: 16,
      event_retention_days: 90,
      embedding_tokens_per_month: 5_000_000_000,
    },
    features: everyFeature,
    rateLimits: { requests: 60_000, searches: 30_000, vector_writes: 30_000, file_jobs: 6_000 },
    inFlight: { requests: 400, searches: 200, vector_writes: 400, file_jobs: 100 },
  },
  enterprise: {
    name: 'Enterprise',
    priceUsdPerMonth: null,
    limits: {
      indexes: 10_000,
      vectors: 1_000_000_000,
      members: 1_000,
      api_keys: 20_000,
      webhook_endpoints: 200,
      max_file_bytes: maxFileBytes,
      original_bytes: 100_000 * gibibyte,
      originals: 50_000_000,
      max_vectors_per_request: maxItems,
      file_jobs_per_month: 10_000_000,
      ocr_credits_per_month: 1_000_000,
      audio_credits_per_month: 600_000,
      crawl_pages_per_job: 100_000,
      crawl_max_depth: 20,
      branch_depth: 32,
      event_retention_days: 365,
      embedding_tokens_per_month: 100_000_000_000,
    },
    features: everyFeature,
    rateLimits: { requests: 600_000, searches: 300_000, vector_writes: 300_000, file_jobs: 60_000 },
    inFlight: { requests: 2_000, searches: 1_000, vector_writes: 2_000, file_jobs: 500 },
  },
};
