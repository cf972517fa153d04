import { type CfnResource, type IResolvable, Validations } from 'aws-cdk-lib';
import type { HttpRouteProps } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { CfnIntegration, CfnRoute, HttpMethod, HttpRouteKey, HttpRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { Method } from '../../shared/http/endpoint.ts';
import type { FunctionEntry } from '../functions.ts';
import { type FunctionHost, reserveConcurrency } from './function-host.ts';

interface EndpointFunctionProps {
  readonly api: HttpRouteProps['httpApi'];
  readonly host: FunctionHost;
  readonly entry: FunctionEntry;
  /** Null for the function of requests that no route matches. */
  readonly route: {
    readonly method: Method;
    readonly path: string;
    readonly takesHead?: boolean;
    readonly routes?: readonly Endpoint[];
  } | null;
  readonly reservedConcurrency?: IResolvable | undefined;
}

/** Returns the route key of an endpoint: its method and path, or everything below its path. */
const routeKeyOf = ({ method, path, routes }: Pick<Endpoint, 'method' | 'path' | 'routes'>): HttpRouteKey =>
  routes !== undefined
    ? HttpRouteKey.with(`${path}/{proxy+}`, HttpMethod.ANY)
    : HttpRouteKey.with(path, HttpMethod[method]);

/** A function with its route of the HTTP API. */
export class EndpointFunction extends Construct {
  /** Resources whose deployment changes the API, each after its dependencies. */
  readonly changesOfApi: readonly CfnResource[];

  constructor(scope: Construct, id: string, props: EndpointFunctionProps) {
    super(scope, id);
    const { api, host, entry, route, reservedConcurrency } = props;
    const handler = host.add(entry);
    reserveConcurrency(handler, reservedConcurrency);
    const integration = new HttpLambdaIntegration('Function', handler);
    new HttpRoute(this, 'Route', {
      httpApi: api,
      routeKey: route === null ? HttpRouteKey.DEFAULT : routeKeyOf(route),
      integration,
    });
    if (route?.takesHead === true)
      new HttpRoute(this, 'HeadRoute', {
        httpApi: api,
        routeKey: HttpRouteKey.with(route.path, HttpMethod.HEAD),
        integration,
      });
    const resources = this.node.findAll();
    this.changesOfApi = [
      ...resources.filter((resource) => resource instanceof CfnIntegration),
      ...resources.filter((resource) => resource instanceof CfnRoute),
    ];
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the opaque bearer token by one consistent read, so a revocation holds at once; an authorizer would cache it',
    });
  }
}
