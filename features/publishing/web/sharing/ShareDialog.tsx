import { useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { Dialog, Tabs } from '@headwater/web-kit'
import type { Insight } from '@headwater/insights/contract'
import { PeopleTab } from './PeopleTab.tsx'
import { PublicTab } from './PublicTab.tsx'
import styles from './ShareDialog.module.css'

/** Dialog that shares an insight with users and publishes it. */
export default function ShareDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const canPublish = useCan()('PublicView', 'RW', 'Insight')
  const tabs = [
    ...(canPublish ? [{ value: 'public', label: 'Public link' }] : []),
    { value: 'people', label: 'People' },
  ]
  const [tab, setTab] = useState(canPublish ? 'public' : 'people')
  return (
    <Dialog open onClose={onClose} title={`Share ${insight.insightName}`} width={560}>
      <Tabs label="Ways to share" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.tab} role="tabpanel" aria-label={tabs.find(({ value }) => value === tab)?.label}>
        {tab === 'people' ? <PeopleTab insight={insight} /> : <PublicTab insight={insight} />}
      </div>
    </Dialog>
  )
}
