const textract =
  'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 ' +
  'eu-central-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3 ' +
  'ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2';

const transcribe =
  'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 ' +
  'eu-central-1 eu-central-2 eu-north-1 eu-west-1 eu-west-2 eu-west-3 ' +
  'ap-east-1 ap-northeast-1 ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2 ' +
  'af-south-1 me-south-1';

/**
 * Regions that have a service, as botocore 1.43.67 of 7 August 2026 lists its endpoints:
 * https://github.com/boto/botocore/blob/1.43.67/botocore/data/endpoints.json
 */
const regionsOf = { textract: textract.split(' '), transcribe: transcribe.split(' ') };

/** Whether a service that reads scans or recordings has an endpoint in a region. */
export const hasService = (region: string, service: keyof typeof regionsOf): boolean =>
  regionsOf[service].includes(region);

/** State of September 2025, from AWS: https://github.com/aws/aws-lambda-roadmap/issues/18 */
const withoutLoopDetection = new Set(['mx-central-1', 'ap-southeast-6']);

/** Whether Lambda detects recursive loops in a region; in others the property that allows loops is invalid. */
export const detectsLoops = (region: string): boolean => !withoutLoopDetection.has(region);
