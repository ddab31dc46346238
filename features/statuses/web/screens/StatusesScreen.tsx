import { Page, PageHeader } from '@headwater/web-kit'
import StatusesPanel from '../panel/StatusesPanel.tsx'

/** The statuses as a page of their own, with the same parts as the panel. */
export default function StatusesScreen() {
  return (
    <Page flush>
      <PageHeader />
      <StatusesPanel />
    </Page>
  )
}
