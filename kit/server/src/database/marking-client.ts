import pg from 'pg'

const connectionErrors = new WeakSet<object>()

/**
 * Client of PostgreSQL that marks the errors of its connection. The codes and messages of these errors are those of any other socket,
 * for example `read ECONNRESET`, so that they do not show which connection has failed.
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
