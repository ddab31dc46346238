import { useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { Dialog, Tabs } from '@headwater/web-kit'
import type { Insight } from '@headwater/insights/contract'
import { PeopleTab } from './PeopleTab.tsx'
import { PublicTab } from './PublicTab.tsx'
import styles from './ShareDialog.module.css'

/** Who may see an insight: people with an account, and anybody with a link. */
export default function ShareDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const mayPublish = useCan()('PublicView', 'RW', 'Insight')
  const tabs = [
    ...(mayPublish ? [{ value: 'public', label: 'Public link' }] : []),
    { value: 'people', label: 'People' },
  ]
  const [tab, setTab] = useState(mayPublish ? 'public' : 'people')
  return (
    <Dialog open onClose={onClose} title={`Share ${insight.insightName}`} width={560}>
      <Tabs label="Ways to share" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.tab} role="tabpanel" aria-label={tabs.find(({ value }) => value === tab)?.label}>
        {tab === 'people' ? <PeopleTab insight={insight} /> : <PublicTab insight={insight} />}
      </div>
    </Dialog>
  )
}
