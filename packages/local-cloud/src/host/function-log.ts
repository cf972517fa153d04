import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { timestamp } from '../../../../shared/kernel/clock.ts';
import type { LogLine } from './sandbox.ts';

const fileLimitBytes = 10 * 1024 * 1024;
const lineLimit = 32 * 1024;

/** Log of the output of functions. */
export interface FunctionLog {
  readonly write: (functionName: string, region: string, line: LogLine) => void;
  readonly close: () => void;
}

const parsed = (text: string): unknown => {
  try {
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
};

/** Whether a line was written to stderr, or logged as a warning or an error. */
export const isWarning = ({ stream, text }: LogLine): boolean =>
  stream === 'stderr' || /"level":"(?:warn|error|fatal)/i.test(text);

/**
 * Appends each line of output to `file` as one JSON line. At 10 MiB the file becomes `file.1`, in place of the one
 * before. `onWarning` gets, readable, what was written to stderr or logged as a warning or an error.
 */
export const openFunctionLog = (options: {
  readonly file: string;
  readonly clock: Clock;
  readonly onWarning: (text: string) => void;
}): FunctionLog => {
  let descriptor = openSync(options.file, 'a', 0o600);
  let bytes = fstatSync(descriptor).size;
  const rotate = (): void => {
    const full = descriptor;
    if (existsSync(options.file)) renameSync(options.file, `${options.file}.1`);
    descriptor = openSync(options.file, 'a', 0o600);
    // Only after the next file is open: otherwise the descriptor could be reused by another file, and be written to.
    closeSync(full);
    bytes = 0;
  };
  return {
    write: (functionName, region, line) => {
      const text = line.text.slice(0, lineLimit);
      const entry = {
        at: timestamp(options.clock),
        function: functionName,
        region,
        request_id: line.requestId,
        stream: line.stream,
        output: parsed(text),
      };
      try {
        bytes += writeSync(descriptor, `${JSON.stringify(entry)}\n`);
        if (bytes > fileLimitBytes) rotate();
      } catch {
        // A full disk: lost log lines are no reason to end functions.
      }
      if (isWarning(line)) {
        options.onWarning(`${functionName} ${text}`);
      }
    },
    close: () => closeSync(descriptor),
  };
};
