/** Error of the queue protocol. */
export class QueueError extends Error {
  /** Shape name in the JSON protocol, such as `QueueDoesNotExist`. */
  readonly shape: string;
  /** Code of the same error for older clients (query protocol). */
  readonly queryCode: string;

  constructor(shape: string, message: string, queryCode = shape) {
    super(message);
    this.name = 'QueueError';
    this.shape = shape;
    this.queryCode = queryCode;
  }
}

export const queueDoesNotExist = (): QueueError =>
  new QueueError('QueueDoesNotExist', 'The specified queue does not exist.', 'AWS.SimpleQueueService.NonExistentQueue');

export const invalidParameter = (message: string): QueueError => new QueueError('InvalidParameterValue', message);

export const missingParameter = (name: string): QueueError =>
  new QueueError('MissingParameter', `The request must contain the parameter ${name}.`);

export const invalidReceipt = (receipt: string): QueueError =>
  new QueueError('ReceiptHandleIsInvalid', `The input receipt handle "${receipt}" is not a valid receipt handle.`);

export const messageNotInFlight = (): QueueError =>
  new QueueError(
    'MessageNotInflight',
    'Message does not exist or is not available for visibility timeout change.',
    'AWS.SimpleQueueService.MessageNotInflight',
  );
