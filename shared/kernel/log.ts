type Fields = Readonly<Record<string, unknown>>;

/** A structured logger; one JSON object a line. Never hand it secrets, tokens or presigned addresses. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** The line of a task that waits for a model: an alarm reads from it for how many minutes. */
export const modelWait = { message: 'a task waits for its model', minutes: 'waited_minutes' } as const;

/** Drops whatever it is given. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
