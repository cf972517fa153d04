/** Services whose latency the local endpoint adds. `invoke` is the Invoke of Lambda. */
const services = ['s3', 'dynamodb', 'sqs', 'invoke'] as const;

type ShapedService = (typeof services)[number];

/** Latency and throughput of AWS that the local endpoint adds. */
export interface AwsShape {
  /** Milliseconds until the first byte of a response. */
  readonly latencyMs: Readonly<Record<ShapedService, number>>;
  /** Throughput of one function to S3 and from it, over all its connections. */
  readonly s3BytesPerSecond: number;
}

/** Published figures for requests within one region. */
export const defaultAwsShape: AwsShape = {
  latencyMs: { s3: 20, dynamodb: 4, sqs: 8, invoke: 6 },
  s3BytesPerSecond: 75_000_000,
};

/** Adds no latency: for measurements of request counts. */
export const instantAwsShape: AwsShape = {
  latencyMs: { s3: 0, dynamodb: 0, sqs: 0, invoke: 0 },
  s3BytesPerSecond: Number.POSITIVE_INFINITY,
};

const isShapedService = (name: string): name is ShapedService => (services as readonly string[]).includes(name);

/**
 * Reads settings of the form `s3=20`: milliseconds of a service, or `s3-rate=75`, megabytes a second.
 * @throws Error in one line on any other.
 */
export const readAwsShape = (settings: readonly string[]): AwsShape => {
  const latencyMs = { ...defaultAwsShape.latencyMs };
  let { s3BytesPerSecond } = defaultAwsShape;
  for (const setting of settings) {
    const [, name = '', value = ''] = /^([a-z0-9-]+)=(\d+(?:\.\d+)?)$/.exec(setting) ?? [];
    if (isShapedService(name)) latencyMs[name] = Number(value);
    else if (name === 's3-rate' && Number(value) > 0) s3BytesPerSecond = Number(value) * 1_000_000;
    else
      throw new Error(
        `--aws-latency ${setting}: give milliseconds as ${services.join('=N, ')}=N, or megabytes a second as s3-rate=N`,
      );
  }
  return { latencyMs, s3BytesPerSecond };
};
