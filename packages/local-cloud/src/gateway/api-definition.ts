/** A route of the HTTP API. */
export interface RouteDefinition {
  /** `GET /v1/indexes/{index_id}`, `ANY /path`, or `$default`. */
  readonly key: string;
  readonly functionArn: string;
  /** Time after which the caller gets a 503 and the function runs on. */
  readonly timeoutMs: number;
}

export interface CorsDefinition {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  /** Lower case. */
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number | null;
  readonly allowCredentials: boolean;
}

/** The HTTP API as its template describes it. */
export interface ApiDefinition {
  readonly id: string;
  readonly routes: readonly RouteDefinition[];
  readonly cors: CorsDefinition | null;
}
