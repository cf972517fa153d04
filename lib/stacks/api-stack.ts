import {
  Aws,
  CfnCondition,
  CfnParameter,
  type CfnResource,
  Duration,
  Fn,
  type IResolvable,
  RemovalPolicy,
  Stack,
  type App,
} from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { EndpointFunction } from '../constructs/endpoint-function.ts';
import { addFunctionLog, FunctionHost } from '../constructs/function-host.ts';
import { ImpactAlarm } from '../constructs/impact-alarm.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import type { FunctionEntry } from '../functions.ts';
import { addRule } from './add-rule.ts';
import type { DataStack } from './data-stack.ts';
import { addDomain } from './domain.ts';
import {
  connectorParameters,
  corsParameter,
  deliveryParameters,
  embeddingParameters,
  indexSizeParameter,
  consentConcurrencyParameter,
  searchConcurrencyParameter,
  waitingWritesParameters,
} from './parameters.ts';
import { stackProps } from './stack-props.ts';
import { throttleParameters } from './throttle-parameters.ts';

// Neither the query nor a header: both may contain secrets or content.
const accessLogFormat = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  functionStatus: '$context.integrationStatus',
  // Request id of the function, which its log lines have as `function_request_id`.
  integrationRequestId: '$context.integration.requestId',
  error: '$context.error.message',
};

/** The route of an entry; null for the fallback, undefined for an entry outside the API. */
const routeOf = (entry: FunctionEntry) => {
  if (entry.kind === 'endpoint') return entry.definition;
  if (entry.kind === 'service') return entry.definition.route;
  return entry.kind === 'fallback' ? null : undefined;
};

/**
 * Makes CloudFormation change the API one resource at a time: API Gateway refuses some concurrent changes as a "concurrent
 * modification".
 */
const deployOneByOne = (changes: readonly CfnResource[]): void => {
  for (const [at, change] of changes.entries()) {
    const before = changes[at - 1];
    // The resource after an integration is its route, which depends on it by reference already.
    if (before !== undefined && !(before instanceof apigateway.CfnIntegration)) change.addResourceDependency(before);
  }
};

/** Issuer whose ID tokens open sessions: the deployment's own user pool unless the parameters name another. */
const identityParameters = (
  stack: Stack,
  { userPool, userPoolClient }: DataStack,
  consoleClientId: string,
): {
  STRATA_IDENTITY_ISSUER: string;
  STRATA_IDENTITY_KEYS: string;
  STRATA_IDENTITY_CONFIGURATION: string;
  STRATA_IDENTITY_AUDIENCE: string;
  STRATA_CONSOLE_CLIENT_ID: string;
} => {
  const issuer = new CfnParameter(stack, 'IdentityIssuer', {
    default: '',
    description: 'OIDC issuer whose ID tokens are accepted; empty for the user pool of the data stack',
  });
  const keys = new CfnParameter(stack, 'IdentityKeys', {
    default: '',
    description: 'Address of the keys (JWKS) of IdentityIssuer; empty if its OpenID configuration contains it',
  });
  const configuration = new CfnParameter(stack, 'IdentityConfiguration', {
    default: '',
    description: 'Address of the OpenID configuration of IdentityIssuer; empty if it is below the issuer',
  });
  const audience = new CfnParameter(stack, 'IdentityAudience', {
    default: '',
    description: 'Expected audience of those tokens; required with IdentityIssuer, and unused without it',
  });
  const isOwnPool = Fn.conditionEquals(issuer.valueAsString, '');
  addRule(stack, 'IssuerHasAnAudience', {
    when: Fn.conditionNot(isOwnPool),
    assert: Fn.conditionNot(Fn.conditionEquals(audience.valueAsString, '')),
    otherwise: 'IdentityIssuer needs IdentityAudience, whom its tokens are meant for',
  });
  const ownPool = new CfnCondition(stack, 'UsesOwnPool', { expression: isOwnPool });
  const choose = (own: string, other: string): string => Fn.conditionIf(ownPool.logicalId, own, other).toString();
  return {
    STRATA_IDENTITY_ISSUER: choose(userPool.userPoolProviderUrl, issuer.valueAsString),
    STRATA_IDENTITY_KEYS: choose('', keys.valueAsString),
    STRATA_IDENTITY_CONFIGURATION: choose('', configuration.valueAsString),
    STRATA_IDENTITY_AUDIENCE: choose(`${userPoolClient.userPoolClientId},${consoleClientId}`, audience.valueAsString),
    STRATA_CONSOLE_CLIENT_ID: choose(consoleClientId, ''),
  };
};

/** Variables of the functions of all stacks of the API. Their parameters have to be the same in all of them. */
const apiEnvironment = (stack: Stack, data: DataStack, consoleClientId: string) => ({
  ...identityParameters(stack, data, consoleClientId),
  ...embeddingParameters(stack),
  ...deliveryParameters(stack),
  ...connectorParameters(stack),
  ...waitingWritesParameters(stack),
  ...indexSizeParameter(stack),
});

/** Returns what a function reserves of the account's concurrency. A stack has the parameter if one of its functions does. */
const reservations = (stack: Stack): ((entry: FunctionEntry) => IResolvable | undefined) => {
  let searches: IResolvable | undefined;
  let consents: IResolvable | undefined;
  return ({ id, entity, capabilities }) => {
    if (/^(dense|sparse|hybrid)-search$/.test(id)) return (searches ??= searchConcurrencyParameter(stack));
    // These wait for servers that callers name, such as those of applications.
    if (entity === 'authorization' && capabilities.includes('network.public'))
      return (consents ??= consentConcurrencyParameter(stack));
    return undefined;
  };
};

