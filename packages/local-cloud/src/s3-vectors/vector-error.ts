/** HTTP status by error name. Source: the service model. */
const statusOf = {
  ValidationException: 400,
  SerializationException: 400,
  NotFoundException: 404,
  ConflictException: 409,
  TooManyRequestsException: 429,
} as const;

interface InvalidField {
  readonly path: string;
  readonly message: string;
}

/** Error response of the vector service. */
export class VectorError extends Error {
  override readonly name: keyof typeof statusOf;
  readonly status: number;
  readonly fieldList: readonly InvalidField[] | undefined;

  constructor(name: keyof typeof statusOf, message: string, fieldList?: readonly InvalidField[]) {
    super(message);
    this.name = name;
    this.status = statusOf[name];
    this.fieldList = fieldList;
  }
}

/** Returns the error of one invalid field. */
export const invalid = (path: string, message: string): VectorError =>
  new VectorError('ValidationException', message, [{ path, message }]);
