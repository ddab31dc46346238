import { intervals } from '@headwater/web-kit'

/** Retries after a failed request for the definition of a file. */
const maxRetries = 4

/**
 * Reads the definition of a file that a run has just written. After a failure it retries up to 4 times, every 3 s.
 * @throws the error of the last attempt
 */
export async function pollDefinition<Definition>(read: () => Promise<Definition>): Promise<Definition> {
  for (let retries = 0; ; retries++)
    try {
      return await read()
    } catch (error) {
      if (retries === maxRetries) throw error
      await new Promise((resolve) => setTimeout(resolve, intervals.retryDelayMs))
    }
}
