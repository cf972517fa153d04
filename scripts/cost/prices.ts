const million = 1_000_000;

interface Price {
  readonly item: string;
  readonly unit: string;
  /** USD for one unit. */
  readonly usd: number;
  readonly source: string;
}

/** List prices of AWS in us-east-1 in November 2026, without free tiers. */
export const prices = {
  lambdaRequest: { item: 'Lambda, request', unit: 'a million', usd: 0.2, source: 'lambda/pricing' },
  lambdaTime: { item: 'Lambda, x86', unit: 'a million GB-seconds', usd: 16.6667, source: 'lambda/pricing' },
  api: { item: 'HTTP API, request of up to 512 KB', unit: 'a million', usd: 1, source: 'api-gateway/pricing' },
  read: { item: 'DynamoDB on demand, read unit', unit: 'a million', usd: 0.125, source: 'dynamodb/pricing/on-demand' },
  write: {
    item: 'DynamoDB on demand, write unit',
    unit: 'a million',
    usd: 0.625,
    source: 'dynamodb/pricing/on-demand',
  },
  get: { item: 'S3 Standard, GET or HEAD', unit: 'a million', usd: 0.4, source: 's3/pricing' },
  put: { item: 'S3 Standard, PUT, POST or LIST', unit: 'a million', usd: 5, source: 's3/pricing' },
  storage: { item: 'S3 Standard, storage', unit: 'a GB and month', usd: 0.023, source: 's3/pricing' },
  vectorStorage: { item: 'S3 Vectors, storage', unit: 'a GB and month', usd: 0.06, source: 's3/pricing' },
  vectorPut: { item: 'S3 Vectors, PUT, at least 128 KB each', unit: 'a GB', usd: 0.2, source: 's3/pricing' },
  vectorRequest: { item: 'S3 Vectors, GET, LIST or DELETE', unit: 'a million', usd: 55, source: 's3/pricing' },
  vectorQuery: { item: 'S3 Vectors, query', unit: 'a million', usd: 2.5, source: 's3/pricing' },
  queue: { item: 'SQS FIFO, request', unit: 'a million', usd: 0.5, source: 'sqs/pricing' },
  out: { item: 'Data that leaves AWS', unit: 'a GB', usd: 0.09, source: 'ec2/pricing/on-demand' },
  logs: { item: 'CloudWatch Logs, ingestion', unit: 'a GB', usd: 0.5, source: 'cloudwatch/pricing' },
} as const satisfies Readonly<Record<string, Price>>;

type PriceName = keyof typeof prices;

/** USD for one request, GB-second or byte, from a price for a million or a GB. */
export const usdOf = (name: PriceName): number => {
  const { usd, unit } = prices[name];
  return usd / (unit.startsWith('a GB') ? 1_000 * million : million);
};

/** USD a month of an idle deployment in one region. Source: docs/deploy.md, "What it costs while idle" */
export const idle = 8.5;

/** USD for 1,000 tokens of the model that deployments use by default. Source: bedrock/pricing */
export const titan = { name: 'Amazon Titan Text Embeddings V2', usdPerThousandTokens: 0.00002 } as const;

/** USD for a TB that a query of S3 Vectors processes, by the vectors of the index. Source: s3/pricing */
export const processedTiers = [
  { vectors: 100_000, usdPerTerabyte: 0.004 },
  { vectors: 10 * million, usdPerTerabyte: 0.002 },
  { vectors: Infinity, usdPerTerabyte: 0.0004 },
] as const;

/**
 * List prices of Pinecone, plan Standard, AWS us-east-1, as its pricing page was captured on 4 November 2026: USD for a GB
 * and month, a million read units, and the month at least. A query takes a read unit for each GB, at least a quarter.
 * Sources: see "Engines" in docs/cost.md
 */
export const pinecone = { storage: 0.33, readUnits: 16, minReadUnits: 0.25, minimum: 50 } as const;

/**
 * List prices of turbopuffer, plan Launch: USD for a GB and month, a PB queried, a GB returned, and the month at least. A
 * query counts the bytes of its namespace, at least `minQueriedBytes`. Sources: see "Other services" in docs/cost.md
 */
export const turbopuffer = {
  storage: 0.33,
  queriedPetabyte: 1,
  minQueriedBytes: 1.28e9,
  returned: 0.05,
  minimum: 16,
} as const;

/** List prices of Chroma Cloud: USD for a GiB and month, a TiB queried, and a GiB returned. */
export const chroma = { storage: 0.33, queriedTebibyte: 0.0075, returned: 0.09 } as const;
