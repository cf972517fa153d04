/** Request of the host to a function process: one invocation. */
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

/** Message of a function process to the host. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'initFailed'; readonly fault: FunctionFault }
  | { readonly kind: 'done'; readonly payload: string }
  | { readonly kind: 'failed'; readonly fault: FunctionFault };
