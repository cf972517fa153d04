import { connectorAddressNames } from '../../shared/kernel/config.ts';

/** No process listens here. */
const nowhere = 'http://127.0.0.1:9';

/** Parameters of a service that sends no request to outside services. Crawls start at names that end in `.invalid`. */
export const offline: Readonly<Record<string, string>> = {
  ImportS3Endpoint: nowhere,
  ImportGcsEndpoint: nowhere,
  ImportAzureEndpoint: nowhere,
  ConnectorAddresses: connectorAddressNames.map((name) => `${name}=${nowhere}`).join(','),
};
