import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createEncryptionKey } from '../encryption/key-ring.ts'

const secretsSchema = z.object({
  tokenSigningKey: z.string().min(64).describe('Key that signs the tokens of users, base64url, 64 bytes.'),
  internalToken: z
    .string()
    .min(32)
    .describe(
      'Token with which the processes of the platform authenticate to each other, base64url, 32 bytes.',
    ),
  encryptionKeys: z
    .array(
      z.object({
        id: z.string().min(1).describe('Id of the key. Encrypted texts contain it.'),
        key: z.string().length(43).describe('The key, base64url, 32 bytes.'),
      }),
    )
    .min(1)
    .describe('Keys that encrypt stored secrets, newest first. Older keys can still decrypt.'),
})
/** Older versions stored no encryption keys in this file. */
const storedSchema = secretsSchema.partial({ encryptionKeys: true })

/** Secrets of this installation, created at the first start. Other servers of the installation use a copy. */
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
  const { encryptionKeys, ...secrets } = parseSecrets(text, path)
  if (encryptionKeys !== undefined) return { ...secrets, encryptionKeys }
  throw new Error(
    `HEADWATER_SECRETS_FILE is “${path}”, which has no encryption keys. Start the server with the original in this version, and copy the file again.`,
  )
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
  const stored = parseSecrets(text, path)
  const { encryptionKeys } = stored
  if (encryptionKeys !== undefined) return { ...stored, encryptionKeys }
  return writeSecrets(path, { ...stored, encryptionKeys: [createEncryptionKey()] })
}

/** Adds a key to `secrets.json` and returns all secrets. The new key is used for encryption from now on. */
export function addEncryptionKey(folder: string, secrets: Secrets): Promise<Secrets> {
  const encryptionKeys = [createEncryptionKey(), ...secrets.encryptionKeys]
  return writeSecrets(join(folder, 'secrets.json'), { ...secrets, encryptionKeys })
}

function createSecrets(path: string): Promise<Secrets> {
  return writeSecrets(path, {
    tokenSigningKey: randomBytes(64).toString('base64url'),
    internalToken: randomBytes(32).toString('base64url'),
    encryptionKeys: [createEncryptionKey()],
  })
}

async function writeSecrets(path: string, secrets: Secrets): Promise<Secrets> {
  await writeFile(`${path}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return secrets
}

function parseSecrets(text: string, path: string): z.infer<typeof storedSchema> {
  try {
    return storedSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(
      `The file ${path} is damaged. Restore it from a backup. Without one, remove it: ` +
        'every user then has to sign in again, and stored secrets have to be entered again.',
    )
  }
}
