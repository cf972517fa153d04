import * as z from 'zod';

/** Metadata of a protected resource. Source: RFC 9728, 2. */
export const ProtectedResource = z
  .object({
    resource: z.string().describe('URL of the resource.'),
    resource_name: z.string().describe('Name of the service, for people.'),
    authorization_servers: z.array(z.string()).describe('Issuers of tokens for the resource.'),
    bearer_methods_supported: z.array(z.string()).describe('How a token is sent: in the header `Authorization`.'),
    scopes_supported: z.array(z.string()).describe('Scopes of tokens for the resource.'),
    resource_documentation: z.string().describe('Page that documents the service.'),
  })
  .meta({
    id: 'ProtectedResourceMetadata',
    description: 'Metadata of a protected resource. Source: RFC 9728, 2.',
    examples: [
      {
        resource: 'https://api.example.com/v1/mcp',
        resource_name: 'Strata',
        authorization_servers: ['https://api.example.com'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['read', 'write'],
        resource_documentation: 'https://api.example.com/docs',
      },
    ],
  });

/** Returns the metadata of a resource of the service by its path. */
export const protectedResource = (origin: string, path: string): z.input<typeof ProtectedResource> => ({
  resource: `${origin}${path}`,
  resource_name: 'Strata',
  authorization_servers: [origin],
  bearer_methods_supported: ['header'],
  scopes_supported: ['read', 'write'],
  resource_documentation: `${origin}/docs`,
});
