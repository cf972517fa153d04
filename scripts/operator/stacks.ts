import { parseXML } from '@aws-sdk/xml-builder';
import { type AwsAccess, AwsRefusal } from './aws-access.ts';

/** A stack of a deployment as CloudFormation describes it. */
export interface DeployedStack {
  readonly name: string;
  /** Such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

type Xml = Readonly<Record<string, unknown>>;

const child = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? (node as Xml)[name] : undefined;

const membersOf = (node: unknown): readonly unknown[] => [child(node, 'member') ?? []].flat();

const textOf = (node: unknown, name: string): string => {
  const value = child(node, name);
  return typeof value === 'string' ? value : '';
};

const pairsOf = (node: unknown, key: string, value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(membersOf(node).map((member) => [textOf(member, key), textOf(member, value)]));

/** Returns a stack, or null if there is none of this name. Throws AwsRefusal. */
export const describeStack = async (
  { callQuery }: AwsAccess,
  region: string,
  name: string,
): Promise<DeployedStack | null> => {
  const input = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: name };
  try {
    const parsed: unknown = parseXML(await callQuery('cloudformation', region, input));
    const answer = child(parsed, 'DescribeStacksResponse') ?? parsed;
    const [stack] = membersOf(child(child(answer, 'DescribeStacksResult'), 'Stacks'));
    if (stack === undefined) return null;
    return {
      name,
      status: textOf(stack, 'StackStatus'),
      outputs: pairsOf(child(stack, 'Outputs'), 'OutputKey', 'OutputValue'),
      parameters: pairsOf(child(stack, 'Parameters'), 'ParameterKey', 'ParameterValue'),
    };
  } catch (error) {
    if (error instanceof AwsRefusal && error.code === 'ValidationError' && /does not exist/.test(error.message))
      return null;
    throw error;
  }
};

/** Returns the outputs of a stack. Throws Error if the stack is missing. */
export const outputsOf = async (
  access: AwsAccess,
  region: string,
  name: string,
): Promise<Readonly<Record<string, string>>> => {
  const stack = await describeStack(access, region, name);
  if (stack === null)
    throw new Error(
      `There is no stack ${name} in ${region}. Give --deployment and --region, or run npm run deploy first.`,
    );
  return stack.outputs;
};
