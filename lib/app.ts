import { App, Stack, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { homeRegion, readDeployment } from './deployment.ts';
import { functionEntries, placeOf, type Registry } from './functions.ts';
import { apiStackNames, apiStackOf } from './api-stacks.ts';
import { ApiStack, EndpointStack } from './stacks/api-stack.ts';
import { DeploymentDashboard } from './constructs/deployment-dashboard.ts';
import { ImpactAlarm } from './constructs/impact-alarm.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EventsStack } from './stacks/events-stack.ts';
import { RegionStack } from './stacks/region-stack.ts';

/** Options of a synthesis. All but `registry` and `validate` have defaults. */
export interface AssemblyOptions {
  readonly registry: Registry;
  /** Checks the templates against CloudFormation's schemas and cdk-nag's `AwsSolutions`; takes seconds. */
  readonly validate: boolean;
  /** Directory of the cloud assembly; default: that of the CDK CLI. */
  readonly outdir?: string;
  /** First part of every physical name; default: context `deployment`, else `strata`. */
  readonly deployment?: string;
  /** The first is home; default: context `regions`, else `us-east-1`. */
  readonly regions?: readonly string[];
  /** Those of `regions` that have Amazon S3 Vectors; default: context `s3VectorsRegions`, else those known to have it. */
  readonly s3VectorsRegions?: readonly string[];
  /** Bus that gets every event; default: context `eventBus`, else none. */
  readonly eventBus?: string;
  /** Further embedding models; default: context `embeddingModels`, else none. */
  readonly embeddingModels?: unknown;
  /** Reranker; default: context `reranker`, else the embedded ones. */
  readonly reranker?: unknown;
  /** Directory of the bundles; default `dist`. */
  readonly codeDirectory?: string;
}

const context = {
  ...recommendedFlags,
  // Exports are plain CloudFormation, so the user pool cannot be deleted while the API uses it.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  // Code is zipped in the output directory of the bundler: copying models and engine at each synthesis would cost seconds.
  'aws:cdk:disable-asset-staging': true,
  // Templates shrink by a third. CloudFormation takes at most a million bytes.
  '@aws-cdk/core:suppressTemplateIndentation': true,
  '@aws-cdk/core:enableAdditionalMetadataCollection': false,
} as const;

const checkTemplates = async (app: App): Promise<void> => {
  // Loading the rules takes half a second, which a start on one machine can spare.
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
};

/** Creates the whole app, not yet synthesized. Throws if the configuration is invalid or a bundle is missing. */
export const createApp = async (options: AssemblyOptions): Promise<App> => {
  const app = new App({
    ...(options.outdir === undefined ? {} : { outdir: options.outdir }),
    context,
    analyticsReporting: false,
    builtinCloudFormationValidation: options.validate,
    stackTraces: false,
    treeMetadata: false,
  });
  if (options.validate) await checkTemplates(app);
  const deployment = readDeployment({
    name: options.deployment ?? app.node.tryGetContext('deployment'),
    regions: options.regions ?? app.node.tryGetContext('regions'),
    s3VectorsRegions: options.s3VectorsRegions ?? app.node.tryGetContext('s3VectorsRegions'),
    eventBus: options.eventBus ?? app.node.tryGetContext('eventBus'),
    embeddingModels: options.embeddingModels ?? app.node.tryGetContext('embeddingModels'),
    reranker: options.reranker ?? app.node.tryGetContext('reranker'),
    codeDirectory: options.codeDirectory,
  });
  const entries = functionEntries(options.registry);
  const placed = (place: ReturnType<typeof placeOf>) => entries.filter((entry) => placeOf(entry) === place);
  const data = new DataStack(app, deployment);
  const events = new EventsStack(app, deployment, placed('events'));
  const regions = deployment.regions.map((region) => new RegionStack(app, deployment, region, placed('region')));
  const api = new ApiStack(app, deployment, data);
  const alarms = app.node
    .findAll()
    .filter((construct) => construct instanceof ImpactAlarm)
    .filter((alarm) => Stack.of(alarm).region === homeRegion(deployment));
  new DeploymentDashboard(api, 'Dashboards', { deployment, api: api.httpApi, entries, alarms });
  // Consumers of messages are deployed before their senders, and a region before users can choose it.
  events.addStackDependency(data);
  for (const region of regions) region.addStackDependency(events);
  for (const region of regions) api.addStackDependency(region);
  let last: Stack = api;
  for (const name of apiStackNames) {
    const own = placed('api').filter(({ entity }) => apiStackOf(entity) === name);
    const next = new EndpointStack(app, deployment, { name, entries: own }, { api, data });
    // Two stacks never change the API at the same time.
    next.addStackDependency(last);
    last = next;
  }
  return app;
};
