import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react'

/** When the tiles of a page last got data, and of which moment their newest data are; both epoch milliseconds. */
export interface RefreshTime {
  refreshedAt: number
  dataAsOf: number | undefined
}

/** Takes the times of a tile; undefined when the tile goes. */
export type ReportRefresh = (tileId: string, time: RefreshTime | undefined) => void

export const RefreshContext = createContext<ReportRefresh>(() => undefined)

/** Tells the page when a tile got data. */
export function useReportRefresh(tileId: string, refreshedAt: number, dataAsOf: number | undefined): void {
  const report = useContext(RefreshContext)
  useEffect(() => {
    if (refreshedAt === 0) return
    report(tileId, { refreshedAt, dataAsOf })
    return () => report(tileId, undefined)
  }, [report, tileId, refreshedAt, dataAsOf])
}

/** The times of all tiles of a page, and where they report them. */
export function useRefreshTimes(): { times: readonly RefreshTime[]; report: ReportRefresh } {
  const [byTile, setByTile] = useState<ReadonlyMap<string, RefreshTime>>(new Map())
  const report = useCallback<ReportRefresh>((tileId, time) => {
    setByTile((before) => {
      const next = new Map(before)
      if (time === undefined) next.delete(tileId)
      else next.set(tileId, time)
      return next
    })
  }, [])
  return { times: useMemo(() => [...byTile.values()], [byTile]), report }
}
