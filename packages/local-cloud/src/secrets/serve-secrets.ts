import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isMissingFile } from '../data/missing-file.ts';
import type { AwsAnswer, AwsRequest } from '../endpoint/aws-request.ts';

const contentType = 'application/x-amz-json-1.1';

const Request = z.object({ Name: z.string() });

const Secrets = z.record(z.string(), z.string());

/** Reads the secrets of a file, by name; none if there is no file. @throws Error if it is damaged. */
const readSecrets = (file: string): Readonly<Record<string, string>> => {
  try {
    return Secrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (isMissingFile(error)) return {};
    throw new Error(`${file} is damaged: it should be a JSON object whose values are texts`, { cause: error });
  }
};

const answer = (status: number, body: object): AwsAnswer => ({
  status,
  headers: { 'content-type': contentType },
  body: JSON.stringify(body),
});

/**
 * Handles GetParameter from a file of the operator: an object of secrets by the last part of their names. The file is read
 * each time, so that a changed secret takes effect as in AWS. Returns null for any other operation.
 * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html
 */
export const serveSecrets =
  (file: string, accountId: string) =>
  async (request: AwsRequest): Promise<AwsAnswer | null> => {
    if (request.headers['x-amz-target'] !== 'AmazonSSM.GetParameter') return null;
    const { Name } = Request.parse(JSON.parse(request.body.toString('utf8')));
    const path = Name.startsWith('/') ? Name : `/${Name}`;
    request.authorize('ssm:GetParameter', `arn:aws:ssm:${request.region}:${accountId}:parameter${path}`);
    const secrets = readSecrets(file);
    const name = Name.split('/').at(-1) ?? '';
    const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    return value === undefined
      ? answer(400, { __type: 'ParameterNotFound', message: `${file} has no "${name}"` })
      : answer(200, { Parameter: { Name, Type: 'SecureString', Value: value, Version: 1 } });
  };
