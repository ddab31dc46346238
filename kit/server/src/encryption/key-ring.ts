import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A key of the installation. */
export interface EncryptionKey {
  /** Id of the key. Encrypted texts contain it. */
  id: string
  /** The key: base64url, 32 bytes. */
  key: string
}

/** Encrypts texts with the newest key of the installation, and decrypts them with any of its keys. */
export interface KeyRing {
  /**
   * Encrypts a string with AES-256-GCM.
   * @param context identifies the record that stores the text; only a call with the same context can decrypt it
   */
  encrypt(text: string, context: string): string
  /**
   * Decrypts a string. If the key is missing, reads the key file again, because another server may have changed it.
   * @throws Error if the key is missing, or if the text or the context has changed
   */
  decrypt(encrypted: string, context: string): Promise<string>
  /** Returns whether a string was encrypted with a key other than the newest one. */
  isOutdated(encrypted: string): boolean
  /** Adds a key, which is used for encryption from now on. Older keys can still decrypt. */
  addKey(): Promise<void>
}

const algorithm = 'aes-256-gcm'
const version = 'v1'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Creates a random key. */
export function createEncryptionKey(): EncryptionKey {
  return { id: randomBytes(6).toString('hex'), key: randomBytes(keyBytes).toString('base64url') }
}

/**
 * Creates a key ring.
 * @param keys returns the keys, newest first
 * @param addKey stores a new key as the newest one
 * @param reload reads the keys again
 */
export function createKeyRing({
  keys,
  addKey,
  reload,
}: {
  keys: () => readonly EncryptionKey[]
  addKey: () => Promise<void>
  reload: () => Promise<void>
}): KeyRing {
  function newest(): EncryptionKey {
    const key = keys()[0]
    if (key === undefined) throw new Error('This installation has no encryption key.')
    return key
  }

  return {
    encrypt(text, context) {
      const { id, key } = newest()
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, Buffer.from(key, 'base64url'), nonce, {
        authTagLength: tagBytes,
      })
      cipher.setAAD(contextBytes(id, context))
      const content = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${id}.${content.toString('base64url')}`
    },

    async decrypt(encrypted, context) {
      const [, id = '', encoded = ''] = encrypted.split('.')
      const find = () => keys().find((each) => each.id === id)
      if (find() === undefined) await reload()
      const key = find()
      if (key === undefined)
        throw new Error(
          `The encryption key ${id} is missing in secrets.json. Restore the file from a backup, or copy it again from the first server.`,
        )
      const content = Buffer.from(encoded, 'base64url')
      const nonce = content.subarray(0, nonceBytes)
      const decipher = createDecipheriv(algorithm, Buffer.from(key.key, 'base64url'), nonce, {
        authTagLength: tagBytes,
      })
      decipher.setAAD(contextBytes(id, context))
      decipher.setAuthTag(content.subarray(-tagBytes))
      const text = decipher.update(content.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },

    isOutdated: (encrypted) => encrypted.split('.')[1] !== newest().id,
    addKey,
  }
}

function contextBytes(keyId: string, context: string): Buffer {
  return Buffer.from(`${version} ${keyId} ${context}`)
}
