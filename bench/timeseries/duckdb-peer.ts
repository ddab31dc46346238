import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPeers, peerVersion } from '../peers.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The used parts of the driver, which is installed for benchmarks only. */
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowsJS(): unknown[][] }>
  closeSync(): void
}

/** DuckDB inside this process, on a file. */
export interface DuckdbPeer {
  /** For example `DuckDB 1.5.6`. */
  name: string
  connection: Connection
  close(): void
}

/** Installs the driver beside this file when it is missing, and opens a database. */
export async function openDuckdbPeer(path: string): Promise<DuckdbPeer> {
  installPeers(folder, '@duckdb/node-api')
  const require = createRequire(join(folder, 'package.json'))
  const { DuckDBInstance } = require('@duckdb/node-api') as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> }
  }
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  return {
    name: `DuckDB ${peerVersion(folder, '@duckdb/node-api').split('-')[0]}`,
    connection,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
