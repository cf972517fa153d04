import { Validations } from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpMethod, HttpRouteKey, HttpRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { Method } from '../../shared/http/endpoint.ts';
import type { FunctionEntry } from '../functions.ts';
import type { FunctionHost } from './function-host.ts';

interface EndpointFunctionProps {
  readonly api: apigateway.HttpApi;
  readonly host: FunctionHost;
  readonly entry: FunctionEntry;
  /** Null for what no route matches. */
  readonly route: { readonly method: Method; readonly path: string; readonly takesHead?: boolean } | null;
}

/** A function behind its one route of the HTTP API. */
export class EndpointFunction extends Construct {
  constructor(scope: Construct, id: string, { api, host, entry, route }: EndpointFunctionProps) {
    super(scope, id);
    const integration = new HttpLambdaIntegration('Function', host.add(entry));
    new HttpRoute(this, 'Route', {
      httpApi: api,
      routeKey: route === null ? HttpRouteKey.DEFAULT : HttpRouteKey.with(route.path, HttpMethod[route.method]),
      integration,
    });
    if (route?.takesHead === true)
      new HttpRoute(this, 'HeadRoute', {
        httpApi: api,
        routeKey: HttpRouteKey.with(route.path, HttpMethod.HEAD),
        integration,
      });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the opaque bearer token by one consistent read, so a revocation holds at once; an authorizer would cache it',
    });
  }
}
