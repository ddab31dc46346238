import { Page, PageHeader } from '@headwater/web-kit'
import StatusesPanel from '../panel/StatusesPanel.tsx'

/** The statuses panel as a page. */
export default function StatusesScreen() {
  return (
    <Page flush>
      <PageHeader />
      <StatusesPanel />
    </Page>
  )
}
