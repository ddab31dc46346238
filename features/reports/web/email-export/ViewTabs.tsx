import { useLocation, useNavigate } from 'react-router'
import { Tabs } from '@headwater/web-kit'

/** The views of an insight: its tiles, or its export by e-mail. */
export type InsightView = 'LAYOUT' | 'EXPORT'

const tabs = [
  { value: 'LAYOUT', label: 'Layout' },
  { value: 'EXPORT', label: 'Export' },
]

/** Tabs that lead from one view of an insight to the other. */
export function ViewTabs({ view }: { view: InsightView }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  function choose(next: string) {
    const changed = new URLSearchParams(search)
    if (next === 'LAYOUT') changed.delete('view')
    else changed.set('view', next)
    void navigate({ pathname, search: changed.toString() }, { replace: true })
  }
  return <Tabs label="Views of the insight" value={view} onChange={choose} tabs={tabs} />
}
