/** Nobody listens here. */
const nowhere = 'http://127.0.0.1:9';

const connectors = ['slack', 'notion', 'google_accounts', 'google_oauth', 'google_drive', 'gmail', 'google_calendar'];

/** Parameters of a service that asks nothing of anybody outside, whatever sources it is given; crawls start at names that end in `.invalid`. */
export const offline: Readonly<Record<string, string>> = {
  ImportS3Endpoint: nowhere,
  ImportGcsEndpoint: nowhere,
  ImportAzureEndpoint: nowhere,
  ConnectorAddresses: connectors.map((name) => `${name}=${nowhere}`).join(','),
};
