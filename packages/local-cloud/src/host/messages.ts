import type { HandlerSpan } from '../shape/request-trace.ts';

/** Request of the host to a sandbox: one invocation. */
export interface InvocationRequest {
  readonly requestId: string;
  /** The event as JSON. */
  readonly payload: string;
  readonly functionArn: string;
  /** Epoch milliseconds at which the run is killed. */
  readonly deadlineMs: number;
}

/** An error in the format in which Lambda reports it to the caller. */
export interface FunctionFault {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** Text that a function wrote to one of its streams. */
export interface Output {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** End of a run, with the output that has not been sent before. */
interface Ended {
  readonly output: readonly Output[];
  readonly span: HandlerSpan;
}

/** Message of a sandbox to the host. `native`: a thread loads native code. */
export type SandboxMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'initFailed'; readonly fault: FunctionFault }
  | { readonly kind: 'native'; readonly file: string }
  | { readonly kind: 'output'; readonly output: readonly Output[] }
  | ({ readonly kind: 'done'; readonly payload: string } & Ended)
  | ({ readonly kind: 'failed'; readonly fault: FunctionFault } & Ended);

/** Request of the host to a process that functions share: about one of its threads. */
export type SharedRequest = { readonly thread: number } & (
  | {
      readonly kind: 'start';
      readonly environment: Readonly<Record<string, string>>;
      readonly memoryMb: number;
      /** Its temporary directory. */
      readonly directory: string;
      /** Name of the thread for tools that list them. */
      readonly name: string;
    }
  | { readonly kind: 'run'; readonly request: InvocationRequest }
  | { readonly kind: 'end' }
);

/** Message of a process that functions share: a message of one of its threads, or the end of the thread. */
export type SharedMessage = { readonly thread: number } & (
  | { readonly message: SandboxMessage }
  | { readonly exitCode: number }
);
