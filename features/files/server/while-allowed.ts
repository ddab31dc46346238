import { pipeline, Transform, type Readable } from 'node:stream'
import { createTransferCheck } from '@headwater/server-kit'

/** Returns the content, and ends it with an error when `check` fails. See {@link createTransferCheck}. */
export function whileAllowed(content: Readable, check: () => Promise<unknown>): Readable {
  const checkBefore = createTransferCheck(check)
  const guarded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const checking = checkBefore(chunk)
      if (checking === undefined) done(null, chunk)
      else checking.then(() => done(null, chunk), done)
    },
  })
  // The error reaches the reader through the returned stream.
  return pipeline(content, guarded, () => {})
}
