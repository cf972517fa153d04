interface KeyPart {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

/** A table as its template describes it, in the words of `CreateTable`. */
export interface TableDefinition {
  readonly name: string;
  readonly region: string;
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
  readonly key: readonly KeyPart[];
  readonly indexes: readonly {
    readonly IndexName: string;
    readonly KeySchema: readonly KeyPart[];
    readonly Projection: {
      readonly ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
      readonly NonKeyAttributes?: readonly string[] | undefined;
    };
  }[];
  /** Attribute with the epoch second after which an item goes; null keeps items for ever. */
  readonly expiryAttribute: string | null;
}
