import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const secretsSchema = z.object({
  tokenSigningKey: z.string().min(64).describe('Key that signs the tokens of users, base64url, 64 bytes.'),
  internalToken: z
    .string()
    .min(32)
    .describe('Token that authenticates parts of the platform to each other, base64url, 32 bytes.'),
})

/** Secrets of this installation, created at the first start. They never leave the data folder. */
export type Secrets = z.infer<typeof secretsSchema>

/** Reads the secrets of the installation from a copy of `secrets.json` of another server. */
export async function readSharedSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `HEADWATER_SECRETS_FILE is “${path}”, which cannot be read (${error.code}). ` +
        'It must be a copy of secrets.json from the data folder of a server of this installation.',
      { cause: error },
    )
  })
  return parseSecrets(text, path)
}

/** Reads `secrets.json` of the data folder or creates it, readable by its owner only. A damaged file is an error and is never replaced. */
export async function readSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return createSecrets(path)
  await chmod(path, 0o600)
  return parseSecrets(text, path)
}

async function createSecrets(path: string): Promise<Secrets> {
  const secrets: Secrets = {
    tokenSigningKey: randomBytes(64).toString('base64url'),
    internalToken: randomBytes(32).toString('base64url'),
  }
  await writeFile(`${path}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return secrets
}

function parseSecrets(text: string, path: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(
      `The file ${path} is damaged. Restore it from a backup. Without one, remove it:  ` +
        'every user then has to sign in again.',
    )
  }
}
