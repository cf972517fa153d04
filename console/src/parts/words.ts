import { capitalized } from '../../../shared/kernel/text.ts';

/** Words for what the API names otherwise: fields, limits, features, kinds and states. */
const words: Readonly<Record<string, string>> = {
  api_keys: 'API keys',
  aws_s3: 'Amazon S3',
  azure_blob: 'Azure Blob Storage',
  base_url: 'Address',
  branch_depth: 'Branches above each other',
  cloud_region: 'Region',
  completed_with_warnings: 'Completed with warnings',
  cost_usd: 'USD a month',
  crawl: 'Crawls',
  crawl_max_depth: 'Depth of a crawl',
  crawl_pages_per_job: 'Pages of a crawl',
  distance_metric: 'Distance',
  email: 'E-mail',
  event_retention_days: 'Days that events are kept',
  event_types: 'Events',
  gcs: 'Google Cloud Storage',
  hit_at_1: 'First hit',
  id_prefix: 'Beginning of the ids that it writes',
  in_flight: 'Requests at a time',
  index_id: 'Index',
  index_ids: 'Indexes',
  jsonl: 'JSON Lines',
  max_depth: 'Depth',
  max_file_bytes: 'Largest file',
  max_vectors_per_request: 'Rows of a request',
  mrr: 'MRR',
  multi_region: 'Several regions',
  ndcg_at_10: 'nDCG',
  oauth_clients: 'OAuth clients',
  object_prefixes: 'Folder',
  organization_name: 'Name',
  original_bytes: 'Original files',
  originals: 'Files with an original',
  page_limit: 'Pages',
  recall_at_k: 'Recall',
  text_language: 'Language of texts',
  top_k: 'Results',
  uri: 'Address',
  url: 'Address',
  vector_writes: 'Requests that write rows',
  vectors: 'Rows',
};

/** Returns the words for a name of the API, such as “File jobs a month” for `file_jobs_per_month`. */
export const nameOf = (key: string): string =>
  words[key] ??
  capitalized(
    key
      .replaceAll(/[_.]/g, ' ')
      .replace(/ per month$/, ' a month')
      .replace(/^ocr\b/, 'OCR'),
  );
