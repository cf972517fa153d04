import {
  CfnCondition,
  CfnParameter,
  type CfnResource,
  Duration,
  Fn,
  RemovalPolicy,
  Stack,
  type App,
} from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as logs from 'aws-cdk-lib/aws-logs';
import { EndpointFunction } from '../constructs/endpoint-function.ts';
import { FunctionHost } from '../constructs/function-host.ts';
import { ImpactAlarm } from '../constructs/impact-alarm.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import type { FunctionEntry } from '../functions.ts';
import { addRule } from './add-rule.ts';
import type { DataStack } from './data-stack.ts';
import { addDomain } from './domain.ts';
import {
  connectorParameters,
  deliveryParameters,
  embeddingParameters,
  searchConcurrencyParameter,
  waitingWritesParameters,
} from './parameters.ts';
import { stackProps } from './stack-props.ts';
import { throttleParameters } from './throttle-parameters.ts';

// Neither the query nor a header: both may carry what only its owner should know.
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
  // That of the function, as its lines have it in `function_request_id`.
  integrationRequestId: '$context.integration.requestId',
  error: '$context.error.message',
};

/** The route of an entry; null for the fallback, undefined for what the API does not lead to. */
const routeOf = (entry: FunctionEntry) => {
  if (entry.kind === 'endpoint') return entry.definition;
  if (entry.kind === 'service') return entry.definition.route;
  return entry.kind === 'fallback' ? null : undefined;
};

const isSearch = ({ id }: FunctionEntry): boolean => /^(dense|sparse|hybrid)-search$/.test(id);

/**
 * Lets CloudFormation make one change of the API at a time: API Gateway refuses some of those that come together, as a
 * "concurrent modification". The stage comes last, so that it is deployed once and not for each route.
 */
const deployOneByOne = (changes: readonly CfnResource[]): void => {
  for (const [at, change] of changes.entries()) {
    const before = changes[at - 1];
    // What follows an integration is its own route, which waits for it by its reference.
    if (before !== undefined && !(before instanceof apigateway.CfnIntegration)) change.addResourceDependency(before);
  }
};

/** The HTTP API of the home region with one function per endpoint. */
export class ApiStack extends Stack {
  readonly httpApi: apigateway.HttpApi;

  constructor(app: App, deployment: Deployment, entries: readonly FunctionEntry[], data: DataStack) {
    super(app, 'Api', stackProps(deployment.name, 'api', homeRegion(deployment), 'HTTP API'));
    const api = this.#addApi(deployment.name);
    this.httpApi = api;
    const stage = this.#addStage(deployment.name, api);
    const host = new FunctionHost(this, 'Functions', {
      deployment,
      place: 'api',
      reach: deployment.regions,
      environment: {
        ...this.#identity(data),
        ...embeddingParameters(this),
        ...deliveryParameters(this),
        ...connectorParameters(this),
        ...waitingWritesParameters(this),
      },
    });
    const reserved = searchConcurrencyParameter(this);
    const endpoints = entries.flatMap((entry) => {
      const route = routeOf(entry);
      if (route === undefined) return [];
      const reservedConcurrency = isSearch(entry) ? reserved : undefined;
      return [new EndpointFunction(this, entry.id, { api, host, entry, route, reservedConcurrency })];
    });
    deployOneByOne([...endpoints.flatMap(({ changesOfApi }) => changesOfApi), stage]);
    new ImpactAlarm(this, 'ServerErrors', {
      deployment: deployment.name,
      name: 'server-errors',
      metric: api.metricServerError({ period: Duration.minutes(5), statistic: 'sum' }),
      above: 5,
      periods: 2,
      impact: 'Nobody can rely on an answer of the API until it stops failing with 5xx.',
    });
    addDomain(this, api, stage);
  }

  #addApi(deployment: string): apigateway.HttpApi {
    return new apigateway.HttpApi(this, 'HttpApi', {
      apiName: deployment,
      createDefaultStage: false,
      // Callers prove themselves by a bearer token, never by a cookie, so any origin may ask.
      corsPreflight: {
        allowOrigins: ['*'],
        allowMethods: [apigateway.CorsHttpMethod.ANY],
        allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-service-organization-id'],
        exposeHeaders: [
          'x-request-id',
          'x-next-cursor',
          'retry-after',
          'ratelimit-limit',
          'ratelimit-remaining',
          'ratelimit-reset',
          'idempotent-replayed',
          'www-authenticate',
          // What API Gateway may make of it.
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
      // Under this prefix the permission of the log delivery does not grow with every API of the account.
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
    // The limits are there or not by a condition, which the typed property cannot say.
    const resource = stage.node.defaultChild as apigateway.CfnStage;
    resource.addPropertyOverride('DefaultRouteSettings', throttleParameters(this));
    return resource;
  }

  /** Whose ID tokens open a session: the deployment's own user pool unless the parameters name another issuer. */
  #identity({ userPool, userPoolClient }: DataStack): {
    STRATA_IDENTITY_ISSUER: string;
    STRATA_IDENTITY_KEYS: string;
    STRATA_IDENTITY_AUDIENCE: string;
  } {
    const issuer = new CfnParameter(this, 'IdentityIssuer', {
      default: '',
      description: 'OIDC issuer whose ID tokens are accepted; empty for the user pool of the data stack',
    });
    const keys = new CfnParameter(this, 'IdentityKeys', {
      default: '',
      description: 'Address of the keys (JWKS) of IdentityIssuer; empty where its OpenID configuration tells it',
    });
    const audience = new CfnParameter(this, 'IdentityAudience', {
      default: '',
      description: 'Expected audience of those tokens; needed and used by IdentityIssuer alone',
    });
    const isOwnPool = Fn.conditionEquals(issuer.valueAsString, '');
    addRule(this, 'IssuerHasAnAudience', {
      when: Fn.conditionNot(isOwnPool),
      assert: Fn.conditionNot(Fn.conditionEquals(audience.valueAsString, '')),
      otherwise: 'IdentityIssuer needs IdentityAudience, whom its tokens are meant for',
    });
    const ownPool = new CfnCondition(this, 'UsesOwnPool', { expression: isOwnPool });
    const choose = (own: string, other: string): string => Fn.conditionIf(ownPool.logicalId, own, other).toString();
    return {
      STRATA_IDENTITY_ISSUER: choose(userPool.userPoolProviderUrl, issuer.valueAsString),
      STRATA_IDENTITY_KEYS: choose('', keys.valueAsString),
      STRATA_IDENTITY_AUDIENCE: choose(userPoolClient.userPoolClientId, audience.valueAsString),
    };
  }
}
