import { capability, type Runtime } from '../../kernel/capability.ts';
import { openObjectFolders } from '../object-sources/capability.ts';
import { bucketSource, isBucket } from './buckets/bucket.ts';
import { type ConnectorSources, openProviderSources } from './provider-sources.ts';

const openSources = (runtime: Runtime): ConnectorSources => {
  const others = openProviderSources(runtime);
  const folders = openObjectFolders(runtime);
  return {
    ...others,
    of: (provider, organizationId) =>
      isBucket(provider)
        ? bucketSource(provider, (address) => folders(address, organizationId))
        : others.of(provider, organizationId),
  };
};

export const connectorSources = capability<ConnectorSources>(
  ['network.public', 'connectors.clients', 'roles.assume'],
  openSources,
);
