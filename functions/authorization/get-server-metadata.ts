import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';

/** Returns the metadata of the service as an authorization server. */
const metadataOf = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/v1/oauth/authorize`,
  token_endpoint: `${origin}/v1/oauth/token`,
  revocation_endpoint: `${origin}/v1/oauth/revoke`,
  scopes_supported: ['read', 'write'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${origin}/docs`,
});

const AuthorizationServer = z
  .object({
    issuer: z.string().describe('Issuer of tokens: the origin of the service.'),
    authorization_endpoint: z.string().describe('Page on which a person grants access.'),
    token_endpoint: z.string().describe('Where codes and refresh tokens are exchanged.'),
    revocation_endpoint: z.string().describe('Where tokens are revoked.'),
    scopes_supported: z.array(z.string()).describe('Scopes of tokens.'),
    response_types_supported: z.array(z.string()).describe('Results of the authorization endpoint.'),
    response_modes_supported: z.array(z.string()).describe('How results are returned.'),
    grant_types_supported: z.array(z.string()).describe('Grant types of the token endpoint.'),
    token_endpoint_auth_methods_supported: z.array(z.string()).describe('How clients authenticate.'),
    revocation_endpoint_auth_methods_supported: z.array(z.string()).describe('How clients authenticate.'),
    code_challenge_methods_supported: z.array(z.string()).describe('Methods of PKCE.'),
    authorization_response_iss_parameter_supported: z.boolean().describe('Whether results contain `iss` (RFC 9207).'),
    client_id_metadata_document_supported: z.boolean().describe('Whether `client_id` is the URL of a document.'),
    service_documentation: z.string().describe('Page that documents the service.'),
  })
  .meta({
    id: 'AuthorizationServerMetadata',
    description: 'Metadata of an authorization server. Source: RFC 8414, 2.',
    examples: [metadataOf('https://api.example.com')],
  });

export const getAuthorizationServer = endpoint({
  id: 'get-authorization-server',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag: 'OAuth',
  summary: 'Get the metadata of the authorization server',
  description: 'Metadata of RFC 8414, from which OAuth clients learn how to get tokens of the service.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: AuthorizationServer,
  handle: ({ origin }) => Promise.resolve(metadataOf(origin)),
});
