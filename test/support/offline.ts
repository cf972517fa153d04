/** Nobody listens here. */
const nowhere = 'http://127.0.0.1:9';

/** Parameters of a service that asks nothing of anybody outside, whatever sources it is given; crawls start at names that end in `.invalid`. */
export const offline: Readonly<Record<string, string>> = {
  ImportS3Endpoint: nowhere,
  ImportGcsEndpoint: nowhere,
  ImportAzureEndpoint: nowhere,
  ConnectorAddresses: JSON.stringify({
    slack: nowhere,
    notion: nowhere,
    google_accounts: nowhere,
    google_oauth: nowhere,
    google_drive: nowhere,
    gmail: nowhere,
    google_calendar: nowhere,
  }),
};
