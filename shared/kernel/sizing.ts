/** Size of a function in AWS; the local host enforces the timeout. */
export interface Sizing {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** MiB of temporary storage; default: Lambda's own 512. */
  readonly storageMb?: number;
  /** Bundle assets and layers that the function needs beside its code. */
  readonly assets?: readonly Asset[];
}

/**
 * Layers: `engine`, the native index engine, `onnx`, the native runtime of models, and `sdk`, the clients of AWS, which
 * every function has. The others are files copied beside the bundle.
 */
export type Asset =
  | 'engine'
  | 'onnx'
  | 'sdk'
  | 'embedding-model'
  | 'multilingual-model'
  | 'reranker-model'
  | 'ocr'
  | 'readers'
  | 'site-reader'
  | 'api-description'
  | 'api-page'
  | 'api-page-files'
  | 'console-page'
  | 'console-files'
  | 'guides-page'
  | 'guides-files';
