import { spawn } from 'node:child_process'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administrator, database, type PostgresContext } from './postgres-folder.ts'
import { spawnOptions } from './postgres-settings.ts'
import { giveFolderTo } from './run-as.ts'

/** Creates the cluster under a temporary name, so that an interrupted first start leaves no incomplete cluster. */
export async function createCluster(context: PostgresContext, password: string): Promise<void> {
  const { binaries, folder, runAs, options } = context
  const unfinished = join(folder, 'cluster.new')
  const passwordCopy = join(folder, 'password.new')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordCopy, password, { mode: 0o600 })
  await giveFolderTo(runAs.owner, unfinished)
  if (process.getuid?.() === 0) await chown(passwordCopy, runAs.owner.uid, runAs.owner.gid)
  options.log.info('PostgreSQL: creating the database. This takes some seconds.')

  try {
    await runToEnd(context, binaries.initdb, [
      `--pgdata=${unfinished}`,
      `--username=${administrator}`,
      `--pwfile=${passwordCopy}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // A built-in collation of PostgreSQL: sort order and case are the same on every system and do not depend
      // on its libraries.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
      ...(options.durability === 'none' ? ['--no-sync'] : []),
    ])
    await runToEnd(
      context,
      binaries.postgres,
      ['--single', '-D', unfinished, '-c', 'log_checkpoints=off', 'template1'],
      `CREATE DATABASE ${database}\n`,
    )
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await rm(passwordCopy, { force: true })
  }
  await rename(unfinished, context.cluster)
}

/** Runs a program until it exits. The error of a failed program contains its output. */
async function runToEnd(
  context: PostgresContext,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const [command, ...rest] = [...context.runAs.prefix, program, ...args]
  const child = spawn(command as string, rest, { ...spawnOptions(context), stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const text = Buffer.concat(output).toString()
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(text)) {
    throw new Error(`The database could not be created in ${context.folder}.\n${text.trim()}`)
  }
}
