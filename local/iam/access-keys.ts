import { createHmac } from 'node:crypto';

/** Key pair that a client signs with. Keys of functions have a session token, the operator's has none. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * The access key of one function, derived from the operator's secret: an address that a function presigned holds after
 * a restart, and no file has to keep it.
 */
export const functionAccessKey = ({ secretAccessKey }: AccessKey, functionArn: string): Required<AccessKey> => {
  const derive = (use: string): Buffer =>
    createHmac('sha256', secretAccessKey).update(`${use}\n${functionArn}`).digest();
  return {
    accessKeyId: `LOCAL${derive('access key id').toString('hex').toUpperCase().slice(0, 15)}`,
    secretAccessKey: derive('secret access key').toString('base64url').slice(0, 40),
    sessionToken: derive('session token').toString('base64url'),
  };
};
