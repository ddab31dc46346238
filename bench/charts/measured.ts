/** Result of one run on a new page. */
export interface Measured {
  /** Time from the call that creates the chart until it has been visible for a frame. */
  paintMs: number
  /** Times between 60 frames while a window of half the data slides over them. */
  frameMs: number[]
  /** Times between 60 idle frames: the limit of the machine. */
  idleMs: number[]
  /** Number of non-empty pixels of all canvases, to detect a chart that drew nothing. */
  inked: number
}
