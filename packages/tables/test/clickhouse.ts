import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs statements with ClickHouse, which reads and writes Parquet with its own code; returns their results.
 */
export async function clickhouse(...statements: string[]): Promise<string[]> {
  const script = `const { query } = require('chdb'); process.stdout.write(JSON.stringify(${JSON.stringify(statements)}.map((sql) => query(sql, 'TSV'))))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as string[]
}
