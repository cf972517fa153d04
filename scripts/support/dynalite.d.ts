declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** An HTTP server that speaks the protocol of DynamoDB. */
  export default function dynalite(options: { readonly path: string; readonly createTableMs: number }): Server;
}
