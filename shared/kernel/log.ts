type Fields = Readonly<Record<string, unknown>>;

/** A structured logger; one JSON object a line. Never hand it secrets, tokens or presigned addresses. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** Drops whatever it is given. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
