/** A structured logger; one JSON object a line. Never hand it secrets, tokens or presigned addresses. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const plain = (value: unknown): unknown =>
  value instanceof Error
    ? {
        name: value.name,
        message: value.message,
        stack: value.stack,
        ...(value.cause === undefined ? {} : { cause: plain(value.cause) }),
      }
    : value;

/** Writes to a stream that takes lines, by default standard output, which Lambda ships to its log group. */
export const createLogger = (write: (line: string) => void): Logger => {
  const at =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      write(
        JSON.stringify({
          level,
          message,
          ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)])),
        }),
      );
    };
  return { info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
};
