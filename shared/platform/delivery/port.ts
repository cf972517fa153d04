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

/** Signs events, sends them to the webhook endpoints of an organization and retries failed attempts. */
export interface DeliveryProvider {
  /**
   * Accepts an event for delivery to every enabled endpoint that subscribes to its type. The delivery is durable once the
   * promise resolves. Idempotent for each event. Never waits for a receiver.
   */
  publish(event: OutgoingEvent): Promise<void>;
}
