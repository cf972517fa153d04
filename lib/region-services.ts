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
 * Regions in which CloudFormation has `AWS::S3Vectors::VectorBucket`, as cfn-lint 1.58.0 of 20 October 2026 lists them
 * under `data/schemas/providers`.
 */
const s3Vectors =
  'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 ca-west-1 mx-central-1 sa-east-1 ' +
  'eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3 ' +
  'ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ' +
  'ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7 ' +
  'af-south-1';

/**
 * Regions that have a service. Those of Textract and Transcribe are as botocore 1.43.67 of 7 August 2026 lists their endpoints:
 * https://github.com/boto/botocore/blob/1.43.67/botocore/data/endpoints.json
 */
const regionsOf = { textract: textract.split(' '), transcribe: transcribe.split(' '), s3Vectors: s3Vectors.split(' ') };

/** Whether a region has a service. */
export const hasService = (region: string, service: keyof typeof regionsOf): boolean =>
  regionsOf[service].includes(region);

/** State of September 2025, from AWS: https://github.com/aws/aws-lambda-roadmap/issues/18 */
const withoutLoopDetection = new Set(['mx-central-1', 'ap-southeast-6']);

/** Whether Lambda detects recursive loops in a region; in others the property that allows loops is invalid. */
export const detectsLoops = (region: string): boolean => !withoutLoopDetection.has(region);
