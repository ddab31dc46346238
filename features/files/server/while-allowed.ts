import { pipeline, Transform, type Readable } from 'node:stream'

/** Maximum age of a check while content is sent, in ms. */
const checkAfterMs = 1000
/** Maximum number of bytes sent between two checks. */
const checkAfterBytes = 8 * 1024 * 1024

/**
 * Returns the content while `check` succeeds. It is called before a chunk when the last check is older than 1 s or 8 MiB ago; an
 * error ends the content, so that the client notices an incomplete transfer.
 */
export function whileAllowed(content: Readable, check: () => Promise<unknown>): Readable {
  let checkedAtMs = performance.now()
  let sentBytes = 0
  const guarded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sentBytes += chunk.length
      if (sentBytes < checkAfterBytes && performance.now() - checkedAtMs < checkAfterMs)
        return done(null, chunk)
      check().then(() => {
        checkedAtMs = performance.now()
        sentBytes = 0
        done(null, chunk)
      }, done)
    },
  })
  // The error reaches the reader through the returned stream.
  return pipeline(content, guarded, () => {})
}