/** The HTTP API of the home region. Its functions and routes are in the stacks of the endpoints. */
export class ApiStack extends Stack {
  readonly httpApi: apigateway.HttpApi;
  readonly consoleClientId: string;

  constructor(app: App, deployment: Deployment, data: DataStack) {
    super(app, 'Api', stackProps(deployment.name, 'api', homeRegion(deployment), 'HTTP API'));
    const api = this.#addApi(deployment.name);
    this.httpApi = api;
    const stage = this.#addStage(deployment.name, api);
    this.consoleClientId = this.#addConsoleClient(data, api, addDomain(this, api, stage));
    addFunctionLog(new Construct(this, 'Functions'), deployment, 'api');
    new ImpactAlarm(this, 'ServerErrors', {
      deployment: deployment.name,
      name: 'server-errors',
      metric: api.metricServerError({ period: Duration.minutes(5), statistic: 'sum' }),
      above: 5,
      periods: 2,
      impact: 'Requests to the API may fail until it stops returning 5xx.',
    });
  }

  /** Adds the client by which the console signs in at the user pool of the deployment. */
  #addConsoleClient(
    { userPool }: DataStack,
    api: apigateway.HttpApi,
    { hasDomain, address }: ReturnType<typeof addDomain>,
  ): string {
    const client = new cognito.CfnUserPoolClient(this, 'ConsoleClient', {
      userPoolId: userPool.userPoolId,
      clientName: 'console',
      generateSecret: false,
      allowedOAuthFlowsUserPoolClient: true,
      allowedOAuthFlows: ['code'],
      allowedOAuthScopes: ['openid', 'email', 'profile'],
      supportedIdentityProviders: ['COGNITO'],
      preventUserExistenceErrors: 'ENABLED',
      explicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      idTokenValidity: 60,
      tokenValidityUnits: { idToken: 'minutes' },
    });
    const pages = [
      `${api.apiEndpoint}/console`,
      Fn.conditionIf(hasDomain.logicalId, `${address}/console`, Aws.NO_VALUE).toString(),
    ];
    client.callbackUrLs = pages;
    client.logoutUrLs = pages;
    new cognito.CfnManagedLoginBranding(this, 'ConsoleSignIn', {
      userPoolId: userPool.userPoolId,
      clientId: client.ref,
      useCognitoProvidedValues: true,
    });
    return client.ref;
  }

  #addApi(deployment: string): apigateway.HttpApi {
    return new apigateway.HttpApi(this, 'HttpApi', {
      apiName: deployment,
      createDefaultStage: false,
      // Callers authenticate with a bearer token, never with a cookie, so any origin may send requests by default.
      corsPreflight: {
        allowOrigins: Fn.split(',', corsParameter(this)),
        allowMethods: [apigateway.CorsHttpMethod.ANY],
        allowHeaders: [
          'authorization',
          'content-type',
          'idempotency-key',
          'x-service-organization-id',
          'mcp-protocol-version',
          'mcp-method',
          'mcp-name',
        ],
        exposeHeaders: [
          'x-request-id',
          'x-next-cursor',
          'retry-after',
          'ratelimit-limit',
          'ratelimit-remaining',
          'ratelimit-reset',
          'idempotent-replayed',
          'www-authenticate',
          // Name to which API Gateway may change the header.
          'x-amzn-remapped-www-authenticate',
          'cache-control',
          'etag',
          'pragma',
          'allow',
        ],
        maxAge: Duration.hours(1),
      },
    });
  }

  #addStage(deployment: string, api: apigateway.HttpApi): apigateway.CfnStage {
    const accessLog = new logs.LogGroup(this, 'AccessLog', {
      // With this prefix, the resource policy of log delivery does not grow with every API of the account.
      logGroupName: `/aws/vendedlogs/${deployment}/api-access`,
      retention: logs.RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new apigateway.HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destination: new apigateway.LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFormat)),
      },
    });
    // A condition sets or omits the limits, which the typed property cannot express.
    const resource = stage.node.defaultChild as apigateway.CfnStage;
    resource.addPropertyOverride('DefaultRouteSettings', throttleParameters(this));
    return resource;
  }
}

/** Functions and routes of the endpoints of some entities. */
export class EndpointStack extends Stack {
  constructor(
    app: App,
    deployment: Deployment,
    { name, entries }: { readonly name: string; readonly entries: readonly FunctionEntry[] },
    { api, data }: { readonly api: ApiStack; readonly data: DataStack },
  ) {
    super(app, `Api-${name}`, stackProps(deployment.name, `api-${name}`, homeRegion(deployment), `endpoints, ${name}`));
    const host = new FunctionHost(this, 'Functions', {
      deployment,
      place: 'api',
      reach: deployment.regions,
      environment: apiEnvironment(this, data, api.consoleClientId),
    });
    const { httpApiId } = api.httpApi;
    const httpApi = apigateway.HttpApi.fromHttpApiAttributes(this, 'HttpApi', { httpApiId });
    const reserve = reservations(this);
    const changes = entries.flatMap((entry) => {
      const route = routeOf(entry);
      if (route === undefined) return [];
      const reservedConcurrency = reserve(entry);
      return new EndpointFunction(this, entry.id, { api: httpApi, host, entry, route, reservedConcurrency })
        .changesOfApi;
    });
    deployOneByOne(changes);
  }
}
