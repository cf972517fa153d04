import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import { readDeployment } from '../../lib/deployment.ts';
import { projectDirectory } from '../support/project-directory.ts';

/** Options of every command that works on a deployment in AWS. */
export const placeOptions = {
  deployment: { type: 'string' },
  region: { type: 'string' },
  profile: { type: 'string' },
} as const;

export const placeUsage = `  --deployment NAME    first part of the names of the stacks (default: cdk.json, else strata)
  --region REGION      home region of the deployment (default: cdk.json, AWS_REGION, the profile, else us-east-1)
  --profile NAME       profile of the AWS configuration, also one of SSO (default: AWS_PROFILE)`;

/** Deployment that a command works on. */
export interface Place {
  readonly deployment: string;
  /** The first is home. */
  readonly regions: readonly [string, ...string[]];
  /** Further embedding models in Bedrock, from the context `embeddingModels`. */
  readonly bedrockModels: readonly string[];
  /** Qualifier of the CDK's bootstrap stack. */
  readonly qualifier: string;
}

interface PlaceValues {
  readonly deployment?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  readonly qualifier?: string | undefined;
}

/** Source: the CDK, `DefaultStackSynthesizer.DEFAULT_QUALIFIER`, whose module takes a second to load. */
const defaultQualifier = 'hnb659fds';

const CdkConfig = z.object({
  context: z
    .object({
      deployment: z.string().optional(),
      regions: z.unknown().optional(),
      embeddingModels: z.unknown().optional(),
      reranker: z.unknown().optional(),
      '@aws-cdk/core:bootstrapQualifier': z.string().default(defaultQualifier),
    })
    .prefault({}),
});

const readContext = () => CdkConfig.parse(JSON.parse(readFileSync(join(projectDirectory, 'cdk.json'), 'utf8'))).context;

/** Region of the environment or of the profile, as the SDK finds it. */
const sdkRegion = async (): Promise<string | undefined> => {
  try {
    return await new STSClient({}).config.region();
  } catch {
    return undefined;
  }
};

/** Chooses the profile for all that follows, and returns the deployment. */
export const readPlace = async ({ deployment, region, profile, qualifier }: PlaceValues): Promise<Place> => {
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  const context = readContext();
  const regions = region ?? context.regions ?? (await sdkRegion());
  const read = readDeployment({
    name: deployment ?? context.deployment,
    regions,
    embeddingModels: context.embeddingModels,
    reranker: context.reranker,
  });
  return {
    deployment: read.name,
    regions: read.regions,
    bedrockModels: read.embeddingModels.flatMap(({ provider, model }) => (provider === 'bedrock' ? [model] : [])),
    qualifier: qualifier ?? context['@aws-cdk/core:bootstrapQualifier'],
  };
};
