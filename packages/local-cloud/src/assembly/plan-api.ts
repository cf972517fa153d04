import type { ApiDefinition } from '../gateway/api-definition.ts';
import { pickResources } from './pick-resources.ts';
import { describeResource, type Resource } from './resolve-assembly.ts';

const defaultTimeoutMs = 29_000;

/** The one HTTP API of the templates. @throws Error when there is none or more than one. */
export const planApi = (resources: readonly Resource[]): ApiDefinition => {
  const [api, ...others] = pickResources(resources, 'AWS::ApiGatewayV2::Api');
  if (api === undefined || others.length > 0) {
    throw new Error(
      `one machine serves one HTTP API, and the templates have ${api === undefined ? 'none' : others.length + 1}`,
    );
  }
  const integrations = new Map(
    pickResources(resources, 'AWS::ApiGatewayV2::Integration').map(({ identity, parsed }) => [identity.ref, parsed]),
  );
  const routes = pickResources(resources, 'AWS::ApiGatewayV2::Route').map((resource) => {
    const integration = integrations.get(resource.parsed.Target.replace('integrations/', ''));
    const [functionArn] = /arn:aws:lambda:[^/]+:function:[^/]+/.exec(integration?.IntegrationUri ?? '') ?? [];
    if (functionArn === undefined) {
      throw new Error(`${describeResource(resource)}: leads to no function`);
    }
    return {
      key: resource.parsed.RouteKey,
      functionArn,
      timeoutMs: integration?.TimeoutInMillis ?? defaultTimeoutMs,
    };
  });
  const cors = api.parsed.CorsConfiguration;
  return {
    id: api.identity.ref,
    routes,
    cors:
      cors === undefined
        ? null
        : {
            allowOrigins: cors.AllowOrigins,
            allowMethods: cors.AllowMethods,
            allowHeaders: cors.AllowHeaders.map((name) => name.toLowerCase()),
            exposeHeaders: cors.ExposeHeaders,
            maxAgeSeconds: cors.MaxAge ?? null,
            allowCredentials: cors.AllowCredentials,
          },
  };
};
