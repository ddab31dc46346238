import pg from 'pg'

const connectionErrors = new WeakSet<object>()

/**
 * PostgreSQL client that marks the errors of its connection. Their codes and messages, such as `read ECONNRESET`, are the
 * same for every socket, so they do not show that the connection to PostgreSQL has failed.
 */
export class MarkingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.connection.on('error', (error: object) => connectionErrors.add(error))
  }
}

/** Returns whether an error is a failed connection of a {@link MarkingClient}, and not a response of PostgreSQL. */
export function isConnectionError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && connectionErrors.has(error)
}
