import { createContext, useContext, useEffect, useState } from 'react'
import { createStore, useStore, type Store } from '@headwater/web-kit'

/** When a tile last loaded data, and the time of its newest data. Both in epoch milliseconds. */
interface RefreshTime {
  refreshedAt: number
  dataAsOf: number | undefined
}

/**
 * The times of the tiles of a page by tile id. This is a store, so that new data of one tile do not render other tiles.
 */
export type RefreshTimes = Store<ReadonlyMap<string, RefreshTime>>

const noTimes: ReadonlyMap<string, RefreshTime> = new Map()

/** Ignores reports outside of a page. */
const nowhere: RefreshTimes = { get: () => noTimes, set: () => undefined, subscribe: () => () => undefined }

/** The refresh times of the page. */
export const RefreshTimesContext = createContext<RefreshTimes>(nowhere)

/** Reports to the page when a tile loaded data. */
export function useReportRefresh(tileId: string, refreshedAt: number, dataAsOf: number | undefined): void {
  const times = useContext(RefreshTimesContext)
  useEffect(() => {
    if (refreshedAt === 0) return
    const reported = { refreshedAt, dataAsOf }
    times.set(new Map(times.get()).set(tileId, reported))
    return () => {
      const others = new Map(times.get())
      others.delete(tileId)
      times.set(others)
    }
  }, [times, tileId, refreshedAt, dataAsOf])
}

/** Creates the times of the tiles of a page. */
export function useNewRefreshTimes(): RefreshTimes {
  return useState(newTimes)[0]
}

/** Returns the times that the tiles of the page reported. */
export function useRefreshTimes(): readonly RefreshTime[] {
  return [...useStore(useContext(RefreshTimesContext)).values()]
}

function newTimes(): RefreshTimes {
  return createStore(noTimes)
}
