export interface KeyPart {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyPart[];
  readonly Projection: {
    readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
    readonly NonKeyAttributes?: readonly string[] | undefined;
  };
}

/** A table as its template describes it, with the names of `CreateTable`. */
export interface TableDefinition {
  readonly name: string;
  readonly region: string;
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
  readonly key: readonly KeyPart[];
  readonly indexes: readonly IndexDefinition[];
  /** Attribute with the epoch second at which an item expires; null if items do not expire. */
  readonly expiryAttribute: string | null;
}
