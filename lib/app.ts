import { App, Stack, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { homeRegion, readDeployment } from './deployment.ts';
import { type FunctionEntry, functionEntries, placeOf, type Registry } from './functions.ts';
import { type FurtherApiStacks, furtherApiStacks, furtherStackOf } from './api-stacks.ts';
import { ApiStack, FurtherApiStack } from './stacks/api-stack.ts';
import { DeploymentDashboard } from './constructs/deployment-dashboard.ts';
import { ImpactAlarm } from './constructs/impact-alarm.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EventsStack } from './stacks/events-stack.ts';
import { RegionStack } from './stacks/region-stack.ts';

/** What a synthesis can be told; everything but `registry` and `validate` has a default. */
export interface AssemblyOptions {
  readonly registry: Registry;
  /** Checks the templates against CloudFormation's schemas and cdk-nag's `AwsSolutions`; takes seconds. */
  readonly validate: boolean;
  /** Where the cloud assembly goes; default: what the CDK CLI asks for. */
  readonly outdir?: string;
  /** First part of every physical name; default: context `deployment`, else `strata`. */
  readonly deployment?: string;
  /** The first is home; default: context `regions`, else `us-east-1`. */
  readonly regions?: readonly string[];
  /** Bus that gets every event; default: context `eventBus`, else none. */
  readonly eventBus?: string;
  /** Default: `furtherApiStacks`. */
  readonly furtherApiStacks?: FurtherApiStacks;
  /** Where the bundles are; default `dist`. */
  readonly codeDirectory?: string;
}

const context = {
  ...recommendedFlags,
  // Exports are plain CloudFormation, and nobody can pull the user pool from under the API.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  // Code is zipped from where the bundler left it: a copy of models and engine at each synthesis would cost seconds.
  'aws:cdk:disable-asset-staging': true,
  // Leaves two thirds of the bytes of a template; CloudFormation takes a million.
  '@aws-cdk/core:suppressTemplateIndentation': true,
  '@aws-cdk/core:enableAdditionalMetadataCollection': false,
} as const;

const checkTemplates = async (app: App): Promise<void> => {
  // Loading the rules takes half a second that a start on one machine need not wait for.
  const { AwsSolutionsChecks } = await import('cdk-nag');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
};

/** The whole app, not yet synthesized. Throws where the configuration is wrong or a bundle is missing. */
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
    eventBus: options.eventBus ?? app.node.tryGetContext('eventBus'),
    codeDirectory: options.codeDirectory,
  });
  const entries = functionEntries(options.registry);
  const placed = (place: ReturnType<typeof placeOf>) => entries.filter((entry) => placeOf(entry) === place);
  const data = new DataStack(app, deployment);
  const events = new EventsStack(app, deployment, placed('events'));
  const regions = deployment.regions.map((region) => new RegionStack(app, deployment, region, placed('region')));
  const further = options.furtherApiStacks ?? furtherApiStacks;
  const stackOf = ({ entity }: FunctionEntry) => furtherStackOf(further, entity);
  const api = new ApiStack(
    app,
    deployment,
    placed('api').filter((entry) => stackOf(entry) === null),
    data,
  );
  const alarms = app.node
    .findAll()
    .filter((construct) => construct instanceof ImpactAlarm)
    .filter((alarm) => Stack.of(alarm).region === homeRegion(deployment));
  new DeploymentDashboard(api, 'Dashboards', { deployment, api: api.httpApi, entries, alarms });
  // Whoever reads messages is there before whoever sends them, and a region before it can be chosen.
  events.addStackDependency(data);
  for (const region of regions) region.addStackDependency(events);
  for (const region of regions) api.addStackDependency(region);
  let last: ApiStack | FurtherApiStack = api;
  for (const name of Object.keys(further)) {
    const own = placed('api').filter((entry) => stackOf(entry) === name);
    const next: FurtherApiStack = new FurtherApiStack(app, deployment, { name, entries: own }, { api, data });
    // Two stacks never change the API at the same time.
    next.addStackDependency(last);
    last = next;
  }
  return app;
};
