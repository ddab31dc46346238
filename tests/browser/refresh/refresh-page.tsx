import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RefreshNote } from '@headwater/insights/web'
import {
  RefreshTimesContext,
  useNewRefreshTimes,
  useReportRefresh,
} from '../../../features/tiles/web/card/refresh-times.ts'

/** Number of renders of each tile, for the test. */
const drawn: Record<string, number> = {}
Object.assign(window, { drawn })

function useCount(name: string): void {
  useEffect(() => {
    drawn[name] = (drawn[name] ?? 0) + 1
  })
}

/** A tile whose button simulates the arrival of new data. */
function DataTile({ id }: { id: string }) {
  const [day, setDay] = useState(1)
  useReportRefresh(id, Date.UTC(2026, 0, day), Date.UTC(2026, 0, day))
  useCount(id)
  return <button onClick={() => setDay(day + 1)}>{id}</button>
}

function InsightPage() {
  const times = useNewRefreshTimes()
  useCount('page')
  return (
    <RefreshTimesContext value={times}>
      {['a', 'b', 'c'].map((id) => (
        <DataTile key={id} id={id} />
      ))}
      <RefreshNote onRefresh={() => undefined} />
    </RefreshTimesContext>
  )
}

createRoot(document.getElementById('root')!).render(<InsightPage />)
