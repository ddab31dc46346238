import { createContext, useContext, useEffect, useState } from 'react'
import { createStore, useStore, type Store } from '@headwater/web-kit'

/** When a tile last got data, and of which moment its newest data are; both epoch milliseconds. */
interface RefreshTime {
  refreshedAt: number
  dataAsOf: number | undefined
}

/** The times of the tiles of a page by their ids; a store, so that new data of one tile draw no other tile again. */
export type RefreshTimes = Store<ReadonlyMap<string, RefreshTime>>

const noTimes: ReadonlyMap<string, RefreshTime> = new Map()

/** Where no page wants to know, nothing is kept. */
const nowhere: RefreshTimes = { get: () => noTimes, set: () => undefined, subscribe: () => () => undefined }

export const RefreshTimesContext = createContext<RefreshTimes>(nowhere)

/** Tells the page when a tile got data. */
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

/** Times for the tiles of a page of their own. */
export function useNewRefreshTimes(): RefreshTimes {
  return useState(newTimes)[0]
}

/** The times that the tiles of the page around have told. */
export function useRefreshTimes(): readonly RefreshTime[] {
  return [...useStore(useContext(RefreshTimesContext)).values()]
}

function newTimes(): RefreshTimes {
  return createStore(noTimes)
}
