/** How long after the page was shown its height is measured for the first time. */
export const firstCheckMs = 1000
/** How long between two measurements after that. */
export const nextCheckMs = 500

/** What a framed page tells the page around it: how high its content is now. */
export interface FrameHeightMessage {
  /** Marks messages of this kind. */
  type: 'headwater:height'
  /** Height of the content in CSS pixels, whole. */
  height: number
}

/** The outside world of the check. */
export interface FrameHeightWorld {
  /** Height of the content in CSS pixels; undefined as long as nothing is there to measure. */
  measure: () => number | undefined
  /** Posts a message to the page around the frame. */
  send: (message: FrameHeightMessage) => void
  /** Calls back once after a delay; the returned function cancels the call. */
  after: (delayMs: number, callback: () => void) => () => void
}

/**
 * Tells the page around a frame how high the content is: first after a second, then every half second when it has
 * changed. Returns how to stop.
 */
export function watchFrameHeight({ measure, send, after }: FrameHeightWorld): () => void {
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
