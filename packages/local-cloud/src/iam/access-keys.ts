import { createHmac } from 'node:crypto';

/** Key pair that a client signs with. Keys of functions have a session token, the operator's has none. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Derives the access key of one function from the operator's secret. Addresses that a function presigned stay valid after
 * a restart, and no file has to store the key.
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
