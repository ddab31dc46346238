import type pg from 'pg'

/** A subscription to PostgreSQL notifications that survives lost connections. */
export interface Listener {
  /** Calls a function for each notification. Returns a function that unsubscribes. */
  subscribe(channel: string, callback: (payload: string) => void): () => void
  /** Stops listening and releases the connection. */
  close(): Promise<void>
}

const reconnectPauseMs = 200

/**
 * Listens on one connection of the pool. Notifications sent while the connection is down are lost, so callers must also poll.
 */
export function createListener(
  pool: pg.Pool,
  channels: readonly string[],
  warn: (message: string) => void,
): Listener {
  const callbacks = new Map<string, Set<(payload: string) => void>>()
  let connection: pg.PoolClient | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let hasWarned = false
  let connecting = connect()

  async function connect(): Promise<void> {
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      const broken = (error?: Error) => handleLoss(client as pg.PoolClient, error)
      client.on('error', broken)
      client.on('end', () => broken())
      client.on('notification', ({ channel, payload }) => {
        for (const callback of callbacks.get(channel) ?? []) callback(payload ?? '')
      })
      for (const channel of channels) await client.query(`listen ${channel}`)
      connection = client
      hasWarned = false
    } catch (error) {
      client?.release(true)
      reconnectLater(error as Error)
    }
  }

  function handleLoss(client: pg.PoolClient, error: Error | undefined): void {
    if (connection !== client) return
    connection = undefined
    client.release(true)
    reconnectLater(error)
  }

  function reconnectLater(error: Error | undefined): void {
    if (closed) return
    if (!hasWarned)
      warn(
        `A listener lost its database connection: ${error?.message ?? 'the connection ended'}. It will reconnect.`,
      )
    hasWarned = true
    timer = setTimeout(() => {
      connecting = connect()
    }, reconnectPauseMs)
    timer.unref()
  }

  return {
    subscribe(channel, callback) {
      const set = callbacks.get(channel) ?? new Set()
      callbacks.set(channel, set.add(callback))
      return () => void set.delete(callback)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await connecting
      const client = connection
      connection = undefined
      client?.release(true)
    },
  }
}
