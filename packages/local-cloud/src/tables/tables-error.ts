/** Error of DynamoDB with its type. */
export class TablesError extends Error {
  readonly type: string;
  /** Further members of the response. */
  readonly members: object;

  constructor(type: string, message: string, members: object = {}) {
    super(message);
    this.type = type;
    this.members = members;
  }
}

const ofTables = (name: string): string => `com.amazonaws.dynamodb.v20120810#${name}`;

/** Returns the error of a request that DynamoDB would not accept. */
export const invalid = (message: string): TablesError =>
  new TablesError('com.amazon.coral.validate#ValidationException', message);

export const conditionFailed = (item: object | undefined): TablesError =>
  new TablesError(
    ofTables('ConditionalCheckFailedException'),
    'The conditional request failed',
    item === undefined ? {} : { Item: item },
  );

export const missingTable = (): TablesError =>
  new TablesError(ofTables('ResourceNotFoundException'), 'Requested resource not found');

/** Why one action of a transaction prevented it; the code `None` if it did not. */
export interface CancellationReason {
  readonly Code: 'None' | 'ConditionalCheckFailed' | 'ValidationError';
  readonly Message?: string;
  readonly Item?: object;
}

export const transactionCancelled = (reasons: readonly CancellationReason[]): TablesError => {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`;
  return new TablesError(ofTables('TransactionCanceledException'), message, {
    Message: message,
    CancellationReasons: reasons,
  });
};

export const tokenMismatch = (): TablesError =>
  new TablesError(
    ofTables('IdempotentParameterMismatchException'),
    'The request uses the client token of another request',
  );

/** Returns the reason for which `error` cancels a transaction. Throws errors with any other cause. */
export const reasonOf = (error: unknown): CancellationReason => {
  if (!(error instanceof TablesError)) throw error;
  const Code = error.type.endsWith('#ValidationException') ? 'ValidationError' : 'ConditionalCheckFailed';
  return { Code, Message: error.message, ...error.members };
};

/** Returns status and body of the response to a request that failed. Clients retry those with status 500. */
export const errorAnswer = (error: unknown): { readonly status: number; readonly body: string } => {
  if (error instanceof TablesError)
    return { status: 400, body: JSON.stringify({ __type: error.type, message: error.message, ...error.members }) };
  const message = error instanceof Error ? error.message : String(error);
  return { status: 500, body: JSON.stringify({ __type: ofTables('InternalServerError'), message }) };
};
