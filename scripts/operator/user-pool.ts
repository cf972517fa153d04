import * as z from 'zod';
import { type AwsAccess, AwsRefusal, callUnsigned } from './aws-access.ts';
import type { Place } from './place.ts';
import { outputsOf } from './stacks.ts';

/** User pool of a deployment. */
export interface UserPool {
  readonly region: string;
  readonly id: string;
  readonly clientId: string;
}

const service = 'cognito-idp';
const operation = (name: string): string => `AWSCognitoIdentityProviderService.${name}`;

/** Finds the user pool by the outputs of the data stack. Throws Error if the stack is missing. */
export const findUserPool = async (access: AwsAccess, { deployment, regions: [region] }: Place): Promise<UserPool> => {
  const { UserPoolId: id, UserPoolClientId: clientId } = await outputsOf(access, region, `${deployment}-data`);
  if (id === undefined || clientId === undefined)
    throw new Error(`The stack ${deployment}-data names no user pool. Run npm run deploy.`);
  return { region, id, clientId };
};

const SignedIn = z.object({
  AuthenticationResult: z.object({ IdToken: z.string() }).optional(),
  ChallengeName: z.string().optional(),
});

/** Returns an ID token of a user. Throws Error that says what the user pool asks for instead. */
export const signIn = async (
  { region, clientId }: Pick<UserPool, 'region' | 'clientId'>,
  email: string,
  password: string,
): Promise<string> => {
  const { AuthenticationResult: result, ChallengeName: challenge } = SignedIn.parse(
    await callUnsigned(service, region, operation('InitiateAuth'), {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: clientId,
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  );
  if (result !== undefined) return result.IdToken;
  throw new Error(
    challenge === 'NEW_PASSWORD_REQUIRED'
      ? `${email} has a temporary password. Run npm run create-user -- --email ${email} to set a lasting one.`
      : `${email} cannot sign in by password alone: the user pool asks for ${challenge}. Give a session token in STRATA_TOKEN.`,
  );
};

const FoundUser = z.object({ UserStatus: z.string() });

/** Status of a user, such as `CONFIRMED`; null if there is none. */
const statusOf = async (access: AwsAccess, pool: UserPool, email: string): Promise<string | null> => {
  const input = { UserPoolId: pool.id, Username: email };
  try {
    return FoundUser.parse(await access.callJson(service, pool.region, operation('AdminGetUser'), input)).UserStatus;
  } catch (error) {
    if (error instanceof AwsRefusal && error.code === 'UserNotFoundException') return null;
    throw error;
  }
};

/**
 * Creates a user whose address counts as verified, with a lasting password. A run that died in between is completed by the
 * next one. A user with a password of their own is not changed.
 * @returns Whether the password is the one given.
 */
export const createUser = async (
  access: AwsAccess,
  pool: UserPool,
  email: string,
  password: string,
): Promise<boolean> => {
  const user = { UserPoolId: pool.id, Username: email };
  const call = (name: string, input: object) => access.callJson(service, pool.region, operation(name), input);
  const status = await statusOf(access, pool, email);
  if (status !== null && status !== 'FORCE_CHANGE_PASSWORD') return false;
  if (status === null) {
    await call('AdminCreateUser', {
      ...user,
      UserAttributes: [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
      ],
      MessageAction: 'SUPPRESS',
    });
  }
  await call('AdminSetUserPassword', { ...user, Password: password, Permanent: true });
  return true;
};
