/** What one run on a fresh page answers. */
export interface Measured {
  /** From the call that makes the chart until it has been on screen for a frame. */
  paintMs: number
  /** Times between 60 frames while a window of half the data slides over them. */
  frameMs: number[]
  /** Times between 60 frames in which nothing is done: what the machine itself can keep up with. */
  idleMs: number[]
  /** Pixels of all canvases that are not empty: a chart that drew nothing is no result. */
  inked: number
}
