import { Validations } from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpMethod, HttpRouteKey, HttpRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { EntryOf } from '../functions.ts';
import type { FunctionHost } from './function-host.ts';

interface EndpointFunctionProps {
  readonly api: apigateway.HttpApi;
  readonly host: FunctionHost;
  readonly entry: EntryOf<'endpoint'> | EntryOf<'fallback'>;
}

/** A function behind the one route that its definition names; the fallback takes all that no route matches. */
export class EndpointFunction extends Construct {
  constructor(scope: Construct, id: string, { api, host, entry }: EndpointFunctionProps) {
    super(scope, id);
    new HttpRoute(this, 'Route', {
      httpApi: api,
      routeKey:
        entry.kind === 'fallback'
          ? HttpRouteKey.DEFAULT
          : HttpRouteKey.with(entry.definition.path, HttpMethod[entry.definition.method]),
      integration: new HttpLambdaIntegration('Function', host.add(entry)),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the opaque bearer token by one consistent read, so a revocation holds at once; an authorizer would cache it',
    });
  }
}
