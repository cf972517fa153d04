/** A recorded event on its way to the receivers of one organization. */
export interface OutgoingEvent {
  readonly organizationId: string;
  /** Stable id of the event; receivers see it as `hook-id`. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339 UTC. */
  readonly createdAt: string;
  /** The envelope as JSON, exactly as it is signed and sent; at most 61,440 bytes of UTF-8. */
  readonly body: string;
}

/** Whoever signs events, sends them to the endpoints of an organization and repeats what failed. */
export interface DeliveryProvider {
  /**
   * Accepts an event for delivery: once it resolves, the event reaches every endpoint that is enabled and wants its type.
   * Repeating it for one event adds nothing. Never waits for a receiver.
   */
  publish(event: OutgoingEvent): Promise<void>;
}
