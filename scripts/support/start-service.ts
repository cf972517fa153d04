import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { stopChild } from './stop-child.ts';
import { projectDirectory } from './project-directory.ts';

const keptLines = 20;

const Announcement = z.object({
  base_url: z.string(),
  api_key: z.string(),
  session_token: z.string(),
  organization_id: z.string(),
  docs_url: z.string(),
  console_url: z.string(),
});

/** Where a service that serves is found. */
export type Service = z.infer<typeof Announcement>;

/** The service as a child process. */
interface StartingService {
  readonly pid: number;
  /** Rejects with the last lines of its output when it ends before it serves. */
  readonly ready: Promise<Service>;
  /** Stops it and waits until it is gone; kills it when it takes too long. */
  readonly stop: () => Promise<void>;
  /** Ends it at once, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const awaitAnnouncement = async (
  child: Child,
  exited: Promise<number | null>,
  last: readonly string[],
): Promise<Service> => {
  const announced = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const first = await Promise.race([announced, exited]);
  if (typeof first === 'string') return Announcement.parse(JSON.parse(first));
  throw new Error(`the service did not start (exit code ${first}):\n${last.join('\n')}`);
};

/** How to start it. */
interface StartOptions {
  readonly dataDirectory: string;
  /** With its own process group, Ctrl-C reaches only the parent, which then has to stop the service. */
  readonly detached?: boolean;
  /** More options of `npm start`. */
  readonly flags?: readonly string[];
  /** Values of CloudFormation parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Receives each line about the progress of the start. */
  readonly onPhase?: (phase: string) => void;
}

/** Starts the service as a user does, on a free port, where webhook addresses may be of this machine. */
export const startService = (options: StartOptions): StartingService => {
  const { dataDirectory, detached = false, onPhase, parameters = {} } = options;
  const flags = ['--port', '0', '--data', dataDirectory, '--json', '--allow-local-webhooks', ...(options.flags ?? [])];
  for (const [name, value] of Object.entries(parameters)) flags.push('--parameter', `${name}=${value}`);
  const child: Child = spawn(process.execPath, [join('packages', 'local-cloud', 'src', 'start.mjs'), ...flags], {
    cwd: projectDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  // Processes that it started may hold its output open for a moment longer.
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const last: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line);
    if (last.length > keptLines) last.shift();
    onPhase?.(line.replace(/^\s*[\d.]+ s\s+/, ''));
  });
  return {
    pid: child.pid ?? -1,
    ready: awaitAnnouncement(child, exited, last),
    stop: () => stopChild(child),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
