import { useLocation, useNavigate } from 'react-router'
import { Tabs } from '@headwater/web-kit'

/** View of an insight: its tiles, or its e-mail export. */
export type InsightView = 'LAYOUT' | 'EXPORT'

const tabs = [
  { value: 'LAYOUT', label: 'Layout' },
  { value: 'EXPORT', label: 'Export' },
]

/** Tabs that switch between the views of an insight. */
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
