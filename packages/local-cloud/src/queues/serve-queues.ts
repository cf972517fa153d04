import type { AwsAnswer, AwsRequest } from '../endpoint/aws-request.ts';
import { queueOperations } from './queue-operations.ts';
import { QueueError } from './queue-errors.ts';
import { queueRequests, type QueueOperation } from './queue-requests.ts';
import type { QueueContext } from './queue-context.ts';
import type { QueueStore } from './queue-types.ts';

const contentType = 'application/x-amz-json-1.0';

const refusal = ({ shape, queryCode, message }: QueueError): AwsAnswer => ({
  status: 400,
  headers: { 'content-type': contentType, 'x-amzn-query-error': `${queryCode};Sender` },
  body: JSON.stringify({ __type: `com.amazonaws.sqs#${shape}`, message }),
});

/** Returns the resource of a request: its queue, or all queues. */
const resourceOf = (request: object, { region, accountId }: Pick<QueueContext, 'region' | 'accountId'>): string => {
  const { QueueUrl, QueueName = QueueUrl } = request as { readonly QueueUrl?: string; readonly QueueName?: string };
  return QueueName === undefined ? '*' : `arn:aws:sqs:${region}:${accountId}:${QueueName.split('/').at(-1)}`;
};

const isOperation = (name: string): name is QueueOperation => Object.hasOwn(queueRequests, name);

const run = async (
  operation: QueueOperation,
  context: QueueContext,
  body: unknown,
  authorize: AwsRequest['authorize'],
): Promise<object> => {
  const parsed = queueRequests[operation].safeParse(body);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new QueueError('InvalidParameterValue', problems.join('; '));
  }
  // A batch needs the permission of the single action: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
  authorize(`sqs:${operation.replace(/Batch$/, '')}`, resourceOf(parsed.data, context));
  // The request schema and the operation are looked up under one name, which the compiler cannot follow.
  const operate = queueOperations[operation] as (context: QueueContext, request: unknown) => object | Promise<object>;
  return await operate(context, parsed.data);
};

/**
 * Handles requests of the queue service's JSON protocol.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference
 */
export const serveQueues =
  (options: { readonly store: QueueStore; readonly accountId: string; readonly endpointUrl: string }) =>
  async (request: AwsRequest): Promise<AwsAnswer | null> => {
    const operation = request.headers['x-amz-target']?.toString().split('.').at(1) ?? '';
    if (!isOperation(operation)) {
      return null;
    }
    try {
      const context = { ...options, region: request.region, signal: request.signal };
      const result = await run(operation, context, JSON.parse(request.body.toString() || '{}'), request.authorize);
      return { status: 200, headers: { 'content-type': contentType }, body: JSON.stringify(result) };
    } catch (error) {
      if (error instanceof QueueError) {
        return refusal(error);
      }
      if (error instanceof SyntaxError) {
        return refusal(new QueueError('SerializationException', 'The request is not valid JSON.'));
      }
      throw error;
    }
  };
