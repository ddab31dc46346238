/** Delay before the first measurement, in milliseconds. */
const firstCheckMs = 1000
/** Interval between later measurements, in milliseconds. */
const nextCheckMs = 500

/** Message of a framed page to the parent page, with the height of its content. */
export interface FrameHeightMessage {
  /** Marks messages of this kind. */
  type: 'headwater:height'
  /** Height of the content in CSS pixels, whole. */
  height: number
}

/** Functions of the browser that the check uses. */
export interface FrameHeightBrowser {
  /** Returns the height of the content in CSS pixels; undefined while there is nothing to measure. */
  measure: () => number | undefined
  /** Posts a message to the parent page. */
  send: (message: FrameHeightMessage) => void
  /** Calls a function once after a delay. Returns a function that cancels the call. */
  after: (delayMs: number, callback: () => void) => () => void
}

/**
 * Sends the height of the content to the parent page: first after {@link firstCheckMs}, then every {@link nextCheckMs}
 * if it has changed. Returns a function that stops it.
 */
export function watchFrameHeight({ measure, send, after }: FrameHeightBrowser): () => void {
  let lastHeight: number | undefined
  let stop = after(firstCheckMs, check)
  function check(): void {
    const height = measure()
    if (height !== undefined && Math.ceil(height) !== lastHeight) {
      lastHeight = Math.ceil(height)
      send({ type: 'headwater:height', height: lastHeight })
    }
    stop = after(nextCheckMs, check)
  }
  return () => stop()
}
