/** Result for one table. */
export interface MeasuredTable {
  /** From the call with rows in memory to the first frame that shows them, milliseconds. */
  paintMs: number
  /** Time between frames while it scrolls, milliseconds. */
  frameMs: number[]
  /** Whether its end can be reached. */
  reachesLast: boolean
}
