import { useEffect, useRef, useState } from 'react'
import type { Point } from '../graph.ts'

/** Delay after the last movement until positions are reported, in milliseconds. */
const moveDelayMs = 500

/** Collects movements and reports them together, 500 ms after the last one. `flush` reports them immediately. */
export function useLateMoves(report: (moves: ReadonlyMap<string, Point>) => void) {
  const latest = useRef(report)
  const pending = useRef(new Map<string, Point>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = report
  })
  const [api] = useState(() => {
    function flush(): void {
      clearTimeout(timer.current)
      if (pending.current.size === 0) return
      const moves = pending.current
      pending.current = new Map()
      latest.current(moves)
    }
    return {
      flush,
      move(moves: readonly (readonly [string, Point])[]): void {
        if (moves.length === 0) return
        for (const [id, position] of moves) pending.current.set(id, position)
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, moveDelayMs)
      },
    }
  })
  useEffect(() => api.flush, [api])
  return api
}
