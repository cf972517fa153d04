import { capability, type Runtime } from '../../kernel/capability.ts';
import { providerAddresses } from './provider-addresses.ts';
import { consentUrl, exchangeCode, type Granted, oauthFamily, type OauthProvider } from './oauth.ts';
import { openOauthClients } from './oauth-clients.ts';

/** OAuth consents in the name of the deployment. */
export interface ConnectorConsent {
  /**
   * Returns the URL at which a person consents. Throws `conflict` if the deployment has no application at the provider.
   */
  url(
    provider: OauthProvider,
    ask: { readonly redirectUri: string; readonly state: string; readonly challenge: string },
  ): Promise<string>;
  /** Exchanges the code of a consent for credentials and the name of their account. Throws a `SourceFault`. */
  exchange(
    provider: OauthProvider,
    ask: { readonly redirectUri: string; readonly code: string; readonly verifier: string },
  ): Promise<Granted>;
}

const openConsent = (runtime: Runtime): ConnectorConsent => {
  const addresses = providerAddresses(runtime.config);
  const clientOf = openOauthClients(runtime);
  const clientFor = (provider: OauthProvider) => clientOf(oauthFamily(provider) ?? 'google');
  return {
    url: async (provider, ask) => consentUrl(addresses, provider, { ...ask, client: await clientFor(provider) }),
    exchange: async (provider, ask) =>
      exchangeCode(addresses, provider, {
        ...ask,
        client: await clientFor(provider),
        now: runtime.clock.now(),
      }),
  };
};

export const connectorConsent = capability<ConnectorConsent>(['network.public', 'connectors.clients'], openConsent);
